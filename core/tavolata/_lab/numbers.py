"""Statistics of samples: shares and means with intervals, paired differences, and ratings. Pure.

All intervals are of 95 %. Wilson's interval of a share is right also near 0 and 1 and in small samples [1].

[1] E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
[2] R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", Biometrika 39 (1952).
[3] D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32 (2004).
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import chain
from math import inf, log10, sqrt
from random import Random
from typing import NamedTuple, TypeVar

T = TypeVar("T", bound=Hashable)
Z = 1.959964
"""Half of an interval in standard errors."""
RESAMPLES = 400
"""So many samples are drawn for an interval by the bootstrap."""


class Estimate(NamedTuple):
    value: float
    low: float
    high: float


def wilson(wins: float, of: int) -> Estimate:
    """Return the share of wins with Wilson's interval [1]."""
    if not of:
        return Estimate(0.0, 0.0, 1.0)
    share = wins / of
    middle = share + Z * Z / (2 * of)
    reach = Z * sqrt(share * (1 - share) / of + Z * Z / (4 * of * of))
    scale = 1 + Z * Z / of
    return Estimate(share, max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale))


def mean(values: Sequence[float], least: float = -inf, most: float = inf) -> Estimate:
    """Return the mean of at least one value, with the usual interval as far as such values can be there."""
    middle = sum(values) / len(values)
    if len(values) < 2:
        return Estimate(middle, middle, middle)
    spread = sqrt(sum((one - middle) ** 2 for one in values) / (len(values) - 1))
    reach = Z * spread / sqrt(len(values))
    return Estimate(middle, max(least, middle - reach), min(most, middle + reach))


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which this share of at least one value is."""
    ordered = sorted(values)
    return ordered[round(share * (len(ordered) - 1))]


def samples(sample: Sequence[T]) -> Iterator[dict[T, int]]:
    """Yield how often each value is in this sample, then in `RESAMPLES` drawn again from it.

    A sample of thousands has few different values: counting them is what makes hundreds of samples cheap.
    """
    chance, many = Random(len(sample)), len(sample)  # noqa: S311 - the same sample has the same interval
    kinds = list(dict.fromkeys(sample))
    numbers = {kind: number for number, kind in enumerate(kinds)}
    each = [numbers[one] for one in sample]
    for drawn in chain([each], (chance.choices(each, k=many) for _ in range(RESAMPLES))):
        yield {kinds[number]: count for number, count in sorted(Tally(drawn).items())}


def bootstrap(values: Sequence[float]) -> Estimate:
    """Return a measure with its interval, from its values for the first of `samples` and each drawn again."""
    return Estimate(values[0], quantile(values[1:], 0.025), quantile(values[1:], 0.975))


def balance(wins: Sequence[float]) -> float:
    """Return 1 if all win equally often, 0 if one wins always.

    It is 1 less the mean difference between two shares.
    """
    total = sum(wins)
    if not total or len(wins) < 2:
        return 1.0
    gaps = [abs(one - other) for at, one in enumerate(wins) for other in wins[at + 1 :]]
    # with one winner of n, n - 1 of the n * (n - 1) / 2 differences are 1
    return 1 - sum(gaps) / total / (len(wins) - 1)


def ratings(wins: Mapping[tuple[str, str], float]) -> dict[str, float]:
    """Return Elo ratings, 1000 on average, by the model of Bradley and Terry [2], fitted as in [3].

    `wins` says how often the first has beaten the second; a draw is half a win of each. A win in 10 is added
    between all that met, half to each: otherwise a level that always won would be rated without end.
    """
    names = sorted({name for pair in wins for name in pair})
    beaten = dict.fromkeys(((one, other) for one in names for other in names if one != other), 0.0)
    for (one, other), number in wins.items():
        beaten[one, other] += number
    for one, other in beaten:
        beaten[one, other] += 0.05
    strength = dict.fromkeys(names, 1.0)
    for _ in range(500):
        before = strength
        strength = {
            one: sum(beaten[one, other] for other in names if other != one)
            / sum(
                (beaten[one, other] + beaten[other, one]) / (before[one] + before[other])
                for other in names
                if other != one
            )
            for one in names
        }
        scale = len(names) / sum(strength.values())
        strength = {name: scale * one for name, one in strength.items()}
        if max(abs(strength[name] - before[name]) for name in names) < 1e-9:
            break
    points = {name: 400 * log10(one) for name, one in strength.items()}
    middle = sum(points.values()) / max(1, len(points))
    return {name: 1000 + one - middle for name, one in points.items()}
