"""One of some choices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar, overload

from typing_extensions import override

from tavolata.choices import (
    Answer,
    Choice,
    Unavailable,
    V_co,
    kept_choices,
    labelled,
    listable,
    place_of,
    restored_choices,
    same,
)  # fmt: skip
from tavolata.errors import GameError, Refused
from tavolata.kinds.question import Choices, Means, Question
from tavolata.messages import N_

V = TypeVar("V")
W = TypeVar("W")


class OneOf(Question[V_co], name="one_of"):
    """One of some choices; the answer is its place in the list.

    Attributes:
        choices: at least one.
        unavailable: choices that are not legal now, each with its reason.
    """

    __slots__ = ("choices", "unavailable", "values")

    def __init__(self, choices: Iterable[Choice[V_co]], unavailable: Iterable[Unavailable] = ()) -> None:
        self.choices = tuple(choices)
        self.unavailable = tuple(unavailable)
        self.values = tuple(choice.value for choice in self.choices)
        if not self.choices:
            raise GameError("A question needs at least one legal answer.")
        listable(self.choices)

    @override
    def check(self, answer: object) -> Answer:
        if type(answer) is int and 0 <= answer < len(self.choices):
            return answer
        raise Refused(N_("Choose a number from 1 to {n}."), n=len(self.choices))

    @override
    def value_of(self, answer: int) -> V_co:
        return self.values[answer]

    @override
    def answer_for(self, value: Any, means: Means | None = None) -> Answer:
        """Find the choice of a value; raise `Refused`, with the reason, if it isn't legal now."""
        try:
            return place_of(value, self.choices, means)
        except Refused:
            for no in self.unavailable:
                if any(same(one, value) for one in no.values):
                    raise Refused(no.reason, **no.params) from None
            raise

    @override
    def count(self) -> int:
        return len(self.choices)

    @override
    def answer_at(self, number: int) -> Answer:
        if 0 <= number < len(self.choices):
            return number
        raise IndexError(number)

    @override
    def number_of(self, answer: int) -> int:
        return answer

    @override
    def shape(self) -> Choices:
        return Choices(self.choices, unavailable=self.unavailable)

    @override
    def answer_from(self, given: Any) -> object:
        return given[0] if given is not None and len(given) == 1 else None

    @override
    def kept(self) -> tuple[Any, ...]:
        return (kept_choices(self.choices),)

    @classmethod
    @override
    def restored(cls, *kept: Any) -> OneOf:
        return cls(restored_choices(kept[0]))


@overload
def one_of(
    values: Iterable[Choice[V]], /, *, unavailable: Iterable[Unavailable] = ...
) -> OneOf[V]: ...  # pragma: no cover


@overload
def one_of(
    values: Iterable[Choice[V]], /, *more: Choice[W], unavailable: Iterable[Unavailable] = ...
) -> OneOf[V | W]: ...  # pragma: no cover


@overload
def one_of(
    values: Iterable[V], /, *, unavailable: Iterable[Unavailable] = ...
) -> OneOf[V]: ...  # pragma: no cover


@overload
def one_of(
    values: Iterable[V], /, *more: Choice[W], unavailable: Iterable[Unavailable] = ...
) -> OneOf[V | W]: ...  # pragma: no cover


def one_of(
    values: Iterable[Any], /, *more: Choice[Any], unavailable: Iterable[Unavailable] = ()
) -> OneOf[Any]:
    """Return a question for one of these values; wrap a value in `Choice` to give it a label.

    Args:
        values: the values, or choices with labels.
        more: further choices, such as one for "none".
        unavailable: what can't be chosen now, with the reason.

    Raises:
        GameError: there isn't one, or there are more than 512.
    """
    return OneOf([*labelled(values), *more], unavailable)


YES_NO = OneOf([Choice(True, N_("yes")), Choice(False, N_("no"))])
"""A question for yes or no."""

GO = OneOf([Choice(True, N_("continue"))])
"""A question with one answer: a key that lets the match go on."""
