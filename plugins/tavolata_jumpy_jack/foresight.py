"""Forecasts of a race: the probability that each horse ends on each square of the podium.

They are estimates from the distances to the line and the danger of OUT; at most one throw is searched. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from math import exp
from operator import mul, truediv
from typing import NamedTuple

from tavolata import D6
from tavolata_jumpy_jack.board import HORSES, PLACES, PODIUM, Course
from tavolata_jumpy_jack.moves import FREE, Standing, movable, moved
from tavolata_jumpy_jack.orders import ORDERS

Odds = tuple[tuple[float, ...], ...]
"""By horse and square of the podium (from 0), the probability that the horse ends there."""

Pushes = tuple[float, ...]
"""By horse, how hard the players push it on average: 1 if all want it first, less than 0 if none wants it."""
EVEN: Pushes = (0.0,) * len(HORSES)
WANTED, UNWANTED = (1.7, 0.45, -0.6), -0.7
"""How hard a player pushes the horses of its prediction, in their order, and any other horse."""
HASTE = 0.28
"""How much less of the way is left for a horse that all push."""

FAR = 4 * 60
"""The largest distance that counts between two horses, in quarters of a square."""
RUN_UP = 3.5
"""The number of squares that standing on DOUBLE is worth."""

_DANGER = {0: 0.0, 1: 0.34, 2: 0.34, 3: 0.34, 4: 0.32, 5: 0.30, 6: 0.28}


class Eye(NamedTuple):
    """The quality of a forecast.

    `ahead` has, by the lead of a horse over another, from -`FAR`, the probability that it comes in first;
    `far` is the probability that a horse far before OUT is sent there.
    """

    ahead: tuple[float, ...]
    far: float


def eye(spread: float, far: float) -> Eye:
    """Return an eye for which a lead of `spread` squares wins in three of four races."""
    return Eye(tuple(1 / (1 + exp(-gap / 4 / spread)) for gap in range(-FAR, FAR + 1)), far)


ROUGH, KEEN = eye(4.0, 0.22), eye(5.6, 0.37)
"""The first takes a lead for more than it is worth. The second is measured in races among bots."""


@lru_cache(1 << 15)
def odds(course: Course, standing: Standing, pushes: Pushes = EVEN, eye: Eye = ROUGH) -> Odds:
    """Return each square's probability for each horse, if some are pushed more than others (`pushes`)."""
    podium, free = standing.podium, standing.free()
    rows = [[0.0] * PODIUM for _ in HORSES]
    for place, horse in enumerate(podium):
        if horse != FREE:
            rows[horse][place] = 1.0
    racing = standing.racing
    if not racing:
        return tuple(map(tuple, rows))
    rest = {horse: _rest(course, standing.at[horse]) * (1 - HASTE * pushes[horse]) for horse in racing}
    out = {horse: _danger(course, standing.at[horse], eye.far) for horse in racing}
    for horse in racing:
        row, others = rows[horse], [other for other in racing if other != horse]
        ahead = _how_many(
            [(1 - out[o]) * eye.ahead[FAR + round(4 * (rest[horse] - rest[o]))] for o in others]
        )
        for number, share in enumerate(ahead):
            row[free[number]] += share * (1 - out[horse])
        gone = _how_many([out[o] / 2 for o in others]) if out[horse] else []
        for number, share in enumerate(gone):
            row[free[-1 - number]] += share * out[horse]
    return tuple(map(tuple, rows))


def pushes(sides: int, orders: Iterable[tuple[tuple[int, ...], float]]) -> Pushes:
    """Return how hard each horse is pushed on average, to a tenth.

    `sides` is the number of predictions; `orders` has on how many papers each of them is believed to be.
    """
    found = [0.0] * len(HORSES)
    for order, papers in orders:
        for horse in range(len(HORSES)):
            wish = WANTED[order.index(horse)] if horse in order else UNWANTED
            found[horse] += wish * papers / sides
    return tuple(round(one, 1) for one in found)


def _rest(course: Course, square: int) -> float:
    """Return the distance to the line, less the worth of standing on DOUBLE."""
    return course.squares + 1 - square - (RUN_UP if square == course.double else 0.0)


def _danger(course: Course, square: int, far: float) -> float:
    """Return the probability that a horse on this square is sent to OUT."""
    return _DANGER.get(course.out - square, far) if square < course.out else 0.0


def _how_many(shares: list[float]) -> list[float]:
    """Return the probabilities that none, one, two, ... of these independent events happen."""
    found = [1.0]
    for share in shares:
        found.append(0.0)
        for number in range(len(found) - 1, 0, -1):
            found[number] = found[number] * (1 - share) + found[number - 1] * share
        found[0] *= 1 - share
    return found


def promise(order: tuple[int, ...], table: Odds) -> float:
    """Return the points that a prediction can expect: two a horse, and four more if all three are right."""
    first, second, third = order
    a, b, c = table[first][0], table[second][1], table[third][2]
    return 2 * (a + b + c) + 4 * a * b * c


def promises(table: Odds) -> list[float]:
    """Return the points that each of the sixty orders can expect."""
    firsts, seconds, thirds = ([row[place] for row in table] for place in range(PLACES))
    return [
        2 * (firsts[i] + seconds[j] + thirds[k]) + 4 * firsts[i] * seconds[j] * thirds[k]
        for i, j, k in ORDERS
    ]


UNLIKELY = 0.01
"""Moves that are less likely than this are left out of account."""
KEENNESS = 20.0
"""How strictly others are believed to make the best move for their prediction."""


@cache
def loyal(ways: tuple[int, ...]) -> dict[int, tuple[float, ...]]:
    """Return, by horse of `ways`, the probability that a loyal writer of each order moves it.

    A loyal writer moves the first horse of its order, whatever it meets, and without it any other.
    """
    return {
        horse: tuple(float(horse == first) if first in ways else 1 / len(ways) for first, _, _ in ORDERS)
        for horse in ways
    }


@lru_cache(1 << 14)
def reasons(course: Course, standing: Standing, throw: int) -> dict[int, tuple[float, ...]]:
    """Return, by horse that this throw can move, the probability that the writer of each order moves it.

    First those of writers who make the best move for their order, then those of loyal ones.
    """
    ways = movable(course, standing, throw)
    tables = [odds(course, moved(course, standing, horse, throw)) for horse in ways]
    rows = [promises(table) for table in tables]
    best = list(map(max, zip(*rows, strict=True)))
    drives = [[exp(KEENNESS * (one - top)) for one, top in zip(row, best, strict=True)] for row in rows]
    totals = list(map(sum, zip(*drives, strict=True)))
    return {
        horse: (*map(truediv, row, totals), *plain)
        for (horse, plain), row in zip(loyal(tuple(ways)).items(), drives, strict=True)
    }


def after_next_throw(
    course: Course, standing: Standing, beliefs: Sequence[float], worth_of: Callable[[Standing], float]
) -> float:
    """Return a standing's worth after the next throw, if its player moves as believed.

    `beliefs` says how likely each of the sixty orders is that player's, as in `reasons`.
    """
    if standing.over:
        return worth_of(standing)
    total = 0.0
    for throw in D6.faces:
        ways = movable(course, standing, throw)
        if len(ways) == 1:
            total += worth_of(moved(course, standing, ways[0], throw))
            continue
        for horse, why in reasons(course, standing, throw).items():
            share = sum(map(mul, beliefs, why))
            if share > UNLIKELY:
                total += share * worth_of(moved(course, standing, horse, throw))
    return total / len(D6.faces)
