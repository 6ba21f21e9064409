"""One match of an experiment: how it is played, and what is written down of it.

A match is known by its arm and its number: they give house rules, seats and seed. So it can be played again
anywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import log2, log10
from typing import Any

from typing_extensions import override

from tavolata._engine.match.entries import FACE, INTERJECT, NUMBER, REACT, SAY, SHAKEN, MatchEntry
from tavolata._engine.match.match import Match
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.simulate import play
from tavolata._lab.course import Course, Row, counts, courses
from tavolata.asks import Ask
from tavolata.bots import Bot
from tavolata.game import Game
from tavolata.kinds.one_of import GO
from tavolata.reaction_times import GOES
from tavolata.windows import Window

KEY, DECIDE, DOUBLING, LOOK = 1.0, 1.0, 1.5, 1.0
"""Seconds of people, assumed: for a key; for a decision, and more for each doubling of its answers (Hick's
law); for a look at a card or a die that is turned up."""
POINTS = 11
"""At so many points of a match the rows of a series are kept."""


@dataclass(frozen=True)
class Arm:
    """Matches with the same house rules and bots.

    Attributes:
        name: the difference from the others; "" for the only one.
        levels: the bots by seat; they rotate from match to match.
        options: the house rules that are set, as words or plain values.
        teams: how many alternate around the table; 0 for none.
        mirrored: each seed is played by two matches, the second with every bot one seat further.
    """

    name: str
    levels: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    teams: int = 0
    mirrored: bool = False

    def seats(self, number: int) -> tuple[str, ...]:
        """Return the bots by seat in the match of this number, so no bot wins because of its seat."""
        by = number % len(self.levels)
        return self.levels[by:] + self.levels[:by]

    def seed(self, first: int, number: int) -> int:
        """Return the seed of the match of this number, if that of match 0 is `first`."""
        return first + (number // 2 if self.mirrored else number)


@dataclass(frozen=True)
class Trial:
    """The record of a single match; `winners`, `scores`, `ranks` and `statistics` are as in the outcome.

    Attributes:
        number: its number in the arm; matches with the same number are pairs.
        first: the seat that was drawn to be the first.
        series: by title, the means of the winners and of the others at 11 points; () of none.
        answers: questions answered, without keys that only continue the match.
        decisions: those with more than one answer.
        choices, most: answers of all questions together, and of the widest.
        magnitude: the sum of the decimal logarithms of the numbers of answers: the size of the game tree.
        seconds: how long people would play, as assumed above.
        reactions: how many seats reacted in windows.
        courses: the leaders, by each count that fits the winners.
    """

    arm: int
    number: int
    seed: int
    levels: tuple[str, ...]
    first: int
    winners: tuple[int, ...]
    scores: tuple[int, ...] | None
    ranks: tuple[int, ...] | None
    statistics: dict[str, tuple[int | None, ...]]
    series: dict[str, tuple[tuple[float, ...], tuple[float, ...]]]
    turns: int
    entries: int
    answers: int
    decisions: int
    choices: int
    most: int
    magnitude: float
    seconds: float
    interjections: int
    words: int
    windows: int
    reactions: int
    courses: tuple[Course, ...]


class Watched(OpenSource):
    """A source that records its bots' questions, and who leads after each turn."""

    def __init__(self, seed: int, bots: Sequence[Bot | None]) -> None:
        super().__init__(seed, bots)
        self.answers = self.decisions = self.choices = self.most = 0
        self.magnitude = self.seconds = 0.0
        self.seen: set[int] = set()  # the numbers of windows
        self.rows: dict[str, list[Row]] = {}
        self._sealed: tuple[int, float] = (-1, 0.0)

    @override
    def attach(self, match: Match) -> None:
        super().attach(match)
        match.on_turn = self.look

    def look(self) -> None:
        match = self._match
        for name, row in counts(vars(match.game), len(self.bots)).items():
            self.rows.setdefault(name, []).append(row)

    @override
    def _bot_answers(self, bot: Bot, ask: Ask) -> None:
        if ask.question is GO:
            self.seconds += KEY
        else:
            self._note(ask)
        super()._bot_answers(bot, ask)

    @override
    def _bots_react(self, window: Window) -> bool:
        self.seen.add(window.id)
        return super()._bots_react(window)

    def _note(self, ask: Ask) -> None:
        count = ask.question.count()
        self.answers += 1
        self.choices += count
        self.most = max(self.most, count)
        seconds = KEY
        if count > 1:
            self.decisions += 1
            self.magnitude += log10(count)
            seconds = DECIDE + DOUBLING * log2(count)
        before, waited = self._sealed
        if ask.sealed and before == ask.id - 1:  # all answer at once: only the slowest is waited for
            self.seconds += max(0.0, seconds - waited)
            seconds = max(seconds, waited)
        else:
            self.seconds += seconds
        self._sealed = (ask.id, seconds) if ask.sealed else (-1, 0.0)


def try_out(
    rules: type[Game[Any]],
    known: Mapping[str, type[Bot]],
    arms: Sequence[Arm],
    which: tuple[int, int],
    first: int,
) -> Trial:
    """Play the match of this arm and number (`which`); `first` is the seed of match 0.

    Raise `GameError` if the match stopped without an outcome, `OptionError` if this number can't play by
    these house rules.
    """
    arm, levels = arms[which[0]], arms[which[0]].seats(which[1])
    seed = arm.seed(first, which[1])
    source = Watched(seed, [known[level]() for level in levels])
    played = play(rules, rules.options.parse(arm.options), source.bots, seed, arm.teams, source=source)
    ends = counts(vars(played.match.game), len(levels))
    outcome = played.outcome
    rows = {name: [*course, ends.get(name, course[-1])] for name, course in source.rows.items()}
    rows |= {title: [*course] for title, course in outcome.series.items() if len(course) > 1}
    winners = tuple(map(int, outcome.winners))
    table, log = played.match.table, played.log
    kinds = Counter(entry[0] for entry in log)
    return Trial(
        which[0], which[1], seed, levels, int(table.first_seat), winners, outcome.scores, outcome.ranks,
        dict(outcome.statistics),
        {title: _two(course, winners) for title, course in outcome.series.items() if course},
        played.match.turns, len(log), source.answers, source.decisions, source.choices, source.most,
        source.magnitude, source.seconds + _looking(log), kinds[INTERJECT], kinds[SAY],
        len(source.seen), sum(entry[0] == REACT and entry[3] != GOES for entry in log),
        courses(rows, winners),
    )  # fmt: skip


def _looking(log: Sequence[MatchEntry]) -> float:
    """Return the seconds in which people look at what was turned up, and react in windows."""
    reacted = sorted((entry[4], entry[2]) for entry in log if entry[0] == REACT)
    waited: dict[int, int] = {window: ms for ms, window in reacted}  # for the slowest: all react at once
    return LOOK * sum(entry[0] in (FACE, NUMBER, SHAKEN) for entry in log) + sum(waited.values()) / 1000


def _two(rows: Sequence[Row], winners: Sequence[int]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the mean of the winners and of the others at some points of the course."""
    at = [rows[round(point * (len(rows) - 1) / (POINTS - 1))] for point in range(POINTS)]
    return _mean_of(at, winners), _mean_of(at, set(range(len(rows[0]))) - set(winners))


def _mean_of(rows: Sequence[Row], seats: Collection[int]) -> tuple[float, ...]:
    return tuple(sum(row[seat] for seat in seats) / len(seats) for row in rows) if seats else ()
