"""The people at one keyboard: the name, the colour and mark, and the key of each. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tavolata._text import composed, is_name
from tavolata._ui.scene.identity import HUES, MARKS, looks_of
from tavolata._ui.window_input import TOGETHER
from tavolata.messages import N_

NOBODY, SAME_NAME = N_("Everyone needs a name."), N_("Two people can't both be {name}.")
NO_KEY, SAME_KEY = N_("A key must be a letter or a digit."), N_("{name} and {other} need different keys.")
SAME_LOOK = N_("{name} and {other} need different marks or colours.")
FIELDS: Final = ("look", "name", "key")


@dataclass(frozen=True)
class Person:
    """Someone at this keyboard: the name, the numbers of the hue and the mark, and the key that bangs."""

    name: str
    look: tuple[int, int]
    key: str


def people_of(names: Sequence[str], before: Sequence[Person]) -> list[Person]:
    """Return the people of these names, with their look and key from before, unless another has it."""
    names, known = [composed(name) for name in names], {one.name: one for one in before}
    looks: list[tuple[int, int] | None] = []
    keys: list[str] = []
    for name in names:
        one = known.get(name)
        looks.append(one.look if one is not None and one.look not in looks else None)
        keys.append(one.key if one is not None and one.key not in keys else "")
    free = [key for key in TOGETHER if key not in keys]
    return [
        Person(name, look, key or free.pop(0))
        for name, look, key in zip(names, looks_of(looks), keys, strict=True)
    ]


def read(remembered: object) -> list[Person]:
    """Return the people in the result of `plain`, or in anything: what can't be read is left out."""
    found = []
    for one in remembered if isinstance(remembered, list) else ():
        match one:
            case {"name": str(name), "look": [int(hue), int(mark)], "key": str(key)} if (
                is_name(name) and 0 <= hue < HUES and 0 <= mark < len(MARKS) and _is_key(key)
            ):
                found.append(Person(name, (hue, mark), key))
            case _:
                continue
    return found


def plain(people: Sequence[Person]) -> list[dict[str, Any]]:
    return [{"name": one.name, "look": list(one.look), "key": one.key} for one in people]


def problem(people: Sequence[Person]) -> tuple[str, Mapping[str, str]] | None:
    for at, one in enumerate(people):
        if not is_name(one.name):
            return NOBODY, {}
        if not _is_key(one.key):
            return NO_KEY, {}
        for other in people[:at]:
            if other.name == one.name:
                return SAME_NAME, {"name": one.name}
            if other.key == one.key:
                return SAME_KEY, {"name": other.name, "other": one.name}
            if other.look == one.look:
                return SAME_LOOK, {"name": other.name, "other": one.name}
    return None


def _is_key(key: str) -> bool:
    return len(key) == 1 and key.isascii() and key.isalnum() and key == key.lower()
