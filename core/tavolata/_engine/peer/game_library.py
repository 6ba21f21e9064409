"""The games of this machine for a table: the present game, and the loading of another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tavolata._engine.network.table_errors import TableRefused
from tavolata._engine.plugins.catalogue import LoadedGame
from tavolata._engine.plugins.checks import NAME
from tavolata._engine.plugins.loader import NoSuchGame
from tavolata._players import Bot
from tavolata._text import one_line
from tavolata.game import Game
from tavolata.messages import N_

Found = tuple[LoadedGame, Mapping[str, type[Bot]]]
"""A game with its bots by level."""

GONE_ON = N_("The table is now playing {game}, which isn't installed here. Install it, then join again.")
OTHER_RULES = N_(
    "The table's {game} has different rules from your version, {ours}. Install the table's version, "
    "then rejoin."
)


class GameLibrary:
    """The game on the table with its bots by level, and the games that it could change to."""

    def __init__(
        self, name: str, find: Callable[[str], Found], names: Callable[[], Iterable[str]] = tuple
    ) -> None:
        self._find = find
        self._names = names
        self.loaded, self.bots = find(name)

    def look_up(self, name: str) -> LoadedGame:
        """Return a game that could come to the table; raise `NoSuchGame` or `BrokenPlugin` if it can't."""
        return self._find(name)[0]

    def others(self) -> dict[str, LoadedGame]:
        return {name: self.look_up(name) for name in self._names() if name != self.loaded.info.name}

    def rules(self, name: str, rules_id: int) -> type[Game[Any]]:
        """Return a table's rules; raise `NoSuchGame` without the game, `TableRefused` if they differ here."""
        loaded = self.loaded
        if name != loaded.info.name:
            try:
                loaded = self.look_up(name if NAME.fullmatch(name) else "")  # others' words run no file
            except NoSuchGame as error:
                raise NoSuchGame(GONE_ON, game=one_line(name, 40)) from error
        if loaded.game.rules_id != rules_id:
            raise TableRefused(OTHER_RULES, game=name, ours=loaded.info.version)
        return loaded.game

    def take(self, name: str) -> None:
        """Take the game that is on the table now."""
        if name != self.loaded.info.name:
            self.loaded, self.bots = self._find(name)
