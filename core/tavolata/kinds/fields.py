"""The fields of a question, asked one after the other until the answer is whole. Pure functions.

What is *given* is, for each field answered so far, the input to its shape: places of choices, or a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tavolata.choices import Answer
from tavolata.kinds.kind import Branching, Choices, Fieldset, Kind


def fields_of(kind: Kind, given: Sequence[Any]) -> list[tuple[str, Kind]]:
    """The fields that are known after these answers, each with its label; a later one may depend on them."""
    return list(_fields("", kind, iter(given)))


def _fields(label: str, kind: Kind, given: Iterator[Any]) -> Iterator[tuple[str, Kind]]:
    shape = kind.shape()
    if isinstance(shape, Fieldset):
        for field in shape.fields:
            yield from _fields(field.label, field.kind, given)
    elif isinstance(shape, Branching):
        yield label, shape.first
        chosen = next(given, None)
        then = None if chosen is None else shape.then[chosen[0]]
        if then is not None:
            yield from _fields("", then, given)
    else:
        yield label, kind
        next(given, None)


def whole(kind: Kind, given: Sequence[Any]) -> Answer:
    """The answer that these answers to all fields make.

    Raises:
        Refused: it is not legal.
    """
    return _whole(kind, iter(given))


def _whole(kind: Kind, given: Iterator[Any]) -> Answer:
    shape = kind.shape()
    parts: Any
    if isinstance(shape, Fieldset):
        parts = tuple(_whole(field.kind, given) for field in shape.fields)
    elif isinstance(shape, Branching):
        (place,) = next(given)
        then = shape.then[place]
        parts = (place,) if then is None else (place, _whole(then, given))
    else:
        parts = next(given)
    return kind.check(kind.answer_from(parts))


def endings(kind: Kind, given: Sequence[Any]) -> Iterator[Answer] | None:
    """All answers that begin with these fields; None if there is a field that isn't one of some choices."""
    fields = fields_of(kind, given)
    if len(fields) == len(given):
        return iter([whole(kind, given)])
    found: list[Answer] = []
    shape = fields[len(given)][1].shape()
    if not isinstance(shape, Choices) or shape.several:
        return None
    for place in range(len(shape.choices)):
        more = endings(kind, [*given, (place,)])
        if more is None:
            return None
        found += more
    return iter(found)
