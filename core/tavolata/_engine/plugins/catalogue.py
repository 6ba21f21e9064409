"""The catalogue of what plugins bring: games and bots by name, and what was left out and why.

A broken plugin is left out with a sentence and hurts nobody; of two that claim one name neither
gets it, the bundled games included. Plugins are imported when the first question is asked; for one
game only those that are known to bring it or its bots.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

from tavolata._engine.match.seating import PROGRAM
from tavolata._engine.plugins.brought import Listed
from tavolata._engine.plugins.checks import wrong_with_bot, wrong_with_game
from tavolata._engine.plugins.index import Index, read_index
from tavolata._engine.plugins.loader import Plugin, Problem
from tavolata._engine.plugins.plugin_memory import Memory
from tavolata._text import one_line
from tavolata.bots import Bot, RandomBot
from tavolata.errors import MessageError
from tavolata.game import Game
from tavolata.messages import N_


class NoSuchGame(MessageError):
    """No plugin brings a game of this name."""


class BrokenPlugin(MessageError):
    """The game is there, but its plugin can't be used; the sentence says why."""


class LoadedGame(NamedTuple):
    """A game that can be played.

    Attributes:
        name: the word after `tt play`.
        game: its rules.
        plugin, distribution, version: who brings it.
        package: where its translations and rules texts lie; also its domain for translations.
    """

    name: str
    game: type[Game[Any]]
    plugin: str
    distribution: str
    version: str
    package: str


class Catalogue:
    """Everything that the installed plugins bring.

    Args:
        index: the plugins there are; None for those that are installed here.
    """

    def __init__(self, index: Index | None = None) -> None:
        self._index = index

    def games(self) -> dict[str, LoadedGame]:
        """The games that can be played, by name, in alphabetical order."""
        return self._games[0]

    def game(self, name: str) -> LoadedGame:
        """The game of this name.

        Raises:
            NoSuchGame: nobody brings it.
            BrokenPlugin: it is left out because something is wrong.
        """
        known = self._memory.game(name) if self._memory else None
        if known is not None:
            return _loaded(*known)
        games, left_out = self._games
        self._remember()
        if name in games:
            return games[name]
        reasons = left_out.get(name) or [
            problem for plugin in self.plugins() if plugin.entry.name == name for problem in plugin.problems
        ]
        if reasons:
            raise BrokenPlugin(reasons[0].message, **reasons[0].params)
        import difflib  # noqa: PLC0415 - only a mistake needs it

        shown = one_line(name, 40)
        near = difflib.get_close_matches(name.lower(), [*games, *left_out], n=3)
        if near:
            raise NoSuchGame(
                N_("There is no game {name} here; did you mean {near}?"), name=shown, near=", ".join(near)
            )
        raise NoSuchGame(N_("There is no game {name} here; `tt games` lists those there are."), name=shown)

    def bots(self, game: str) -> dict[str, type[Bot]]:
        """The bots of a game by level; there is always "random"."""
        known = self._memory.bots(game) if self._memory else None
        return {RandomBot.level: RandomBot, **(self._bots.get(game, {}) if known is None else known)}

    def plugins(self) -> list[Plugin]:
        """All plugins that were found, imported where that is possible, by name."""
        for plugin in self._found:
            plugin.load()
        return self._found

    def problems(self) -> list[Problem]:
        """Everything that was left out, and why."""
        _ = self._games, self._bots  # finding out is what makes the complaints
        self._remember()
        damaged = [
            Problem(
                name,
                name,
                "?",
                N_("The package {name} can't be read: {problem}."),
                {"name": name, "problem": why},
            )
            for name, why in self._installed.damaged
        ]
        return damaged + [problem for plugin in self._found for problem in plugin.problems]

    def listed(self) -> list[Listed]:
        """The games that can be played, as a list shows them."""
        return [
            Listed(
                one.name, one.game.title, one.game.summary, *one.game.seats, one.game.best,
                one.game.version, one.game.rules_id, one.plugin, one.distribution, one.version, one.package,
            )
            for one in self.games().values()
        ]  # fmt: skip

    def _remember(self) -> None:
        if self._memory:
            self._memory.refresh(self._listing)

    def _listing(self) -> list[Listed] | None:
        _ = self._games, self._bots  # see problems
        whole = not self._installed.damaged and not any(plugin.problems for plugin in self._found)
        return self.listed() if whole else None

    @cached_property
    def _installed(self) -> Index:
        return read_index() if self._index is None else self._index

    @cached_property
    def _memory(self) -> Memory | None:
        return Memory(self._found) if self._index is None else None

    @cached_property
    def _found(self) -> list[Plugin]:
        return [Plugin(entry) for entry in self._installed.entries]

    @cached_property
    def _games(self) -> tuple[dict[str, LoadedGame], dict[str, list[Problem]]]:
        claims: dict[str, list[tuple[Plugin, type[Game[Any]]]]] = {}
        left_out: dict[str, list[Problem]] = {}
        for plugin in self.plugins():
            for game in plugin.offers("tavolata_games"):
                wrong = wrong_with_game(game)
                if wrong is None:
                    claims.setdefault(game.name, []).append((plugin, game))
                    continue
                plugin.complain(wrong[0], **wrong[1])
                left_out.setdefault(wrong[1].get("game", ""), []).append(plugin.problems[-1])
        games: dict[str, LoadedGame] = {}
        for name, owners in sorted(claims.items()):
            message = N_("The game {name} is brought by {owners}; uninstall all but one of them to play it.")
            if refused_to_all(name, [owner for owner, _ in owners], message):
                left_out[name] = [owners[0][0].problems[-1]]
                continue
            plugin, game = owners[0]
            plugin.brings["games"].append(name)
            games[name] = _loaded(plugin, game)
        left_out.pop("", None)
        return games, left_out

    @cached_property
    def _bots(self) -> dict[str, dict[str, type[Bot]]]:
        claims: dict[tuple[str, str], list[tuple[Plugin, type[Bot]]]] = {}
        for plugin in self.plugins():
            for offer in plugin.offers("tavolata_bots"):
                wrong = wrong_with_bot(offer)
                if wrong is not None:
                    plugin.complain(wrong[0], **wrong[1])
                elif offer[1].level in (RandomBot.level, PROGRAM):
                    message = N_("{plugin} has a bot of level {level}, which is Tavolata's own.")
                    plugin.complain(message, level=offer[1].level)
                else:
                    claims.setdefault((offer[0], offer[1].level), []).append((plugin, offer[1]))
        bots: dict[str, dict[str, type[Bot]]] = {}
        for (game, level), owners in sorted(claims.items(), key=lambda claim: claim[0]):
            message = N_("The bot {name} is brought by {owners}; uninstall all but one of them to seat it.")
            if not refused_to_all(f"{game}/{level}", [owner for owner, _ in owners], message):
                bots.setdefault(game, {})[level] = owners[0][1]
                owners[0][0].brings["bots"].append(f"{game}/{level}")
        return bots


def _loaded(plugin: Plugin, game: type[Game[Any]]) -> LoadedGame:
    entry = plugin.entry
    return LoadedGame(game.name, game, entry.name, entry.distribution, entry.version, plugin.package)


def refused_to_all(name: str, owners: list[Plugin], message: str) -> bool:
    """Whether several claim this name; then each of them gets the complaint that names them all."""
    if len(owners) == 1:
        return False
    for owner in dict.fromkeys(owners):
        owner.complain(message, name=name, owners=", ".join(map(str, owners)))
    return True
