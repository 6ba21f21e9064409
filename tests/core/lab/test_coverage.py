"""Intervals hold as often as they say: experiments with a made-up game whose true values are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import combinations, permutations
from math import exp, log
from random import Random

import pytest

from tavolata._lab.course import Course
from tavolata._lab.measures import MEANS, Measures, compare, measure, rank
from tavolata._lab.numbers import Estimate, _fitted, mean
from tavolata._lab.trial import Arm, Trial

NOBODY, TWO, LUCK = 0.1, 0.1, 0.5
"""How often no one wins, two win, and the cards of a seed decide who does, whoever plays."""
STRENGTH = {"weak": 1.0, "good": 2.0, "best": 4.0}
WEIGHTS = (3.0, 1.0, 1.0, 1.0)
"""How often the cards favour each place where places aren't equal."""
ARRIVAL = 1 / (exp(1 / 20) - 1)
"""The mean of the whole part of an exponential of mean 20."""
OUT_OF_TURN = {"interjections": ARRIVAL, "words": ARRIVAL + 1, "windows": 6.0, "reactions": 4.5}
"""The means of what no arm changes."""
Found = Iterator[tuple[str, Estimate, float]]
"""A name, an interval, and the true value."""


def played(arm: int, of: Arm, number: int, run: str, weights: Sequence[float]) -> Trial:
    """A match: its cards are those of its seed, so seats, arms and mirrored matches depend on each other."""
    seed, seats = of.seed(0, number), range(len(of.levels))
    levels = of.seats(number)
    cards, chance = Random(f"{run}/{seed}"), Random(f"{run}/{arm}/{number}")
    first, mood, long = cards.choice(seats), cards.gauss(0, 20), cards.expovariate(1 / 20)
    favoured = (first + cards.choices(seats, weights[: len(seats)])[0]) % len(seats)
    by_cards, lead = cards.random() < LUCK, cards.random()
    winner = favoured if by_cards else chance.choices(seats, [STRENGTH[level] for level in levels])[0]
    luck = chance.random()
    winners: tuple[int, ...] = (
        () if luck < NOBODY else (winner, (winner + 1) % len(seats)) if luck < NOBODY + TWO else (winner,)
    )
    if of.teams:
        winners = tuple(seat for seat in seats if seat % of.teams in {one % of.teams for one in winners})
    scores = [round(100 + mood + 10 * STRENGTH[level] + chance.gauss(0, 10)) for level in levels]
    turns = 10 + int(long) + 5 * arm + chance.randrange(3)
    course = Course(
        "points", int(chance.expovariate(1 / 20)), lead * lead, lead < 0.3, lead < 0.15, lead, chance.random()
    )
    return Trial(
        arm, number, seed, levels, first, tuple(sorted(winners)), tuple(scores),
        tuple(chance.sample([*(seat + 1 for seat in seats)], len(seats))),
        {"luck": tuple(int(cards.expovariate(1 / 20)) if one else None for one in seats)}, {},
        turns, turns, turns, turns, 2 * turns, 2, turns / 10, 60.0 * turns,
        int(chance.expovariate(1 / 20)), int(cards.expovariate(1 / 20)) + chance.randrange(3),
        5 + chance.randrange(3), chance.randrange(10), (course,),
    )  # fmt: skip


def every(one: Measures, of: Arm, arm: int, places: Sequence[float]) -> Found:
    """The intervals of an arm that a report prints, and what is true."""
    seats, wins = len(of.levels), 1 - NOBODY
    strong = sum(STRENGTH[level] for level in of.levels)
    for level, won in one.levels.items():
        fair, by_skill = of.levels.count(level) / seats, of.levels.count(level) * STRENGTH[level] / strong
        main = LUCK * fair + (1 - LUCK) * by_skill
        # the levels alternate: the second winner is of the other one
        second = 1 - main if len(set(of.levels)) > 1 else 1.0
        yield "wins by level", won.share, (wins - TWO) * main + TWO * (main + second) / 2
    for won in one.seats:
        yield "wins by seat", won.share, wins / seats
    for at, won in enumerate(one.places):
        mine, before, across = (LUCK * places[seat] + (1 - LUCK) / seats for seat in (at, at - 1, at - 2))
        alone, both = mine, (mine + before) / 2
        if of.teams:  # two: a place wins with the one across, and two winners are all four
            alone, both = (mine + across) / 2, 1 / seats
        yield "wins by place", won.share, (wins - TWO) * alone + TWO * both
    yield "completion", one.completion, wins
    yield "drawishness", one.drawishness, NOBODY + TWO
    turns = 10 + ARRIVAL + 5 * arm + 1
    for name in ("turns", "answers", "decisions", "entries", "minutes"):
        yield name, one.means[name], turns
    yield "magnitude", one.means["magnitude"], turns / 10
    for name, true in OUT_OF_TURN.items():
        yield name, one.means[name], true
    yield "lead_changes", one.course["lead_changes"], ARRIVAL
    yield "drama", one.course["drama"], 1 / 3
    yield "comeback", one.course["comeback"], 0.3
    yield "last_to_first", one.course["last_to_first"], 0.15
    yield "lead_for_good", one.course["lead_for_good"], 0.5
    yield "decisiveness", one.course["decisiveness"], 0.5
    for level, points in one.scores.items():
        yield "points", points, 100 + 10 * STRENGTH[level]
    for ranks in one.ranks.values():
        yield "ranks", ranks, (seats + 1) / 2
    for numbers in one.statistics["luck"].values():
        yield "statistics", numbers, ARRIVAL


