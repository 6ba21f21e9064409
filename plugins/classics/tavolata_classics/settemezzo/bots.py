"""The bots of Sette e mezzo: they count points, and the better ones the cards that they haven't seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from typing_extensions import override

from tavolata import Amount, Ask, View
from tavolata.bots import Bot, Chance
from tavolata.decks import ITALIAN_40, ItalianFace, ItalianRank
from tavolata_classics.settemezzo.rules import CARD, GOAL, MATTA, STAY, Settemezzo, SettemezzoOptions, total


class Sight:
    """What a seat knows of a hand.

    Attributes:
        matta: whether the king of denari is wild.
        mine: its own cards.
        unseen: the cards that may be anywhere else.
    """

    def __init__(self, view: View[Settemezzo], seat: int) -> None:
        options = view.options
        assert isinstance(options, SettemezzoOptions)
        self.matta = options.matta
        self.view = view
        self.mine = self.faces(seat)
        seen = [face for other in range(len(view.game.hands)) for face in self.faces(other)]
        self.unseen = [face for face in ITALIAN_40.faces if face not in seen]

    def faces(self, seat: int) -> list[ItalianFace]:
        known = (self.view.face(card) for card in self.view.game.hands[seat])
        return [face for face in known if face is not None]

    def total(self, more: Sequence[ItalianFace] = ()) -> int:
        return total([*self.mine, *more], self.matta)

    def risk(self) -> float:
        """Return the odds that the next card is too much."""
        return sum(self.total([card]) > GOAL for card in self.unseen) / len(self.unseen)

    def gain(self, points: int) -> float:
        """Return the stakes that the bank expects to win with these points, less those that it pays."""
        gain = 0.0
        for seat, stake in self.view.game.stakes.items():
            shown = self.faces(seat)
            could = [total([*shown, card], self.matta) for card in self.unseen]
            stood = [one for one in could if 8 <= one <= GOAL] or [GOAL]
            gain += stake * sum(1 if one <= points else -1 for one in stood) / len(stood)
        return gain


class EasyBot(Bot):
    """It draws until it has six, and stakes at random."""

    level = "easy"
    enough: ClassVar[int] = 12

    @override
    def choose(self, view: View[Settemezzo], ask: Ask[Any], chance: Chance) -> object:
        sight = Sight(view, ask.seat)
        if isinstance(ask.question, Amount):
            return self.stake(sight, ask.question, chance)
        if sight.total() == GOAL:
            return STAY
        return self.draw(sight, ask.seat)

    def stake(self, sight: Sight, question: Amount, chance: Chance) -> object:
        return question.any(chance)

    def draw(self, sight: Sight, seat: int) -> str:
        return CARD if sight.total() < self.enough else STAY


class NormalBot(EasyBot):
    """It draws while that is safe in six cases of ten, and stakes more on a seven."""

    level = "normal"
    risk: ClassVar[float] = 0.45

    @override
    def stake(self, sight: Sight, question: Amount, chance: Chance) -> object:
        (face,) = sight.mine
        good = face.rank == ItalianRank.SEVEN or (sight.matta and face == MATTA)
        return question.high if good else (question.low + question.high) // 2

    @override
    def draw(self, sight: Sight, seat: int) -> str:
        return CARD if sight.risk() < self.risk else STAY


class HardBot(NormalBot):
    """For the bank, it compares the stakes that it would win by another card; it stakes high or low."""

    level = "hard"
    risk = 0.48

    @override
    def stake(self, sight: Sight, question: Amount, chance: Chance) -> object:
        (face,) = sight.mine
        good = face.rank >= ItalianRank.SEVEN
        return question.high if good else question.low

    @override
    def draw(self, sight: Sight, seat: int) -> str:
        game = sight.view.game
        if seat != game.banker:
            return super().draw(sight, seat)
        lost = -sum(game.stakes.values())
        after = [sight.total([card]) for card in sight.unseen]
        drawn = sum(lost if points > GOAL else sight.gain(points) for points in after) / len(after)
        return CARD if drawn > sight.gain(sight.total()) else STAY
