"""Chosen values: choices of an interjection, sent by value and not by their place in the list.

The choices of an interjection change while others play, so a place among them means nothing a moment
later. The entry holds the value itself as plain data. When the entry is applied, the value is compared with
the values that are legal then; nothing that a stranger sent is ever turned into an object.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from tavolata._engine.match.state import pack
from tavolata._players import Interject
from tavolata.choices import Answer, Choice
from tavolata.errors import Refused
from tavolata.kinds.question import Branching, Choices, Number, Question
from tavolata.messages import N_

GONE = N_("What you chose can't be chosen any more.")

Write = Callable[[Any], Any]
"""Returns the plain form of a value; lists and tuples have the same plain form."""


def answer_of(question: Question, chosen: Any, write: Write) -> Answer:
    """Return the legal answer that means a chosen value; raise `Refused` if there is none.

    `chosen` is the plain form of the value; it may come from a stranger and be anything.
    """
    shape = question.shape()
    if isinstance(shape, Number):
        return question.check(question.answer_from(chosen))
    if isinstance(shape, Choices):
        places: list[int] = []
        for part in _parts(chosen, "list") if shape.several else [chosen]:
            places.append(_place(part, shape.choices, write, places))
        return question.check(question.answer_from(tuple(places)))
    if isinstance(shape, Branching):
        first, *rest = _parts(chosen, "list") or [None]
        place: Any = answer_of(shape.first, first, write)
        then = shape.then[place]
        answers = [answer_of(then, one, write) for one in rest] if then is not None else rest
        return question.check(question.answer_from((place, *answers)))
    given = _fields(chosen, shape.make)
    if not given.keys() >= {field.name for field in shape.fields}:
        raise Refused(GONE)
    answer = question.check(
        question.answer_from(
            tuple(answer_of(field.question, given[field.name], write) for field in shape.fields)
        )
    )
    if _packed(write(question.value_of(answer))) != _packed(chosen):  # a field that is not asked differs
        raise Refused(GONE)
    return answer


def _fields(chosen: Any, make: Callable[..., Any]) -> Mapping[Any, Any]:
    if is_dataclass(make):
        names = [one.name for one in fields(make) if one.init]
        parts = _parts(chosen, "data")[1:]
        return dict(zip(names, parts, strict=False))
    pairs = [pair for pair in _parts(chosen, "dict") if isinstance(pair, list | tuple) and len(pair) == 2]
    return {name: part for name, part in pairs if isinstance(name, str)}


def meant(standing: Mapping[str, Question], said: Interject) -> Any:
    """Return the value that a bot chose from its interjections; raise `Refused` if it wasn't offered."""
    question = standing.get(said.name)
    if question is None:
        raise Refused(N_("You can't do that now."))
    return question.value_of(question.answer_for(said.value))


def _place(chosen: Any, choices: Sequence[Choice], write: Write, taken: Sequence[int] = ()) -> int:
    """Return the first free place of a value.

    Values are compared as bytes, because True and 1 are different.
    """
    wanted = _packed(chosen)
    for place, choice in enumerate(choices):
        if place not in taken and pack(write(choice.value)) == wanted:
            return place
    raise Refused(GONE)


def _packed(chosen: Any) -> bytes:
    try:
        return pack(chosen)
    except (OverflowError, TypeError, ValueError):  # not a value of any game
        raise Refused(GONE) from None


def _parts(chosen: Any, tag: str) -> Sequence[Any]:
    if isinstance(chosen, list | tuple) and chosen and chosen[0] == tag:
        return chosen[1:]
    raise Refused(GONE)
