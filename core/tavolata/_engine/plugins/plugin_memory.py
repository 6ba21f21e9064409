"""What is known of plugins that are not imported yet, so that a game needs only its own plugin.

Importing a game costs about as much as starting Python: a person who plays one of twenty should not
wait for the others. What `brought` does not know, or what turns out to be so no more, is found out by
importing all plugins. A plugin whose games come from somewhere else than its own package is never
remembered.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from tavolata._engine.plugins.brought import Brought, Listed, keep, recall
from tavolata._engine.plugins.checks import wrong_with_bot, wrong_with_game
from tavolata._engine.plugins.loader import Plugin
from tavolata.bots import Bot, RandomBot
from tavolata.game import Game


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

    def refresh(self, listing: Callable[[], list[Listed] | None]) -> None:
        """Remember what they bring, if that isn't known already; they are imported for it.

        Args:
            listing: says which games can be played, or None if something is left out.
        """
        if self._brought is not None or not all(plugin.usable for plugin in self._plugins):
            return
        brought: list[Brought] = []
        modules: list[list[str]] = []
        for plugin in self._plugins:
            games, bots = sound_games(plugin), sound_bots(plugin)
            brought.append(Brought([game.name for game in games], [(game, bot.level) for game, bot in bots]))
            modules.append([thing.__module__ for thing in [*games, *(bot for _, bot in bots)]])
        keep([plugin.entry for plugin in self._plugins], brought, modules, listing())


def sound_games(plugin: Plugin) -> list[type[Game[Any]]]:
    """The games that a plugin offers and that can be played, whoever else claims their names."""
    return [game for game in plugin.offers("tavolata_games") if wrong_with_game(game) is None]


def sound_bots(plugin: Plugin) -> list[tuple[str, type[Bot]]]:
    """The bots that a plugin offers and that can be seated, whoever else claims their levels."""
    return [bot for bot in plugin.offers("tavolata_bots") if wrong_with_bot(bot) is None]
