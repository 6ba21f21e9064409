"""Interjections: choices sent by value and not by their place in the list, and which ones reach bots.

The choices of an interjection change while others play, so a place among them means nothing a moment
later. The entry holds the value itself as plain data. When the entry is applied, the value is compared with
the values that are legal then; nothing that a stranger sent is ever turned into an object.

A bot that wants only some of its invitations (`Bot.invited`) leaves it to its source to draw which ones. To
draw for each card and each bot would take longer than the card. So what is drawn is how many invitations pass
until one is taken, which comes to the same; it's drawn beforehand, so that no bot is invited for nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields as fields_of
from dataclasses import is_dataclass
from functools import lru_cache
from random import Random
from typing import Any, Final

from tavolata._engine.match.state import pack
from tavolata._players import Bot, Interject
from tavolata.choices import Answer, Choice
from tavolata.errors import Refused
from tavolata.kinds.question import Branching, Choices, Fieldset, Number, Question, Writing
from tavolata.messages import N_
from tavolata.options import Options

GONE = N_("Your choice is no longer possible.")
ALL: Final = 100
"""The share of a bot that wants every invitation."""
_BLOCK: Final = 4096
"""After so many invitations it is drawn from a new seed, so that one can begin anywhere."""

Write = Callable[[Any], Any]
"""Returns the plain form of a value; lists and tuples have the same plain form."""


def answer_of(question: Question, chosen: Any, write: Write) -> Answer:
    """Return the legal answer that means a chosen value; raise `Refused` if there isn't one.

    `chosen` is the plain form of the value; it may come from a stranger and be anything.
    """
    match question.shape():
        case Number():
            return question.check(question.answer_from(chosen))
        case Writing():
            return question.check(question.answer_from(next(iter(_parts(chosen, "words")), None)))
        case Choices(choices, several=several):
            places: list[int] = []
            for part in _parts(chosen, "list") if several else [chosen]:
                places.append(_place(part, choices, write, places))
            return question.check(question.answer_from(tuple(places)))
        case Branching(first, after):
            begun, *rest = _parts(chosen, "tuple") or [None]
            place: Any = answer_of(first, begun, write)
            then = after[place]
            answers = [answer_of(then, one, write) for one in rest] if then is not None else rest
            return question.check(question.answer_from((place, *answers)))
        case Fieldset(fields, make):
            given = _fields(chosen, make)
            if not given.keys() >= {field.name for field in fields}:
                raise Refused(GONE)
            parts = tuple(answer_of(field.question, given[field.name], write) for field in fields)
            answer = question.check(question.answer_from(parts))
            if _packed(write(question.value_of(answer))) != _packed(chosen):  # one that isn't asked differs
                raise Refused(GONE)
            return answer


def _fields(chosen: Any, make: Callable[..., Any]) -> Mapping[Any, Any]:
    if is_dataclass(make):
        names = [one.name for one in fields_of(make) if one.init]
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


def share_of(bot: Bot, options: Options) -> int:
    """Return how many of a hundred invitations a bot wants by these house rules, from 0 to `ALL`."""
    return max(0, min(ALL, bot.invited(options)))


def taken(share: int, key: int, after: int = 0) -> Iterator[int]:
    """Yield the numbers of the invitations taken, from 1, each on its own with the same chance.

    `share` of a hundred are taken, from 1 to 99; those up to `after` are skipped. With the same key the same
    ones are taken.
    """
    passing = _passing(share)
    block = after // _BLOCK
    while True:
        # Only `random()` of this generator is used: its sequence is the same in all versions of Python.
        random = Random(key + block).random  # noqa: S311 - the same words of bots everywhere are the purpose
        number, end = block * _BLOCK, (block + 1) * _BLOCK
        while (number := number + bisect_right(passing, random()) + 1) <= end:
            if number > after:
                yield number
        block += 1  # who was passed over until here says nothing of who comes next


@lru_cache(16)
def _passing(share: int) -> tuple[float, ...]:
    """Return, by number, the probability that no more than that many invitations pass before one is taken."""
    # Quotients of whole numbers are rounded in the same way everywhere.
    found, left, of = [0.0], ALL - share, ALL
    while found[-1] < 1:
        found.append((of - left) / of)
        left, of = left * (ALL - share), of * ALL
    return tuple(found[1:])
