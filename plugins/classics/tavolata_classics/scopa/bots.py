"""The bots of Scopa: they weigh what a card takes against what it leaves to the next player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typing_extensions import override

from tavolata import Ask, Card, View
from tavolata.bots import Bot, Chance
from tavolata.decks import ITALIAN_40, ItalianFace, ItalianSuit
from tavolata_classics.scopa.rules import Scopa, ScopaOptions
from tavolata_classics.scopa.score import FIGURE, PRIMIERA, SETTEBELLO, captures

Way = tuple[ItalianFace, ...]
SWEEP = 10.0
"""What a scopa is worth, in tenths of a point."""


def rank(face: ItalianFace) -> int:
    return face.rank


def value(face: ItalianFace) -> float:
    """Return the worth of a card to its taker, in tenths of a point or so."""
    worth = 0.7 + 0.2 * (PRIMIERA.get(face.rank, FIGURE) - FIGURE)
    return worth + (1.6 if face.suit is ItalianSuit.DENARI else 0) + (10 if face == SETTEBELLO else 0)


class Sight:
    """What a seat sees of the table."""

    def __init__(self, view: View[Scopa], seat: int) -> None:
        game, options = view.game, view.options
        assert isinstance(options, ScopaOptions)
        self.ace = options.ace
        self.table = [card.face for card in game.table]
        self.mine = [face for card in game.hands[seat] if (face := view.face(card)) is not None]
        public = [card.face for pile in (*game.taken, game.table, game.played) for card in pile]
        self.unseen = [face for face in ITALIAN_40.faces if face not in public and face not in self.mine]
        self.next = len(game.hands[view.ring.after(seat)])
        self.ends = not game.deck and sum(map(len, game.hands)) <= 1

    def ways(self, face: ItalianFace, table: Sequence[ItalianFace]) -> list[Way]:
        return captures(face.rank, table, rank, sweeps=self.ace)

    def gain(self, face: ItalianFace, way: Way, table: Sequence[ItalianFace]) -> float:
        """Return the worth of a capture."""
        sweep = len(way) == len(table) and sum(map(rank, way)) == face.rank and not self.ends
        return sum(map(value, way)) + value(face) + SWEEP * sweep if way else 0.0

    def after(self, face: ItalianFace, way: Way) -> list[ItalianFace]:
        return [one for one in self.table if one not in way] if way else [*self.table, face]

    def threat(self, table: Sequence[ItalianFace]) -> float:
        """Return what the next player is likely to take there: the best that their cards may do."""
        if not self.next or not self.unseen:
            return 0.0
        gains = sorted(
            (
                max((self.gain(face, way, table) for way in self.ways(face, table)), default=0.0)
                for face in self.unseen
            ),
            reverse=True,
        )
        share, none_yet, expected = min(1.0, self.next / len(self.unseen)), 1.0, 0.0
        for gain in gains:
            expected += none_yet * share * gain
            none_yet *= 1 - share
        return expected


class EasyBot(Bot):
    """It takes as many cards as it can."""

    level = "easy"

    @override
    def choose(self, view: View[Scopa], ask: Ask[Any], chance: Chance) -> object:
        sight, legal = Sight(view, ask.seat), view.legal(ask)
        if isinstance(legal[0], Card):
            faces = [face for card in legal if (face := view.face(card)) is not None]
            worth = [
                max(self.worth(sight, face, way) for way in sight.ways(face, sight.table) or [()])
                for face in faces
            ]
        else:
            face = view.game.played.top.face
            worth = [self.worth(sight, face, tuple(card.face for card in way)) for way in legal]
        return chance.pick([one for one, its in zip(legal, worth, strict=True) if its == max(worth)])

    def worth(self, sight: Sight, face: ItalianFace, way: Way) -> float:
        return len(way)


class NormalBot(EasyBot):
    """It takes the most valuable cards, and lays the least valuable one."""

    level = "normal"

    @override
    def worth(self, sight: Sight, face: ItalianFace, way: Way) -> float:
        return sight.gain(face, way, sight.table) or -value(face)


class HardBot(EasyBot):
    """It also thinks of the next player, and of the cards that are still out."""

    level = "hard"

    @override
    def worth(self, sight: Sight, face: ItalianFace, way: Way) -> float:
        gain = sight.gain(face, way, sight.table) or -0.2 * value(face)
        return gain - 0.8 * sight.threat(sight.after(face, way))
