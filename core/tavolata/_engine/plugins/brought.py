"""What each plugin brought when all were last imported: how that is kept, and what is asked of it alone.

Kept in `env_cache` together with the times of change of every file of every plugin and of every
module that was imported by then; whatever does not fit is forgotten. Nothing is imported here: a
list of games costs no game.
"""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

from tavolata._engine.plugins import env_cache
from tavolata._engine.plugins.index import Entry, Index

NAME = "brought"


class Brought(NamedTuple):
    """What one plugin claims, of what can be used.

    Attributes:
        games: names of games.
        bots: pairs of a game's name and a level.
    """

    games: list[str]
    bots: list[tuple[str, str]]


class Listed(NamedTuple):
    """A game as a list shows it.

    Attributes:
        name: the word after `tt play`.
        title, summary: message ids of its package.
        low, high: how many seats it has.
        best: with how many it is best; 0 if that doesn't matter.
        version, rules_id: of its rules.
        plugin, distribution, distribution_version: who brings it.
        package: where its translations lie.
    """

    name: str
    title: str
    summary: str
    low: int
    high: int
    best: int
    version: str
    rules_id: int
    plugin: str
    distribution: str
    distribution_version: str
    package: str


_KINDS = (str, str, str, int, int, int, str, int, str, str, str, str)


def recall(entries: list[Entry]) -> list[Brought] | None:
    """What these plugins bring, in their order; None if it is not known."""
    match _recalled(entries):
        case {"brought": list(brought)}:
            try:
                return [
                    Brought([str(name) for name in games], [(str(game), str(level)) for game, level in bots])
                    for games, bots in brought
                ]
            except (TypeError, ValueError):
                return None
    return None


def recall_listed(index: Index) -> list[Listed] | None:
    """The games that can be played, if they are known and nothing is left out; else None."""
    if index.damaged:
        return None
    match _recalled(index.entries):
        case {"listed": list(rows)}:
            if all(map(_fits, rows)):
                return [Listed(*row) for row in rows]
    return None


def _recalled(entries: list[Entry]) -> dict[str, object] | None:
    kept = env_cache.recall(NAME)
    return kept if kept is not None and kept.get("entries") == list(map(list, entries)) else None


def _fits(row: object) -> bool:
    return isinstance(row, list | tuple) and len(row) == len(_KINDS) and all(map(isinstance, row, _KINDS))


def keep(
    entries: list[Entry], brought: list[Brought], modules: list[list[str]], listed: list[Listed] | None
) -> None:
    """Keep what these plugins bring, if it is their own.

    Args:
        entries: the plugins; all of them, and all sound.
        brought: what each brings.
        modules: for each, the modules that its games and bots come from.
        listed: the games that can be played; None if something was left out, which has to be said anew.
    """
    files = _imported()
    for entry, origins in zip(entries, modules, strict=True):
        home = entry.value.partition("[")[0].partition(":")[0].strip()
        module = sys.modules.get(home)
        path = getattr(module, "__file__", None)
        if path is None or any(origin != home and not origin.startswith(f"{home}.") for origin in origins):
            return
        files += _sources(os.path.dirname(path)) if hasattr(module, "__path__") else [path]
    sound = listed if listed is not None and all(map(_fits, listed)) else None
    body: dict[str, object] = {"entries": entries, "brought": brought, "listed": sound}
    env_cache.keep(NAME, body, list(dict.fromkeys(files)))


def _imported() -> list[str]:
    # What a plugin says may come out of any other module; Python's own change with its version.
    files = [
        getattr(module, "__file__", None)
        for name, module in sys.modules.items()
        if name.partition(".")[0] not in sys.stdlib_module_names
    ]
    return [path for path in files if isinstance(path, str)]


def _sources(folder: str) -> list[str]:
    # The folders are among them: a file that is added or taken away changes its folder. What is no
    # module is read by one, perhaps.
    found = [folder]
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in ("__pycache__", "locale")]
        found += [os.path.join(place, name) for name in [*folders, *names]]
    return found
