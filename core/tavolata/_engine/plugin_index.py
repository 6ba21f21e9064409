"""Which plugins are installed: their entry points, read from the metadata or from a cached index.

Reading the metadata of everything that is installed costs five times the start of Python, so what
was found is kept, with what it was found in: the folders of `sys.path` and the entry-point files,
each with its time of change. Installing, upgrading or removing a package (editable ones too)
touches its folder or its file, and then the index is made anew. A cache that can't be read or
written is no problem of anybody's. Nothing is imported here; `plugins` does that.
"""

from __future__ import annotations

import json
import os
import sys
import time
import zlib
from typing import NamedTuple

from tavolata import _dirs
from tavolata._text import one_line
from tavolata._version import __version__

TYPE_CHECKING = False  # not from typing: the block below is for type checkers alone
if TYPE_CHECKING:
    from importlib.metadata import Distribution

GROUP = "tavolata"
FORMAT = 1
SETTLED_NS = 2_000_000_000
"""A folder changed less than this ago may change again within one tick of its file system's clock."""


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
    folders = [(path, _changed(path)) for path in sys.path]
    where = os.path.join(_dirs.cache_dir(), f"plugins-{zlib.crc32(sys.prefix.encode()):08x}.json")
    if not fresh:
        index = _cached(where, folders)
        if index is not None:
            return index
    index, files = scan()
    stamps = [*folders, *((path, _changed(path)) for path in files)]
    if all(changed is None or changed < time.time_ns() - SETTLED_NS for _, changed in stamps):
        _keep(where, index, folders, stamps[len(folders) :])
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


def _changed(path: str) -> int | None:
    try:
        return os.stat(path or ".").st_mtime_ns
    except OSError:
        return None


def _cached(where: str, folders: list[tuple[str, int | None]]) -> Index | None:
    try:
        with open(where, encoding="utf-8") as file:
            kept = json.load(file)
        if kept["made"] != [FORMAT, __version__, sys.hexversion] or kept["folders"] != list(
            map(list, folders)
        ):
            return None
        if any(_changed(path) != changed for path, changed in kept["files"]):
            return None
        entries = [Entry(*map(_text, entry)) for entry in kept["entries"]]
        return Index(entries, [(_text(name), _text(problem)) for name, problem in kept["damaged"]])
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise TypeError(value)


def _keep(where: str, index: Index, folders: object, files: object) -> None:
    kept = {
        "made": [FORMAT, __version__, sys.hexversion],
        "folders": folders,
        "files": files,
        "entries": index.entries,
        "damaged": index.damaged,
    }
    mine = f"{where}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(where), exist_ok=True)
        with open(mine, "w", encoding="utf-8") as file:
            json.dump(kept, file)
        os.replace(mine, where)  # two runs at once: each reader sees one whole index
    except (OSError, ValueError):
        return
