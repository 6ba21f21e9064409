"""What the home screen knows, as plain data: games, tables found, matches that wait, who is here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GameFacts:
    """A game that can be played: what it is called, for how many it is, what it is about."""

    name: str
    title: str
    seats: tuple[int, int]
    best: int
    summary: str


@dataclass(frozen=True, slots=True)
class FoundFacts:
    """A table on the network: a line that says what it is, and where."""

    line: str
    address: str


@dataclass(frozen=True)
class HomeFacts:
    """What there is at home.

    Attributes:
        games: what can be played.
        waiting: matches that wait: the id of each, and a line that says what it is.
        levels: the bots of a game.
        name: the person's name.
        lang: the language that is spoken.
        langs: those that could be.
        commands: what else `tt` can do without more words: a command and what it does.
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
