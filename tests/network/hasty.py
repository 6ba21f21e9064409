"""A `tt` that loses patience sooner, so that tests need not wait as long as people do.

python tests/network/hasty.py host GAME ...

All machines at a table have to run it. Everything else is the real program.
"""

from __future__ import annotations

import sys
from functools import partialmethod

from tavolata._engine.dealing.authority import PATIENCE
from tavolata._engine.match import header
from tavolata._engine.peer.peer_settings import PeerSettings, Waits

STAND_AFTER = 4
"""Seconds, after the silence, until questions of somebody with hidden cards are closed."""


def hurry() -> None:
    """Observe for shorter times than the program does, and hold keys back for less."""
    PATIENCE.silence, PATIENCE.stall, PATIENCE.empty = 7, 14, 9
    header.SHORTEST = STAND_AFTER
    waits = Waits(offer=16.0, hold=3.0)
    PeerSettings.__init__ = partialmethod(PeerSettings.__init__, waits=waits)  # type: ignore[assignment, method-assign] # what it is unless something else is said


if __name__ == "__main__":
    from tavolata._cli import main

    hurry()
    sys.exit(main())
