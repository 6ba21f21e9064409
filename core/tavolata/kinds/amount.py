"""A number in a range with a step."""

from __future__ import annotations

from typing import Any

from typing_extensions import override

from tavolata.choices import WRITABLE, Answer
from tavolata.errors import GameError, Refused
from tavolata.kinds.question import Means, Number, Question
from tavolata.messages import N_


class Amount(Question[int], name="amount"):
    """A number in a range with a step; the answer is the number itself.

    Attributes:
        low, high: the smallest and the largest legal number.
        step: the distance from one legal number to the next.
        default: the answer if nothing is typed; None if a number has to be typed.
    """

    __slots__ = ("default", "high", "low", "step")

    def __init__(self, low: int, high: int, step: int = 1, default: int | None = None) -> None:
        if step < 1 or high < low:
            raise GameError(f"No amount lies between {low} and {high} in steps of {step}.")
        self.low = low
        self.high = low + (high - low) // step * step
        self.step = step
        self.default = default
        if low not in WRITABLE or self.high not in WRITABLE:
            raise GameError("An amount takes more than 64 bits, which no file can hold.")
        if default is not None and not (low <= default <= self.high and (default - low) % step == 0):
            raise GameError(f"{default} is not between {low} and {high} in steps of {step}.")

    @override
    def check(self, answer: object) -> Answer:
        if type(answer) is int and self.low <= answer <= self.high and (answer - self.low) % self.step == 0:
            return answer
        if self.step == 1:
            raise Refused(N_("Enter a number from {low} to {high}."), low=self.low, high=self.high)
        raise Refused(
            N_("Enter a number from {low} to {high} in steps of {step}."),
            low=self.low, high=self.high, step=self.step,
        )  # fmt: skip

    @override
    def value_of(self, answer: int) -> int:
        return answer

    @override
    def answer_for(self, value: int, means: Means | None = None) -> Answer:
        return self.check(value)

    @override
    def count(self) -> int:
        return (self.high - self.low) // self.step + 1

    @override
    def answer_at(self, number: int) -> Answer:
        if 0 <= number < self.count():
            return self.low + number * self.step
        raise IndexError(number)

    @override
    def number_of(self, answer: int) -> int:
        return (answer - self.low) // self.step

    @override
    def shape(self) -> Number:
        return Number(self.low, self.high, self.step, self.default)

    @override
    def kept(self) -> tuple[Any, ...]:
        return self.low, self.high, self.step, self.default


def amount(low: int, high: int, step: int = 1, *, default: int | None = None) -> Amount:
    """Return a question for a number; `default` is meant where nothing is typed.

    Raises:
        GameError: `step` is below 1, `high` is below `low`, one takes more than 64 bits, or `default` isn't a
            legal number.
    """
    return Amount(low, high, step, default)
