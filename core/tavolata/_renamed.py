"""Renamed words of the API: the one table of old and new names, and the errors that name the new one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NoReturn, TypeVar

C = TypeVar("C", bound=type)

RENAMED: Final[Mapping[str, Mapping[str, str]]] = {
    "Game": {"alone": "local", "best": "best_with", "table": "layout"},
    "Pile": {"pass_on": "move_to", "pass_under": "move_to(under=True)"},
    "Ring": {"from_": "starting", "those": "where"},
    "Table": {"lot": "randrange", "open": "reveal", "settle": "judge", "window": "react"},
}
"""By class, old and new names; an argument that a call needs now follows in brackets."""

GONE: Final[Mapping[str, Mapping[str, str]]] = {"Game": {"version": "the package's version"}}
"""By class, names that were dropped, and in words what has their place."""
UNTAKEN: Final = {"hand": "remix", "hands": "remix", "tell": "beat"}
"""By method of a table, an argument that it no longer takes; nothing has its place."""

PROVISIONAL: Final = ("tavolata.openspiel", "tavolata.rl")
"""Modules that may change in any minor release; all other public words last as long as Tavolata is 1.x."""

HOW: Final = "`tt check --rename FILE` updates a file."


class OldName:
    """A class attribute whose access raises an AttributeError that names its successor."""

    # `__getattr__` would do as well, but Python 3.11 doesn't specialise attributes of classes that have one

    def __init__(self, owner: str, old: str, new: str) -> None:
        self._problem = f"`{owner}.{old}` is now `{new}`. {HOW}"

    def __get__(self, instance: object, owner: type) -> NoReturn:
        raise AttributeError(self._problem)


def refuse_old_names(cls: C) -> C:
    """Decorate a class whose old names are in the table; type checkers don't see them."""
    for old, new in RENAMED[cls.__name__].items():
        setattr(cls, old, OldName(cls.__name__, old, new))
    return cls
