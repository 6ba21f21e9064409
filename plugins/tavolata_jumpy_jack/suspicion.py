"""Beliefs about predictions: how likely each of the sixty orders is a side's, judged by its moves."""

from __future__ import annotations

from functools import cache
from operator import add

from tavolata import Seat
from tavolata_jumpy_jack.board import Course
from tavolata_jumpy_jack.foresight import reasons
from tavolata_jumpy_jack.moves import Standing, moved
from tavolata_jumpy_jack.orders import ORDERS, Order, bonus, horses_of

Beliefs = list[float]
"""The probability of each of the sixty orders."""

CARE = 0.05
"""Added to each likelihood of a move, because any move may be a whim."""
LOYAL = 0.2
"""How many are believed to be loyal to their first horse before they have moved; see `foresight.loyal`."""


class Suspicion:
    """Beliefs about every side, by its number, updated move by move; they follow from public moves alone.

    `minds` are twice as long, as in `reasons`: first if the side looks at the hedges, then if it's loyal.
    """

    def __init__(self) -> None:
        self._course: Course | None = None
        self._moves: list[tuple[Seat, int, int]] = []
        self.minds: list[Beliefs] = []
        self._standing = Standing()

    @property
    def beliefs(self) -> list[Beliefs]:
        return list(map(of_orders, self.minds))

    def follow(
        self, course: Course, sides: int, moves: list[tuple[Seat, int, int]], loyal: float = LOYAL
    ) -> None:
        """Update the beliefs by the new moves; begin again if the moves are another race's."""
        known = len(self._moves)
        if course != self._course or len(self.minds) != sides or self._moves != moves[:known]:
            self._course, self._moves, self._standing = course, [], Standing()
            each = [share / len(ORDERS) for share in (1 - loyal, loyal) for _ in ORDERS]
            self.minds = [each] * sides
        for seat, throw, horse in moves[len(self._moves) :]:
            side = seat % sides
            why = reasons(course, self._standing, throw).get(horse)
            if why is not None:  # a race set up in its middle shows moves that tell nothing
                self.minds[side] = updated(self.minds[side], why)
            self._standing = moved(course, self._standing, horse, throw)
        self._moves = list(moves)


def of_orders(mind: Beliefs) -> Beliefs:
    return list(map(add, mind[: len(ORDERS)], mind[len(ORDERS) :]))


def updated(beliefs: Beliefs, why: tuple[float, ...]) -> Beliefs:
    """Return the beliefs after a move, from the likelihood of the move under each order."""
    after = [belief * (reason + CARE) for belief, reason in zip(beliefs, why, strict=True)]
    total = sum(after)
    return [one / total for one in after]


def best_guess(beliefs: Beliefs) -> tuple[float, Order]:
    """Return the expected bonus of the best guess, and the order to guess."""
    gains = [sum(b * won for b, won in zip(beliefs, bonuses, strict=True)) for bonuses in _bonuses()]
    best = max(range(len(ORDERS)), key=gains.__getitem__)
    return gains[best], horses_of(ORDERS[best])


@cache
def _bonuses() -> list[list[int]]:
    orders = [horses_of(order) for order in ORDERS]
    return [[bonus(guess, true) for true in orders] for guess in orders]
