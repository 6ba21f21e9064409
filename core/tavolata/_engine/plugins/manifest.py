"""The manifest: a cached list of the installed plugins and of the games and bots that they bring.

Reading the metadata of all installed packages takes five times as long as starting Python, and importing a
game as long as starting Python. The manifest is valid as long as nothing of this has changed: the versions of
Tavolata and Python, `sys.path`, the modification time of each folder on it, and that of every file that the
manifest was made from. Installing, upgrading or removing a package (editable ones too) touches its folder. A
manifest that can't be read or kept is silently made again.
"""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from tavolata import _dirs, _machine
from tavolata._disk import Disk
from tavolata._engine.match.game_info import GameInfo
from tavolata._text import one_line
from tavolata._version import __version__

if TYPE_CHECKING:
    from importlib.metadata import Distribution

GROUP = "tavolata"
FORMAT = 8
SETTLED_NS = 2_000_000_000
"""A file changed less than this ago may change again within one tick of its file system's clock."""
Stamps = list[tuple[str, int | None]]
"""Paths and their modification times in nanoseconds; None for a path that does not exist."""
searched_by_authors: set[str] = set()
"""Folders that are on `sys.path` only for a game that was loaded from a file; nothing is installed there."""


class EntryPoint(NamedTuple):
    """An entry point of the group `tavolata`.

    `value` is the thing to import, `module` or `module:object`; `where` is the folder in which its package is
    installed.
    """

    name: str
    value: str
    distribution: str
    version: str
    where: str


class Brought(msgspec.Struct, frozen=True):
    """The games and bots of all plugins, if nothing was left out.

    `bots` has the plugins that provide bots for a game, by the game's name.
    """

    games: list[GameInfo]
    bots: dict[str, list[str]]


class Manifest(msgspec.Struct, frozen=True):
    """The installed plugins.

    `damaged` has packages whose metadata can't be read, as (name, problem), `files` the files that this was
    read from. `brought` is None if games and bots aren't known, or if something was left out.
    """

    plugins: list[EntryPoint]
    damaged: list[tuple[str, str]]
    files: list[str]
    brought: Brought | None = None


class _Kept(NamedTuple):
    made: tuple[int, str, int, Stamps]
    stamps: Stamps
    manifest: Manifest


def read_manifest(*, fresh: bool = False) -> Manifest:
    """Return the manifest, from the cache if that's still valid and not to be ignored (`fresh`)."""
    manifest = None if fresh else _recall()
    if manifest is None:
        manifest = scan()
        _keep(manifest)
    return manifest


def remember(manifest: Manifest, brought: Brought, code: Iterable[str]) -> None:
    """Keep the games and bots of all plugins, which have just been imported.

    `code` has the files of which the games' fingerprints were made.
    """
    files = [
        *manifest.files,
        *_imported(),
        *sorted({place for file in code for place in (file, os.path.dirname(file))}),
    ]
    for plugin in manifest.plugins:
        module = sys.modules.get(plugin.value.partition("[")[0].partition(":")[0].strip())
        for folder in getattr(module, "__path__", ()):
            files += _sources(folder)
    _keep(msgspec.structs.replace(manifest, files=list(dict.fromkeys(files)), brought=brought))


def scan() -> Manifest:
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
    found: set[EntryPoint] = set()
    files: list[str] = []
    for point in points:
        owner = point.dist
        assert owner is not None  # entry points that were read from metadata know whose they are
        found.add(
            EntryPoint(point.name, point.value, _name(owner), _version(owner), str(owner.locate_file("")))
        )
        path = getattr(owner, "_path", None)
        if path is not None:
            files.append(os.path.join(str(path), "entry_points.txt"))
    return Manifest(sorted(found), list(dict.fromkeys(damaged)), list(dict.fromkeys(files)))


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


# -- the cache ------------------------------------------------------------------------------------


def _recall() -> Manifest | None:
    """Return the manifest from the cache, if it's still valid."""
    try:
        with open(_path(), "rb") as file:
            kept = msgspec.json.decode(file.read(), type=_Kept)
    except (OSError, ValueError, RecursionError):
        return None
    holds = kept.made == _made() and kept.stamps == _stamps(kept.manifest.files)
    return kept.manifest if holds else None


def _keep(manifest: Manifest) -> None:
    kept = _Kept(_made(), _stamps(manifest.files), manifest)
    young = int(_machine.wall() * 1e9) - SETTLED_NS
    if any(changed is not None and changed > young for _, changed in kept.made[-1] + kept.stamps):
        return
    path = _path()
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        Disk().replace(Path(path), msgspec.json.encode(kept))
    except (OSError, ValueError):
        return


def _path() -> str:
    return os.path.join(_dirs.cache_dir(), f"plugins-{zlib.crc32(sys.prefix.encode()):08x}.json")


def _made() -> tuple[int, str, int, Stamps]:
    path = [folder for folder in sys.path if folder not in searched_by_authors]
    return FORMAT, __version__, sys.hexversion, _stamps(path)


def _stamps(paths: Iterable[str]) -> Stamps:
    return [(path, _changed(path)) for path in paths]


def _changed(path: str) -> int | None:
    try:
        return os.stat(path or ".").st_mtime_ns
    except OSError:
        return None


def _imported() -> list[str]:
    # The answers of a plugin may depend on any other module; Python's own modules change with its version.
    files = [
        getattr(module, "__file__", None)
        for name, module in sys.modules.items()
        if name.partition(".")[0] not in sys.stdlib_module_names
    ]
    return [path for path in files if isinstance(path, str)]


def _sources(folder: str) -> list[str]:
    # The folders are included, because adding or removing a file changes its folder. So are files that are no
    # modules: a module may read them.
    found = [folder]
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in ("__pycache__", "locale")]
        found += [os.path.join(place, name) for name in [*folders, *names]]
    return found
