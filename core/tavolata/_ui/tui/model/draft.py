"""An answer in the making: what is pointed at, marked and typed, until it is whole and sent.

Pure: keys and mouse come in as calls, an answer comes out of `enter`. A form is filled field by
field; until the last one is sent, `undo` goes back over everything.
"""

from __future__ import annotations

from collections.abc import Iterator

from tavolata.choices import Answer, Kind
from tavolata.errors import Refused
from tavolata.forms import Form
from tavolata.kinds import Amount, OneOf, SomeOf


class Draft:
    """An answer to one question.

    Args:
        kind: what is asked.
        cursor: the place of the choice that is pointed at first.

    Attributes:
        fields: the questions to be answered one after the other, with their labels; a form has several.
        given: the answers to the first of them.
        cursor: the place of the choice that is pointed at.
        marked: places of the choices that are taken, where several can be.
        typed: the digits of a number so far.
    """

    def __init__(self, kind: Kind, cursor: int = 0) -> None:
        self.kind = kind
        self.fields = list(_fields("", kind))
        self.given: list[Answer] = []
        self.cursor = cursor
        self.marked: list[int] = []
        self.typed = ""

    @property
    def field(self) -> tuple[str, Kind]:
        """The label and the question that is being answered."""
        return self.fields[len(self.given)]

    @property
    def now(self) -> Kind:
        """The question that is being answered."""
        return self.field[1]

    @property
    def touched(self) -> bool:
        """Whether there is something that `undo` would take back."""
        return bool(self.given or self.marked or self.typed)

    def _count(self) -> int:
        return len(self.now.choices) if isinstance(self.now, OneOf | SomeOf) else 0

    # -- pointing -------------------------------------------------------------------------------

    def move(self, by: int) -> None:
        """Point at another choice, or count an amount up or down."""
        kind = self.now
        if isinstance(kind, Amount):
            number = int(self.typed) if self.typed else kind.low - kind.step * (by > 0)
            self.typed = str(min(kind.high, max(kind.low, number + by * kind.step)))
        elif self._count():
            self.cursor = (self.cursor + by) % self._count()
            self.typed = ""

    def point(self, place: int) -> bool:
        """Point at this choice; whether it was pointed at already."""
        again, self.cursor, self.typed = place == self.cursor, place, ""
        return again

    def digit(self, digit: str) -> None:
        """A digit of a number: an amount's, or that of a choice."""
        if isinstance(self.now, Amount):
            self.typed = (self.typed + digit)[: len(str(self.now.high))]
            return
        number = next((text for text in (self.typed + digit, digit) if 1 <= int(text) <= self._count()), "")
        if number:
            self.typed, self.cursor = number, int(number) - 1

    def mark(self) -> None:
        """Take the choice that is pointed at, or let it go, where several can be taken."""
        if isinstance(self.now, SomeOf):
            if self.cursor in self.marked:
                self.marked.remove(self.cursor)
            else:
                self.marked.append(self.cursor)

    # -- back and on ------------------------------------------------------------------------------

    def undo(self) -> bool:
        """Take back the last thing that was typed, marked or answered; False if there is none."""
        if self.typed:
            self.typed = self.typed[:-1] if isinstance(self.now, Amount) else ""
        elif self.marked:
            self.cursor = self.marked.pop()
        elif self.given:
            last = self.given.pop()
            kind = self.now
            if isinstance(kind, OneOf) and isinstance(last, int):
                self.cursor = last
            elif isinstance(kind, SomeOf) and isinstance(last, tuple):
                self.cursor, self.marked = 0, list(last)
            elif isinstance(kind, Amount) and isinstance(last, int):
                self.typed = str(kind.value_of(last))
        else:
            return False
        return True

    def enter(self) -> Answer | None:
        """Answer the field; the whole answer when it was the last one.

        Raises:
            Refused: it is not legal; nothing has changed.
        """
        kind = self.now
        answer = kind.check(self._raw(kind))
        if len(self.given) == len(self.fields) - 1:
            return self.kind.check(_whole(self.kind, iter([*self.given, answer])))
        self._check_begun(answer)
        self.given.append(answer)
        self.cursor, self.marked, self.typed = 0, [], ""
        self.cursor = next(filter(self.fits, range(self._count())), 0)
        return None

    def fits(self, place: int) -> bool:
        """Whether this choice goes with the answers to the fields before."""
        if not isinstance(self.now, OneOf):
            return True
        try:
            self._check_begun(place)
        except Refused:
            return False
        return True

    def _check_begun(self, answer: Answer) -> None:
        """Refuse at once what no form could be filled with; forms within a form are checked when whole."""
        kind = self.kind
        if isinstance(kind, Form) and len(kind.fields) == len(self.fields):
            kind.check_begun([*self.given, answer])

    def _raw(self, kind: Kind) -> object:
        if isinstance(kind, Amount):
            if self.typed:
                return int(self.typed)
            return kind.low if kind.low == kind.high else kind.default
        if isinstance(kind, SomeOf):
            one = not self.marked and kind.low == kind.high == 1
            return (self.cursor,) if one else tuple(sorted(self.marked))
        return self.cursor


def _fields(label: str, kind: Kind) -> Iterator[tuple[str, Kind]]:
    if isinstance(kind, Form):
        for name, part in kind.fields.items():
            yield from _fields(kind.labels.get(name, name), part)
    else:
        yield label, kind


def _whole(kind: Kind, answers: Iterator[Answer]) -> Answer:
    if isinstance(kind, Form):
        return tuple(_whole(part, answers) for part in kind.fields.values())
    return next(answers)
