"""One of some choices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from typing_extensions import override

from tavolata.choices import (
    Answer,
    Choice,
    Unavailable,
    kept_choices,
    labelled,
    place_of,
    restored_choices,
    same,
)
from tavolata.errors import GameError, Refused
from tavolata.kinds.question import Choices, Means, Question
from tavolata.messages import N_


class OneOf(Question, name="one_of"):
    """One of some choices; the answer is its place in the list.

    Attributes:
        choices: at least one.
        unavailable: choices that are not legal now, each with its reason.
    """

    __slots__ = ("choices", "unavailable", "values")

    def __init__(self, choices: Iterable[Choice], unavailable: Iterable[Unavailable] = ()) -> None:
        self.choices = tuple(choices)
        self.unavailable = tuple(unavailable)
        self.values = tuple(choice.value for choice in self.choices)
        if not self.choices:
            raise GameError("A question needs at least one legal answer.")

    @override
    def check(self, answer: object) -> Answer:
        if type(answer) is int and 0 <= answer < len(self.choices):
            return answer
        raise Refused(N_("Choose a number from 1 to {n}."), n=len(self.choices))

    @override
    def value_of(self, answer: int) -> Any:
        return self.values[answer]

    @override
    def answer_for(self, value: Any, means: Means | None = None) -> Answer:
        """Find the choice of a value; for one that is not legal now, the error says the reason."""
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


def one_of(choices: Iterable[object], unavailable: Iterable[Unavailable] = ()) -> OneOf:
    """A question for one of these values; wrap a value in `Choice` to give it a label."""
    return OneOf(labelled(choices), unavailable)


YES_NO = OneOf([Choice(True, N_("yes")), Choice(False, N_("no"))])
"""A question for yes or no."""

GO = OneOf([Choice(True, N_("go on"))])
"""A question with one answer: a key that lets the match go on."""
