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

    `waiting` has the unfinished matches: the id of each, and a line that describes it. `choices` and
    `records` may take a while; a record counts the matches finished and won. `others` are the people who sat
    at this keyboard the last time. `commands` are those of `tt` that need no arguments. `plans` has the last
    match of each game as plain data, and `keep` keeps a plan for the next time.
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
