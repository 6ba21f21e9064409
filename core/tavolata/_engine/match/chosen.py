"""Chosen values: what a player chose from a list that is made anew whenever it is looked at.

The choices of an interjection change while others play, so a place among them means nothing a moment
later. What travels is the value itself as plain data. It is compared with the values that are legal when
it is applied; nothing that a stranger sent is ever made into an object.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tavolata._engine.match.state import pack
from tavolata.choices import Answer, Kind
from tavolata.errors import Refused
from tavolata.forms import Form
from tavolata.kinds import Amount, OneOf, SomeOf
from tavolata.messages import N_

GONE = N_("What you chose can't be chosen any more.")

Write = Callable[[Any], Any]
"""The plain form of a value; lists and tuples in it are alike."""


def answer_of(kind: Kind, chosen: Any, write: Write) -> Answer:
    """The legal answer that means a chosen value.

    Args:
        kind: what can be chosen now.
        chosen: the plain form of what was chosen; it may come from a stranger and be anything.
        write: writes the plain form of a value.

    Raises:
        Refused: no legal answer means that.
    """
    if isinstance(kind, Amount):
        return kind.check(chosen)
    if isinstance(kind, OneOf):
        return _place(chosen, kind.values, write)
    if isinstance(kind, SomeOf):
        places: list[int] = []
        for part in _parts(chosen, "list"):
            places.append(_place(part, kind.values, write, places))
        return kind.check(places)
    assert isinstance(kind, Form)
    fields = _parts(chosen, "dict")
    if not all(isinstance(field, list | tuple) and len(field) == 2 for field in fields):
        raise Refused(GONE)
    if [name for name, _ in fields] != list(kind.fields):
        raise Refused(GONE)
    return kind.check(tuple(answer_of(kind.fields[name], part, write) for name, part in fields))


def meant(standing: Mapping[str, Kind], name: str, answer: object) -> Any:
    """The value that a bot chose of what it was offered.

    Raises:
        Refused: it was not offered that.
    """
    kind = standing.get(name)
    if kind is None:
        raise Refused(N_("You can't do that now."))
    return kind.value_of(kind.check(answer))


def _place(chosen: Any, values: Sequence[Any], write: Write, taken: Sequence[int] = ()) -> int:
    """The first place of a value that is not taken; as bytes, for True and 1 are two values."""
    try:
        wanted = pack(chosen)
    except (OverflowError, TypeError, ValueError):  # no value of any game
        raise Refused(GONE) from None
    for place, value in enumerate(values):
        if place not in taken and pack(write(value)) == wanted:
            return place
    raise Refused(GONE)


def _parts(chosen: Any, tag: str) -> Sequence[Any]:
    if isinstance(chosen, list | tuple) and chosen and chosen[0] == tag:
        return chosen[1:]
    raise Refused(GONE)
