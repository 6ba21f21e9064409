"""Facts: pure functions of faces, whose values machines declare, and which answers claim to be true."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from operator import is_not
from typing import Any, Final, TypeVar, TypeVarTuple

from tavolata.cards import Card
from tavolata.errors import GameError
from tavolata.kinds.question import Question

C = TypeVar("C", bound=Callable[..., Any])
F = TypeVar("F")
Ts = TypeVarTuple("Ts")

FACTS: Final[dict[str, Callable[..., Any]]] = {}
"""Every fact by module and name."""


def fact(function: C) -> C:
    """Decorate a module-level pure function of faces: a fact, which can be declared or claimed.

    Its first parameter takes faces (or, in a claim, the answer and then faces), the others plain data. It is
    saved and logged by module and name, and called again when the faces are known to all.

    Raises:
        GameError: it is a method or a local function, which could not be found again.
    """
    name = _name(function)
    if "." in function.__qualname__:
        raise GameError(f"The fact {name} has to be a function of its module, so that it can be found again.")
    FACTS[name] = function
    return function


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}:{function.__qualname__}"


def name_of(function: Callable[..., Any]) -> str:
    """Return the module and name under which a fact is saved.

    Raises:
        GameError: the function isn't a fact.
    """
    name = _name(function)
    if name not in FACTS:
        raise GameError(f"{name} is no fact: write @fact before it.")
    return name


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """The claim of an answer about hidden faces; `claim` makes it.

    Attributes:
        reason: why an answer is refused; a message id.
        fact: called with the answer, in which faces stand for its cards, with the faces of `about`, and with
            `args`; has to be true.
        about: the cards that it speaks of, beside those in the answer.
        args: plain data.
    """

    reason: str
    fact: Callable[..., bool]
    about: tuple[Card[Any], ...]
    args: tuple[Any, ...]


def claim(
    reason: str,
    fact: Callable[[Any, Sequence[F], *Ts], bool],
    about: Iterable[Card[F]] = (),
    /,
    *args: *Ts,
) -> Claim:
    """Return a claim for `Table.ask`: only answers of which the fact is true are legal.

    The own machine refuses all others. The others check what is public at once, and the rest when the faces
    are known to all, at the end of the match at the latest.

    Args:
        reason: why an answer is refused; a message id.
        fact: called with the answer's value, in which faces stand for cards, with the faces of `about`, and
            with `args`.
        about: cards that the seat may see, such as its hand.
        *args: plain data, at most 1 KiB.

    Raises:
        GameError: the function isn't a fact, or `about` has something else than cards.
    """
    name_of(fact)
    cards = tuple(about)
    for one in cards:
        if type(one) is not Card:
            raise GameError(f"A claim is about cards, not about {one!r}.")
    return Claim(reason, fact, cards, args)


def cards_in(value: object) -> list[Card[Any]]:
    """Return the cards in a value, in their order; of a question those that can be chosen."""
    found: list[Card[Any]] = []
    _collect((value,), found)
    return found


def _collect(parts: Iterable[object], found: list[Card[Any]]) -> None:
    for part in parts:
        kind: Any = type(part)
        if kind is Card:
            found.append(part)  # type: ignore[arg-type] # it is one
        elif kind not in _PLAIN:
            _collect(_parts(part), found)


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, (list, tuple)):
        return value
    if isinstance(value, dict):
        return value.values()
    if isinstance(value, Question):
        return value.kept()
    kind: Any = type(value)
    return [getattr(value, name) for name in _fields(kind)]


def faced(value: Any, face: Callable[[Card[Any]], Any]) -> Any:
    """Return a value with faces in place of its cards; itself, if it holds none."""
    kind: Any = type(value)
    if kind is Card:
        return face(value)
    if kind in _PLAIN:
        return value
    if kind is dict:
        return {key: faced(part, face) for key, part in value.items()}
    if kind is list or kind is tuple:
        seen = _all_faced(value, face)
        return kind(seen) if any(map(is_not, seen, value)) else value
    names = _made_of(kind)
    if not names:
        return value
    parts = [getattr(value, name) for name in names]
    seen = _all_faced(parts, face)
    return kind(**dict(zip(names, seen, strict=True))) if any(map(is_not, seen, parts)) else value


def _all_faced(parts: Sequence[Any], face: Callable[[Card[Any]], Any]) -> list[Any]:
    # Nearly all parts are cards or plain: so these are told apart here, without a call.
    return [
        face(part) if (kind := type(part)) is Card else part if kind in _PLAIN else faced(part, face)
        for part in parts
    ]


_PLAIN = frozenset({str, int, bool, bytes, type(None)})


@lru_cache(512)
def _fields(kind: Any) -> tuple[str, ...]:
    """Return the names of a dataclass's fields; none of another class."""
    return tuple(one.name for one in fields(kind)) if is_dataclass(kind) else ()


@lru_cache(512)
def _made_of(kind: Any) -> tuple[str, ...]:
    """Return the names of those that its maker takes."""
    return tuple(one.name for one in fields(kind) if one.init) if is_dataclass(kind) else ()
