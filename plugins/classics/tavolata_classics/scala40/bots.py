"""The bots of Scala 40: they lay what they can, and discard what is least likely to fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from typing_extensions import override

from tavolata import Ask, Card, SomeOf, View
from tavolata.bots import Bot, Chance
from tavolata.decks import JOKER, FrenchFace
from tavolata_classics.scala40.facts import LAY, found
from tavolata_classics.scala40.laying import NOTHING
from tavolata_classics.scala40.melds import fitted, penalty
from tavolata_classics.scala40.options import Scala40Options
from tavolata_classics.scala40.rules import DISCARD, STOCK, Scala40

Faces = tuple[FrenchFace, ...]


def use(face: FrenchFace, hand: Sequence[FrenchFace]) -> int:
    """Return how many cards of a hand could become part of a meld with this one."""
    if face == JOKER:
        return 99
    near = 0
    for other in hand:
        if other.suit is face.suit:
            near += 0 < abs(other.rank - face.rank) <= 2
        else:
            near += other.rank == face.rank
    return near


class EasyBot(Bot):
    """It opens when it can, and discards its highest card."""

    level = "easy"
    adds: ClassVar[bool] = False

    @override
    def choose(self, view: View[Scala40], ask: Ask[Any], chance: Chance) -> object:
        game, options, seat = view.game, view.options, ask.seat
        assert isinstance(options, Scala40Options)
        cards = [*game.hands[seat]]
        faces = tuple(face for card in cards if (face := view.face(card)) is not None)
        least = 0 if game.opened[seat] else options.opening
        if isinstance(ask.question, SomeOf):  # picked for a player who has gone
            return []
        values = [ask.question.nth(number) for number in range(ask.question.count())]
        if values[0] == STOCK:
            return DISCARD if self.takes(faces, game.discards.top.face, least) else STOCK
        if NOTHING in values:
            meld = [card.face for card in ask.params["cards"]]
            fits = [card for card, face in zip(cards, faces, strict=True) if fitted(meld, face) is not None]
            return fits[0] if fits else NOTHING
        if LAY in values and found(faces, least):
            return LAY
        for number in [value for value in values if self.adds and isinstance(value, int)]:
            meld = [card.face for card in game.melds[number]]
            if any(face != JOKER and fitted(meld, face) is not None for face in faces):
                return number
        return self.discards(cards, faces)

    def takes(self, faces: Faces, top: FrenchFace, least: int) -> bool:
        return False

    def discards(self, cards: list[Card[FrenchFace]], faces: Faces) -> Card[FrenchFace]:
        return max(zip(cards, faces, strict=True), key=lambda one: (one[1] != JOKER, penalty(one[1])))[0]


class NormalBot(EasyBot):
    """It adds to melds, and keeps cards that go together."""

    level = "normal"
    adds = True

    @override
    def discards(self, cards: list[Card[FrenchFace]], faces: Faces) -> Card[FrenchFace]:
        return min(zip(cards, faces, strict=True), key=lambda one: (use(one[1], faces), -penalty(one[1])))[0]


class HardBot(NormalBot):
    """It also takes discards that it can lay at once."""

    level = "hard"

    @override
    def takes(self, faces: Faces, top: FrenchFace, least: int) -> bool:
        with_it, without = (sum(map(len, found(own, least))) for own in ((*faces, top), faces))
        return with_it > without
