"""Orders of arrival: the questions for them, and their points (rulings 13, 14, 17)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from typing import Any

from tavolata import N_, Branch, Choice, Seat, some_of
from tavolata_jumpy_jack.board import HORSES, PLACES, Horse

Order = Sequence[Horse]
"""Three different horses, the first first."""

Guess = tuple[Any, ...]
"""An opponent, by the seat that wrote, and the order guessed; or None alone."""

ORDERS = tuple(permutations(range(len(HORSES)), PLACES))
"""All sixty orders, as numbers of horses (their places in `HORSES`)."""

ORDER = some_of([Choice(horse, horse.value) for horse in HORSES], PLACES, PLACES, ordered=True)
"""The question for an order."""

NOBODY = N_("no one")


@cache
def guess_of(opponents: tuple[tuple[Seat, ...], ...]) -> Branch:
    """Return the question for a guess: no one, or an opponent's seat and the whole order (17).

    The first seat of each side that may be named is the one that wrote.
    """
    sides = [Choice(side[0], "{seats}", params={"seats": side}) for side in opponents]
    return Branch([Choice(None, NOBODY), *sides], [None, *(ORDER for _ in sides)])


def horses_of(order: Sequence[int]) -> Order:
    return tuple(HORSES[number] for number in order)


def right(order: Order, true: Sequence[Horse]) -> int:
    return sum(one is other for one, other in zip(order, true, strict=True))


def worth(order: Order, podium: Sequence[Horse]) -> int:
    """Return the points of a prediction: two for each right horse, ten for all three (14)."""
    horses = right(order, podium)
    return 10 if horses == PLACES else 2 * horses


def bonus(guess: Order, true: Order) -> int:
    """Return the points of a guess: one for each right horse, minus one if none is right (17)."""
    return right(guess, true) or -1
