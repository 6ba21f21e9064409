"""The plan of a match before it begins: the game, who plays, how and where; and the words of its command.

Bot levels and house rules have their names for people here. In Italian the level "hard" is shown as
"difficile" but typed as "hard"; the levels that plugins add keep the names that their plugins give them.

What can follow a match is here, too, because it is another plan.

Pure. The home screen and the home in lines change a plan step by step.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from tavolata.messages import N_, Text
from tavolata.options import Options, OptionSpec, Problem, problems_of
from tavolata.teams import Teams

PLACES: Final = {
    "here": N_("here"),
    "network": N_("network"),
    "code": N_("with a code"),
    "telephones": N_("phones"),
}
"""Where a match can be played, and what it is called; the first is this process, the others are tables."""
USUAL, GUIDED = N_("normal"), N_("guided, short")
"""What a match is played as, beside teams and house rules."""
FREE: Final = ""
"""Stands for the level of a seat that nobody has yet."""
MOST_HERE: Final = 8
"""The most people at one keyboard: each needs a key of their own."""


@dataclass(frozen=True)
class GameChoices:
    """What can be chosen for a match of a single game.

    `seats` are the smallest and the largest number; the default one of the `levels` comes first. If it's
    `guided`, it has hints. `alone` are house rules that differ from their default on one machine, `first`
    those of a guided match. The house rules need the translations of `package`. `places` are those of
    `PLACES` where it can be played.
    """

    name: str
    seats: tuple[int, int]
    usual: int
    levels: Sequence[str]
    guided: bool = False
    teams: Teams | None = None
    options: type[Options] = Options
    alone: Mapping[str, Any] = field(default_factory=dict)
    first: Mapping[str, Any] = field(default_factory=dict)
    package: str = ""
    places: Sequence[str] = tuple(PLACES)

    def plan(self) -> MatchPlan:
        """Return the default match: one person and bots."""
        others = (self.levels[0],) * (max(1, self.usual) - 1)
        return MatchPlan(self.name, others=others, teams=self.usual_teams(len(others) + 1))

    def usual_teams(self, seats: int) -> int:
        return 0 if self.teams is None else self.teams.usual(seats)

    def rule(self, name: str) -> OptionSpec | None:
        return next((spec for spec in self.options.describe() if spec.name == name), None)

    def settings(self, plan: MatchPlan) -> Options:
        alone, first = self.alone if plan.where == "here" else {}, self.first if plan.guided else {}
        given = {**alone, **first, **plan.rules}
        specs = {spec.name: spec for spec in self.options.describe()}
        return self.options(**{name: specs[name].read(value) for name, value in given.items()})

    def offered(self, plan: MatchPlan) -> list[OptionSpec]:
        return self.options.offered(self.settings(plan).plain(), plan.seats)

    def problems(self, plan: MatchPlan) -> list[Problem]:
        return problems_of(self.settings(plan), plan.seats, plan.teams)


@dataclass(frozen=True)
class MatchPlan:
    """A match as someone wants to play it.

    `people` sit at this keyboard; `others` are the levels of the bots of all other seats, or FREE at a table.
    `where` is one of `PLACES`. If it's `guided`, it is a short match with hints. `teams` is 0 without teams.
    `rules` has the house rules that differ from the default ones, as words by name.
    """

    game: str
    people: int = 1
    others: tuple[str, ...] = ()
    where: str = "here"
    guided: bool = False
    teams: int = 0
    rules: Mapping[str, str] = field(default_factory=dict)

    @property
    def seats(self) -> int:
        return self.people + len(self.others)

    def words(self) -> list[str]:
        bots = [level for level in self.others if level != FREE]
        here = self.where == "here"
        words = ["play" if here else "host", self.game]
        words += ["--seats", str(self.seats), "--humans", str(self.people)] if here else []
        words += ["--bots", ",".join(bots)] if bots else []
        words += ["--guided"] if self.guided else []
        words += ["--teams", str(self.teams)] if self.teams else []
        for name, value in self.rules.items():
            words += ["--option", f"{name}={value}"]
        return words + {"code": ["--code"], "telephones": ["--web"]}.get(self.where, [])

    def plain(self) -> dict[str, Any]:
        return {
            "people": self.people, "others": list(self.others), "where": self.where, "guided": self.guided,
            "teams": self.teams, "rules": dict(self.rules),
        }  # fmt: skip


def remembered(said: object, can: GameChoices) -> MatchPlan:
    """Return the plan of the last time, as far as the game still allows it.

    `said` is from `MatchPlan.plain`, or anything: the file may be damaged.
    """
    usual = can.plan()
    if not isinstance(said, dict):
        return usual
    rules, others, people = said.get("rules"), said.get("others"), said.get("people")
    kept = {}
    for name, value in rules.items() if isinstance(rules, dict) else ():
        spec = can.rule(str(name))
        try:
            if spec is not None:
                spec.read(value)
                kept[spec.name] = str(value)
        except Exception:  # noqa: BLE001, S112 - a rule that the game has changed since is its usual one
            continue
    where = said.get("where")
    plan = MatchPlan(
        can.name,
        people=people if type(people) is int else 1,
        others=tuple(str(one) for one in others) if isinstance(others, list) else usual.others,
        where=str(where) if where in can.places else "here",
        guided=said.get("guided") is True,
        teams=said["teams"] if type(said.get("teams")) is int else 0,
        rules=kept,
    )
    return _fitting(plan, can)


def _fitting(plan: MatchPlan, can: GameChoices) -> MatchPlan:
    low, high = can.seats
    here = plan.where == "here"
    people = max(1, min(plan.people, high, MOST_HERE)) if here else 1
    fill = can.levels[0] if here else FREE
    others = [one if one in can.levels or (one == FREE and not here) else fill for one in plan.others]
    low = low if here else max(2, low)
    missing = low - people - len(others)
    others = [*others, *[fill] * missing][: high - people]
    if not here and others and FREE not in others:
        others[0] = FREE  # a table without a free seat has no use for a network
    seats = people + len(others)
    fits = can.teams is not None and can.teams.fit(plan.teams, seats)
    teams = plan.teams if fits else can.usual_teams(seats)
    guided = plan.guided and can.guided and here
    return _with_offered(replace(plan, people=people, others=tuple(others), guided=guided, teams=teams), can)


def _with_offered(plan: MatchPlan, can: GameChoices) -> MatchPlan:
    """Return the same plan with just those house rules that can be changed beside the others, and are."""
    offered = {spec.name for spec in can.offered(plan)}
    usual, now = can.settings(replace(plan, rules={})).plain(), can.settings(plan).plain()
    kept = {name: said for name, said in plan.rules.items() if name in offered and now[name] != usual[name]}
    return plan if len(kept) == len(plan.rules) else _with_offered(replace(plan, rules=kept), can)


def with_seats(plan: MatchPlan, can: GameChoices, seats: int) -> MatchPlan:
    """Return the plan with this number of seats; new ones are like the last one."""
    count = max(0, max(can.seats[0], min(can.seats[1], seats)) - plan.people)
    like = plan.others[-1] if plan.others else can.levels[0] if plan.where == "here" else FREE
    return _fitting(replace(plan, others=(*plan.others, *[like] * count)[:count]), can)


def with_people(plan: MatchPlan, can: GameChoices, people: int) -> MatchPlan:
    """Return the plan with more or fewer people here, in place of bots as long as there are any."""
    people = max(1, min(people, can.seats[1], MOST_HERE))
    bots = plan.others if plan.where == "here" else can.plan().others
    count = max(0, plan.seats - people, can.seats[0] - people)
    like = bots[-1] if bots else can.levels[0]
    others = (*bots, *[like] * count)[:count]
    return _fitting(replace(plan, where="here", people=people, others=others), can)


def at(plan: MatchPlan, can: GameChoices, where: str) -> MatchPlan:
    """Return the plan at another place: at a table the other seats are free at first, here they are bots."""
    before = plan.where == "here"
    if before is (where == "here"):
        return _fitting(replace(plan, where=where, people=1 if where != "here" else plan.people), can)
    fill = can.levels[0] if where == "here" else FREE
    return _fitting(replace(plan, where=where, people=1, others=(fill,) * (plan.seats - 1)), can)


def with_level(plan: MatchPlan, can: GameChoices, seat: int | None = None) -> MatchPlan:
    """Return the plan with the next level for the bot of a seat, or for all bots."""
    if not plan.others:
        return plan
    ring = [*can.levels, *([] if plan.where == "here" else [FREE])]
    now = plan.others[-1 if seat is None else seat - plan.people]
    level = ring[(ring.index(now) + 1) % len(ring)]
    others = [level if seat in (None, at) else one for at, one in enumerate(plan.others, plan.people)]
    return _fitting(replace(plan, others=tuple(others)), can)


def with_levels(plan: MatchPlan, can: GameChoices, levels: Sequence[str]) -> MatchPlan:
    """Return the plan with bots of these levels, which also says how many seats there are."""
    return _fitting(replace(plan, others=tuple(levels)), can)


def with_guide(plan: MatchPlan, can: GameChoices, *, guided: bool) -> MatchPlan:
    """Return the plan as a short match with hints, which is played here; or as a normal one."""
    moved = at(plan, can, "here") if guided else plan
    return _fitting(replace(moved, guided=guided), can)


def with_teams(plan: MatchPlan, can: GameChoices) -> MatchPlan:
    """Return the plan with the next number of teams that its seats can form; none after the last one."""
    counts = [] if can.teams is None else [n for n in can.teams.counts if can.teams.fit(n, plan.seats)]
    counts = counts if counts and can.usual_teams(plan.seats) else [0, *counts]
    following = counts.index(plan.teams) + 1 if plan.teams in counts else 0
    return replace(plan, teams=counts[following % len(counts)])


def with_rule(plan: MatchPlan, can: GameChoices, name: str, value: object) -> MatchPlan:
    """Return the plan with another value of a house rule, as `OptionSpec.read` takes it.

    Raise `OptionError` if the house rule can't have it.
    """
    return _fitting(replace(plan, rules={**plan.rules, name: str(value)}), can)


def usual(plan: MatchPlan) -> MatchPlan:
    """Return the plan as the game is usually played: no hints, no teams, no house rule changed."""
    return replace(plan, guided=False, teams=0, rules={})


YES, NO, ON, OFF = N_("yes"), N_("no"), N_("on"), N_("off")

Say = Callable[[str], str]
"""Puts a message of the game, or of the program, into words."""


def rule_name(spec: OptionSpec, say: Say) -> str:
    """Return a house rule's name for people; the word that is typed if its game has none."""
    return say(spec.title) if spec.title else spec.name