def table(run: str, matches: int, levels: Sequence[str], *, equal: bool, teams: int = 0) -> Found:
    """What a run with one arm prints."""
    arm, weights = Arm("", tuple(levels), teams=teams), [1.0] * 4 if equal else WEIGHTS
    trials = [played(0, arm, number, run, weights) for number in range(matches)]
    shown = weights[: len(levels)]
    yield from every(measure(trials, arm), arm, 0, [one / sum(shown) for one in shown])


def played_by(arms: Sequence[Arm], run: str, matches: int) -> list[Trial]:
    """The matches of these arms, in which places aren't equal."""
    return [played(at, arm, number, run, WEIGHTS) for number in range(matches) for at, arm in enumerate(arms)]


SWEPT = [Arm(name, ("weak",) * 4) for name in ("one", "other")]
NAMES = sorted(STRENGTH)
MIRRORED = [Arm("", pair, mirrored=True) for pair in combinations(NAMES, 2)]


def sweep(run: str, matches: int) -> Found:
    """The differences that a sweep prints: the second arm takes five turns more."""
    (change,) = compare(played_by(SWEPT, run, matches), SWEPT)
    for name in MEANS:
        true = 0.0 if name in OUT_OF_TURN else 0.5 if name == "magnitude" else 5.0
        yield f"change of {name}", change.means[name], true


def round_robin(run: str, matches: int) -> Found:
    """What a round robin prints, each seed played twice with changed seats: ratings, and who beats whom."""
    trials = played_by(MIRRORED, run, matches)
    ranking = rank(trials)
    for (one, other), share in ranking.beaten.items():
        skill = STRENGTH[one] / (STRENGTH[one] + STRENGTH[other])
        yield "beaten", share, (1 - NOBODY - TWO) * (LUCK / 2 + (1 - LUCK) * skill) + (NOBODY + TWO) / 2
    for level, points in ranking.ratings.items():
        yield "ratings", points, RATINGS[level]
    for at, arm in enumerate(MIRRORED):
        own = [one for one in trials if one.arm == at]
        first, second = (weight / sum(WEIGHTS[:2]) for weight in WEIGHTS[:2])
        yield from every(measure(own, arm), arm, at, [first, second])


def expected() -> dict[str, float]:
    """The ratings that fit the true shares."""
    share = {
        (one, other): (1 - NOBODY - TWO)
        * (LUCK / 2 + (1 - LUCK) * STRENGTH[one] / (STRENGTH[one] + STRENGTH[other]))
        + (NOBODY + TWO) / 2
        for one, other in permutations(NAMES, 2)
    }
    return {name: 1000 + 400 / log(10) * one for name, one in _fitted(share).items()}


RATINGS = expected()
RUNS: dict[str, Callable[[str], Found]] = {
    "20 of four equals": lambda run: table(run, 20, ["good"] * 4, equal=True),
    "60 of four equals": lambda run: table(run, 60, ["good"] * 4, equal=True),
    "40 of two levels, places differ": lambda run: table(run, 40, ["weak", "best"] * 2, equal=False),
    "40 of two teams": lambda run: table(run, 40, ["weak", "best"] * 2, equal=False, teams=2),
    "a sweep of 20": lambda run: sweep(run, 20),
    "a round robin of 30": lambda run: round_robin(run, 30),
}


def covered(kind: str, runs: range) -> dict[str, tuple[int, int]]:
    """By name, how many intervals of these runs have the true value in them, and of how many."""
    found: dict[str, tuple[int, int]] = {}
    for number in runs:
        for name, one, true in RUNS[kind](f"{kind}/{number}"):
            if one.low < one.high:  # a count that is the same in every match has no interval
                held, of = found.get(name, (0, 0))
                found[name] = held + (one.low <= true <= one.high), of + 1
    return found


