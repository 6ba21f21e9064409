"""What each plugin brought when all were last imported, so that a game needs only its own plugin.

Importing a game costs about as much as starting Python: a person who plays one of twenty should not
wait for the others. Kept in `env_cache` together with the times of change of every source file of
every plugin; whatever does not fit is forgotten, and then all plugins are imported again. A plugin
whose games come from somewhere else than its own package is never remembered.
"""

from __future__ import annotations

import os
import sys
from functools import cached_property
from typing import Any, NamedTuple

from tavolata._engine import env_cache
from tavolata._engine.plugin_checks import wrong_with_bot, wrong_with_game
from tavolata._engine.plugin_index import Entry
from tavolata._engine.plugin_loader import Plugin
from tavolata.bots import Bot, RandomBot
from tavolata.game import Game

NAME = "brought"


class Brought(NamedTuple):
    """What one plugin claims, of what can be used.

    Attributes:
        games: names of games.
        bots: pairs of a game's name and a level.
    """

    games: list[str]
    bots: list[tuple[str, str]]


class Memory:
    """What is remembered of these plugins, which are all that there are.

    Args:
        plugins: the plugins, not imported yet.
    """

    def __init__(self, plugins: list[Plugin]) -> None:
        self._plugins = plugins

    @cached_property
    def _brought(self) -> list[Brought] | None:
        return recall([plugin.entry for plugin in self._plugins])

    def game(self, name: str) -> tuple[Plugin, type[Game[Any]]] | None:
        """The game of this name and its plugin, if just one is known to bring it and still does."""
        owners = [
            place for place, one in enumerate(self._brought or ()) for game in one.games if game == name
        ]
        if len(owners) != 1:
            return None
        plugin = self._plugins[owners[0]]
        games = [game for game in sound_games(plugin) if game.name == name]
        return (plugin, games[0]) if len(games) == 1 else None

    def bots(self, game: str) -> dict[str, type[Bot]] | None:
        """The bots of a game by level, if they are known and there is nothing to quarrel about."""
        if self._brought is None:
            return None
        claims = [
            (place, bot[1]) for place, one in enumerate(self._brought) for bot in one.bots if bot[0] == game
        ]
        bots: dict[str, type[Bot]] = {}
        for place in {place for place, _ in claims}:
            bots |= {bot.level: bot for name, bot in sound_bots(self._plugins[place]) if name == game}
        levels = sorted(level for _, level in claims)
        return bots if levels == sorted(bots) and RandomBot.level not in levels else None

    def refresh(self) -> None:
        """Remember what they bring, if that isn't known already; they are imported for it."""
        if self._brought is not None or not all(plugin.usable for plugin in self._plugins):
            return
        brought: list[Brought] = []
        modules: list[list[str]] = []
        for plugin in self._plugins:
            games, bots = sound_games(plugin), sound_bots(plugin)
            brought.append(Brought([game.name for game in games], [(game, bot.level) for game, bot in bots]))
            modules.append([thing.__module__ for thing in [*games, *(bot for _, bot in bots)]])
        keep([plugin.entry for plugin in self._plugins], brought, modules)


def sound_games(plugin: Plugin) -> list[type[Game[Any]]]:
    """The games that a plugin offers and that can be played, whoever else claims their names."""
    return [game for game in plugin.offers("tavolata_games") if wrong_with_game(game) is None]


def sound_bots(plugin: Plugin) -> list[tuple[str, type[Bot]]]:
    """The bots that a plugin offers and that can be seated, whoever else claims their levels."""
    return [bot for bot in plugin.offers("tavolata_bots") if wrong_with_bot(bot) is None]


def recall(entries: list[Entry]) -> list[Brought] | None:
    """What these plugins bring, in their order; None if it is not known."""
    match env_cache.recall(NAME):
        case {"entries": list(known), "brought": list(brought)} if known == list(map(list, entries)):
            try:
                return [
                    Brought([str(name) for name in games], [(str(game), str(level)) for game, level in bots])
                    for games, bots in brought
                ]
            except (TypeError, ValueError):
                return None
    return None


def keep(entries: list[Entry], brought: list[Brought], modules: list[list[str]]) -> None:
    """Keep what these plugins bring, if it is their own.

    Args:
        entries: the plugins; all of them, and all sound.
        brought: what each brings.
        modules: for each, the modules that its games and bots come from.
    """
    files: list[str] = []
    for entry, origins in zip(entries, modules, strict=True):
        home = entry.value.partition("[")[0].partition(":")[0].strip()
        module = sys.modules.get(home)
        path = getattr(module, "__file__", None)
        if path is None or any(origin != home and not origin.startswith(f"{home}.") for origin in origins):
            return
        files += _sources(os.path.dirname(path)) if hasattr(module, "__path__") else [path]
    env_cache.keep(NAME, {"entries": entries, "brought": brought}, files)


def _sources(folder: str) -> list[str]:
    # The folders are among them: a module that is added or taken away changes its folder.
    found = [folder]
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in ("__pycache__", "locale")]
        found += [os.path.join(place, name) for name in folders]
        found += [os.path.join(place, name) for name in names if name.endswith(".py")]
    return found
