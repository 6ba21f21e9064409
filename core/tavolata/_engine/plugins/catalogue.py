"""The catalogue of games and bots from plugins and files, and everything that was left out, with the reason.

A broken plugin is left out with a sentence and does not affect the others. If two plugins claim the same
name, neither gets it; this holds for the bundled games, too. Plugins are imported when they are first needed;
for one game, only the plugins that bring it or its bots according to the manifest.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from tavolata._engine.match.game_info import DEV, GameInfo
from tavolata._engine.match.seating import PROGRAM, THINKER
from tavolata._engine.plugins import game_file
from tavolata._engine.plugins.checks import NAME, wrong_with_bot, wrong_with_game
from tavolata._engine.plugins.loader import BrokenPlugin, NoSuchGame, Plugin, PluginProblem
from tavolata._engine.plugins.manifest import Brought, EntryPoint, Manifest, read_manifest, remember
from tavolata._engine.plugins.source_code import code_of, files_of
from tavolata._engine.thinking.thinker import SECONDS, thinker
from tavolata._players import Bot, RandomBot
from tavolata._text import one_line
from tavolata.game import Game
from tavolata.messages import N_

T = TypeVar("T")
UNKNOWN = N_("No game called {name}. See `tt games`.")


class LoadedGame(NamedTuple):
    """A game that can be played: its description, and its rules."""

    info: GameInfo
    game: type[Game[Any]]


class Catalogue:
    """Everything that the installed plugins provide.

    `seconds` is how long thinkers think about a question.
    """

    def __init__(self, manifest: Manifest | None = None) -> None:
        self._given = manifest
        self.seconds = SECONDS
        self._files: dict[str, tuple[LoadedGame, dict[str, type[Bot]]]] = {}
        self._remembered = False

    def games(self) -> dict[str, LoadedGame]:
        """The games that can be played, by name, in alphabetical order."""
        files = {name: loaded for name, (loaded, _) in self._files.items()}
        return dict(sorted({**self._games[0], **files}.items()))

    def game(self, name: str) -> LoadedGame:
        """Return the game of this name, or the one in this file, which then replaces all of its name.

        `name` may be a file: `game.py` or `game.py:Class`. Raise `NoSuchGame` if no plugin provides it, or
        there's no such file, `BrokenPlugin` if it was left out because its plugin, or the file, has a fault.
        """
        if game_file.file_in(name) is not None:
            return self._from_file(name)
        if name in self._files:
            return self._files[name][0]
        for info in self._manifest.brought.games if self._manifest.brought else ():
            if info.name == name:
                for plugin in self._named([info.plugin]):
                    for game in plugin.offers("tavolata_games"):
                        if wrong_with_game(game) is None and game.name == name:
                            return LoadedGame(info, game)
        games, left_out = self._games
        self._remember()
        if name in games:
            return games[name]
        reasons = left_out.get(name) or [
            problem for plugin in self.plugins() if plugin.entry.name == name for problem in plugin.problems
        ]
        if reasons:
            raise BrokenPlugin(reasons[0].message, **reasons[0].params)
        shown = one_line(name, 40) or '""'
        near = difflib.get_close_matches(name.lower(), [*games, *left_out], n=3)
        if near:
            raise NoSuchGame(
                N_("No game called {name}. Did you mean {near}?"), name=shown, near=", ".join(near)
            )
        raise NoSuchGame(UNKNOWN, name=shown)

    def named(self, name: str) -> LoadedGame:
        """Return the game of a name that others may have said: no file is run by their words.

        The errors are those of `game`.
        """
        if not NAME.fullmatch(name):
            raise NoSuchGame(UNKNOWN, name=one_line(name, 40) or '""')
        return self.game(name)

    def played(self, name: str, version: str) -> LoadedGame:
        """Return the game of a match, even one from the file from which this machine last took that game.

        The errors are those of `game`.
        """
        file = game_file.file_of(name) if version == DEV and name not in self._files else None
        return self.named(name) if file is None else self.game(file)

    def _from_file(self, word: str) -> LoadedGame:
        _ = self._manifest  # read before the folder of the file is on the path
        found = game_file.load(word)
        loaded = _loaded(found.game, EntryPoint(found.path, "", "", DEV, ""), found.package)
        self._files[found.game.name] = loaded, found.bots
        return loaded

    def bots(self, game: str) -> dict[str, type[Bot]]:
        """Return the bots of a game by level; there are always "random" and "thinker"."""
        written = self.written_bots(game)
        return {RandomBot.level: RandomBot, **written, THINKER: thinker(written, self.seconds)}

    def written_bots(self, game: str) -> dict[str, type[Bot]]:
        if game in self._files:
            return dict(self._files[game][1])
        if self._manifest.brought is None:
            return dict(self._bots.get(game, {}))
        offers = [
            offer
            for one in self._named(self._manifest.brought.bots.get(game, ()))
            for offer in sound_bots(one)
        ]
        return {bot.level: bot for name, bot in offers if name == game}

    def plugins(self) -> list[Plugin]:
        """Return all plugins that were found, by name; each is imported if possible."""
        for plugin in self._found:
            plugin.load()
        return self._found

    def problems(self) -> list[PluginProblem]:
        self._remember()  # the complaints come from this
        damaged = [
            PluginProblem(
                name,
                name,
                N_("The package {name} can't be read: {problem}."),
                {"name": name, "problem": why},
            )
            for name, why in self._manifest.damaged
        ]
        return damaged + self._complaints()

    def infos(self) -> list[GameInfo]:
        """Return the descriptions of the playable games; no game is imported if the manifest has them."""
        if self._manifest.brought is not None and not self._files:
            return self._manifest.brought.games
        infos = [one.info for one in self.games().values()]
        self._remember()
        return infos

    def title(self, name: str, say: Callable[..., str]) -> str:
        """Return the title of a game in a language; its name if it isn't installed.

        `say` translates a message id with its parameters, for a package.
        """
        found = next((one for one in self.infos() if one.name == name), None)
        return name if found is None else say(found.title, {}, found.package)

    @property
    def whole(self) -> bool:
        return self._manifest.brought is not None or not self.problems()

    def _remember(self) -> None:
        """Save the games and bots in the manifest once, if nothing was left out."""
        if self._remembered:
            return
        self._remembered = True
        games, bots = self._games[0], self._bots
        if not (self._manifest.brought or self._given or self._manifest.damaged or self._complaints()):
            owners = {
                game: sorted({
                    plugin.entry.name
                    for plugin in self._found
                    for name, _ in sound_bots(plugin)
                    if name == game
                })
                for game in bots
            }  # fmt: skip
            code = {str(file) for one in games.values() for file in files_of(one.game).values()}
            remember(self._manifest, Brought([one.info for one in games.values()], owners), code)

    def _complaints(self) -> list[PluginProblem]:
        return [problem for plugin in self._found for problem in plugin.problems]

    def _named(self, names: Iterable[str]) -> list[Plugin]:
        return [plugin for plugin in self._found if plugin.entry.name in names]

    @cached_property
    def _manifest(self) -> Manifest:
        return read_manifest() if self._given is None else self._given

    @cached_property
    def _found(self) -> list[Plugin]:
        return [Plugin(entry) for entry in self._manifest.plugins]

    @cached_property
    def _games(self) -> tuple[dict[str, LoadedGame], dict[str, list[PluginProblem]]]:
        claims: dict[str, list[tuple[Plugin, type[Game[Any]]]]] = {}
        left_out: dict[str, list[PluginProblem]] = {}
        for plugin in self.plugins():
            for game in plugin.offers("tavolata_games"):
                wrong = wrong_with_game(game)
                if wrong is None:
                    claims.setdefault(game.name, []).append((plugin, game))
                    continue
                plugin.complain(wrong[0], **wrong[1])
                left_out.setdefault(wrong[1].get("game", ""), []).append(plugin.problems[-1])
        games: dict[str, LoadedGame] = {}
        message = N_("Several plugins provide the game {name}: {owners}. Uninstall all but one to play it.")
        for name, plugin, game in granted(claims, message):
            plugin.brings["games"].append(name)
            games[name] = _loaded(game, plugin.entry, plugin.package)
        left_out.update({name: [claims[name][0][0].problems[-1]] for name in claims if name not in games})
        left_out.pop("", None)
        return games, left_out

    @cached_property
    def _bots(self) -> dict[str, dict[str, type[Bot]]]:
        claims: dict[str, list[tuple[Plugin, type[Bot]]]] = {}
        for plugin in self.plugins():
            for offer in plugin.offers("tavolata_bots"):
                wrong = wrong_with_bot(offer)
                if wrong is not None:
                    plugin.complain(wrong[0], **wrong[1])
                elif offer[1].level in (RandomBot.level, THINKER, PROGRAM):
                    message = N_("{plugin} has a bot with the level {level}, which is reserved for Tavolata.")
                    plugin.complain(message, level=offer[1].level)
                else:
                    claims.setdefault(f"{offer[0]}/{offer[1].level}", []).append((plugin, offer[1]))
        bots: dict[str, dict[str, type[Bot]]] = {}
        message = N_("Several plugins provide the bot {name}: {owners}. Uninstall all but one to seat it.")
        for name, plugin, bot in granted(claims, message):
            bots.setdefault(name.partition("/")[0], {})[bot.level] = bot
            plugin.brings["bots"].append(name)
        return bots


def _loaded(game: type[Game[Any]], entry: EntryPoint, package: str) -> LoadedGame:
    code = code_of(game)
    info = GameInfo(
        game.name, game.title, game.summary, game.seats, game.best_with, entry.version, game.rules_id,
        entry.name, entry.distribution, package, code.packed(), code.says_facts,
        game.minutes,
    )  # fmt: skip
    return LoadedGame(info, game)


def sound_bots(plugin: Plugin) -> list[tuple[str, type[Bot]]]:
    """Return the usable bots of a plugin, even if another plugin claims their levels."""
    return [bot for bot in plugin.offers("tavolata_bots") if wrong_with_bot(bot) is None]


def granted(
    claims: Mapping[str, Sequence[tuple[Plugin, T]]], message: str
) -> Iterator[tuple[str, Plugin, T]]:
    """Yield the names that one plugin alone claims, with it and its thing, in alphabetical order.

    If several claim a name, each of them gets a complaint with this message, which lists them all.
    """
    for name, claimed in sorted(claims.items(), key=lambda claim: claim[0]):
        if len(claimed) == 1:
            yield name, *claimed[0]
            continue
        owners = [plugin for plugin, _ in claimed]
        for owner in dict.fromkeys(owners):
            owner.complain(message, name=name, owners=", ".join(map(str, owners)))
