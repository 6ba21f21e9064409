"""A `tt` that deals from one seed, whatever it has drawn, so that two matches get the same cards.

python tests/network/one_deal.py host GAME --dealer host ...

Everything else is the real program.
"""

from __future__ import annotations

import sys

from tavolata._engine.dealing.match_secret import MatchSecret

SEED = bytes(range(32))
"""From which the host's machine shuffles."""


def book(_self: MatchSecret, _match: str) -> bytes:
    """Stand in for `MatchSecret.book`."""
    return SEED


if __name__ == "__main__":
    from tavolata._cli import main

    MatchSecret.book = book  # type: ignore[method-assign, assignment] # what it is for as long as this runs
    sys.exit(main())
