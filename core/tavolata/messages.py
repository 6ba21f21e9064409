"""Messages to people: message ids with parameters, which are translated where they are shown.

A message id is the English sentence with named fields, `"{player} pays {n} to the pot."`. It is sent, logged
and replayed as data, and each peer shows it in its own language. This module marks such sentences; catalogues
are read by `tavolata._ui`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from tavolata._text import fill


class Plural(str):
    """A message id with a second form for all numbers except one; the number is its field `n`."""

    __slots__ = ("other",)

    other: str

    def __new__(cls, one: str, other: str) -> Self:
        """Make the pair; `one` is also the message id of the pair."""
        self = super().__new__(cls, one)
        self.other = other
        return self


def N_(message: str) -> str:
    """Mark a sentence for translation; return it unchanged."""
    return message


def NN_(one: str, other: str) -> Plural:
    """Mark a sentence that counts something (its field `n`) for translation."""
    return Plural(one, other)


@dataclass(frozen=True, slots=True)
class Text:
    """A message as a value: a field of another message, a card's face (its property `text`), a hint.

    Attributes:
        message: the message id; not a `Plural`.
        params: the values of its fields.
        holds: for a hint, whether it is true, for the kit; None if the rules can't say.
    """

    message: str
    params: Mapping[str, Any] = field(default_factory=dict)
    holds: Callable[[], bool] | None = field(default=None, init=False, compare=False, repr=False)

    def __str__(self) -> str:
        """Return the English sentence, for programs and files."""
        return fill(self.message, self.params)


def text(message: str, /, *, holds: Callable[[], bool] | None = None, **params: Any) -> Text:
    """Return a message with the values of its fields: `text(N_("{n} cards are left."), n=3)`; see `Text`."""
    made = Text(message, params)
    object.__setattr__(made, "holds", holds)
    return made


@dataclass(frozen=True, slots=True)
class Mark:
    """What a screen points out while a sentence is shown, because no zone says it; see `Table.tell`.

    Attributes:
        kind: counted, flow or calls.
        cards: the numbers of the counted cards, in their order.
        of: what they are counted for, as it is written on the table, such as "5×5".
        need: how many of them are needed; 0 for wild cards.
        seat: the seat that gives, or that is called.
        to: the seat that gets something.
        n: how much it gets.
        over: the seats over which it passes.
    """

    kind: str
    cards: tuple[int, ...] = ()
    of: str = ""
    seat: int | None = None
    to: int | None = None
    n: int = 0
    over: tuple[int, ...] = ()
    need: int = 0


@dataclass(frozen=True, slots=True)
class FieldMark:
    """A mark for every telling of a sentence: its seats are the values of these fields.

    Attributes:
        kind: flow or calls.
        seat: the field of the seat that gives, or that is called.
        to: the field of the seat that gets something; "" for none.
        n: how much it gets.
        over: how many seats after the giver it passes over.
    """

    kind: str
    seat: str
    to: str = ""
    n: int = 0
    over: int = 0

    def told(self, values: Mapping[str, Any], after: Callable[[Any, int], int]) -> Mark:
        """Return the mark of one telling.

        Args:
            values: the values of the sentence's fields.
            after: the seat this many places after another one.

        Raises:
            KeyError: there is no such field.
        """
        seat = values[self.seat]
        over = tuple(after(seat, places) for places in range(1, self.over + 1))
        return Mark(self.kind, seat=seat, to=values[self.to] if self.to else None, n=self.n, over=over)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, in the form that every peer and every log holds.

    Attributes:
        message: the message id; a `Plural` if it counts something.
        params: the values of its fields: plain data, seats, cards, faces or enum members.
        to: the only seats that may know it; None for everybody.
        stamp: the verdict that it stamps on the board, a message id; otherwise "".
        marks: what a screen points out with it.
    """

    message: str
    params: dict[str, Any]
    to: tuple[int, ...] | None = None
    stamp: str = ""
    marks: tuple[Mark, ...] = ()
