"""Seats and the ring that they form: the turn order of a match."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

from tavolata._renamed import refuse_old_names
from tavolata.errors import PieceError

Predicate = Callable[["Seat"], object]
"""Returns something true for a seat that counts."""


class Seat(int):
    """A place in the turn order of a match: a number from 0, in the direction of play."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Seat({int(self)})"

    __str__ = int.__repr__  # names of pieces are made of seats: "hand.1"


SEATS: Final = tuple(Seat(number) for number in range(64))
"""All possible seats; a seat of a match is always one of these objects."""


@cache
def _onward(size: int) -> dict[int, list[list[Seat]]]:
    """By direction and seat, all seats of a ring after that seat, which comes last itself.

    Nearly every card of every game uses these lists, so they are made once for each size.
    """
    return {
        step: [
            [SEATS[(seat + step * places) % size] for places in range(1, size + 1)] for seat in range(size)
        ]
        for step in (1, -1)
    }


@refuse_old_names
class Ring:
    """The seats of a match in a circle, in the direction of play (which can be reversed).

    Args:
        size: number of seats, 1 to 64.
    """

    __slots__ = ("_after", "_direction", "_seats", "_size")

    def __init__(self, size: int) -> None:
        if not 1 <= size <= len(SEATS):
            raise PieceError(f"A ring has 1 to {len(SEATS)} seats, not {size}.")
        self._seats = SEATS[:size]
        self._size = size
        self._direction = 1
        self._after = _onward(size)[1]

    def __iter__(self) -> Iterator[Seat]:
        return iter(self._seats)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, number: int) -> Seat:
        return self._seats[number]

    @property
    def reversed(self) -> bool:
        """True if play runs from higher to lower seats."""
        return self._direction < 0

    def reverse(self) -> None:
        """Reverse the direction of play."""
        self._load(-self._direction)

    def after(self, seat: int, places: int = 1) -> Seat:
        """Return the seat `places` further on in the direction of play; a negative number counts back."""
        return self._seats[(seat + self._direction * places) % self._size]

    def next(self, seat: int, where: Predicate | None = None) -> Seat:
        """Return the first seat after this one for which `where` holds; this seat itself is tried last.

        Raises:
            PieceError: it holds for no seat at all.
        """
        around = self._after[seat]
        first = around[0]
        if where is None or where(first):  # usually it is the first; the loop would double the time
            return first
        for one in around:
            if where(one):
                return one
        raise PieceError("No seat is left for which the rule holds.")

    def previous(self, seat: int, where: Predicate | None = None) -> Seat:
        """Return the first seat before this one for which `where` holds; this seat itself is tried last.

        Raises:
            PieceError: it holds for no seat at all.
        """
        for one in _onward(self._size)[-self._direction][seat]:
            if where is None or where(one):
                return one
        raise PieceError("No seat is left for which the rule holds.")

    def starting(self, seat: int, where: Predicate | None = None) -> list[Seat]:
        """All seats for which `where` holds, in the direction of play from this seat on."""
        around = [self.after(seat, places) for places in range(self._size)]
        return around if where is None else [one for one in around if where(one)]

    def where(self, where: Predicate) -> list[Seat]:
        """Return the seats for which `where` holds, by number."""
        return list(filter(where, self._seats))

    def _save(self) -> object:
        return self._direction

    def _load(self, saved: int) -> None:
        self._direction = saved
        self._after = _onward(self._size)[saved]
