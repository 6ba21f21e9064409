"""Test cases: the seats, house rules, bots and seed of each match of a check, so that one line repeats it.

`recording` plays the cases; their failures and the default test bot are here, too.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from typing_extensions import override

from tavolata._blame import short
from tavolata._engine.match.seating import check_seats, teams_for
from tavolata._text import as_typed
from tavolata.bots import Bot, Chance, ChatMessage, Interject, RandomBot
from tavolata.errors import OptionError, portable, remade
from tavolata.game import Game
from tavolata.kinds.question import Question
from tavolata.options import Options, OptionSpec, problems_of, refuse_first
from tavolata.view import View


class Meddler(RandomBot):
    """A bot that gives any legal answer, and sometimes interjects or speaks."""

    level = "meddler"
    interjects = True

    @override
    def interject(
        self, view: View, standing: Mapping[str, Question], chance: Chance
    ) -> Interject | ChatMessage | None:
        if standing and chance.percent(15):
            name = chance.pick(list(standing))
            return Interject(name, standing[name].any(chance))
        if view.game.listens and chance.percent(4):
            to = chance.below(len(view.ring) + 1) - 1
            return None if to == view.seat else ChatMessage(() if to < 0 else (to,), "Hm.")
        return None


USUAL_BOTS: tuple[type[Bot], ...] = (RandomBot, Meddler)
"""The usual players: one only answers, the other also interrupts and talks."""


@dataclass(frozen=True)
class Case:
    """One match that a check plays.

    Attributes:
        options: the house rules that differ from the defaults, as plain data.
        bots: the classes of the bots, which are seated in turn.
        teams: how many teams alternate around the table; 0 without teams.
        legacy: the bytes of what the match before has left; empty for nothing.
        called: the beginning of each player's name; the seat follows, as in logs.
    """

    game: type[Game[Any]]
    seats: int
    options: Mapping[str, bool | int | str] = field(default_factory=dict)
    seed: int = 0
    bots: tuple[type[Bot], ...] = USUAL_BOTS
    teams: int = 0
    called: str = "P"
    legacy: bytes = b""

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return tuple(f"{self.called}{seat}" for seat in range(self.seats))

    def house_rules(self) -> Options:
        """Return the options of the match; raises `OptionError` if this number can't play by them."""
        options = self.game.options.parse(self.options)
        refuse_first(problems_of(options, self.seats, self.teams))
        return options

    def players(self) -> list[Bot]:
        """Return a new bot for each seat."""
        return [self.bots[seat % len(self.bots)]() for seat in range(self.seats)]

    def __str__(self) -> str:
        rules = "".join(f", {name}={as_typed(value)}" for name, value in self.options.items())
        parted = f", {self.teams} teams" if self.teams else ""
        return f"{self.game.name} with {self.seats} seats{parted}{rules}, seed {self.seed}"

    def command(self, check: str) -> str:
        """Return the line for a shell that runs one check over this case again."""
        parts = ["python", "-m", "tavolata.testing", as_argument(self.game)]
        parts += ["--only", check, "--seats", str(self.seats), "--seed", str(self.seed)]
        for name, value in self.options.items():
            parts += ["--option", f"{name}={as_typed(value)}"]
        if self.teams:
            parts += ["--teams", str(self.teams)]
        if self.bots != USUAL_BOTS:
            for bot in self.bots:
                parts += ["--bot", as_argument(bot)]
        return shlex.join(parts)


def as_argument(cls: type[Any]) -> str:
    """Return how a command names a class: by its module, or by the file of a lone one, from this folder."""
    name, module = cls.__module__, sys.modules.get(cls.__module__)
    file = getattr(module, "__file__", None)
    is_lone = file is not None and "." not in name and not hasattr(module, "__path__")
    return f"{short(str(file)) if is_lone else name}:{cls.__qualname__}"


def cases(
    game: type[Game[Any]],
    matches: int,
    seed: int = 0,
    *,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    bots: Sequence[type[Bot]] = USUAL_BOTS,
    teams: int | None = None,
    turn: int = 0,
) -> Iterator[Case]:
    """Cases: first the default rules with the fewest and the most seats, then other rules and numbers.

    Of two cases, the second has other rules, too. Every value of every option comes early, whatever the
    seed, where it can be set beside the others; later cases combine them at random. All combinations can be
    played: see `Options.problems`.

    Args:
        game: the game.
        matches: the number of cases.
        seed: the seed of the first case; the others get the following numbers.
        seats: the number of seats in each case; None for every number that the game allows.
        options: the house rules of each case; None for different ones.
        bots: the classes of the bots that play.
        teams: how many teams play in each case; None for with and without, where the game has teams.
        turn: which of an option's values is the first after the default, so that checks of few cases try
            different ones.

    Raises:
        Refused: not this many can play, or not in these teams; `OptionError`, a subclass, if nobody can by
            these house rules.
    """
    low, high = game.seats
    if seats is not None:
        check_seats(game, seats)
    chance = Chance(seed + 1)
    specs = game.options.describe()
    fixed, possible = None, seats_of(game)
    if options is not None:
        agreed = game.options.parse(options)
        fixed = {name: value for name, value in agreed.plain().items() if name in options}
        possible = _possible(game, agreed, possible if seats is None else [seats])
    if teams and game.teams is not None:
        possible = [one for one in possible if game.teams.fit(teams, one)] or possible
    usual = 2 if matches > 2 else 1
    for number in range(matches):
        many = (
            seats if seats is not None else (low, high)[number] if number < 2 else _seats(low, high, chance)
        )
        many = _nearest(many, possible) if seats is None or fixed is not None else many
        parted = _teams(game, many, number) if teams is None else teams_for(game, teams, many)
        if fixed is not None:
            rules: Mapping[str, Any] = fixed
        elif number < usual:
            rules = {}
        else:
            drawn = {spec.name: _value(spec, number - usual, chance, turn + seed) for spec in specs}
            rules = _together(game.options, drawn, many, parted)
        yield Case(game, many, rules, seed + number, tuple(bots), parted)