def check(kind: str, runs: range) -> None:
    """Refuse a kind of interval that has the true value in it too seldom or too often."""
    found = covered(kind, runs)
    shown = {
        name: f"{held} of {of}" for name, (held, of) in found.items() if not 0.9 * of <= held <= 0.99 * of
    }
    assert found
    assert not shown


def intervals(value: object) -> Iterator[Estimate]:
    """All in a value, however deep."""
    parts: Iterable[object] = ()
    if isinstance(value, Estimate):
        yield value
    elif is_dataclass(value):
        parts = (getattr(value, field.name) for field in fields(value))
    elif isinstance(value, Mapping):
        parts = value.values()
    elif isinstance(value, list | tuple):
        parts = value
    for part in parts:
        yield from intervals(part)


def test_each_interval_that_is_printed_is_one_of_those_that_are_checked() -> None:
    """Those of an arm, of differences and of a round robin; a new one isn't forgotten."""
    arm = Arm("", ("weak", "best") * 2)
    one = measure(played_by([arm], "all", 40), arm)
    printed = [*intervals(one)]
    assert {*map(id, printed)} == {id(each) for _, each, _ in every(one, arm, 0, [0.25] * 4)}
    (change,), ranking = compare(played_by(SWEPT, "all", 20), SWEPT), rank(played_by(MIRRORED, "all", 30))
    assert len([*intervals(change)]) == len([*sweep("all", 20)])
    in_robin = [name for name, *_ in round_robin("all", 30) if name in ("beaten", "ratings")]
    assert len([*intervals(ranking)]) == len(in_robin)
    assert not [one for one in (*printed, *intervals(change), *intervals(ranking)) if one.low >= one.high]


@pytest.mark.battery
@pytest.mark.parametrize("kind", RUNS)
def test_intervals_of_95_percent_hold_in_90_to_99_of_100_runs(kind: str) -> None:
    """Whatever a report prints an interval for: in 500 runs the true value is in it often enough."""
    check(kind, range(500))


@pytest.mark.long
@pytest.mark.parametrize("kind", RUNS)
def test_intervals_hold_in_many_runs(kind: str) -> None:
    """The same in twenty times as many other runs, where luck hides less."""
    check(kind, range(500, 10_500))


def test_an_interval_that_takes_seats_for_matches_is_found() -> None:
    """The check can fail: an interval as if the seats of a match were independent is refused."""
    held = 0
    for number in range(200):
        arm = Arm("", ("good",) * 4)
        trials = [played(0, arm, match, f"seats/{number}", [1.0] * 4) for match in range(40)]
        one = mean([(points, 1) for trial in trials for points in trial.scores or ()])
        held += one.low <= 120 <= one.high
    assert held < 0.9 * 200


@pytest.mark.battery
@pytest.mark.parametrize("seats", [2, 4])
def test_equal_places_are_called_different_in_5_of_100_runs_and_better_ones_are_found(seats: int) -> None:
    """The test of places holds its error, where two may share a win, too, and isn't blind."""
    said, seen, many = 0, 0, 1000
    arm = Arm("", ("good",) * seats)
    for number in range(many):
        equal = [played(0, arm, match, f"equal/{number}", [1.0] * 4) for match in range(30)]
        said += measure(equal, arm).by_chance < 0.05
    for number in range(100):
        apart = [played(0, arm, match, f"apart/{number}", WEIGHTS) for match in range(200)]
        seen += measure(apart, arm).by_chance < 0.05
    assert 0.03 * many <= said <= 0.07 * many
    assert seen > 80


@pytest.mark.battery
def test_one_of_two_equally_fair_arms_is_called_fairer_in_5_of_100_runs_at_most() -> None:
    """The verdict of a sweep holds its error, whether places are equal or not, and it isn't blind."""
    arms = [Arm(name, ("good",) * 4) for name in ("one", "other")]

    def verdict(run: str, weights: Sequence[Sequence[float]], matches: int) -> bool | None:
        trials = [
            played(at, arm, match, f"{run}/{at}", weights[at])
            for match in range(matches)
            for at, arm in enumerate(arms)
        ]
        return compare(trials, arms)[0].fairer

    even, uneven, other = [1.0] * 4, WEIGHTS, [1.0, 1.0, 3.0, 1.0]
    for name, weights in (("even", (even, even)), ("uneven", (uneven, other))):
        said = [verdict(f"{name}/{number}", weights, 60) for number in range(300)]
        assert sum(one is not None for one in said) <= 0.06 * 300
    said = [verdict(f"fairer/{number}", (WEIGHTS, even), 400) for number in range(50)]
    assert said.count(True) > 30
    assert said.count(False) == 0
