"""The bots of Draughts: one takes what it can, the others look ahead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from typing_extensions import override

from tavolata import Ask, View
from tavolata.bots import Bot, Chance
from tavolata_classics.draughts.board import SIZE, Cell, Move, after, moves
from tavolata_classics.draughts.rules import Draughts, DraughtsOptions, National

WON: Final = 10_000


def worth(at: Mapping[Cell, int], side: int) -> int:
    """Return what a position is worth to a side: men, kings, and how far the men have come."""
    total = 0
    for (row, column), man in at.items():
        ahead = row if man // 2 else SIZE - 1 - row
        middle = 2 <= column <= 5
        value = 160 + 6 * middle if man % 2 else 100 + 2 * ahead + 3 * middle + 6 * (ahead == 0)
        total += value if man // 2 == side else -value
    return total


def search(at: Mapping[Cell, int], side: int, depth: int, low: int, high: int, *, italian: bool) -> int:
    """Return what a position is worth with best play so deep; a capture is always looked at to its end."""
    found = moves(at, side, italian=italian)
    if not found:
        return -WON - depth
    if depth <= 0 and not found[0].taken:
        return worth(at, side)
    best = -2 * WON
    for move in found:
        best = max(best, -search(after(at, move), 1 - side, depth - 1, -high, -low, italian=italian))
        low = max(low, best)
        if low >= high:
            break
    return best


class EasyBot(Bot):
    """It moves at random, but takes as many men as it can."""

    level = "easy"

    @override
    def choose(self, view: View[Draughts], ask: Ask[Any], chance: Chance) -> object:
        found = view.legal(ask)
        most = max(len(taken) for _, taken in found)
        return chance.pick([one for one in found if len(one[1]) == most])


class NormalBot(Bot):
    """It looks one move ahead, and follows captures."""

    level = "normal"
    depth: ClassVar[int] = 1

    @override
    def choose(self, view: View[Draughts], ask: Ask[Any], chance: Chance) -> object:
        """Take the best move; of several, one at random."""
        options, found = view.options, view.legal(ask)
        assert isinstance(options, DraughtsOptions)
        italian, side = options.rules is National.ITALIAN, view.game.side(ask.seat)
        at = view.game.position()
        values = [
            -search(after(at, Move(*one)), 1 - side, self.depth - 1, -2 * WON, 2 * WON, italian=italian)
            for one in found
        ]
        return chance.pick([one for one, value in zip(found, values, strict=True) if value == max(values)])


class HardBot(NormalBot):
    """It looks four moves ahead."""

    level = "hard"
    depth = 4