def usual_teams(game: type[Game[Any]], seats: int) -> int:
    """Return the number of teams of this many seats if nobody names one; 0 without teams."""
    return 0 if game.teams is None else game.teams.usual(seats)


def seats_of(game: type[Game[Any]]) -> list[int]:
    """Return the numbers of seats at which a game can be played; all, if none can form its teams."""
    numbers = [*range(game.seats[0], game.seats[1] + 1)]
    if game.teams is None or not game.teams.required:
        return numbers
    return [seats for seats in numbers if game.teams.usual(seats)] or numbers


def _teams(game: type[Game[Any]], seats: int, number: int) -> int:
    """Return how many teams play in a case: each possible number in turn, and none."""
    if game.teams is None:
        return 0
    fit = [count for count in game.teams.counts if game.teams.fit(count, seats)]
    fit = fit if game.teams.required and fit else [0, *fit]
    return fit[-1 - number % len(fit)]


def _together(options: type[Options], drawn: Mapping[str, Any], seats: int, teams: int) -> dict[str, Any]:
    """Return those of these house rules that can be played together, after those they depend on."""
    kept: dict[str, Any] = {}
    for spec in sorted(options.describe(), key=lambda spec: bool(spec.when)):
        wanted = {**kept, spec.name: drawn[spec.name]}
        with suppress(OptionError):
            if not problems_of(options.parse(wanted), seats, teams):
                kept = wanted
    return {name: kept[name] for name in drawn if name in kept}


def _possible(game: type[Game[Any]], options: Options, among: Sequence[int]) -> list[int]:
    """Return those of these numbers of seats at which these house rules can be played.

    Raise `OptionError` for the first problem if there isn't one.
    """
    found = {seats: problems_of(options, seats, usual_teams(game, seats)) for seats in among}
    if all(found.values()):
        refuse_first(found[among[0]])
    return [seats for seats, problems in found.items() if not problems]


def _nearest(number: int, possible: Sequence[int]) -> int:
    return min(possible, key=lambda one: abs(one - number))


def values_of(spec: OptionSpec) -> list[Any]:
    """Return the values of an option to try, the default last: all if there are few, otherwise the limits."""
    if issubclass(spec.type, Enum):
        return [member.value for member in sorted(spec.type, key=lambda one: one is spec.default)]
    others = (True, False) if spec.type is bool else (spec.low, spec.high, 0 if spec.off else None)
    return [*dict.fromkeys(one for one in others if one not in (None, spec.default)), spec.default]


def _seats(low: int, high: int, chance: Chance) -> int:
    """Return a number of seats, more often a small one: small matches are quick, and find most faults."""
    return low + min(chance.below(high - low + 1), chance.below(high - low + 1))


def _value(spec: OptionSpec, number: int, chance: Chance, turn: int) -> Any:
    *others, usual = values = values_of(spec)
    if number < len(others):
        return others[(number + turn) % len(others)]
    return usual if number == len(others) else chance.pick(values)


class CheckFailed(AssertionError):
    """A game does not pass a check, named once it is known.

    `case` is the match in which it showed; None where no match was needed. `entry` is how many entries the
    log had then; None where that says nothing.
    """

    def __init__(self, sentence: str, *, case: Case | None = None, entry: int | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.case = case
        self.entry = entry
        self.check = ""

    def __reduce__(self) -> tuple[Any, ...]:
        return remade, (type(self), self.args, portable(vars(self)))

    def __str__(self) -> str:
        lines = [self.sentence if not self.check else f"{self.check}: {self.sentence}"]
        if self.case is not None:
            at = "" if self.entry is None else f", after {self.entry} entries of the log"
            lines.append(f"in {self.case}{at}")
            if self.check:
                lines.append(f"again: {self.case.command(self.check)}")
        return "\n  ".join(lines)


class ScriptError(AssertionError):
    """A rehearsal's script does not fit the rules: it ran dry, or an answer of it was refused."""
