"""The data of the home screen: games, found tables, unfinished matches and the person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tavolata._ui.match_plan import GameChoices, MatchPlan


@dataclass(frozen=True, slots=True)
class GameFacts:
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
        waiting: the unfinished matches: the id of each, and a line that describes it.
        choices: what can be chosen for a match of a game; it may take a while.
        records: by game, how many matches the person has finished and won; it may take a while.
        others: the people who sat at this keyboard the last time.
        commands: those of `tt` that need no arguments, with their descriptions.
        plans: by game, the last match as plain data; `keep` keeps one for the next time.
        last: the game that was played last.
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
