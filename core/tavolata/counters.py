"""Counters of fiches, money and points: an amount moves from one to another, and none goes below zero.

A `Bank` is the only counter without a limit. Its value shows how much came into the game and left it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from tavolata.errors import GameError, PieceError
from tavolata.ring import SEATS, Seat


class Counter:
    """A quantity of something that is only ever moved.

    Attributes:
        name: its id among the pieces of the match.
    """

    # A counter is a cell of a list. So the counters of all seats can share one list, and it is fast to ask
    # which seats have something left.
    __slots__ = ("_at", "_cells", "name")

    def __init__(self, name: str, value: int = 0) -> None:
        if value < 0:
            raise PieceError(f"{name} can't start at {value}.")
        self.name = name
        self._cells = [value]
        self._at = 0

    @property
    def value(self) -> int:
        """How many there are; never below zero."""
        return self._cells[self._at]

    def __int__(self) -> int:
        return self._cells[self._at]

    def __bool__(self) -> bool:
        return self._cells[self._at] > 0

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.value})"

    def pay(self, amount: int, to: Counter) -> None:
        """Move `amount` from here to another counter.

        Raises:
            PieceError: this counter has less than that, or the amount is negative; nothing has moved.
        """
        cells, at = self._cells, self._at
        held = cells[at]
        if amount > held or amount < 0:
            raise PieceError(f"{self.name} holds {held} and can't pay {amount}.")
        cells[at] = held - amount
        to._cells[to._at] += amount

    def pay_up_to(self, amount: int, to: Counter) -> int:
        """Move `amount` or all there is, and return how much; raise `PieceError` if `amount` is negative."""
        moved = min(amount, self.value)
        self.pay(moved, to)
        return moved

    if not TYPE_CHECKING:  # checkers refuse these anyway

        def _calculate(self, _):
            raise GameError(
                f"{self.name} is a counter, not a number: its number is `.value`, and it changes by `pay`, "
                "as in `bank.pay(3, points[seat])`."
            )

        __add__ = __radd__ = __sub__ = __rsub__ = __lt__ = __le__ = __gt__ = __ge__ = _calculate

    def _save(self) -> object:
        return self.value

    def _load(self, saved: int) -> None:
        self._cells[self._at] = saved


class Bank(Counter):
    """A counter that can always pay: its value is the sum of its income less the sum of its payments."""

    __slots__ = ()

    def pay(self, amount: int, to: Counter) -> None:
        """Move `amount` into the game; the bank's own value may fall below zero.

        Raises:
            PieceError: the amount is negative.
        """
        if amount < 0:
            raise PieceError(f"{self.name} can't pay {amount}.")
        self._cells[self._at] -= amount
        to._cells[to._at] += amount

    def pay_up_to(self, amount: int, to: Counter) -> int:
        """Move and return `amount`, which a bank always has; raise `PieceError` if it is negative."""
        self.pay(amount, to)
        return amount


class Counters:
    """One counter for each seat; `counters[seat]` is the counter of that seat.

    Attributes:
        name: its id among the pieces of the match.
        holds: whether a seat has anything; a predicate for the ring.
    """

    __slots__ = ("_cells", "_each", "holds", "name")

    def __init__(self, name: str, seats: int, start: int = 0) -> None:
        if start < 0:
            raise PieceError(f"{name} can't start at {start}.")
        self.name = name
        self._cells = [start] * seats
        self._each = [_SeatCounter(name, self._cells, seat) for seat in range(seats)]
        self.holds: Callable[[Seat], int] = self._cells.__getitem__

    def __getitem__(self, seat: int) -> Counter:
        return self._each[seat]

    if not TYPE_CHECKING:

        def __setitem__(self, seat, _):
            self._each[seat]._calculate(_)

    def __iter__(self) -> Iterator[Counter]:
        return iter(self._each)

    def __len__(self) -> int:
        return len(self._each)

    def values(self) -> list[int]:
        """By seat, its amount."""
        return list(self._cells)

    def total(self) -> int:
        """Return the sum of all seats."""
        return sum(self._cells)

    def move(self, payer: int, to: int, amount: int = 1) -> None:
        """Move `amount` from one seat to another.

        Raises:
            PieceError: the payer has less than that, or the amount is negative; nothing has moved.
        """
        cells = self._cells
        held = cells[payer]
        if amount > held or amount < 0:
            raise PieceError(f"{self.name}.{payer} holds {held} and can't pay {amount}.")
        cells[payer] = held - amount
        cells[to] += amount

    def pay(self, payer: int, amount: int, to: Counter) -> None:
        """Move `amount` from one seat to a counter that belongs to no seat.

        Raises:
            PieceError: the payer has less than that, or the amount is negative; nothing has moved.
        """
        cells = self._cells
        held = cells[payer]
        if amount > held or amount < 0:
            raise PieceError(f"{self.name}.{payer} holds {held} and can't pay {amount}.")
        cells[payer] = held - amount
        to._cells[to._at] += amount

    def only_holder(self) -> Seat | None:
        """Return the only seat that has anything; None if several seats or none have something."""
        cells = self._cells
        if cells.count(0) != len(cells) - 1:
            return None
        return next(SEATS[seat] for seat, value in enumerate(cells) if value)

    def _save(self) -> object:
        return self.values()

    def _load(self, saved: list[int]) -> None:
        self._cells[:] = saved


class _SeatCounter(Counter):
    """One seat's cell among those of all seats."""

    __slots__ = ()

    def __init__(self, name: str, cells: list[int], seat: int) -> None:
        self.name = name
        self._cells = cells
        self._at = seat
