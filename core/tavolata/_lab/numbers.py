"""Statistics of samples: shares and means with intervals, a test of places, and ratings. Pure.

All intervals are of 95%. A sample consists of units that don't depend on each other, such as the matches of
one seed; what is counted inside a unit may. Each unit gives a sum and of how many it is, so a mean is a ratio
of two sums, and its variance that of the residuals [1]. `tests/core/lab/test_coverage.py` shows how often the
intervals hold.

[1] W. G. Cochran, "Sampling Techniques", 3rd edition, 1977, chapter 6.
[2] E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
[3] J. N. K. Rao and A. J. Scott, "The analysis of categorical data from complex sample surveys", JASA 76
    (1981).
[4] R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", Biometrika 39 (1952).
[5] D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32 (2004).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import erfc, exp, inf, lgamma, log, sqrt
from typing import NamedTuple

Z = 1.959964
"""Half of an interval in standard errors that are known."""
ELO = 400 / log(10)
"""Points of Elo for a natural logarithm of the odds."""
PAIRS = 6
"""Of fewer pairs, chance alone often gives all wins of one arm to one place, and the other's to all."""
TINY = 1e-9
"""Less than this comes of rounding."""
Unit = tuple[float, int]
"""A sum, and of how many it is."""
Vector = Sequence[float]


class Estimate(NamedTuple):
    value: float
    low: float
    high: float


def student(units: int) -> float:
    """Return half of an interval in standard errors that are estimated from this many units, two at least."""
    free = units - 1
    if free < 3:
        return (12.706205, 4.302653)[free - 1]
    first = (Z**3 + Z) / 4
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    third = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    return Z + first / free + second / free**2 + third / free**3


def share(units: Iterable[Unit]) -> Estimate:
    """Return the share of wins, each from 0 to 1, with Wilson's interval [2] for an effective number.

    That is the number of independent wins and losses which would vary as much. How much they vary is
    reckoned with about four more of them, in whole units, half of them won: a few equal units don't count as
    certainty.
    """
    some = list(units)
    of = sum(many for _, many in some)
    if not of:
        return Estimate(0.0, 0.0, 1.0)
    wins, more = sum(won for won, _ in some), Z * Z
    near = (wins + more / 2) / (of + more)
    spread = sum((won - near * many) ** 2 for won, many in some)
    spread += of / len(some) * more / 2 * ((1 - near) ** 2 + near**2)
    number = of * (of + more) * near * (1 - near) / spread
    middle = wins / of + more / (2 * number)
    reach = Z * sqrt(wins / of * (1 - wins / of) / number + more / (4 * number * number))
    scale = 1 + more / number
    return Estimate(wins / of, max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale))


def mean(units: Sequence[Unit], least: float = -inf, most: float = inf) -> Estimate:
    """Return the mean with Student's interval, as far as such values can be there.

    Of one unit no interval is known: it has the value only.
    """
    many = sum(of for _, of in units)
    middle = sum(total for total, _ in units) / many
    if len(units) < 2:
        return Estimate(middle, middle, middle)
    spread = sqrt(sum((total - middle * of) ** 2 for total, of in units) * len(units) / (len(units) - 1))
    reach = student(len(units)) * spread / many
    return Estimate(middle, max(least, middle - reach), min(most, middle + reach))


def by_chance(rows: Iterable[Vector]) -> float:
    """Return how often chance alone would make the sums of the columns differ this much or more.

    Each row is a unit. If the columns are equally good, the result is below 0.05 in 5 of 100 samples. Where
    each row has one winner, it is Pearson's test, made milder where rows are few: a single one is as uneven
    as any other. Where wins are shared, it goes by how the rows vary [3].
    """
    total: list[float] = []
    spread, many = 0.0, 0
    for row in rows:
        middle = sum(row) / len(row)
        apart = [one - middle for one in row]
        spread += sum(one * one for one in apart)
        many += max(apart) > TINY
        total = [one + other for one, other in zip(total, apart, strict=True)] if total else apart
    free = len(total) - 1
    apart_in_all = sum(one * one for one in total)
    if not apart_in_all or many < 2:
        return 1.0
    return _beyond(apart_in_all * free / spread * (many - 1) / many, free)


