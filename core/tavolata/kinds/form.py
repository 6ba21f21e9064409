"""A form: several questions that are answered at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import override

from tavolata.choices import Answer
from tavolata.errors import GameError, Refused
from tavolata.kinds.kind import Field, Fieldset, Kind, Means
from tavolata.messages import N_


class Form(Kind, name="form"):
    """Several questions answered at once, by field name; the answer is a tuple in their order.

    Attributes:
        fields: the questions.
        labels: the label of each field for people; message ids.
    """

    __slots__ = ("fields", "labels")

    def __init__(self, fields: Mapping[str, Kind], labels: Mapping[str, str] | None = None) -> None:
        self.fields = dict(fields)
        self.labels = dict(labels or {})
        if not self.fields:
            raise GameError("A form needs at least one field.")

    @override
    def check(self, answer: object) -> Answer:
        if isinstance(answer, list | tuple) and len(answer) == len(self.fields):
            return tuple(kind.check(part) for kind, part in zip(self.fields.values(), answer, strict=True))
        raise Refused(N_("Fill in all {n} fields."), n=len(self.fields))

    @override
    def value_of(self, answer: tuple[Any, ...]) -> dict[str, Any]:
        return {
            name: kind.value_of(part) for (name, kind), part in zip(self.fields.items(), answer, strict=True)
        }

    @override
    def answer_for(self, value: Mapping[str, Any], means: Means | None = None) -> Answer:
        if value.keys() != self.fields.keys():
            raise Refused(N_("Fill in all {n} fields."), n=len(self.fields))
        return self.check(tuple(kind.answer_for(value[name], means) for name, kind in self.fields.items()))

    @override
    def count(self) -> int:
        total = 1
        for kind in self.fields.values():
            total *= kind.count()
        return total

    @override
    def nth(self, number: int) -> Answer:
        parts: list[Answer] = []
        for kind in reversed(self.fields.values()):
            number, place = divmod(number, kind.count())
            parts.append(kind.nth(place))
        return tuple(reversed(parts))

    @override
    def shape(self) -> Fieldset:
        fields = (Field(name, self.labels.get(name, name), kind) for name, kind in self.fields.items())
        return Fieldset(tuple(fields))

    @override
    def kept(self) -> tuple[Any, ...]:
        return (self.fields,)

    @classmethod
    @override
    def restored(cls, *kept: Any) -> Form:
        return cls(*kept)


def form(**fields: Kind) -> Form:
    """A question of several fields."""
    return Form(fields)
