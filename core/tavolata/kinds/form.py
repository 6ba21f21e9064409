"""A form: several questions that are answered at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import override

from tavolata.choices import Answer
from tavolata.errors import GameError, Refused
from tavolata.kinds.question import Field, Fieldset, Means, Question
from tavolata.messages import N_


class Form(Question, name="form"):
    """Several questions answered at once, by field name; the answer is a tuple in their order.

    Attributes:
        fields: the questions.
        labels: the label of each field for people; message ids.
    """

    __slots__ = ("fields", "labels")

    def __init__(self, fields: Mapping[str, Question], labels: Mapping[str, str] | None = None) -> None:
        self.fields = dict(fields)
        self.labels = dict(labels or {})
        if not self.fields:
            raise GameError("A form needs at least one field.")

    @override
    def check(self, answer: object) -> Answer:
        if isinstance(answer, list | tuple) and len(answer) == len(self.fields):
            return tuple(
                question.check(part) for question, part in zip(self.fields.values(), answer, strict=True)
            )
        raise Refused(N_("Fill in all {n} fields."), n=len(self.fields))

    @override
    def value_of(self, answer: tuple[Any, ...]) -> dict[str, Any]:
        return {
            name: question.value_of(part)
            for (name, question), part in zip(self.fields.items(), answer, strict=True)
        }

    @override
    def answer_for(self, value: object, means: Means | None = None) -> Answer:
        if not isinstance(value, Mapping) or value.keys() != self.fields.keys():
            raise Refused(N_("Fill in all {n} fields."), n=len(self.fields))
        return self.check(
            tuple(question.answer_for(value[name], means) for name, question in self.fields.items())
        )

    @override
    def count(self) -> int:
        total = 1
        for question in self.fields.values():
            total *= question.count()
        return total

    @override
    def answer_at(self, number: int) -> Answer:
        if not 0 <= number < self.count():
            raise IndexError(number)
        parts: list[Answer] = []
        for question in reversed(self.fields.values()):
            number, place = divmod(number, question.count())
            parts.append(question.answer_at(place))
        return tuple(reversed(parts))

    @override
    def number_of(self, answer: tuple[Any, ...]) -> int:
        number = 0
        for question, part in zip(self.fields.values(), answer, strict=True):
            number = number * question.count() + question.number_of(part)
        return number

    @override
    def shape(self) -> Fieldset:
        fields = (
            Field(name, self.labels.get(name, name), question) for name, question in self.fields.items()
        )
        return Fieldset(tuple(fields))

    @override
    def kept(self) -> tuple[Any, ...]:
        return (self.fields,)

    @classmethod
    @override
    def restored(cls, *kept: Any) -> Form:
        return cls(*kept)


def form(**fields: Question) -> Form:
    """A question of several fields."""
    return Form(fields)
