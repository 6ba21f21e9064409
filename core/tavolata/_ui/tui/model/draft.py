"""An unfinished answer: the cursor, the marks and the typed digits, until the answer is sent.

Pure. Keys and mouse clicks are calls, and `enter` returns the answer. A question with several fields
is filled field by field; a field with one choice is filled in unasked, except the last one. A card of a later
field can be held before its field comes: then only what leads to it fits.
`undo` can take back everything until the last field is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, assert_never

from tavolata.cards import Card
from tavolata.choices import Answer, Choice
from tavolata.errors import Refused
from tavolata.kinds.fields import chosen, endings, fields_of, filled, fits_by, flat, whole
from tavolata.kinds.question import Branching, Choices, Fieldset, Number, Question, Writing
from tavolata.texts import tidied

MOST_WAYS: Final = 5_000
"""The most answers that are looked at for those with a card."""


class Draft:
    """An unfinished answer to one question.

    `allows` decides about a whole answer as far as it depends on what only this person sees, and `why` (a
    message id) is the reason it refuses. `order` returns the order in which choices are shown, by their
    places in the question; everything here but `given` counts in that order.

    Attributes:
        given: the answers to the first fields: places of choices in the question, a number, or a text.
        cursor: the choice under the cursor.
        marked: the selected choices, if several can be selected.
        typed: the digits of a number or the text so far.
        held: the card that the answer has to contain; None for any answer.
    """

    def __init__(
        self,
        question: Question,
        cursor: int = 0,
        allows: Callable[[Answer], bool] | None = None,
        why: str = "",
        order: Callable[[Sequence[Choice]], Sequence[int]] | None = None,
    ) -> None:
        self.question = question
        self._order_of = order
        self._ordered: tuple[Question, Sequence[int]] | None = None
        self._allows = allows
        self._fits = None if allows is None else fits_by(question, allows)
        self._why = why
        self.given: list[Any] = []
        self.cursor = cursor
        self.marked: list[int] = []
        self.typed = ""
        self.held: Card[Any] | None = None
        self._ways: list[tuple[int, ...]] = []
        self._before: list[Any] = []
        self._fill()
        if self.given or not self.fits(cursor):  # it was meant for a field that is filled in, or can't be
            self.cursor = self._first()

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
        return bool(self._chosen() or self.marked or self.typed or self.held)

    @property
    def shape(self) -> Choices | Number | Writing:
        shape = self.now.shape()
        match shape:
            case Choices() | Number() | Writing():
                return shape
            case Fieldset() | Branching():
                raise AssertionError(shape)  # a form is split into its fields here
            case _ as never:
                assert_never(never)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The choices of the current field, as they are shown; none for a number or a text."""
        shape = self.shape
        return tuple(shape.choices[place] for place in self._order()) if isinstance(shape, Choices) else ()

    def _order(self) -> Sequence[int]:
        """Return the places of the current field's choices, in the order in which they are shown."""
        now = self.now
        if self._ordered is None or self._ordered[0] is not now:
            shape = now.shape()
            choices = shape.choices if isinstance(shape, Choices) else ()
            order = range(len(choices)) if self._order_of is None else self._order_of(choices)
            self._ordered = now, order
        return self._ordered[1]

    def _first(self) -> int:
        """Return the first choice that fits."""
        return next(filter(self.fits, range(len(self.choices))), 0)

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
        match self.shape:
            case Number(low, high, step):
                number = int(self.typed) if self.typed else low - step * (by > 0)
                self.typed = str(min(high, max(low, number + by * step)))
            case Choices(choices):
                self.cursor, self.typed = (self.cursor + by) % len(choices), ""
            case Writing():
                pass  # its line has a cursor of its own
            case _ as never:
                assert_never(never)

    def leap(self, by: int) -> None:
        """Move the cursor by this many choices, at most to the first or the last one."""
        if self.choices:
            self.cursor, self.typed = max(0, min(len(self.choices) - 1, self.cursor + by)), ""

    def point(self, at: int) -> bool:
        """Move the cursor to this choice; return True if it was there already."""
        again, self.cursor, self.typed = at == self.cursor, at, ""
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

    # -- cards of later fields --------------------------------------------------------------------

    @property
    def later(self) -> frozenset[Card[Any]]:
        """The cards that a later field may ask for."""
        shown = {choice.value for choice in self.choices}
        return frozenset(card for card in _cards(self.question) if card not in shown)

    def hold(self, card: Card[Any]) -> bool:
        """Let only answers with this card fit from now on, and fill in what they have in common.

        Return False and change nothing if no answer has it, or too many have to be looked at.
        """
        answers = endings(self.question, self.given)
        found = [] if answers is None else list(islice(answers, MOST_WAYS + 1))
        if len(found) > MOST_WAYS:
            return False
        ways = [tuple(flat(answer)) for answer in found if self._allows is None or self._allows(answer)]
        ways = [way for way in ways if self._has(way, card)]
        if ways:
            self.held, self._ways, self._before = card, ways, [*self.given]
            self.marked, self.typed = [], ""
            self._narrow()
        return bool(ways)

    def _has(self, way: Sequence[int], card: Card[Any]) -> bool:
        given = [(place,) for place in way]
        shapes = [field.shape() for _, field in fields_of(self.question, given)]
        return any(
            isinstance(shape, Choices) and shape.choices[place].value == card
            for shape, place in zip(shapes, way, strict=True)
        )

    def _next(self) -> list[int]:
        """Return the places in the current field that lead to the held card."""
        begun = tuple(place for given in self.given for place in given)
        there = (way[len(begun)] for way in self._ways if way[: len(begun)] == begun)
        return list(dict.fromkeys(there))

    def _narrow(self) -> None:
        """Fill in the fields that the held card decides, except for the last one; point at what fits."""
        while len(self._next()) == 1 and len(fields_of(self.question, [*self.given, (self._next()[0],)])) > (
            len(self.given) + 1
        ):
            self.given = [*self.given, (self._next()[0],)]
        order, fitting = self._order(), self._next()
        if order[self.cursor] not in fitting:
            self.cursor = order.index(fitting[0])

    @property
    def decides(self) -> bool:
        """Return True if the choice pointed at is the last that's open; the held card fills the rest."""
        if self.held is None:
            return len(self.given) == len(self.fields) - 1
        return len(self._ending()) == 1

    def _ending(self) -> list[tuple[int, ...]]:
        begun = tuple(place for given in [*self.given, (self._order()[self.cursor],)] for place in given)
        return [way for way in self._ways if way[: len(begun)] == begun]

    # -- back and on ------------------------------------------------------------------------------

    def undo(self) -> bool:
        """Take back the last digit, mark or answered field; return False if there isn't one."""
        if self.typed:
            self.typed = self.typed[:-1] if self.number else ""
        elif self.marked:
            self.cursor = self.marked.pop()
        elif self.held is not None:
            self.held, self._ways, self.given = None, [], self._before
            self.cursor = self._first()
        elif chosen := self._chosen():
            last = self.given[chosen - 1]
            del self.given[chosen - 1 :]
            if self.number or self.writing:
                self.typed = str(last)
            elif self.several:
                self.cursor, self.marked = 0, [self._order().index(place) for place in last]
            else:
                self.cursor = self._order().index(last[0])
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
        if self.held is not None and len(ways := self._ending()) == 1:
            after = [(place,) for place in ways[0]]
        if len(after) == len(fields_of(self.question, after)):
            return whole(self.question, after)
        self.given = after
        self.cursor, self.marked, self.typed = 0, [], ""
        if self.held is not None:
            self._narrow()
            return None
        self._fill()
        self.cursor = self._first()
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

    def fits(self, at: int) -> bool:
        """Return True if some answer with this choice is allowed, after the answers to the earlier fields."""
        if self.held is not None:
            return self._order()[at] in self._next()
        if self._fits is None or self.several or not isinstance(self.shape, Choices):
            return True
        return self._fits(self.given, self._order()[at])

    def _given(self) -> int | str | tuple[int, ...] | None:
        match self.shape:
            case Writing():
                return tidied(self.typed)
            case Number(low, high) as shape:
                if self.typed:
                    return int(self.typed)
                return low if low == high else shape.default
            case Choices() as shape:
                named = shape.low == shape.high == 1 or (self.typed and shape.low < 2)  # by its number
                if shape.several and (self.marked or not named):
                    return tuple(self._order()[at] for at in self.marked)
                return (self._order()[self.cursor],)
            case _ as never:
                assert_never(never)


def _cards(question: Question) -> Iterator[Card[Any]]:
    """Yield the cards among the choices; not those that only decide which field follows."""
    match question.shape():
        case Fieldset(fields):
            for field in fields:
                yield from _cards(field.question)
        case Branching(_, after):
            for then in after:
                yield from () if then is None else _cards(then)
        case Choices(choices, several=several):
            yield from (one.value for one in choices if not several and isinstance(one.value, Card))
        case Number() | Writing():
            pass
        case _ as never:
            assert_never(never)
