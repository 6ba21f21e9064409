"""Which plugins are installed: their entry points, read from the metadata or from a cached index.

Reading the metadata of everything that is installed costs five times the start of Python, so what
was found is kept in `env_cache`. Nothing is imported here; `plugins` does that.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from tavolata._engine.plugins import env_cache
from tavolata._text import one_line

TYPE_CHECKING = False  # not from typing: the block below is for type checkers alone
if TYPE_CHECKING:
    from importlib.metadata import Distribution

GROUP = "tavolata"


class Entry(NamedTuple):
    """An entry point of the group `tavolata`.

    Attributes:
        name: the plugin's name.
        value: what to import, `module` or `module:object`.
        distribution, version: the package that brings it.
        where: the folder in which that package is installed.
    """

    name: str
    value: str
    distribution: str
    version: str
    where: str


class Index(NamedTuple):
    """What was found: entry points, and packages whose metadata can't be read, as (name, problem)."""

    entries: list[Entry]
    damaged: list[tuple[str, str]]


def read_index(*, fresh: bool = False) -> Index:
    """The plugins that are installed, from the cache where that still holds.

    Args:
        fresh: look at what is installed in any case.
    """
    index = None if fresh else _cached()
    if index is None:
        index, files = scan()
        env_cache.keep("plugins", {"entries": index.entries, "damaged": index.damaged}, files)
    return index


def scan() -> tuple[Index, list[str]]:
    """Read the metadata of all that is installed; also return the entry-point files that matter."""
    from importlib.metadata import distributions, entry_points

    damaged: list[tuple[str, str]] = []
    try:
        points = list(entry_points(group=GROUP))
    except Exception:  # noqa: BLE001 - one package's damaged metadata fails the whole scan; then each is asked alone
        points = []
        for distribution in distributions():
            try:
                points += distribution.entry_points.select(group=GROUP)
            except Exception as problem:  # noqa: BLE001 - whatever is wrong with this one is not the others' fault
                damaged.append((_name(distribution), one_line(f"{type(problem).__name__}: {problem}")))
    entries: list[Entry] = []
    files: list[str] = []
    for point in points:
        owner = point.dist
        assert owner is not None  # entry points that were read from metadata know whose they are
        entry = Entry(point.name, point.value, _name(owner), _version(owner), str(owner.locate_file("")))
        if entry not in entries:
            entries.append(entry)
        path = getattr(owner, "_path", None)
        if path is not None:
            files.append(os.path.join(str(path), "entry_points.txt"))
    return Index(sorted(entries), list(dict.fromkeys(damaged))), files


def _name(distribution: Distribution) -> str:
    try:
        return str(distribution.metadata["Name"] or "?")
    except Exception:  # noqa: BLE001 - damaged metadata; its folder's name says as much
        return os.path.basename(str(getattr(distribution, "_path", "?")))


def _version(distribution: Distribution) -> str:
    try:
        return str(distribution.version or "?")
    except Exception:  # noqa: BLE001 - see _name
        return "?"


def _cached() -> Index | None:
    kept = env_cache.recall("plugins")
    if kept is None:
        return None
    match kept:
        case {"entries": list(entries), "damaged": list(damaged)}:
            try:
                return Index(
                    [Entry(*map(_text, entry)) for entry in entries],
                    [(_text(name), _text(problem)) for name, problem in damaged],
                )
            except (TypeError, ValueError):
                return None
    return None


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise TypeError(value)
