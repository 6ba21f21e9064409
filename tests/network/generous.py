"""A `tt` whose table takes as much from everybody as they say, so that a log fills soon.

python tests/network/generous.py host GAME ...

Everything else is the real program.
"""

from __future__ import annotations

import sys

from tavolata_protocol.grouplog import timing

if __name__ == "__main__":
    from tavolata._cli import main

    for role in timing.QUOTAS:
        timing.QUOTAS[role] = (10**7, 10**8)
    sys.exit(main())
