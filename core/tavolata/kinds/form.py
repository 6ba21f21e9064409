"""A form: several questions that are answered at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, Final, TypeVar

from typing_extensions import override

from tavolata.choices import MOST, Answer, V_co, differ, same
from tavolata.errors import GameError, Refused
from tavolata.kinds.fields import flat
from tavolata.kinds.question import (
    AnswerPart,
    Branching,
    Choices,
    Field,
    Fieldset,
    Means,
    Number,
    Question,
    Writing,
    beyond,
    followed,
    numbers_beyond,
)
from tavolata.messages import N_
from tavolata.texts import MOST_BYTES

V = TypeVar("V")

MOST_LISTED: Final = 100_000
"""So many answers a form has at most where its fields must differ: they are numbered by listing them."""


class Form(Question[V_co], name="form"):
    """Several questions answered at once, by field name; the answer is a tuple in their order.

    Attributes:
        make: what makes the value of the values of the fields: a frozen dataclass, or `dict`.
        fields: by name, the questions.
        labels: by field name, its label for people; message ids.
        different: why an answer with two equal fields is refused; a message id, "" if it is legal.
    """

    # No slots: the legal answers are listed only where somebody numbers them.

    def __init__(
        self,
        make: Callable[..., V_co],
        fields: Mapping[str, Question],
        labels: Mapping[str, str] | None = None,
        different: str = "",
    ) -> None:
        self.make = make
        self.fields = dict(fields)
        self.labels = dict(labels or {})
        self.different = different
        if not self.fields:
            raise GameError("A form needs at least one field.")
        if strange := self.labels.keys() - self.fields.keys():
            raise GameError(f"A form has no fields {sorted(strange)}, but labels for them.")
        if _longest(self) > MOST_BYTES:
            raise GameError(f"The suggestions in a form have at most {MOST_BYTES} bytes in all.")
        if different:
            if self._all > MOST_LISTED or max(one.count() for one in self.fields.values()) > MOST:
                raise GameError(
                    f"A form with `different` has at most {MOST} answers a field and {MOST_LISTED} in all."
                )
            if not self._legal:
                raise GameError("A form with `different` has no answer with different fields.")

    @property
    def _all(self) -> int:
        """How many answers there are if fields may be equal."""
        return prod(question.count() for question in self.fields.values())

    @cached_property
    def _legal(self) -> dict[tuple[Answer, ...], int]:
        """The legal answers of a form whose fields must differ, with their numbers."""
        parts = (
            [(question.answer_at(number), question.nth(number)) for number in range(question.count())]
            for question in self.fields.values()
        )
        legal = (
            tuple(answer for answer, _ in row)
            for row in product(*parts)
            if differ([value for _, value in row])
        )
        return {answer: number for number, answer in enumerate(legal)}

    @override
    def check(self, answer: object) -> Answer:
        if not isinstance(answer, list | tuple) or len(answer) != len(self.fields):
            raise Refused(N_("Fill in all {n} fields."), n=len(self.fields))
        checked = tuple(
            question.check(part) for question, part in zip(self.fields.values(), answer, strict=True)
        )
        if self.different and not differ(list(self._values(checked).values())):
            raise Refused(self.different)
        if sum(len(part.encode()) for part in flat(checked) if isinstance(part, str)) > MOST_BYTES:
            raise Refused(N_("Your answers are too long in total. Shorten one of them."))
        return checked

    def _values(self, answer: tuple[Any, ...]) -> dict[str, Any]:
        return {
            name: question.value_of(part)
            for (name, question), part in zip(self.fields.items(), answer, strict=True)
        }

    @override
    def value_of(self, answer: tuple[Any, ...]) -> V_co:
        return self.make(**self._values(answer))

    @override
    def answer_for(self, value: Any, means: Means | None = None) -> Answer:
        """Find the answer whose fields the value has, as attributes or as keys; raise `Refused` if none has.

        A script may write a mapping for any form.
        """
        has = value if isinstance(value, Mapping) else _attributes(value, self.fields)
        if has.keys() == self.fields.keys():
            answer = self.check(
                tuple(question.answer_for(has[name], means) for name, question in self.fields.items())
            )
            if means is not None or same(self.value_of(answer), value):  # type: ignore[arg-type] # of a form
                return answer
        if self.count() <= MOST_LISTED:
            for number in range(self.count()):
                if same(self.nth(number), value):
                    return self.answer_at(number)
        raise Refused(N_("Fill in all {n} fields."), n=len(self.fields))

    @override
    def count(self) -> int:
        return len(self._legal) if self.different else self._all

    @override
    def answer_at(self, number: int) -> Answer:
        if number >= self.count():
            numbers = numbers_beyond(number - self.count())
            if len(numbers) != len(self.fields):
                raise IndexError(number)
            found = tuple(one.answer_at(at) for one, at in zip(self.fields.values(), numbers, strict=True))
            try:
                self.check(found)
            except Refused:
                raise IndexError(number) from None
            if self.number_of(found) != number:
                raise IndexError(number)
            return found
        if number < 0:
            raise IndexError(number)
        if self.different:
            return list(self._legal)[number]
        parts: list[Answer] = []
        for question in reversed(self.fields.values()):
            number, place = divmod(number, question.count())
            parts.append(question.answer_at(place))
        return tuple(reversed(parts))

    @override
    def number_of(self, answer: tuple[Any, ...]) -> int:
        fields = self.fields.values()
        numbers = [question.number_of(part) for question, part in zip(fields, answer, strict=True)]
        if any(number >= question.count() for question, number in zip(fields, numbers, strict=True)):
            return self.count() + beyond(numbers)
        if self.different:
            return self._legal[answer]
        number = 0
        for question, part in zip(fields, numbers, strict=True):
            number = number * question.count() + part
        return number

    @override
    def steps(self, begun: tuple[int, ...]) -> Iterator[AnswerPart]:
        """One field after the other, and a field of many answers in its own parts."""
        answers: tuple[Answer, ...] = ()
        rest = begun
        for question in self.fields.values():
            used, number = followed(question, rest)
            if number is None:
                break
            answers, rest = (*answers, question.answer_at(number)), rest[used:]
        else:
            return
        last = len(answers) + 1 == len(self.fields)
        for part in question.parts(rest):
            after = answers if part.number is None else (*answers, question.answer_at(part.number))
            if self.different and not any(one[: len(after)] == after for one in self._legal):
                continue
            whole = last and part.number is not None
            yield AnswerPart((*begun, part.begun[-1]), part.value, self.number_of(after) if whole else None)

    @override
    def shape(self) -> Fieldset:
        fields = (
            Field(name, self.labels.get(name, name), question) for name, question in self.fields.items()
        )
        return Fieldset(tuple(fields), self.make, self.different)

    @override
    def kept(self) -> tuple[Any, ...]:
        return self.make, self.fields, self.different

    @classmethod
    @override
    def restored(cls, *kept: Any) -> Form[Any]:
        make, fields, different = kept
        return cls(make, fields, different=different)


def _longest(question: Question) -> int:
    """Return the most bytes of the texts in an answer that programs choose."""
    match question.shape():
        case Writing(suggestions=texts):
            return max(len(text.encode()) for text in texts)
        case Fieldset(fields):
            return sum(_longest(field.question) for field in fields)
        case Branching(_, then):
            return max([_longest(one) for one in then if one is not None], default=0)
        case Choices() | Number():
            return 0


def _attributes(value: Any, names: Mapping[str, object]) -> dict[str, Any]:
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


def form(
    make: Callable[..., V],
    /,
    *,
    labels: Mapping[str, str] | None = None,
    different: str = "",
    **fields: Question[Any],
) -> Form[V]:
    """Return a question of several fields; its value is `make(**values of the fields)`.

    A field with one choice is filled in unasked, so it can bind an answer to what was seen:
    `form(Raise, over=one_of([self.bid]), by=amount(1, 5))`.

    Args:
        make: what makes the value: a frozen dataclass, or `dict`.
        labels: by field name, its label for people; message ids.
        different: why two fields may not be equal; a message id.
        **fields: the questions.

    Raises:
        GameError: there is no field, a label names none, fields that must differ have no answer, more than
            512 each or more than 100,000 in all, or the suggestions of texts have more than 200 bytes in all.
    """
    return Form(make, fields, labels, different)
