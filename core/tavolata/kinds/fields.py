"""The fields of a question, asked one after the other until the answer is whole. Pure functions.

What is *given* is, for each field answered so far, the input to its shape: places of choices, a number, or a
text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeAlias

from tavolata.choices import Answer
from tavolata.kinds.question import Branching, Choices, Fieldset, Number, Question, Writing


def fields_of(question: Question, given: Sequence[Any]) -> list[tuple[str, Question]]:
    """Return the fields known after these answers, each with its label; later ones may depend on them."""
    return list(_fields("", question, iter(given)))


def _fields(label: str, question: Question, given: Iterator[Any]) -> Iterator[tuple[str, Question]]:
    match question.shape():
        case Fieldset(fields):
            for field in fields:
                yield from _fields(field.label, field.question, given)
        case Branching(first, after):
            yield label, first
            chosen = next(given, None)
            then = None if chosen is None else after[chosen[0]]
            if then is not None:
                yield from _fields("", then, given)
        case Choices() | Number() | Writing():
            yield label, question
            next(given, None)


def whole(question: Question, given: Sequence[Any]) -> Answer:
    """Return the answer that these answers to all fields make.

    Raises:
        Refused: it is not legal.
    """
    return _whole(question, iter(given))


def _whole(question: Question, given: Iterator[Any]) -> Answer:
    parts: Any
    match question.shape():
        case Fieldset(fields):
            parts = tuple(_whole(field.question, given) for field in fields)
        case Branching(_, after):
            (place,) = next(given)
            then = after[place]
            parts = (place,) if then is None else (place, _whole(then, given))
        case Choices() | Number() | Writing():
            parts = next(given)
    return question.check(question.answer_from(parts))


Fits: TypeAlias = Callable[[Sequence[Any], int], bool]
"""Whether some answer that may be given has this choice, after the answers to the earlier fields."""


def filled(question: Question, given: Sequence[Any], fits: Fits | None = None) -> list[Any]:
    """Return these answers and those to later fields with one choice, except to the last field.

    Args:
        question: the whole question.
        given: the answers to its first fields.
        fits: what of the choices may be given, until the person has chosen something; None for all.
    """
    more = list(given)
    first = None if any(chosen(question, given, fits)) else fits
    while True:
        fields = fields_of(question, more)
        if len(more) >= len(fields):
            return more
        place = only_choice(fields[len(more)][1], more, first)
        if place is None or len(fields_of(question, [*more, (place,)])) <= len(more) + 1:
            return more
        more.append((place,))


def chosen(question: Question, given: Sequence[Any], fits: Fits | None) -> list[bool]:
    """By given answer, whether the person chose it; the others are filled in."""
    found: list[bool] = []
    for place, (_, field) in enumerate(fields_of(question, given)[: len(given)]):
        found.append(only_choice(field, given[:place], None if any(found) else fits) is None)
    return found


def only_choice(question: Question, given: Sequence[Any], fits: Fits | None) -> int | None:
    """Return the place of a field's only choice, or of the only one that fits these answers; or None."""
    shape = question.shape()
    if not isinstance(shape, Choices) or shape.several:
        return None
    if len(shape.choices) == 1:
        return 0
    if fits is None:
        return None
    found = list(islice((place for place in range(len(shape.choices)) if fits(given, place)), 2))
    return found[0] if len(found) == 1 else None


def is_forced(question: Question) -> bool:
    """Return True if the question has one choice, which needs no choosing."""
    return only_choice(question, (), None) is not None


def fits_by(question: Question, allows: Callable[[Answer], bool]) -> Fits:
    """Return True if a choice leads to an answer that is allowed; each is worked out once."""
    known: dict[tuple[Any, ...], bool] = {}

    def fits(given: Sequence[Any], place: int) -> bool:
        begun = (*given, (place,))
        if begun not in known:
            answers = endings(question, begun)
            known[begun] = answers is None or any(map(allows, answers))
        return known[begun]

    return fits


def endings(question: Question, given: Sequence[Any]) -> Iterator[Answer] | None:
    """All answers that begin with these fields; None if there is a field that isn't one of some choices."""
    fields = fields_of(question, given)
    if len(fields) == len(given):
        return iter([whole(question, given)])
    found: list[Answer] = []
    shape = fields[len(given)][1].shape()
    if not isinstance(shape, Choices) or shape.several:
        return None
    for place in range(len(shape.choices)):
        more = endings(question, [*given, (place,)])
        if more is None:
            return None
        found += more
    return iter(found)


def flat(answer: Answer) -> Iterator[Any]:
    """Return the numbers and texts in an answer, one after the other."""
    if isinstance(answer, tuple):
        for part in answer:
            yield from flat(part)
    else:
        yield answer
