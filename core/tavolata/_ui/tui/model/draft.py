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
from tavolata.kinds.question import Choices, Number, Question, Writing
from tavolata.texts import tidied


class Draft:
    """An unfinished answer to one question.

    `allows` decides about a whole answer as far as it depends on what only this person sees, and `why` (a
    message id) is the reason it refuses.

    Attributes:
        given: the answers to the first fields: places of choices, a number, or a text.
        cursor: the place of the choice under the cursor.
        marked: the places of the selected choices, if several can be selected.
        typed: the digits of a number or the text so far.
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
        """The fields known so far, each with its label; the last one may lead to more."""
        return fields_of(self.question, self.given)

    @property
    def field(self) -> tuple[str, Question]:
        return self.fields[len(self.given)]

    @property
    def now(self) -> Question:
        return self.field[1]

    @property
    def touched(self) -> bool:
        """Return True if `undo` would take something back."""
        return bool(self._chosen() or self.marked or self.typed)

    @property
    def shape(self) -> Choices | Number | Writing:
        shape = self.now.shape()
        assert isinstance(shape, Choices | Number | Writing)  # a form is split into its fields here
        return shape

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The choices of the current field; none for a number or a text."""
        return self.shape.choices if isinstance(self.shape, Choices) else ()

    @property
    def several(self) -> bool:
        return isinstance(self.shape, Choices) and self.shape.several

    @property
    def number(self) -> bool:
        return isinstance(self.shape, Number)

    @property
    def writing(self) -> bool:
        return isinstance(self.shape, Writing)

    # -- pointing -------------------------------------------------------------------------------

    def move(self, by: int) -> None:
        shape = self.shape
        if isinstance(shape, Number):
            number = int(self.typed) if self.typed else shape.low - shape.step * (by > 0)
            self.typed = str(min(shape.high, max(shape.low, number + by * shape.step)))
        elif isinstance(shape, Choices):
            self.cursor, self.typed = (self.cursor + by) % len(shape.choices), ""

    def leap(self, by: int) -> None:
        """Move the cursor by this many choices, at most to the first or the last one."""
        if self.choices:
            self.cursor, self.typed = max(0, min(len(self.choices) - 1, self.cursor + by)), ""

    def point(self, place: int) -> bool:
        """Move the cursor to this choice; return True if it was there already."""
        again, self.cursor, self.typed = place == self.cursor, place, ""
        return again

    def digit(self, digit: str) -> None:
        shape = self.shape
        if isinstance(shape, Number):
            self.typed = (self.typed + digit)[: len(str(shape.high))]
            return
        tried = (self.typed + digit, digit)
        number = next((text for text in tried if 1 <= int(text) <= len(self.choices)), "")
        if number:
            self.typed, self.cursor = number, int(number) - 1

    def mark(self) -> None:
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
            if self.number or self.writing:
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

        Raise `Refused` and change nothing if the answer isn't legal.
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
        """Return the values of the fields so far; the last one is the one pointed at or typed, if that's
        legal.
        """
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
        """Count the given answers up to the last one that the person chose."""
        found = chosen(self.question, self.given, self._fits)
        return max((number for number, one in enumerate(found, 1) if one), default=0)

    def fits(self, place: int) -> bool:
        """Return True if some answer with this choice is allowed, after the answers to the earlier fields."""
        if self._fits is None or self.several or not self.choices:
            return True
        return self._fits(self.given, place)

    def _given(self) -> int | str | tuple[int, ...] | None:
        shape = self.shape
        if isinstance(shape, Writing):
            return tidied(self.typed)
        if isinstance(shape, Number):
            if self.typed:
                return int(self.typed)
            return shape.low if shape.low == shape.high else shape.default
        if shape.several and (self.marked or not shape.low == shape.high == 1):
            return tuple(self.marked)
        return (self.cursor,)
