"""Choices of a question: what can be chosen, and what can't and why.

An answer travels as an *index form* (which choice, which choices, which number) that is checked
against the question on every machine. The kinds of questions are `kinds`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tavolata.errors import Refused
from tavolata.messages import N_

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


def labelled(values: Iterable[object]) -> list[Choice]:
    """These values as choices; those that are choices already stay as they are."""
    return [value if isinstance(value, Choice) else Choice(value) for value in values]


def same(one: object, other: object) -> bool:
    """Whether these are one value; True and 1 are two."""
    return one is other or (type(one) is type(other) and one == other)


def _is_it(choice: Choice, value: object) -> bool:
    return same(choice.value, value)


def place_of(
    value: object,
    choices: Sequence[Choice],
    means: Callable[[Choice, Any], bool] | None = None,
    taken: Sequence[int] = (),
) -> int:
    """The first place of a value that is not taken; else the first that is meant by it.

    Raises:
        Refused: there is none.
    """
    for fits in [_is_it] if means is None else [_is_it, means]:
        for place, choice in enumerate(choices):
            if fits(choice, value) and place not in taken:
                return place
    raise Refused(N_("That is not among the choices."))


def kept_choices(choices: Iterable[Choice]) -> list[tuple[Any, str]]:
    """What decides of choices which can be answered, as plain data."""
    return [(choice.value, str(choice.label)) for choice in choices]


def restored_choices(kept: Iterable[tuple[Any, str]]) -> list[Choice]:
    """The choices of which this was kept."""
    return [Choice(value, label) for value, label in kept]
