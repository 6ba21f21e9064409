"""The state of the home screen: what is pointed at, and the plan of the match that Enter begins.

`HomeFacts` is what it's made from: games, found tables, unfinished matches and the person.

Pure. A *thing* is what can be pointed at or clicked: a pair of its kind and its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final

from tavolata._text import small_number
from tavolata._ui import match_plan
from tavolata._ui.match_plan import PLACES, GameChoices, MatchPlan, remembered
from tavolata.options import Problem


@dataclass(frozen=True, slots=True)
class GameFacts:
    name: str
    title: str
    seats: tuple[int, int]
    summary: str
    minutes: int = 0

    def fits(self, typed: str) -> bool:
        """Return True for a typed number of its players, for its minutes, and for as many as `30min`."""
        number = small_number("".join(takewhile(str.isdecimal, typed)))
        if "min" in typed:
            return 0 < self.minutes <= number
        return self.seats[0] <= number <= self.seats[1] or number == self.minutes


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


Thing = tuple[str, str]
MODE: Final = "mode"
"""A house rule of this name says which of several games is played, and so has a place of its own."""


class HomeModel:
    """The state of the home screen.

    `looking` is shown while the search has found nothing. A record counts the matches finished and won.
    `cursor` is the thing pointed at, `game` the game to play; None if there are no games.
    """

    def __init__(self, facts: HomeFacts) -> None:
        self.facts = facts
        self.tables: Sequence[FoundFacts] = ()
        self.looking = ""
        self.records: Mapping[str, tuple[int, int]] = {}
        games = [one.name for one in facts.games]
        self.game = facts.last if facts.last in games else games[0] if games else None
        self.cursor: Thing = ("game", self.game or "")
        self._digits = ""
        self._plans: dict[str, MatchPlan] = {}
        self._choices: dict[str, GameChoices] = {}

    # -- the plan ---------------------------------------------------------------------------------

    @property
    def can(self) -> GameChoices | None:
        if self.game is not None and self.game not in self._choices:
            self._choices[self.game] = self.facts.choices(self.game)
        return None if self.game is None else self._choices[self.game]

    @property
    def plan(self) -> MatchPlan | None:
        """The match that Enter begins: the one played the last time, until something is changed."""
        can = self.can
        if can is None:
            return None
        if can.name not in self._plans:
            self._plans[can.name] = remembered(self.facts.plans.get(can.name), can)
        return self._plans[can.name]

    def put(self, plan: MatchPlan) -> None:
        self._plans[plan.game] = plan

    def change(self, what: Thing) -> bool:
        """Change the plan by a thing of the form; return True if it is one."""
        plan, can = self.plan, self.can
        if plan is None or can is None:
            return False
        match what:
            case ("seat", number):
                plan = match_plan.with_level(plan, can, int(number))
            case ("bots", _):
                plan = match_plan.with_level(plan, can)
            case ("seats", by):
                plan = match_plan.with_seats(plan, can, plan.seats + int(by))
            case ("as", "usual"):
                plan = match_plan.usual(plan)
            case ("as", "guided"):
                plan = match_plan.with_guide(plan, can, guided=not plan.guided)
            case ("as", "teams"):
                plan = match_plan.with_teams(plan, can)
            case ("as", "mode"):
                plan = self._next_mode(plan, can)
            case ("where", place):
                plan = match_plan.at(plan, can, place)
                plan = match_plan.with_people(plan, can, 1) if place == "here" else plan
            case ("people", _):
                plan = match_plan.with_people(plan, can, plan.people + 1 if plan.people < self.most else 2)
            case _:
                return False
        self.put(plan)
        return True

    @property
    def problem(self) -> Problem | None:
        """Return why the match can't be played by its house rules; None if it can."""
        problems = self.can.problems(self.plan) if self.plan is not None and self.can is not None else []
        return problems[0] if problems else None

    @property
    def most(self) -> int:
        return min(match_plan.MOST_HERE, self.can.seats[1]) if self.can is not None else 1

    def next_place(self) -> None:
        """Plan the match at the next place."""
        if self.plan is not None and self.can is not None:
            places = [place for place in PLACES if place in self.can.places]
            self.change(("where", places[(places.index(self.plan.where) + 1) % len(places)]))

    @staticmethod
    def _next_mode(plan: MatchPlan, can: GameChoices) -> MatchPlan:
        spec = can.rule(MODE)
        words = spec.choices() if spec is not None else []
        if spec is None or not words:
            return plan
        now = str(can.settings(plan).plain()[MODE])
        return match_plan.with_rule(plan, can, MODE, words[(words.index(now) + 1) % len(words)])

    # -- pointing ---------------------------------------------------------------------------------

    def point(self, thing: Thing) -> bool:
        """Point at a thing; return True if it was pointed at before."""
        again, self._digits = thing == self.cursor, ""
        self.cursor = thing
        if thing[0] == "game":
            self.game = thing[1]
        return again

    def digit(self, typed: str) -> None:
        """Point at the game whose number was typed, digit by digit; start over where no game has it."""
        number = next(
            (one for one in (int(self._digits + typed), int(typed)) if 1 <= one <= len(self.facts.games)),
            0,
        )
        if number:
            self.point(("game", self.facts.games[number - 1].name))
        self._digits = str(number) if number else ""

    def found(self, tables: Sequence[FoundFacts]) -> None:
        """Take the tables found now; the cursor stays, unless its thing is gone."""
        self.tables = tables
        if self.cursor[0] == "table" and self.cursor[1] not in [one.address for one in tables]:
            self.home()

    def home(self) -> None:
        self.cursor = ("game", self.game or "")

    def facts_of(self, game: str) -> GameFacts:
        return next(one for one in self.facts.games if one.name == game)