def rule_value(spec: OptionSpec, value: Any, say: Say) -> str:
    if isinstance(value, bool):
        return say(YES if value else NO)
    if spec.off and value == 0:
        return say(OFF)
    plain = value.value if isinstance(value, Enum) else value
    return (say(plain) if issubclass(spec.type, Enum) else str(plain)) or "–"


def rule_line(spec: OptionSpec, value: Any, say: Say) -> str:
    return f"{rule_name(spec, say)}: {rule_value(spec, value, say)}"


LEVELS = {
    "slow": N_("slow"), "easy": N_("easy"), "normal": N_("normal"), "hard": N_("hard"),
    "random": N_("random"), "thinker": N_("thinker"),
}  # fmt: skip


def level_text(level: str) -> Text | str:
    return Text(LEVELS[level]) if level in LEVELS else level


def level_to_choose(level: str, say: Callable[[str], str]) -> str:
    """Return the name of a level, followed by the word to type if that's different."""
    said = say(LEVELS[level]) if level in LEVELS else level
    return level if said == level else f"{said} ({level})"


AGAIN = N_("again")
"""The word for another match like the last one; the names of games are the other words."""
KEPT = N_("Saved in {path}.")
NOT_WRITTEN = N_("Couldn't save the result: {problem}.")


class Afterwards(NamedTuple):
    """What can be done when a match is over.

    `watch` shows the match again, from its file, with all hands open if they may be, while a full screen is
    closed; it raises `MessageError` if it can't. `keep` writes these lines, the result, to a text file and
    returns its path, or raises `OSError`. `again` and `games` (by name, the title with the seats) can follow
    in this process.
    """

    watch: Callable[[], Awaitable[object]]
    keep: Callable[[Sequence[str]], str]
    history: Callable[[], list[str]]
    again: bool = False
    games: Mapping[str, str] = MappingProxyType({})
