"""A `tt` that breaks when its match has so many moves.

python tests/network/breaking.py applying host GAME ...

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


if __name__ == "__main__":
    from tavolata._cli import main

    {"applying": break_applying}[sys.argv.pop(1)]()
    sys.exit(main())
