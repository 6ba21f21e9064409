"""The words that authors have: the public names of `tavolata`, and what can be said of each class."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import tavolata
from tavolata import testing
from tavolata._renamed import OldName

MODULES = ("bots", "decks", "errors", "sim", "tricks", "zones")
"""The public modules beside `tavolata` and `tavolata.testing`; each lists its names in `__all__`."""

FOR_THE_ENGINE = {
    "Ask": {"answer", "answered", "box", "by", "fallback", "id", "is_late", "late", "sealed", "timed"},
    "Ballots": {"give_back", "kept", "laid"},
    "Branch": {"first", "then"},
    "Card": {"id"},
    "Case": {"called", "command", "house_rules", "names", "players"},
    "Check": {"of", "over"},
    "Choice": {"label"},
    "Claim": {"args"},
    "Deck": {"number"},
    "Game": {"has_hints"},
    "Options": {"offered"},
    "Question": {
        "answer_at", "answer_for", "answer_from", "check", "kept", "name", "number_of", "restored", "shape",
        "steps", "value_of",
    },
    "Secret": {"id"},
    "Teams": {"fit", "usual"},
    "View": {"face_of", "look_of", "holds", "number_of", "worked_out"},
    "Window": {
        "claims", "decided", "end", "goes", "handicap", "handicaps", "hurry", "id", "least", "may", "order",
        "others", "params", "reaction", "seconds", "time", "vouch", "you",
    },
    "Zone": {"shape"},
}  # fmt: skip
"""By class, members that are public inside of Tavolata only: engine and frontends use them."""


def names() -> dict[str, Any]:
    """Every public name that an author can import, and what it is."""
    found = {name: getattr(tavolata, name) for name in tavolata.__all__}
    for module in MODULES:
        home = import_module(f"tavolata.{module}")
        found |= {name: getattr(home, name) for name in home.__all__}
    return found


def kit() -> dict[str, Any]:
    """The public names of `tavolata.testing`."""
    return {name: value for name, value in vars(testing).items() if _is_public(name) and _is_own(value)}


def members(among: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Class and member, for each method, property and attribute that authors use by its name.

    What a constructor takes by place needs no name: the fields of a value are seen in its call.
    """
    for name, value in among.items():
        if not inspect.isclass(value) or issubclass(value, Exception) or value.__name__ != name:
            continue  # an error, or a word of scripts such as `does`, which is called
        hidden = set[str]().union(*(FOR_THE_ENGINE.get(base.__name__, set()) for base in value.__mro__))
        for base in value.__mro__:
            if base.__module__.startswith("tavolata"):
                own = {name for name, what in vars(base).items() if not isinstance(what, OldName)}
                own = (own | {*inspect.get_annotations(base)}) - _by_place(base) - hidden
                yield from ((name, one) for one in sorted(own) if _is_public(one))


def _by_place(base: type) -> set[str]:
    """The fields of a dataclass that have no default: everybody gives them."""
    if not hasattr(base, "__dataclass_fields__"):
        return set()
    return {
        name
        for name, one in inspect.signature(base).parameters.items()
        if one.default is one.empty and one.kind is not one.KEYWORD_ONLY
    }


def _is_public(name: str) -> bool:
    return not name.startswith("_")


def _is_own(value: Any) -> bool:
    return getattr(value, "__module__", "").startswith("tavolata.") or isinstance(value, tuple)


def used(source: str) -> set[str]:
    """Every name that some Python says: imported, called, read, defined, or given as an argument."""
    found: set[str | None] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(attr=name) | ast.keyword(arg=name) | ast.alias(name=name):
                found.add(name)
            case ast.Name(id=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
    return {name for name in found if name}
