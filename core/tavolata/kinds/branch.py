"""A branch: one of some choices, and for each of them another question or none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from typing_extensions import override

from tavolata.choices import Answer, Choice, Unavailable, differ, kept_choices, restored_choices
from tavolata.errors import GameError, Refused
from tavolata.kinds.one_of import OneOf
from tavolata.kinds.question import AnswerPart, Branching, Means, Question, beyond, numbers_beyond
from tavolata.messages import N_


class Branch(Question[tuple[Any, ...]], name="branch"):
    """One of some choices, then the question that follows this choice, sent as one answer.

    The answer is the place of the choice, followed by the answer to its question if there is one; so are
    the values.

    Attributes:
        first: the choices.
        then: for each choice, the question that follows; None if the choice is the whole answer.

    Raises:
        GameError: there is no choice, there are more than 512 or two of the same value, or `then` isn't as
            long as the choices.
    """

    __slots__ = ("first", "then")

    def __init__(
        self,
        choices: Iterable[Choice],
        then: Sequence[Question | None],
        unavailable: Iterable[Unavailable] = (),
    ) -> None:
        self.first = OneOf(choices, unavailable)
        self.then = tuple(then)
        if len(self.then) != len(self.first.choices):
            raise GameError("A branch needs for each choice the question that follows, or None.")
        if not differ(self.first.values):
            raise GameError("A branch needs choices of different values, by which answers name them.")

    @override
    def check(self, answer: object) -> Answer:
        if not isinstance(answer, list | tuple) or not answer:
            raise Refused(N_("Choose a number from 1 to {n}."), n=len(self.then))
        self.first.check(answer[0])
        then = self.then[answer[0]]
        if len(answer) != 1 + (then is not None):
            raise Refused(N_("Fill in all {n} fields."), n=1 + (then is not None))
        return (answer[0],) if then is None else (answer[0], then.check(answer[1]))

    @override
    def value_of(self, answer: tuple[Any, ...]) -> tuple[Any, ...]:
        first, then = self.first.value_of(answer[0]), self.then[answer[0]]
        return (first,) if then is None else (first, then.value_of(answer[1]))

    @override
    def answer_for(self, value: Sequence[Any], means: Means | None = None) -> Answer:
        if not isinstance(value, list | tuple) or not 1 <= len(value) <= 2:
            raise Refused(N_("That isn't one of the choices."))
        place: Any = self.first.answer_for(value[0], means)
        then = self.then[place]
        if then is None or len(value) == 1:
            return self.check((place,) if len(value) == 1 else (place, value[1]))
        return self.check((place, then.answer_for(value[1], means)))

    @override
    def count(self) -> int:
        return sum(map(_count, self.then))

    @override
    def answer_at(self, number: int) -> Answer:
        if number >= self.count():
            place, *rest = numbers_beyond(number - self.count()) or [len(self.then)]
            then = self.then[place] if place < len(self.then) and len(rest) == 1 else None
            if then is None or rest[0] < then.count():
                raise IndexError(number)
            return place, then.answer_at(rest[0])
        if number < 0:
            raise IndexError(number)
        for place, then in enumerate(self.then):
            many = _count(then)
            if number < many:
                return (place,) if then is None else (place, then.answer_at(number))
            number -= many
        raise IndexError(number)

    @override
    def number_of(self, answer: tuple[Any, ...]) -> int:
        place, *rest = answer
        then = self.then[place]
        before = sum(map(_count, self.then[:place]))
        if then is None:
            return before
        number = then.number_of(rest[0])
        return before + number if number < then.count() else self.count() + beyond((place, number))

    @override
    def steps(self, begun: tuple[int, ...]) -> Iterator[AnswerPart]:
        """Return the choice, then the parts of what follows it."""
        if not begun:
            for place, (value, then) in enumerate(zip(self.first.values, self.then, strict=True)):
                yield AnswerPart((place,), value, self.number_of((place,)) if then is None else None)
            return
        place, *rest = begun
        then = self.then[place]
        if then is None:
            return
        for part in then.parts(tuple(rest)):
            number = None if part.number is None else self.number_of((place, then.answer_at(part.number)))
            yield AnswerPart((*begun, part.begun[-1]), part.value, number)

    @override
    def shape(self) -> Branching:
        return Branching(self.first, self.then)

    @override
    def kept(self) -> tuple[Any, ...]:
        return kept_choices(self.first.choices), self.then

    @classmethod
    @override
    def restored(cls, *kept: Any) -> Branch:
        choices, then = kept
        return cls(restored_choices(choices), then)


def _count(then: Question | None) -> int:
    return 1 if then is None else then.count()