def _beyond(value: float, free: int) -> float:
    """Return how often chi-squared with these degrees of freedom is at least this much, more than 0."""
    half, odd = value / 2, free % 2 / 2
    powers = (odd + at for at in range(free // 2))
    tail = sum(exp(power * log(half) - half - lgamma(power + 1)) for power in powers)
    return erfc(sqrt(half)) + tail if odd else tail


def fairer(pairs: Sequence[tuple[Vector, Vector]]) -> bool | None:
    """Return True if the second columns differ less than the first ones, False if more, None if none is sure.

    Each pair of rows is a unit; fewer than `PAIRS` show nothing. Columns differ by the sum of the squared
    distances of their shares from equal ones, less the part that chance adds. If both are equally fair, at
    most 5 of 100 samples say that one of them is fairer.
    """
    many = len(pairs)
    if many < PAIRS:
        return None
    gain, each = 0.0, [0.0] * many
    for sign, rows in ((1, [old for old, _ in pairs]), (-1, [new for _, new in pairs])):
        level = [[one - sum(row) / len(row) for one in row] for row in rows]  # how many win does not count
        apart = [sum(column) / many for column in zip(*level, strict=True)]
        for at, row in enumerate(level):
            own = [one - middle for one, middle in zip(row, apart, strict=True)]
            gain -= sign * sum(one * one for one in own) / (many * (many - 1))
            each[at] += sign * 2 * sum(one * other for one, other in zip(own, apart, strict=True))
        gain += sign * sum(one * one for one in apart)
    error = sqrt(sum(one * one for one in each) / (many * (many - 1)))
    return None if abs(gain) <= student(many) * error + TINY else gain > 0


Pair = tuple[str, str]
Beaten = Mapping[Pair, float]
"""How often the first has beaten the second; a draw is half a win of each."""


def rated(units: Sequence[Beaten]) -> dict[str, Estimate]:
    """Return Elo ratings, 1000 on average, by the model of Bradley and Terry [4], fitted as in [5].

    A win is added between all that met, half to each: otherwise a level that always won would be rated
    without end. The intervals go by how the units vary, not by how the model says they should.
    """
    pairs = {pair for unit in units for pair in unit}
    added = [{pair: sqrt(0.5)} for pair in sorted(pairs | {(other, one) for one, other in pairs})]
    wins: dict[Pair, float] = {pair: 0.5 for one in added for pair in one}
    for unit in units:
        for pair, number in unit.items():
            wins[pair] += number
    odds = _fitted(wins)
    lost = {(one, other): 1 / (1 + exp(odds[one] - odds[other])) for one, other in wins}
    names = list(odds)
    slope = [[1.0] * len(names) for _ in names]  # the ones hold the mean, which no match shows
    for (one, other), number in wins.items():
        weight = number * lost[one, other] * lost[other, one]
        a, b = names.index(one), names.index(other)
        for row, column, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
            slope[row][column] += sign * weight
    inverse, spread = _inverse(slope), [0.0] * len(names)
    for unit in (*units, *added):
        push = [0.0] * len(names)
        for (one, other), number in unit.items():
            push[names.index(one)] += number * lost[one, other]
            push[names.index(other)] -= number * lost[one, other]
        for at, weights in enumerate(inverse):
            spread[at] += sum(one * part for one, part in zip(weights, push, strict=True)) ** 2
    many = max(2, len(units))
    found = {}
    for name, square in zip(names, spread, strict=True):
        middle, reach = 1000 + ELO * odds[name], ELO * student(many) * sqrt(square * many / (many - 1))
        found[name] = Estimate(middle, middle - reach, middle + reach)
    return found


def _fitted(wins: Beaten) -> dict[str, float]:
    """Return the logarithms of the strengths, 0 on average; `wins` has both orders of each pair."""
    names = sorted({name for pair in wins for name in pair})
    strength = dict.fromkeys(names, 1.0)
    for _ in range(500):
        before = strength
        strength = {
            one: sum(wins[one, other] for other in names if (one, other) in wins)
            / sum(
                (wins[one, other] + wins[other, one]) / (before[one] + before[other])
                for other in names
                if (one, other) in wins
            )
            for one in names
        }
        scale = len(names) / sum(strength.values())
        strength = {name: scale * one for name, one in strength.items()}
        if max(abs(strength[name] - before[name]) for name in names) < 1e-9:
            break
    odds = {name: log(one) for name, one in strength.items()}
    middle = sum(odds.values()) / max(1, len(odds))
    return {name: one - middle for name, one in odds.items()}


def _inverse(matrix: Sequence[Vector]) -> list[list[float]]:
    """Return the inverse of a positive definite matrix, by Gauss and Jordan."""
    size = len(matrix)
    rows = [[*row, *(float(at == other) for other in range(size))] for at, row in enumerate(matrix)]
    for at, row in enumerate(rows):
        row[:] = [one / row[at] for one in row]
        for other in rows:
            if other is not row:
                by = other[at]
                other[:] = [one - by * part for one, part in zip(other, row, strict=True)]
    return [row[size:] for row in rows]
