"""An unfinished answer: the cursor, the marks and the typed digits, until the answer is sent.

Pure. Keys and mouse clicks are calls, and `enter` returns the answer. A question with several fields
is filled field by field. `undo` can take back everything until the last field is sent.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tavolata.choices import Answer, Choice
from tavolata.errors import Refused
from tavolata.kinds.kind import Choices, Fieldset, Kind, Number


class Draft:
    """An unfinished answer to one question.

    Args:
        kind: the kind of answer.
        cursor: the place of the choice that is first under the cursor.

    Attributes:
        fields: the fields to fill one after the other, with their labels.
        given: the answers to the first fields: places of choices, or a number.
        cursor: the place of the choice under the cursor.
        marked: the places of the selected choices, if several can be selected.
        typed: the digits of a number so far.
    """

    def __init__(self, kind: Kind, cursor: int = 0) -> None:
        self.kind = kind
        self.fields = list(_fields("", kind))
        self.given: list[Any] = []
        self.cursor = cursor
        self.marked: list[int] = []
        self.typed = ""

    @property
    def field(self) -> tuple[str, Kind]:
        """The label and the kind of the current field."""
        return self.fields[len(self.given)]

    @property
    def now(self) -> Kind:
        """The kind of the current field."""
        return self.field[1]

    @property
    def touched(self) -> bool:
        """Whether `undo` would take something back."""
        return bool(self.given or self.marked or self.typed)

    @property
    def shape(self) -> Choices | Number:
        """The shape of the current field."""
        shape = self.now.shape()
        assert not isinstance(shape, Fieldset)  # a form is split into its fields here
        return shape

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The choices of the current field; none for a number."""
        return self.shape.choices if isinstance(self.shape, Choices) else ()

    @property
    def several(self) -> bool:
        """Whether several choices can be selected."""
        return isinstance(self.shape, Choices) and self.shape.several

    @property
    def number(self) -> bool:
        """Whether a number is typed."""
        return isinstance(self.shape, Number)

    # -- pointing -------------------------------------------------------------------------------

    def move(self, by: int) -> None:
        """Move the cursor to another choice, or change an amount."""
        shape = self.shape
        if isinstance(shape, Number):
            number = int(self.typed) if self.typed else shape.low - shape.step * (by > 0)
            self.typed = str(min(shape.high, max(shape.low, number + by * shape.step)))
        else:
            self.cursor, self.typed = (self.cursor + by) % len(shape.choices), ""

    def leap(self, by: int) -> None:
        """Move the cursor by so many choices, at most to the first or the last one."""
        if self.choices:
            self.cursor, self.typed = max(0, min(len(self.choices) - 1, self.cursor + by)), ""

    def point(self, place: int) -> bool:
        """Move the cursor to this choice; return whether it was there already."""
        again, self.cursor, self.typed = place == self.cursor, place, ""
        return again

    def digit(self, digit: str) -> None:
        """Type a digit of an amount, or of the number of a choice."""
        shape = self.shape
        if isinstance(shape, Number):
            self.typed = (self.typed + digit)[: len(str(shape.high))]
            return
        tried = (self.typed + digit, digit)
        number = next((text for text in tried if 1 <= int(text) <= len(shape.choices)), "")
        if number:
            self.typed, self.cursor = number, int(number) - 1

    def mark(self) -> None:
        """Select or deselect the choice under the cursor, if several can be selected."""
        if self.several:
            if self.cursor in self.marked:
                self.marked.remove(self.cursor)
            else:
                self.marked.append(self.cursor)

    # -- back and on ------------------------------------------------------------------------------

    def undo(self) -> bool:
        """Take back the last digit, mark or answered field; return False if there is none."""
        if self.typed:
            self.typed = self.typed[:-1] if self.number else ""
        elif self.marked:
            self.cursor = self.marked.pop()
        elif self.given:
            last = self.given.pop()
            if self.number:
                self.typed = str(last)
            elif self.several:
                self.cursor, self.marked = 0, list(last)
            else:
                self.cursor = last[0]
        else:
            return False
        return True

    def enter(self) -> Answer | None:
        """Answer the current field; return the whole answer after the last field.

        Raises:
            Refused: the answer is not legal; nothing has changed.
        """
        given = self._given()
        answer = self.now.check(self.now.answer_from(given))
        if len(self.given) == len(self.fields) - 1:
            return _whole(self.kind, iter([*self.given, given]))
        self._check_begun(answer)
        self.given.append(given)
        self.cursor, self.marked, self.typed = 0, [], ""
        self.cursor = next(filter(self.fits, range(len(self.choices))), 0)
        return None

    def fits(self, place: int) -> bool:
        """Whether this choice is possible with the answers to the earlier fields."""
        if self.several or self.number:
            return True
        try:
            self._check_begun(self.now.check(self.now.answer_from((place,))))
        except Refused:
            return False
        return True

    def _check_begun(self, answer: Answer) -> None:
        """Refuse at once an answer that no form allows; a form within a form is checked at its end."""
        shape = self.kind.shape()
        if isinstance(shape, Fieldset) and len(shape.fields) == len(self.fields):
            pairs = zip(self.fields, self.given, strict=False)
            begun = [field.check(field.answer_from(given)) for (_, field), given in pairs]
            self.kind.check_begun([*begun, answer])

    def _given(self) -> int | tuple[int, ...] | None:
        """The answer to the current field."""
        shape = self.shape
        if isinstance(shape, Number):
            if self.typed:
                return int(self.typed)
            return shape.low if shape.low == shape.high else shape.default
        if shape.several and (self.marked or not shape.low == shape.high == 1):
            return tuple(self.marked)
        return (self.cursor,)


def _fields(label: str, kind: Kind) -> Iterator[tuple[str, Kind]]:
    shape = kind.shape()
    if isinstance(shape, Fieldset):
        for field in shape.fields:
            yield from _fields(field.label, field.kind)
    else:
        yield label, kind


def _whole(kind: Kind, given: Iterator[Any]) -> Answer:
    shape = kind.shape()
    if isinstance(shape, Fieldset):
        return kind.check(kind.answer_from(tuple(_whole(field.kind, given) for field in shape.fields)))
    return kind.check(kind.answer_from(next(given)))
