"""Some of the choices, each at most once, in an order or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import comb, perm
from typing import Any, Generic, TypeVar, overload

from typing_extensions import override

from tavolata.choices import Answer, Choice, kept_choices, labelled, listable, place_of, restored_choices
from tavolata.errors import GameError, Refused
from tavolata.kinds.question import AnswerPart, Choices, Means, Question
from tavolata.messages import N_

V = TypeVar("V")
NO_MORE = -1
"""The part of an answer that ends it."""


class SomeOf(Question[list[V]], Generic[V], name="some_of"):
    """Some of the choices, each at most once; the answer lists their places, rising or in the order chosen.

    Attributes:
        choices: what can be taken.
        low, high: how many, both included.
        ordered: whether the order of choosing means something.
    """

    __slots__ = ("choices", "high", "low", "ordered", "values")

    def __init__(self, choices: Iterable[Choice[V]], low: int, high: int, *, ordered: bool = False) -> None:
        self.choices = tuple(choices)
        self.values = tuple(choice.value for choice in self.choices)
        listable(self.choices)
        self.low = low
        self.high = min(high, len(self.choices))
        self.ordered = ordered
        if not 0 <= low <= self.high:
            raise GameError(f"{low} to {high} of {len(self.choices)} choices can't be answered.")

    @override
    def check(self, answer: object) -> Answer:
        if isinstance(answer, list | tuple) and all(type(place) is int for place in answer):
            places = tuple(answer) if self.ordered else tuple(sorted(answer))
            if len(set(places)) == len(places) and all(0 <= place < len(self.choices) for place in places):
                if self.low <= len(places) <= self.high:
                    return places
                if self.low == self.high:
                    raise Refused(N_("Choose exactly {n}."), n=self.low)
                raise Refused(N_("Choose {low} to {high} of them."), low=self.low, high=self.high)
        raise Refused(N_("Choose numbers from 1 to {n}, each only once."), n=len(self.choices))

    @override
    def value_of(self, answer: tuple[int, ...]) -> list[V]:
        return [self.values[place] for place in answer]

    @override
    def answer_for(self, value: Iterable[Any], means: Means | None = None) -> Answer:
        places: list[int] = []
        if not isinstance(value, Iterable):
            raise Refused(N_("That isn't one of the choices."))
        for part in value:
            places.append(place_of(part, self.choices, means, places))
        return self.check(places)

    @override
    def count(self) -> int:
        return sum(map(self._ways, range(self.low, self.high + 1)))

    def _ways(self, size: int) -> int:
        """How many answers of this size there are."""
        return perm(len(self.choices), size) if self.ordered else comb(len(self.choices), size)

    @override
    def answer_at(self, number: int) -> Answer:
        if number < 0:
            raise IndexError(number)
        for size in range(self.low, self.high + 1):
            many = self._ways(size)
            if number < many:
                part = _permutation if self.ordered else _combination
                return part(len(self.choices), size, number)
            number -= many
        raise IndexError(number)

    @override
    def number_of(self, answer: tuple[int, ...]) -> int:
        before = sum(map(self._ways, range(self.low, len(answer))))
        return before + (_permutations_before if self.ordered else _combinations_before)(
            len(self.choices), answer
        )

    @override
    def steps(self, begun: tuple[int, ...]) -> Iterator[AnswerPart]:
        """One choice more, or no more."""
        if begun[-1:] == (NO_MORE,) or len(begun) == self.high:
            return
        things = len(self.choices)
        if self.ordered:
            more = [place for place in range(things) if place not in begun]
        else:
            enough = things - max(0, self.low - len(begun) - 1)
            more = list(range(begun[-1] + 1 if begun else 0, enough))
        for place in more:
            after = (*begun, place)
            whole = len(after) == self.high
            yield AnswerPart(after, self.values[place], self.number_of(after) if whole else None)
        if len(begun) >= self.low:
            yield AnswerPart((*begun, NO_MORE), None, self.number_of(begun))

    @override
    def shape(self) -> Choices:
        return Choices(self.choices, self.low, self.high, several=True, ordered=self.ordered)

    @override
    def kept(self) -> tuple[Any, ...]:
        return kept_choices(self.choices), self.low, self.high, self.ordered

    @classmethod
    @override
    def restored(cls, *kept: Any) -> SomeOf[Any]:
        choices, low, high, ordered = kept
        return cls(restored_choices(choices), low, high, ordered=ordered)


def _combination(things: int, size: int, number: int) -> tuple[int, ...]:
    """Return the combination of this number in rising order, found without making those before it."""
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


def _combinations_before(things: int, places: tuple[int, ...]) -> int:
    """Return the number of a combination among those of its size."""
    after = -1
    number = 0
    for left, place in zip(range(len(places) - 1, -1, -1), places, strict=True):
        number += sum(comb(things - other - 1, left) for other in range(after + 1, place))
        after = place
    return number


def _permutation(things: int, size: int, number: int) -> tuple[int, ...]:
    """Return the permutation of this number, found without making those before it."""
    left = list(range(things))
    places: list[int] = []
    for chosen in range(size):
        place, number = divmod(number, perm(things - chosen - 1, size - chosen - 1))
        places.append(left.pop(place))
    return tuple(places)


def _permutations_before(things: int, places: tuple[int, ...]) -> int:
    """Return the number of a permutation among those of its size."""
    left = list(range(things))
    number = 0
    for chosen, place in enumerate(places):
        number += left.index(place) * perm(things - chosen - 1, len(places) - chosen - 1)
        left.remove(place)
    return number


@overload
def some_of(
    values: Iterable[Choice[V]], low: int, high: int, *, ordered: bool = ...
) -> SomeOf[V]: ...  # pragma: no cover


@overload
def some_of(
    values: Iterable[V], low: int, high: int, *, ordered: bool = ...
) -> SomeOf[V]: ...  # pragma: no cover


def some_of(values: Iterable[Any], low: int, high: int, *, ordered: bool = False) -> SomeOf[Any]:
    """Return a question for `low` to `high` of these values (all, if `high` is more), `ordered` or not.

    Raises:
        GameError: there are too few of them, or more than 512.
    """
    return SomeOf(labelled(values), low, high, ordered=ordered)
