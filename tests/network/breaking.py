"""A `tt` that breaks when its match has so many moves, or in the second turn of an evening's first match.

python tests/network/breaking.py applying host GAME ...
python tests/network/breaking.py once host GAME ...

Everything else is the real program.
"""

from __future__ import annotations

import sys
from typing import Any

from tavolata._engine.match.entries import ANSWER
from tavolata._engine.table.matches import Matches

MOVES = 3
"""After so many answers it breaks."""


def answered(match: Any) -> int:
    return sum(entry[0] == ANSWER for entry in match.source.entries)


def break_applying() -> None:
    """Raise at the next entry of the match, before it counts."""
    play = Matches.play

    def fails(self: Matches, *said: Any) -> None:
        if self.running is not None and answered(self.running.match) >= MOVES:
            raise KeyError("a fault of this program")
        play(self, *said)

    Matches.play = fails  # type: ignore[assignment, method-assign] # that is the fault


def break_once() -> None:
    """Raise at the first answer of the second turn, unless the match is one that went back."""
    feed = Matches._feed

    def fails(self: Matches, running: Any, peer: bytes | None, entry: Any) -> None:
        if running.header.before is None and running.match.turns == 1 and entry[0] == ANSWER:
            raise KeyError("a fault of this program")
        feed(self, running, peer, entry)

    Matches._feed = fails  # type: ignore[method-assign] # that is the fault


if __name__ == "__main__":
    from tavolata._cli import main

    {"applying": break_applying, "once": break_once}[sys.argv.pop(1)]()
    sys.exit(main())
