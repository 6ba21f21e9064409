"""What can be chosen, what can't and why, and what every kind of question can do with an answer.

An answer travels as an *index form* (which choice, which choices, which number) that is checked
against the question on every machine. The kinds themselves are `kinds` and `forms`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

Answer = int | tuple[Any, ...]
"""The index form of an answer: plain data of integers."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal answer.

    Attributes:
        value: what the rule gets: plain data, a seat, a card.
        label: what a person reads; a message id. Empty: the value speaks for itself.
        thing: id of the piece or card that it stands for, where a screen can point at it.
        params: what the label's fields stand for.
    """

    value: Any
    label: str = ""
    thing: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class No:
    """Something that can't be answered now, with the reason; shown beside the legal choices.

    Attributes:
        label: what it is; a message id.
        reason: why not; a message id.
        params: what the fields of both stand for.
        values: the answers that are meant: who tries one of them is told this reason.
    """

    label: str
    reason: str
    params: Mapping[str, Any] = field(default_factory=dict)
    values: tuple[Any, ...] = ()


@runtime_checkable
class Kind(Protocol):
    """What every kind of question can do."""

    def check(self, answer: object) -> Answer:
        """The answer, if it is legal.

        Raises:
            Refused: it is not; the reason says why.
        """
        ...

    def value_of(self, answer: Any) -> Any:
        """What a checked answer means."""
        ...

    def answer_for(self, value: Any) -> Answer:
        """The answer that means this value.

        Raises:
            Refused: no legal answer does.
        """
        ...

    def count(self) -> int:
        """How many legal answers there are."""
        ...

    def nth(self, number: int) -> Answer:
        """The legal answer of this number, 0 <= number < count()."""
        ...
