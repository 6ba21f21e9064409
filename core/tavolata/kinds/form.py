"""A form: several questions that are answered at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from typing_extensions import override

from tavolata.choices import Answer, same
from tavolata.errors import GameError, Refused
from tavolata.kinds.kind import Field, Fieldset, Kind, Means
from tavolata.messages import N_


class Form(Kind, name="form"):
    """Several questions answered at once, by field name; the answer is a tuple in their order.

    Attributes:
        fields: the questions.
        labels: the label of each field for people; message ids.
        different: why no two fields may have the same value: a message id, whose field `value` is the
            repeated value. Empty if fields may have the same value.
    """

    __slots__ = ("_legal", "different", "fields", "labels")

    def __init__(
        self, fields: Mapping[str, Kind], labels: Mapping[str, str] | None = None, *, different: str = ""
    ) -> None:
        self.fields = dict(fields)
        self.labels = dict(labels or {})
        self.different = different
        self._legal: list[tuple[Answer, ...]] | None = None
        if not self.fields:
            raise GameError("A form needs at least one field.")

    @override
    def check(self, answer: object) -> Answer:
        if isinstance(answer, list | tuple) and len(answer) == len(self.fields):
            parts = tuple(kind.check(part) for kind, part in zip(self.fields.values(), answer, strict=True))
            if self.different and (twice := _twice(list(self.value_of(parts).values()))):
                raise Refused(self.different, value=twice[0])
            return parts
        raise Refused(N_("Fill in all {n} fields."), n=len(self.fields))

    @override
    def check_begun(self, parts: Sequence[Answer]) -> None:
        """Refuse parts that repeat a value or leave no different values for the other fields."""
        begun = tuple(parts)
        if self.different and not any(whole[: len(begun)] == begun for whole in self._all_different()):
            kinds = list(self.fields.values())[: len(begun)]
            values = [kind.value_of(part) for kind, part in zip(kinds, begun, strict=True)]
            raise Refused(self.different, value=(_twice(values) or values[-1:])[0])

    def _all_different(self) -> list[tuple[Answer, ...]]:
        """The legal answers of a form whose fields must have different values; such forms are small."""
        if self._legal is None:
            self._legal = [answers for answers, _ in _different(list(self.fields.values()))]
        return self._legal

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
        if self.different:
            return len(self._all_different())
        total = 1
        for kind in self.fields.values():
            total *= kind.count()
        return total

    @override
    def nth(self, number: int) -> Answer:
        if self.different:
            return self._all_different()[number]
        parts: list[Answer] = []
        for kind in reversed(self.fields.values()):
            number, place = divmod(number, kind.count())
            parts.append(kind.nth(place))
        return tuple(reversed(parts))

    @override
    def shape(self) -> Fieldset:
        fields = (Field(name, self.labels.get(name, name), kind) for name, kind in self.fields.items())
        return Fieldset(tuple(fields), different=bool(self.different))

    @override
    def kept(self) -> tuple[Any, ...]:
        return self.fields, str(self.different)

    @classmethod
    @override
    def restored(cls, *kept: Any) -> Form:
        fields, different = kept
        return cls(fields, different=different)


def _different(kinds: Sequence[Kind]) -> list[tuple[tuple[Answer, ...], tuple[Any, ...]]]:
    """The answers to these questions, with their values, in which no value is repeated; in order."""
    found: list[tuple[tuple[Answer, ...], tuple[Any, ...]]] = [((), ())]
    for kind in kinds:
        parts = [(answer, kind.value_of(answer)) for answer in map(kind.nth, range(kind.count()))]
        found = [
            ((*answers, answer), (*values, value))
            for answers, values in found
            for answer, value in parts
            if not _is_among(value, values)
        ]
    return found


def _twice(values: Sequence[Any]) -> list[Any]:
    """The values that occur earlier in the list, too."""
    return [one for place, one in enumerate(values) if _is_among(one, values[:place])]


def _is_among(value: object, values: Sequence[object]) -> bool:
    return any(same(one, value) for one in values)


def form(**fields: Kind) -> Form:
    """A question of several fields."""
    return Form(fields)
