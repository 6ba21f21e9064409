"""An unfinished answer: the cursor, the marks and the typed digits, until the answer is sent.

Pure. Keys and mouse clicks are calls, and `enter` returns the answer. A question with several fields
is filled field by field; a field with one choice is filled in unasked, except the last one.
`undo` can take back everything until the last field is sent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tavolata.choices import Answer, Choice
from tavolata.errors import Refused
from tavolata.kinds.fields import chosen, fields_of, filled, fits_by, whole
from tavolata.kinds.question import Choices, Number, Question


class Draft:
    """An unfinished answer to one question.

    Args:
        question: the kind of answer.
        cursor: the place of the choice that is first under the cursor.
        allows: whether the person may give a whole answer, as far as that hangs on what only they see.
        why: why they may not give the others; a message id.

    Attributes:
        given: the answers to the first fields: places of choices, or a number.
        cursor: the place of the choice under the cursor.
        marked: the places of the selected choices, if several can be selected.
        typed: the digits of a number so far.
    """

    def __init__(
        self,
        question: Question,
        cursor: int = 0,
        allows: Callable[[Answer], bool] | None = None,
        why: str = "",
    ) -> None:
        self.question = question
        self._fits = None if allows is None else fits_by(question, allows)
        self._why = why
        self.given: list[Any] = []
        self.cursor = cursor
        self.marked: list[int] = []
        self.typed = ""
        self._fill()
        if self.given or not self.fits(cursor):  # it was meant for a field that is filled in, or can't be
            self.cursor = next(filter(self.fits, range(len(self.choices))), 0)

    @property
    def fields(self) -> list[tuple[str, Question]]:
        """The fields that are known so far, each with its label; the last one may lead to more."""
        return fields_of(self.question, self.given)

    @property
    def field(self) -> tuple[str, Question]:
        """The label and the kind of the current field."""
        return self.fields[len(self.given)]

    @property
    def now(self) -> Question:
        """The kind of the current field."""
        return self.field[1]

    @property
    def touched(self) -> bool:
        """Whether `undo` would take something back."""
        return bool(self._chosen() or self.marked or self.typed)

    @property
    def shape(self) -> Choices | Number:
        """The shape of the current field."""
        shape = self.now.shape()
        assert isinstance(shape, Choices | Number)  # a form is split into its fields here
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
            self.typed = ""
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
        elif chosen := self._chosen():
            last = self.given[chosen - 1]
            del self.given[chosen - 1 :]
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
        self.now.check(self.now.answer_from(given))
        if not self.fits(self.cursor):
            raise Refused(self._why)
        after = [*self.given, given]
        if len(after) == len(fields_of(self.question, after)):
            return whole(self.question, after)
        self.given = after
        self.cursor, self.marked, self.typed = 0, [], ""
        self._fill()
        self.cursor = next(filter(self.fits, range(len(self.choices))), 0)
        return None

    def values(self) -> tuple[Any, ...]:
        """The values of the fields so far; the last one is what is pointed at or typed, if that is legal."""
        values = []
        for (_, question), given in zip(self.fields, [*self.given, self._given()], strict=False):
            try:
                values.append(question.value_of(question.check(question.answer_from(given))))
            except Refused:
                break
        return tuple(values)

    def _fill(self) -> None:
        """Fill in the fields that have one choice, as long as another field follows."""
        self.given = filled(self.question, self.given, self._fits)

    def _chosen(self) -> int:
        """How many of the given answers there are up to the last one that the person chose."""
        found = chosen(self.question, self.given, self._fits)
        return max((number for number, one in enumerate(found, 1) if one), default=0)

    def fits(self, place: int) -> bool:
        """Whether some answer with this choice is allowed, after the answers to the earlier fields."""
        if self._fits is None or self.several or self.number:
            return True
        return self._fits(self.given, place)

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
