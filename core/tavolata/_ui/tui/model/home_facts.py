"""The data of the home screen: games, found tables, unfinished matches and the person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tavolata._ui.match_plan import GameChoices, MatchPlan


@dataclass(frozen=True, slots=True)
class GameFacts:
    """An installed game: its title, its numbers of players, and its summary."""

    name: str
    title: str
    seats: tuple[int, int]
    summary: str


@dataclass(frozen=True, slots=True)
class FoundFacts:
    """A table on the network: a line that describes it, a shorter one, and its address."""

    line: str
    short: str
    address: str


@dataclass(frozen=True)
class HomeFacts:
    """The data of the home screen.

    Attributes:
        games: the installed games.
        waiting: the unfinished matches: the id of each, and a line that describes it.
        choices: what can be chosen for a match of a game; it may take a while.
        records: by game, how many matches the person has finished and won; it may take a while.
        name: the person's name.
        others: who else sat at this keyboard the last time.
        lang: the current language.
        langs: the available languages.
        commands: the other commands of `tt` that need no arguments, with their descriptions.
        plans: by game, what was played the last time, as plain data.
        last: the game that was played last.
        keep: keeps a plan for the next time.
    """

    games: Sequence[GameFacts]
    waiting: Sequence[tuple[str, str]]
    choices: Callable[[str], GameChoices]
    records: Callable[[], Mapping[str, tuple[int, int]]]
    name: str
    lang: str
    langs: Sequence[str]
    commands: Sequence[tuple[str, str]]
    others: Sequence[str] = ()
    plans: Mapping[str, object] = field(default_factory=dict)
    last: str = ""
    keep: Callable[[MatchPlan], object] = lambda _: None
