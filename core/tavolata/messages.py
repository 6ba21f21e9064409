"""What is said to people: message ids with parameters, translated where they are shown.

A message id is the English sentence with named fields, `"{player} pays {n} to the pot."`. It
travels, is logged and is replayed as data; each peer shows it in its own language. Only the
marking of such sentences lives here; catalogues are read by `tavolata._ui`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

from tavolata._text import fill


class Plural(str):
    """A message id with a second form for every number but one; the number is its field `n`."""

    __slots__ = ("other",)

    other: str

    def __new__(cls, one: str, other: str) -> Self:
        """Make the pair; `one` is also the id under which the pair is looked up."""
        self = super().__new__(cls, one)
        self.other = other
        return self


def N_(message: str) -> str:
    """Mark a sentence for translation and leave it as it is."""
    return message


def NN_(one: str, other: str) -> Plural:
    """Mark a sentence that counts something (its field `n`) for translation."""
    return Plural(one, other)


@dataclass(frozen=True, slots=True)
class Text:
    """A message as a value: what a field stands for, or what a card's face says (its property `text`).

    Attributes:
        message: the message id; none that counts.
        params: what its fields stand for.
    """

    message: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        """The message in English, as programs and files have it."""
        return fill(self.message, self.params)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, as every peer and every log holds it.

    Attributes:
        message: the message id; `Plural` where it counts.
        params: plain data, seats, cards, faces or enum members for the message's fields.
        to: seats that alone may know it; None for everybody.
    """

    message: str
    params: dict[str, Any]
    to: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Hint:
    """A sentence that helps a newcomer, shown beside a question or an event.

    Attributes:
        message: the message id.
        params: what its fields stand for.
    """

    message: str
    params: Mapping[str, Any] = field(default_factory=dict)


def hint(message: str, **params: Any) -> Hint:
    """Make a hint."""
    return Hint(message, params)


NOTHING: Final = ""
"""The empty message: nothing is shown."""
