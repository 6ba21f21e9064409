"""Kinds of questions: one of some choices, several of them, a number.

Each is frozen data and is made once where it never changes. Only questions that stand alone may live
here; several in one are a form.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb
from typing import Any

from tavolata.choices import Answer, Choice, No
from tavolata.errors import GameError, Refused
from tavolata.messages import N_


class OneOf:
    """One of some choices; the answer is its place in the list.

    Attributes:
        choices: at least one.
        not_now: what is not legal, with its reason.
    """

    __slots__ = ("choices", "not_now", "values")

    def __init__(self, choices: Iterable[Choice], not_now: Iterable[No] = ()) -> None:
        self.choices = tuple(choices)
        self.not_now = tuple(not_now)
        self.values = tuple(choice.value for choice in self.choices)
        if not self.choices:
            raise GameError("A question needs at least one legal answer.")

    def check(self, answer: object) -> Answer:
        """See `Kind`."""
        if type(answer) is int and 0 <= answer < len(self.choices):
            return answer
        raise Refused(N_("Choose a number from 1 to {n}."), n=len(self.choices))

    def value_of(self, answer: int) -> Any:
        """See `Kind`."""
        return self.values[answer]

    def answer_for(self, value: Any) -> Answer:
        """See `Kind`; of what can't be answered now, the reason is told."""
        try:
            return _place_of(value, self.values)
        except Refused:
            for no in self.not_now:
                if any(type(one) is type(value) and one == value for one in no.values):
                    raise Refused(no.reason, **no.params) from None
            raise

    def count(self) -> int:
        """See `Kind`."""
        return len(self.choices)

    def nth(self, number: int) -> Answer:
        """See `Kind`."""
        return number


class SomeOf:
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

    def check(self, answer: object) -> Answer:
        """See `Kind`."""
        if isinstance(answer, list | tuple) and all(type(place) is int for place in answer):
            places = tuple(sorted(set(answer)))
            if len(places) == len(answer) and all(0 <= place < len(self.choices) for place in places):
                if self.low <= len(places) <= self.high:
                    return places
                if self.low == self.high:
                    raise Refused(N_("Choose exactly {n}."), n=self.low)
                raise Refused(N_("Choose between {low} and {high}."), low=self.low, high=self.high)
        raise Refused(N_("Choose different numbers from 1 to {n}."), n=len(self.choices))

    def value_of(self, answer: tuple[int, ...]) -> list[Any]:
        """See `Kind`."""
        return [self.values[place] for place in answer]

    def answer_for(self, value: Iterable[Any]) -> Answer:
        """See `Kind`."""
        places: list[int] = []
        for part in value:
            places.append(_place_of(part, self.values, places))
        return self.check(places)

    def count(self) -> int:
        """See `Kind`."""
        return sum(comb(len(self.choices), size) for size in range(self.low, self.high + 1))

    def nth(self, number: int) -> Answer:
        """See `Kind`."""
        for size in range(self.low, self.high + 1):
            many = comb(len(self.choices), size)
            if number < many:
                return _combination(len(self.choices), size, number)
            number -= many
        raise IndexError(number)


class Amount:
    """A number in a range with a step; the answer is the number itself.

    Attributes:
        low, high: the least and the greatest that can be answered.
        step: from one to the next.
        default: what is meant where nothing is typed; None where something has to be.
    """

    __slots__ = ("default", "high", "low", "step")

    def __init__(self, low: int, high: int, step: int = 1, default: int | None = None) -> None:
        if step < 1 or high < low:
            raise GameError(f"No amount lies between {low} and {high} in steps of {step}.")
        self.low = low
        self.high = low + (high - low) // step * step
        self.step = step
        self.default = default
        if default is not None and not (low <= default <= self.high and (default - low) % step == 0):
            raise GameError(f"{default} is not between {low} and {high} in steps of {step}.")

    def check(self, answer: object) -> Answer:
        """See `Kind`."""
        if type(answer) is int and self.low <= answer <= self.high and (answer - self.low) % self.step == 0:
            return answer
        if self.step == 1:
            raise Refused(N_("Give a number from {low} to {high}."), low=self.low, high=self.high)
        raise Refused(
            N_("Give a number from {low} to {high} in steps of {step}."),
            low=self.low, high=self.high, step=self.step,
        )  # fmt: skip

    def value_of(self, answer: int) -> int:
        """See `Kind`."""
        return answer

    def answer_for(self, value: int) -> Answer:
        """See `Kind`."""
        return self.check(value)

    def count(self) -> int:
        """See `Kind`."""
        return (self.high - self.low) // self.step + 1

    def nth(self, number: int) -> Answer:
        """See `Kind`."""
        return self.low + number * self.step


def _place_of(value: object, values: Sequence[object], taken: Sequence[int] = ()) -> int:
    """The first place of a value that is not taken; True and 1 are different values."""
    for place, one in enumerate(values):
        if (one is value or same(one, value)) and place not in taken:
            return place
    raise Refused(N_("That is not among the choices."))


def same(one: object, other: object) -> bool:
    """Whether these are one value; True and 1 are two."""
    return one is other or (type(one) is type(other) and one == other)


def _combination(things: int, size: int, number: int) -> tuple[int, ...]:
    """The combination of this number in rising order, without making those before it: they may be many."""
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


def one_of(choices: Iterable[object], not_now: Iterable[No] = ()) -> OneOf:
    """A question for one of these values; wrap a value in `Choice` to give it a label."""
    return OneOf(_choices(choices), not_now)


def some_of(choices: Iterable[object], low: int, high: int) -> SomeOf:
    """A question for `low` to `high` of these values."""
    return SomeOf(_choices(choices), low, high)


def amount(low: int, high: int, step: int = 1, *, default: int | None = None) -> Amount:
    """A question for a number; `default` is meant where nothing is typed."""
    return Amount(low, high, step, default)


def _choices(values: Iterable[object]) -> list[Choice]:
    return [value if isinstance(value, Choice) else Choice(value) for value in values]


YES_NO = OneOf([Choice(True, N_("yes")), Choice(False, N_("no"))])
"""A question for yes or no."""

GO = OneOf([Choice(True, N_("go on"))])
"""A question with one answer: a key that lets the match go on."""
