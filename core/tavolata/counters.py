"""Counters of fiches, money and points: what leaves one arrives in another, none goes below zero.

Only quantities may live here. A `Bank` is the one counter without an end: what it pays out or
takes in is the ledger of what came into and left the game.
"""

from __future__ import annotations

from collections.abc import Iterator

from tavolata.errors import PieceError
from tavolata.ring import Seat


class Counter:
    """A quantity of something that is only ever moved.

    Attributes:
        name: its id among the pieces of the match.
        value: how many there are; never below zero.
    """

    __slots__ = ("name", "value")

    def __init__(self, name: str, value: int = 0) -> None:
        if value < 0:
            raise PieceError(f"{name} can't start at {value}.")
        self.name = name
        self.value = value

    def __int__(self) -> int:
        return self.value

    def __bool__(self) -> bool:
        return self.value > 0

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.value})"

    def pay(self, amount: int, to: Counter) -> None:
        """Move `amount` from here to another counter.

        Raises:
            PieceError: there is less here than that, or the amount is negative; nothing moved.
        """
        if 0 <= amount <= self.value:
            self.value -= amount
            to.value += amount
        else:
            raise PieceError(f"{self.name} holds {self.value} and can't pay {amount}.")

    def pay_up_to(self, amount: int, to: Counter) -> int:
        """Move `amount`, or what there is if that is less; return how many moved."""
        moved = min(amount, self.value)
        self.pay(moved, to)
        return moved

    def _save(self) -> object:
        return self.value

    def _load(self, saved: int) -> None:
        self.value = saved


class Bank(Counter):
    """A counter that can always pay: its value is what it has taken in less what it paid out."""

    __slots__ = ()

    def pay(self, amount: int, to: Counter) -> None:
        """Move `amount` into the game; the bank's own value may fall below zero.

        Raises:
            PieceError: the amount is negative.
        """
        if amount < 0:
            raise PieceError(f"{self.name} can't pay {amount}.")
        self.value -= amount
        to.value += amount

    def pay_up_to(self, amount: int, to: Counter) -> int:
        """Move `amount`: a bank always has it."""
        self.pay(amount, to)
        return amount


class Counters:
    """One counter for each seat; `counters[seat]` is that seat's."""

    __slots__ = ("_each", "name")

    def __init__(self, name: str, seats: int, start: int = 0) -> None:
        self.name = name
        self._each = [Counter(f"{name}.{seat}", start) for seat in range(seats)]

    def __getitem__(self, seat: int) -> Counter:
        return self._each[seat]

    def __iter__(self) -> Iterator[Counter]:
        return iter(self._each)

    def __len__(self) -> int:
        return len(self._each)

    def values(self) -> list[int]:
        """What each seat has, by seat."""
        return [one.value for one in self._each]

    def total(self) -> int:
        """What all seats have together."""
        return sum(one.value for one in self._each)

    def holds(self, seat: Seat) -> bool:
        """Whether this seat has any; a predicate for the ring."""
        return self._each[seat].value > 0

    def _save(self) -> object:
        return self.values()

    def _load(self, saved: list[int]) -> None:
        for one, value in zip(self._each, saved, strict=True):
            one.value = value
