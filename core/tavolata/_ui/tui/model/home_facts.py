"""The data of the home screen: games, found tables, unfinished matches and the person."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GameFacts:
    """An installed game: its title, its numbers of players, and its summary."""

    name: str
    title: str
    seats: tuple[int, int]
    best: int
    summary: str


@dataclass(frozen=True, slots=True)
class FoundFacts:
    """A table on the network: a line that describes it, and its address."""

    line: str
    address: str


@dataclass(frozen=True)
class HomeFacts:
    """The data of the home screen.

    Attributes:
        games: the installed games.
        waiting: the unfinished matches: the id of each, and a line that describes it.
        levels: the bot levels of a game.
        name: the person's name.
        lang: the current language.
        langs: the available languages.
        commands: the other commands of `tt` that need no arguments, with their descriptions.
        can_serve: whether tables can be shown in browsers.
    """

    games: Sequence[GameFacts]
    waiting: Sequence[tuple[str, str]]
    levels: Callable[[str], Sequence[str]]
    name: str
    lang: str
    langs: Sequence[str]
    commands: Sequence[tuple[str, str]]
    can_serve: bool = False
