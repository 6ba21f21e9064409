"""The races that bots imagine: a thousand at once, each of them one bit of a number.

A horse's run depends on the movement cards, the dice and its own lane. So the runs of each lane are worked
out apart, for all races together, and two lanes are compared with a few operations on long numbers. What was
worked out once is kept, because the same odds and cards come again and again.

Two cards ask who is first or last. For them the other horses run as their odds alone let them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from tavolata.bots import Chance
from tavolata_horse_fever.cards.effects import Effects, Moment, has, worth
from tavolata_horse_fever.cards.movement import MOVEMENT_CARDS
from tavolata_horse_fever.colours import LANES
from tavolata_horse_fever.rules.running import finished, sprint, stride
from tavolata_horse_fever.tables import FINISH, HIGHEST, LAST_SQUARE

RACES = 1024
"""So many imagined races give a chance to within two hundredths."""
ALL = (1 << RACES) - 1
ROUNDS = 9
"""The rounds that are imagined. A horse that has not arrived then comes last, which is rare."""

Masks = dict[int, int]
"""By square, the races in which the horse is there."""


class Pool(NamedTuple):
    """The cards and dice of the imagined races, the same for all bots.

    Attributes:
        steps: by round and row of the blackboard, the races in which a horse runs so many squares.
        sprints: by round and lane, the races in which the dice show the horse.
    """

    steps: list[list[list[tuple[int, int]]]]
    sprints: list[list[int]]


@cache
def pool() -> Pool:
    """Shuffle the cards and throw the dice of all imagined races."""
    chance, lanes = Chance(1928), len(LANES)
    cards = [[0] * len(MOVEMENT_CARDS) for _ in range(ROUNDS)]
    sprints = [[0] * lanes for _ in range(ROUNDS)]
    for race in range(RACES):
        bit, deck = 1 << race, list(range(len(MOVEMENT_CARDS)))
        for number in range(ROUNDS):
            cards[number][deck.pop(chance.below(len(deck)))] |= bit
            for lane in divmod(chance.below(lanes * lanes), lanes):
                sprints[number][lane] |= bit
    steps = []
    for races in cards:
        rows: list[dict[int, int]] = [defaultdict(int) for _ in LANES]
        for card, where in zip(MOVEMENT_CARDS, races, strict=True):
            for row, squares in zip(rows, card.steps, strict=True):
                row[squares] |= where
        steps.append([sorted(row.items()) for row in rows])
    return Pool(steps, sprints)


class Gait(NamedTuple):
    """What cards do to a run: equal for cards that do the same.

    Attributes:
        start: the squares of the first movement card, by the squares that it shows.
        leap: the squares of a sprint.
        home: the square on which a movement card leaves a horse that it carries over the line, by squares.
        first, last: the squares of a movement card while the horse is first, or last; None if no card says.
    """

    start: tuple[int, ...]
    leap: int
    home: tuple[int, ...]
    first: int | None
    last: int | None

    def split(self, squares: int, here: int, leaders: tuple[int, int]) -> list[tuple[int, int]]:
        """How far a movement card carries a horse in which races, if it is first or last in some of them."""
        parts = []
        for run, where in zip((self.first, self.last), leaders, strict=True):
            if run is not None:
                parts.append((run, here & where))
                here &= ~where
        return [*parts, (squares, here)]


@lru_cache(4096)
def gait(effects: Effects) -> Gait:
    """What these effects do to a run."""
    first, last = (
        stride(effects, (moment,), 2) if has(effects, moment) else None
        for moment in (Moment.FIRST, Moment.LAST)
    )
    return Gait(
        tuple(stride(effects, (Moment.START,), steps) for steps in range(5)),
        sprint(effects),
        tuple(finished(effects, square) for square in range(FINISH + 4)),
        first,
        last,
    )


PLAIN = gait(())


class Lane:
    """How a horse may fare: in which races it arrives when, and what decides its photo finishes.

    Attributes:
        levels: ranks of arrival, the best first, with the races in which the horse arrives so.
        ties: photo finish and odds, the better the less, with the races in which they count.
    """

    __slots__ = ("levels", "ties")

    def __init__(
        self, levels: Sequence[tuple[int, int]], ties: Sequence[tuple[tuple[int, int], int]]
    ) -> None:
        self.levels = levels
        self.ties = ties


def lane(number: int, odds: int, effects: Effects, rows: tuple[int, ...]) -> Lane:
    """A lane with these odds and effects; `rows` are the odds of all lanes for who is first or last."""
    how = gait(effects)
    asks = how.first is not None or how.last is not None
    return _lane(number, odds, how, -worth(effects, Moment.PHOTO, 0), rows if asks else ())


@lru_cache(4096)
def _lane(number: int, odds: int, how: Gait, photo: int, rows: tuple[int, ...]) -> Lane:
    """The same lane for all effects that come to the same run and photo finish."""
    return Lane(_run(number, odds, how, rows)[0], (((photo, odds), ALL),))


@lru_cache(2048)
def _run(
    number: int, odds: int, how: Gait, rows: tuple[int, ...]
) -> tuple[list[tuple[int, int]], list[Masks]]:
    """The levels of a run, and where the horse is before each round."""
    levels: list[tuple[int, int]] = []
    history: list[Masks] = []
    at: Masks = {0: ALL}
    steps, sprints = pool()
    field = _field(number, rows) if rows else None
    for turn in range(ROUNDS):
        if how == PLAIN:
            history.append(at)
        moved: Masks = defaultdict(int)
        for square, here in at.items():
            for squares, there in steps[turn][odds - HIGHEST]:
                if both := here & there:
                    if not turn:
                        moved[how.start[squares]] |= both
                        continue
                    parts = (
                        [(squares, both)] if field is None else how.split(squares, both, field[turn][square])
                    )
                    for run, races in parts:
                        to = square + run
                        moved[to if to < FINISH else how.home[to]] |= races
        at = defaultdict(int)
        for square, here in moved.items():
            at[square + how.leap] |= here & sprints[turn][number]
            at[square] |= here & ~sprints[turn][number]
        home = sorted([square for square in at if square >= FINISH], reverse=True)
        levels += [(turn * LAST_SQUARE * 2 - square, at.pop(square)) for square in home]
    levels += [(ROUNDS * LAST_SQUARE * 2 - square, at[square]) for square in sorted(at, reverse=True)]
    return [one for one in levels if one[1]], history


@lru_cache(512)
def _field(number: int, rows: tuple[int, ...]) -> list[list[tuple[int, int]]]:
    """By round and square, the races in which a horse would be first there, or last.

    Args:
        number: its lane.
        rows: the odds of all lanes; the other horses run as they say.
    """
    others = [_run(other, rows[other], PLAIN, ())[1] for other in range(len(rows)) if other != number]
    field = []
    for turn in range(ROUNDS):
        squares = [(ALL, ALL)] * FINISH
        for other in others:
            reached = 0
            for square, (first, last) in enumerate(squares):
                before = reached
                reached |= other[turn].get(square, 0)
                squares[square] = first & reached, last & ~before
        field.append(squares)
    return field


def mixed(parts: Iterable[tuple[int, Lane]]) -> Lane:
    """A lane that is one in some races and another one in others.

    Args:
        parts: races, and the lane in them.
    """
    levels: Masks = defaultdict(int)
    ties: dict[tuple[int, int], int] = defaultdict(int)
    for races, one in parts:
        for rank, mask in one.levels:
            levels[rank] |= mask & races
        for tie, mask in one.ties:
            ties[tie] |= mask & races
    return Lane(sorted(levels.items()), list(ties.items()))


@lru_cache(16384)
def ahead(one: Lane, other: Lane) -> int:
    """The races in which one horse comes in before another; equal ones in the order of the arguments."""
    strict = same = seen = 0
    theirs, place = other.levels, 0
    for rank, mask in one.levels:
        while place < len(theirs) and theirs[place][0] < rank:
            seen |= theirs[place][1]
            place += 1
        strict |= mask & ~seen
        if place < len(theirs) and theirs[place][0] == rank:
            same |= mask & theirs[place][1]
    if same:
        strict &= ~same
        for tie, mask in one.ties:
            for another, races in other.ties:
                if tie <= another:
                    strict |= same & mask & races
    return strict


Places = list[list[int]]
"""By lane and place, the races in which the horse takes this place."""


def places(lanes: Sequence[Lane]) -> Places:
    """Who takes which place in which races."""
    before = [[0] * len(lanes) for _ in lanes]
    for one in range(len(lanes)):
        for other in range(one + 1, len(lanes)):
            mask = ahead(lanes[one], lanes[other])
            before[other][one], before[one][other] = mask, ALL ^ mask
    found = []
    for better in before:
        ones = twos = fours = 0  # how many are better, as a binary number in three masks
        for mask in better:
            carry = ones & mask
            ones ^= mask
            fours |= twos & carry
            twos ^= carry
        low = ALL ^ fours
        found.append([
            low & ~twos & ~ones, low & ~twos & ones, low & twos & ~ones, low & twos & ones,
            fours & ~ones, fours & ones,
        ])  # fmt: skip
    return found
