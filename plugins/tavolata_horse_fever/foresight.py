"""The races that bots imagine: a thousand at once, each of them one bit of a number.

A horse's run depends on the movement cards, the dice and its own lane. So the runs of each lane are worked
out apart, for all races together, and two lanes are compared with a few operations on long numbers. What was
worked out once is stored, because the same odds and cards come again and again.

Two cards ask who is first or last. For them the other horses run as their odds alone let them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from tavolata.bots import Chance
from tavolata_horse_fever.cards.effects import Effects, Moment, has
from tavolata_horse_fever.cards.movement import MOVEMENT_CARDS
from tavolata_horse_fever.colours import LANES
from tavolata_horse_fever.rules.running import finished, sprint, stride
from tavolata_horse_fever.tables import FINISH, HIGHEST, LAST_SQUARE

RACES = 1024
"""So many imagined races give a chance to within two hundredths."""
ALL = (1 << RACES) - 1
ROUNDS = 9
"""The rounds that are imagined. A horse that has not arrived then comes last, which is rare."""

TIES = 32
"""More than there are ways to be ranked in a photo finish: three by cards, for each of six odds."""
RANK_BITS = [1 << bit for bit in reversed(range(((ROUNDS + 1) * FINISH * TIES).bit_length()))]
"""The bits of a rank, the highest first."""

Masks = dict[int, int]
"""By square, the races in which the horse is there."""


@cache
def pool() -> tuple[list[list[list[tuple[int, int]]]], list[list[int]]]:
    """Return the cards and dice of the imagined races, the same for all bots.

    The cards are, by round and row of the blackboard, the races in which a horse runs that many squares; the
    dice, by round and lane, the races in which they show the horse.
    """
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
    return steps, sprints


class Gait(NamedTuple):
    """What cards do to a run: equal for cards that do the same.

    Attributes:
        start: the squares of the first movement card, by the squares that it shows.
        leap: the squares of a sprint.
        home: the square on which a movement card leaves a horse that it carries over the line, by
            squares.
        first, last: the squares of a movement card while the horse is first, or last; None if no card
            says.
    """

    start: tuple[int, ...]
    leap: int
    home: tuple[int, ...]
    first: int | None
    last: int | None


@lru_cache(4096)
def gait(effects: Effects) -> Gait:
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
    """How a horse may fare: in which races it arrives how early.

    Each race gives the horse a rank, the less the better: the round and square of its arrival, then what
    decides photo finishes. So that all races are compared at once, the ranks are stored bit by bit. `planes`
    has, by bit of the rank, the highest first, the races in which it is set.
    """

    __slots__ = ("planes",)

    def __init__(self, planes: Sequence[int]) -> None:
        self.planes = planes


def running(number: int, odds: int, how: Gait, photo: int, rows: tuple[int, ...]) -> Lane:
    """Return a lane by its odds, and by what its effects do to run and photo finishes.

    `rows` are all lanes' odds, for who is first or last.
    """
    if how.first is None and how.last is None:
        return _lane(number, odds, how, photo, ())
    return _lane(number, odds, how, photo, (*rows[:number], 0, *rows[number + 1 :]))


@lru_cache(8192)
def _lane(number: int, odds: int, how: Gait, photo: int, others: tuple[int, ...]) -> Lane:
    """Return the same by the odds of the other lanes, if they matter."""
    tie = (1 - photo) * len(LANES) + odds - HIGHEST
    arrivals = _run(number, odds, how, others)[0]
    return Lane([
        sum(races for order, races in arrivals if (order * TIES + tie) & bit) for bit in RANK_BITS
    ])  # fmt: skip


@lru_cache(2048)
def _run(
    number: int, odds: int, how: Gait, others: tuple[int, ...]
) -> tuple[list[tuple[int, int]], list[Masks]]:
    """Return the order of arrival of a run, by races, and where the horse is before each round."""
    arrivals: list[tuple[int, int]] = []
    history: list[Masks] = []
    start, leap, home, first, last = how
    at: Masks = {0: ALL}
    steps, sprints = pool()
    field = _field(number, others) if others else None
    for turn in range(ROUNDS):
        if how == PLAIN:
            history.append(at)
        moved: Masks = defaultdict(int)
        for square, here in at.items():
            for squares, there in steps[turn][odds - HIGHEST]:
                if both := here & there:
                    if not turn:
                        moved[start[squares]] |= both
                        continue
                    if field is not None:
                        leads, trails = field[turn][square]
                        if first is not None and (these := both & leads):
                            moved[home[square + first]] |= these
                            both ^= these
                        if last is not None and (these := both & trails):
                            moved[home[square + last]] |= these
                            both ^= these
                    moved[home[square + squares]] |= both
        at = defaultdict(int)
        sprinting = sprints[turn][number]
        for square, here in moved.items():
            sprinted = here & sprinting
            at[square + leap] |= sprinted
            at[square] |= here ^ sprinted
        arrived = [square for square in at if square >= FINISH]
        arrivals += [(turn * FINISH + LAST_SQUARE - square, at.pop(square)) for square in arrived]
    arrivals += [(ROUNDS * FINISH + FINISH - 1 - square, races) for square, races in at.items()]
    return arrivals, history


@lru_cache(512)
def _field(number: int, odds: tuple[int, ...]) -> list[list[tuple[int, int]]]:
    """Return, by round and square, the races in which a horse would be first there, or last.

    `odds` are those of all lanes; the other horses run as they say.
    """
    others = [_run(other, odds[other], PLAIN, ())[1] for other in range(len(odds)) if other != number]
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
    """Return a lane that is one in some races and another one in others, by races and lane."""
    planes = [0] * len(RANK_BITS)
    for races, one in parts:
        for bit, plane in enumerate(one.planes):
            planes[bit] |= plane & races
    return Lane(planes)


@lru_cache(16384)
def ahead(one: Lane, other: Lane) -> int:
    """Return the races that one horse wins against another; equal ones go to `one`."""
    before, same = 0, ALL
    for mine, theirs in zip(one.planes, other.planes, strict=True):
        if differ := (mine ^ theirs) & same:
            before |= differ & theirs
            same ^= differ
    return before | same


Places = list[list[int]]
"""By lane and place, the races in which the horse takes this place."""


def places(lanes: Sequence[Lane]) -> Places:
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
