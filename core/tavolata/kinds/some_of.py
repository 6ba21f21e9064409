"""Some of the choices, each at most once."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb
from typing import Any

from typing_extensions import override

from tavolata.choices import Answer, Choice, kept_choices, labelled, place_of, restored_choices
from tavolata.errors import GameError, Refused
from tavolata.kinds.kind import Choices, Kind, Means
from tavolata.messages import N_


class SomeOf(Kind, name="some_of"):
    """Some of the choices, each at most once; the answer lists their places, rising.

    Attributes:
        choices: what can be taken.
        low, high: how many, both included.
    """

    __slots__ = ("choices", "high", "low", "values")

    def __init__(self, choices: Iterable[Choice], low: int, high: int) -> None:
        self.choices = tuple(choices)
        self.values = tuple(choice.value for choice in self.choices)
        self.low = low
        self.high = min(high, len(self.choices))
        if not 0 <= low <= self.high:
            raise GameError(f"{low} to {high} of {len(self.choices)} choices can't be answered.")

    @override
    def check(self, answer: object) -> Answer:
        if isinstance(answer, list | tuple) and all(type(place) is int for place in answer):
            places = tuple(sorted(set(answer)))
            if len(places) == len(answer) and all(0 <= place < len(self.choices) for place in places):
                if self.low <= len(places) <= self.high:
                    return places
                if self.low == self.high:
                    raise Refused(N_("Choose exactly {n}."), n=self.low)
                raise Refused(N_("Choose between {low} and {high}."), low=self.low, high=self.high)
        raise Refused(N_("Choose different numbers from 1 to {n}."), n=len(self.choices))

    @override
    def value_of(self, answer: tuple[int, ...]) -> list[Any]:
        return [self.values[place] for place in answer]

    @override
    def answer_for(self, value: Iterable[Any], means: Means | None = None) -> Answer:
        places: list[int] = []
        for part in value:
            places.append(place_of(part, self.choices, means, places))
        return self.check(places)

    @override
    def count(self) -> int:
        return sum(comb(len(self.choices), size) for size in range(self.low, self.high + 1))

    @override
    def nth(self, number: int) -> Answer:
        for size in range(self.low, self.high + 1):
            many = comb(len(self.choices), size)
            if number < many:
                return _combination(len(self.choices), size, number)
            number -= many
        raise IndexError(number)

    @override
    def shape(self) -> Choices:
        return Choices(self.choices, self.low, self.high, several=True)

    @override
    def kept(self) -> tuple[Any, ...]:
        return kept_choices(self.choices), self.low, self.high

    @classmethod
    @override
    def restored(cls, *kept: Any) -> SomeOf:
        choices, low, high = kept
        return cls(restored_choices(choices), low, high)


def _combination(things: int, size: int, number: int) -> tuple[int, ...]:
    """The combination of this number in rising order, found without making those before it."""
    places: list[int] = []
    place = 0
    while len(places) < size:
        with_this = comb(things - place - 1, size - len(places) - 1)
        if number < with_this:
            places.append(place)
        else:
            number -= with_this
        place += 1
    return tuple(places)


def some_of(choices: Iterable[object], low: int, high: int) -> SomeOf:
    """A question for `low` to `high` of these values."""
    return SomeOf(labelled(choices), low, high)
