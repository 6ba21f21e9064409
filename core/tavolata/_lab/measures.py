"""What an arm of an experiment shows: shares, means and the measures of the literature. Pure.

Names are those of Browne [1] and of Ludii's concepts [2]; `docs/laboratory.md` defines each, and says where
ours is otherwise than Ludii's.

[1] C. Browne, "Automatic Generation and Evaluation of Recombination Games", PhD thesis, QUT, 2008.
[2] É. Piette et al., "Ludii: the Ludemic General Game System", ECAI 2020, and its list of concepts.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf

from tavolata._lab.course import Course, best
from tavolata._lab.numbers import Estimate, balance, bootstrap, mean, ratings, samples, wilson
from tavolata._lab.trial import Arm, Trial

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
        balance: 1 if all places won equally often, 0 if one won always (Ludii's Balance takes the
            greatest difference of two).
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
        series: by message id, the mean course of the winners and of the others.
    """

    matches: int
    levels: dict[str, Wins]
    seats: list[Wins]
    places: list[Wins]
    balance: Estimate
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
    many, seats = len(trials), len(arm.levels)
    by_level = dict.fromkeys(arm.levels, 0.0)
    by_seat, by_place = [0.0] * seats, [0.0] * seats
    for one in trials:
        for winner in one.winners:
            part = 1 / len(one.winners)
            by_level[one.levels[winner]] += part
            by_seat[winner] += part
            by_place[(winner - one.first) % seats] += part
    drawn = sum(len(one.winners) != (seats // arm.teams if arm.teams else 1) for one in trials)
    answers, decisions = sum(one.answers for one in trials), sum(one.decisions for one in trials)
    choices = sum(one.choices for one in trials)
    leader = best([one.courses for one in trials], sum(bool(one.winners) for one in trials))
    known = [course for one in trials for course in one.courses if course.count == leader]
    course = {
        name: mean([of(one) for one in known], 0, inf if name == "lead_changes" else 1)
        for name, of in COURSE.items()
        if known
    }
    if known:
        course["comeback"] = wilson(sum(one.behind for one in known), len(known))
        course["last_to_first"] = wilson(sum(one.last for one in known), len(known))
    titles = dict.fromkeys(title for one in trials for title in one.statistics)
    return Measures(
        many,
        {level: Wins(wilson(won, many), arm.levels.count(level) / seats) for level, won in by_level.items()},
        [Wins(wilson(won, many), 1 / seats) for won in by_seat],
        [Wins(wilson(won, many), 1 / seats) for won in by_place],
        bootstrap([_fairness(drawn, seats) for drawn in samples([_places(one) for one in trials])]),
        wilson(sum(bool(one.winners) for one in trials), many),
        wilson(drawn, many),
        {name: mean([of(one) for one in trials], 0) for name, of in MEANS.items()},
        choices / max(1, answers),
        (choices - (answers - decisions)) / max(1, decisions),
        max(one.most for one in trials),
        1 - decisions / max(1, answers),
        leader,
        course,
        _by_level((one.levels, one.scores) for one in trials if one.scores is not None),
        _by_level((one.levels, one.ranks) for one in trials if one.ranks is not None),
        {
            title: _by_level((one.levels, one.statistics[title]) for one in trials if title in one.statistics)
            for title in titles
        },
        _series(trials),
    )


def _places(one: Trial) -> tuple[int, ...]:
    """Return the places of the winners after the seat that was drawn first."""
    return tuple(sorted((winner - one.first) % len(one.levels) for winner in one.winners))


def _fairness(tally: Mapping[tuple[int, ...], int], seats: int) -> float:
    """Return the balance of the places, by how many matches each set of places has won."""
    won = [0.0] * seats
    for places, matches in tally.items():
        for place in places:
            won[place] += matches / len(places)
    return balance(won)


def _by_level(
    rows: Iterable[tuple[Sequence[str], Sequence[int | None]]],
) -> dict[str, Estimate]:
    found: dict[str, list[float]] = {}
    for levels, row in rows:
        for level, number in zip(levels, row, strict=True):
            if number is not None:
                found.setdefault(level, []).append(number)
    return {level: mean(numbers) for level, numbers in found.items()}


def _series(trials: Sequence[Trial]) -> dict[str, tuple[list[float], list[float]]]:
    found: dict[str, list[tuple[tuple[float, ...], tuple[float, ...]]]] = {}
    for one in trials:
        for title, two in one.series.items():
            found.setdefault(title, []).append(two)
    return {
        title: (_average([one for one, _ in twos]), _average([other for _, other in twos]))
        for title, twos in found.items()
    }


def _average(rows: Sequence[Sequence[float]]) -> list[float]:
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


@dataclass(frozen=True)
class PairedChange:
    """An arm's surplus over the first one, in the `pairs` of matches of the same seeds."""

    arm: int
    pairs: int
    balance: Estimate
    means: dict[str, Estimate]


def compare(trials: Sequence[Trial], arms: Sequence[Arm]) -> list[PairedChange]:
    """Return the differences between the first arm and the others, by matches of the same number."""
    by_arm: list[dict[int, Trial]] = [{} for _ in arms]
    for one in trials:
        by_arm[one.arm][one.number] = one
    found, seats = [], len(arms[0].levels)
    for number, arm in list(enumerate(by_arm))[1:]:
        pairs = [(by_arm[0][at], one) for at, one in sorted(arm.items()) if at in by_arm[0]]
        if not pairs:
            continue
        means = {name: mean([of(new) - of(old) for old, new in pairs]) for name, of in MEANS.items()}
        places = [(_places(old), _places(new)) for old, new in pairs]
        fairer = bootstrap([_fairer(drawn, seats) for drawn in samples(places)])
        found.append(PairedChange(number, len(pairs), fairer, means))
    return found


def _fairer(tally: Mapping[tuple[tuple[int, ...], tuple[int, ...]], int], seats: int) -> float:
    """Return how much the balance of the second of each pair is greater."""
    before, after = Tally[tuple[int, ...]](), Tally[tuple[int, ...]]()
    for (old, new), matches in tally.items():
        before[old] += matches
        after[new] += matches
    return _fairness(after, seats) - _fairness(before, seats)


@dataclass(frozen=True)
class Ranking:
    """The levels by strength.

    `ratings` are points on the scale of Elo, from the strongest, 1000 on average. `beaten` has, by pair of
    levels, the share of the first's wins among the matches of both.
    """

    ratings: dict[str, Estimate]
    beaten: dict[tuple[str, str], Estimate]


def rank(trials: Sequence[Trial]) -> Ranking:
    """Rank the levels of a round robin, in which two play each match."""
    points = _rated(trials)
    met = _met(trials)
    beaten = {}
    for one, other in combinations(sorted({level for pair in met for level in pair}), 2):
        many = round(met.get((one, other), 0.0) + met.get((other, one), 0.0))
        if many:
            beaten[one, other] = wilson(met.get((one, other), 0.0), many)
            beaten[other, one] = wilson(met.get((other, one), 0.0), many)
    return Ranking(dict(sorted(points.items(), key=lambda one: -one[1].value)), beaten)


def _rated(trials: Sequence[Trial]) -> dict[str, Estimate]:
    """Return the rating of each level with its interval; matches of one seed are drawn together."""
    pairs: dict[tuple[int, int], list[Trial]] = {}
    for one in trials:
        pairs.setdefault((one.arm, one.seed), []).append(one)
    each = [tuple(_met(those).items()) for those in pairs.values()]
    found = [ratings(_sum(drawn)) for drawn in samples(each)]
    # a level that is in few matches can be missing where matches are drawn again
    return {level: bootstrap([one.get(level, 1000.0) for one in found]) for level in found[0]}


def _met(trials: Sequence[Trial]) -> dict[tuple[str, str], float]:
    """Return how often a level has beaten another; a match that neither or both won is half a win of each."""
    found: dict[tuple[str, str], float] = {}
    for one in trials:
        levels = sorted(set(one.levels))
        if len(levels) != 2:
            continue
        won = [one.levels[winner] for winner in one.winners]
        share = won.count(levels[0]) / len(won) if won else 0.5
        for pair, part in (((levels[0], levels[1]), share), ((levels[1], levels[0]), 1 - share)):
            found[pair] = found.get(pair, 0.0) + part
    return found


def _sum(tally: Mapping[tuple[tuple[tuple[str, str], float], ...], int]) -> dict[tuple[str, str], float]:
    """Return how often a level has beaten another, by the frequency of each way of beating."""
    total: dict[tuple[str, str], float] = {}
    for met, often in tally.items():
        for pair, wins in met:
            total[pair] = total.get(pair, 0.0) + often * wins
    return total
