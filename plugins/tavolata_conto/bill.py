"""The bill: whether a call can be made of all hands, jokers included (ruling 14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tavolata.decks import FrenchFace
from tavolata_conto.menu import JOKER, Call, Course, dish_of


@dataclass(frozen=True)
class Bill:
    """What was found on the table for a call.

    `natural` has the number of cards of each dish called, in their order.
    """

    call: Call
    natural: tuple[int, ...]
    jokers: int

    @classmethod
    def of(cls, call: Call, faces: Iterable[FrenchFace]) -> Bill:
        """Make the bill over these cards, all that are in anyone's hand."""
        dishes = Counter(map(dish_of, faces))
        return cls(call, tuple(dishes[dish] for dish in call.dishes), dishes[JOKER])

    @property
    def found(self) -> tuple[Course, ...]:
        """The dishes called, as many as there are without jokers."""
        return tuple(map(Course, self.natural, self.call.dishes))

    @property
    def missing(self) -> int:
        """How many cards jokers would have to stand for; no joker can do so twice, the dishes differ."""
        pairs = zip(self.call.courses, self.natural, strict=True)
        return sum(max(0, course.number - found) for course, found in pairs)

    @property
    def is_true(self) -> bool:
        return self.missing <= self.jokers

    @property
    def jokers_used(self) -> int:
        """How many jokers the cooks have laid out, for nothing or not (16)."""
        return min(self.jokers, self.missing)
