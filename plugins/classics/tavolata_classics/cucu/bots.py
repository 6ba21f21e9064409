"""The bots of Cucù: they keep high cards, and the better ones know which cards they gave away."""

from __future__ import annotations

from typing import Any, ClassVar

from typing_extensions import override

from tavolata import Ask, Seat, View
from tavolata.bots import Bot, Chance
from tavolata.decks import ITALIAN_40
from tavolata.decks import ItalianRank as Rank
from tavolata_classics.cucu.rules import KEEP, SWAP, Cucu, CucuOptions


class Sight:
    """What a seat knows when it has to choose.

    Attributes:
        rank: that of its own card.
        others: the cards of the other players that it doesn't know.
        lower: someone is known to have a lower card.
        unseen: the ranks of the cards that may be anywhere else.
        deck: it would swap with the deck.
        kings, horses: whether they stop a swap, and send it on.
    """

    def __init__(self, view: View[Cucu], seat: Seat) -> None:
        game, options = view.game, view.options
        assert isinstance(options, CucuOptions)
        self.kings, self.horses = options.kings, options.horses
        faces = {other: view.face(card) for other, hand in enumerate(game.hands) for card in hand}
        mine = faces.pop(seat)
        assert mine is not None  # one's own card
        self.rank = mine.rank
        known = [face for face in faces.values() if face is not None]
        self.lower = any(face.rank < self.rank for face in known)
        self.others = len(faces) - len(known)
        self.unseen = [face.rank for face in ITALIAN_40.faces if face not in known and face != mine]
        self.deck = seat == game.dealer

    def share(self, rank: int) -> float:
        """Return the odds that an unknown card isn't lower than this rank."""
        return sum(one >= rank for one in self.unseen) / len(self.unseen)

    def keeping(self) -> float:
        """Return the odds of having the lowest card if it keeps its own."""
        return 0.0 if self.lower else self.share(self.rank) ** self.others

    def swapping(self) -> float:
        """Return the odds of having the lowest card if it takes another."""
        lost, jumps = 0.0, self.horses and not self.deck
        takes = [rank for rank in self.unseen if not jumps or rank != Rank.HORSE]
        for rank in takes:
            own = self.rank if self.kings and rank == Rank.KING else rank
            if self.deck:
                lost += self.share(own) ** self.others
            elif own <= self.rank:
                lost += self.share(own) ** max(0, self.others - 1)
        return lost / len(takes)


class EasyBot(Bot):
    """It keeps nothing but figures."""

    level = "easy"
    high: ClassVar[int] = Rank.FANTE

    @override
    def choose(self, view: View[Cucu], ask: Ask[Any], chance: Chance) -> object:
        return self.decide(Sight(view, ask.seat))

    def decide(self, sight: Sight) -> str:
        return KEEP if sight.rank >= self.high else SWAP


class NormalBot(EasyBot):
    """It keeps a six or more."""

    level = "normal"
    high = Rank.SIX


class HardBot(NormalBot):
    """It also keeps anything as long as it knows of a lower card."""

    level = "hard"

    @override
    def decide(self, sight: Sight) -> str:
        return KEEP if sight.lower else super().decide(sight)
