"""Dishes, courses and calls: the words in which one orders at this table.

A *dish* is a rank as this game counts it: 2 to 14, the ace being the highest (3). What may be
called after what is said in `calls`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from tavolata import N_
from tavolata.decks import FrenchFace, Rank

JOKER = 0
"""What a joker is instead of a dish: it stands for any of them and can't be called."""
ACE = 14
DISHES = tuple(range(2, ACE + 1))
NATURAL = 8
"""How many cards of a dish there are in two packs."""
JOKERS = 4


def dish_of(face: FrenchFace) -> int:
    """Return the dish of a card: 2 to 14, or `JOKER`."""
    return ACE if face.rank == Rank.ACE else face.rank


def letter(dish: int) -> str:
    """Return how a dish is written: 2 to 10, J, Q, K, A."""
    return {11: "J", 12: "Q", 13: "K", ACE: "A"}.get(dish, str(dish))


class Move(Enum):
    """What can be done with the menu; its value is what a person reads."""

    ORDER = N_("order")
    SPICE = N_("spice")
    UPSIZE = N_("upsize")


@dataclass(frozen=True)
class Course:
    number: int
    dish: int

    def __str__(self) -> str:
        return f"{self.number}×{letter(self.dish)}"


@dataclass(frozen=True)
class Call:
    """The player's statement about the table: one course or two, of different dishes."""

    courses: tuple[Course, ...] = ()

    def __str__(self) -> str:
        return " + ".join(map(str, self.courses))

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Calls are looked up for every question and by every bot. Of numbers alone: the same everywhere.
        return hash(tuple((course.number, course.dish) for course in self.courses))

    @cached_property
    def dishes(self) -> tuple[int, ...]:
        return tuple(course.dish for course in self.courses)

    @cached_property
    def total(self) -> int:
        return sum(course.number for course in self.courses)

    def with_course(self, place: int, course: Course) -> Call:
        return Call((*self.courses[:place], course, *self.courses[place + 1 :]))


NOTHING_CALLED = Call()
