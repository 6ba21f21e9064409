"""What an arm of an experiment shows: shares, means and the measures of the literature. Pure.

Names are those of Browne [1] and of Ludii's concepts [2]; `docs/measures.md` defines each, and says where
ours is otherwise than Ludii's.

[1] C. Browne, "Automatic Generation and Evaluation of Recombination Games", PhD thesis, QUT, 2008.
[2] É. Piette et al., "Ludii: the Ludemic General Game System", ECAI 2020, and its list of concepts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf
from typing import TypeVar

from tavolata._lab.course import Course, best
from tavolata._lab.numbers import Estimate, Pair, Unit, by_chance, fairer, mean, rated, share
from tavolata._lab.trial import Arm, Trial

T = TypeVar("T")

MEANS: dict[str, Callable[[Trial], float]] = {
    "turns": lambda one: one.turns,
    "answers": lambda one: one.answers,
    "decisions": lambda one: one.decisions,
    "entries": lambda one: one.entries,
    "minutes": lambda one: one.seconds / 60,
    "magnitude": lambda one: one.magnitude,
    "interjections": lambda one: one.interjections,
    "words": lambda one: one.words,
    "windows": lambda one: one.windows,
    "reactions": lambda one: one.reactions,
}
"""What is a mean over matches, by name."""
COURSE: dict[str, Callable[[Course], float]] = {
    "lead_changes": lambda one: one.changes,
    "drama": lambda one: one.trailing,
    "lead_for_good": lambda one: one.for_good,
    "decisiveness": lambda one: 1 - one.decided,
}
"""What is a mean over the matches of which it is known who leads, by name."""


@dataclass(frozen=True)
class Wins:
    """How often someone won.

    A win of several is split among them; `fair` is the share if all won equally often.
    """

    share: Estimate
    fair: float


@dataclass(frozen=True)
class Measures:
    """The measures of one arm.

    Attributes:
        levels: by level of the bots.
        places: by place after the seat that was drawn first.
        by_chance: how often places that are equally good would win this differently or more.
        completion: the share of matches with a winner (Completion).
        drawishness: the share in which no one won, or several did who aren't a team (Ludii's Drawishness
            counts only the first).
        means: by the name of `MEANS`.
        branching: the mean number of answers to a question (BranchingFactor).
        choice: the mean number where there is more than one (DecisionFactor).
        widest: the most answers that a question had.
        forced: the share of questions with one answer only.
        leader: the count that shows who leads; None if none does, and then there is no course.
        course: by the name of `COURSE`, the mean; and "comeback" and "last_to_first", shares of matches.
        scores, ranks: by level; empty without.
        statistics: by message id and level.
        series: by message id, the mean course of the winners and of the others; empty if there were none.
    """

    matches: int
    levels: dict[str, Wins]
    seats: list[Wins]
    places: list[Wins]
    by_chance: float
    completion: Estimate
    drawishness: Estimate
    means: dict[str, Estimate]
    branching: float
    choice: float
    widest: int
    forced: float
    leader: str | None
    course: dict[str, Estimate]
    scores: dict[str, Estimate]
    ranks: dict[str, Estimate]
    statistics: dict[str, dict[str, Estimate]]
    series: dict[str, tuple[list[float], list[float]]]


def measure(trials: Sequence[Trial], arm: Arm) -> Measures:
    """Measure an arm, of which at least one match was played."""
    seats, units = len(arm.levels), _by_seed(trials)
    places = [[_places(one) for one in unit] for unit in units]
    answers, decisions = sum(one.answers for one in trials), sum(one.decisions for one in trials)
    choices = sum(one.choices for one in trials)
    leader = best([one.courses for one in trials], sum(0 < len(one.winners) < seats for one in trials))
    known = [[course for one in unit for course in one.courses if course.count == leader] for unit in units]
    known = [those for those in known if those]
    course = {}
    if known:
        for name, of in COURSE.items():
            course[name] = mean(_counted(known, of), 0, inf if name == "lead_changes" else 1)
        course["comeback"] = share(_counted(known, lambda one: one.behind))
        course["last_to_first"] = share(_counted(known, lambda one: one.last))
    completion = share(_counted(units, lambda one: bool(one.winners)))
    sides = arm.teams or seats  # the places of a team win together, so they count as one
    titles = dict.fromkeys(title for one in trials for title in one.statistics)
    return Measures(
        len(trials),
        {level: _won_by_level(units, level, arm, completion.value) for level in dict.fromkeys(arm.levels)},
        [Wins(share(_counted(units, _won(seat))), completion.value / seats) for seat in range(seats)],
        [Wins(share((sum(row[at] for row in rows), len(rows)) for rows in places), completion.value / seats)
         for at in range(seats)],
        by_chance(
            [sum(sum(row[side::sides]) for row in rows) for side in range(sides)] for rows in places
        ),
        completion,
        share(_counted(units, lambda one: len(one.winners) != seats // sides)),
        {name: mean(_counted(units, of), 0) for name, of in MEANS.items()},
        choices / max(1, answers),
        (choices - (answers - decisions)) / max(1, decisions),
        max(one.most for one in trials),
        1 - decisions / max(1, answers),
        leader,
        course,
        _by_level([[(one.levels, one.scores) for one in unit] for unit in units]),
        _by_level([[(one.levels, one.ranks) for one in unit] for unit in units]),
        {
            title: _by_level([[(one.levels, one.statistics.get(title)) for one in unit] for unit in units])
            for title in titles
        },
        _series(trials),
    )  # fmt: skip


def _by_seed(trials: Iterable[Trial]) -> list[list[Trial]]:
    """Return the matches by seed: those of one seed have the same cards, so they depend on each other."""
    found: dict[int, list[Trial]] = {}
    for one in trials:
        found.setdefault(one.seed, []).append(one)
    return list(found.values())


def _counted(units: Iterable[Sequence[T]], of: Callable[[T], float]) -> list[Unit]:
    return [(sum(map(of, unit)), len(unit)) for unit in units]


def _won(seat: int) -> Callable[[Trial], float]:
    return lambda one: one.winners.count(seat) / max(1, len(one.winners))


def _won_by_level(units: Iterable[Sequence[Trial]], level: str, arm: Arm, completion: float) -> Wins:
    def won(one: Trial) -> float:
        return sum(one.levels[winner] == level for winner in one.winners) / max(1, len(one.winners))

    return Wins(share(_counted(units, won)), completion * arm.levels.count(level) / len(arm.levels))


def _places(one: Trial) -> list[float]:
    """Return what each place after the seat that was drawn first has won."""
    won = [0.0] * len(one.levels)
    for winner in one.winners:
        won[(winner - one.first) % len(won)] += 1 / len(one.winners)
    return won


def _by_level(
    units: Iterable[Sequence[tuple[Sequence[str], Sequence[int | None] | None]]],
) -> dict[str, Estimate]:
    """Return the mean of each level; the seats of a match, and the matches of a seed, are one unit."""
    found: dict[str, list[Unit]] = {}
    for unit in units:
        own: dict[str, list[int]] = {}
        for levels, row in unit:
            for level, number in zip(levels, row or (), strict=row is not None):
                if number is not None:
                    own.setdefault(level, []).append(number)
        for level, numbers in own.items():
            found.setdefault(level, []).append((sum(numbers), len(numbers)))
    return {level: mean(own) for level, own in found.items()}


def _series(trials: Sequence[Trial]) -> dict[str, tuple[list[float], list[float]]]:
    found: dict[str, list[tuple[tuple[float, ...], tuple[float, ...]]]] = {}
    for one in trials:
        for title, two in one.series.items():
            found.setdefault(title, []).append(two)
    return {
        title: (_average([one for one, _ in twos if one]), _average([other for _, other in twos if other]))
        for title, twos in found.items()
    }


def _average(rows: Sequence[Sequence[float]]) -> list[float]:
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


@dataclass(frozen=True)
class PairedChange:
    """An arm's surplus over the first one, in the `pairs` of matches of the same seeds.

    `fairer`: whether its places won more equally; None if these matches can't say which arm is fairer.
    """

    arm: int
    pairs: int
    fairer: bool | None
    means: dict[str, Estimate]


def compare(trials: Sequence[Trial], arms: Sequence[Arm]) -> list[PairedChange]:
    """Return the differences between the first arm and the others, by matches of the same number."""
    by_arm: list[dict[int, Trial]] = [{} for _ in arms]
    for one in trials:
        by_arm[one.arm][one.number] = one
    found = []
    for number, arm in list(enumerate(by_arm))[1:]:
        pairs = [(by_arm[0][at], one) for at, one in sorted(arm.items()) if at in by_arm[0]]
        if not pairs:
            continue
        means = {name: mean([(of(new) - of(old), 1) for old, new in pairs]) for name, of in MEANS.items()}
        places = [(_places(old), _places(new)) for old, new in pairs]
        found.append(PairedChange(number, len(pairs), fairer(places), means))
    return found


@dataclass(frozen=True)
class Ranking:
    """The levels by strength.

    `ratings` are points on the scale of Elo, from the strongest, 1000 on average. `beaten` has, by pair of
    levels, the share of the first's wins among the matches of both.
    """

    ratings: dict[str, Estimate]
    beaten: dict[Pair, Estimate]


def rank(trials: Sequence[Trial]) -> Ranking:
    """Rank the levels of a round robin, in which two play each match."""
    units = [_met(unit) for unit in _by_seed(trials)]
    beaten = {}
    for one, other in combinations(sorted({level for met in units for pair in met for level in pair}), 2):
        won = [
            (met[one, other], round(met[one, other] + met[other, one]))
            for met in units
            if (one, other) in met
        ]
        if won:
            beaten[one, other] = share(won)
            beaten[other, one] = share((many - wins, many) for wins, many in won)
    points = rated(units)
    return Ranking(dict(sorted(points.items(), key=lambda one: -one[1].value)), beaten)


def _met(trials: Sequence[Trial]) -> dict[Pair, float]:
    """Return how often a level has beaten another; a match that neither or both won is half a win of each."""
    found: dict[Pair, float] = {}
    for one in trials:
        levels = sorted(set(one.levels))
        if len(levels) != 2:
            continue
        won = [one.levels[winner] for winner in one.winners]
        part = won.count(levels[0]) / len(won) if won else 0.5
        for pair, wins in (((levels[0], levels[1]), part), ((levels[1], levels[0]), 1 - part)):
            found[pair] = found.get(pair, 0.0) + wins
    return found
