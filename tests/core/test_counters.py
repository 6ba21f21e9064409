"""Counters, banks and dice: nothing is lost, nothing falls below zero."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata import D6, Counter, Counters, Die
from tavolata.counters import Bank
from tavolata.errors import GameError, PieceError
from tavolata.ring import SEATS

MOVES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(-2, 9), st.booleans()))


@given(st.lists(st.integers(0, 9), min_size=3, max_size=3), MOVES)
def test_nothing_is_lost_and_nothing_is_below_zero(start: list[int], moves: list[tuple[Any, ...]]) -> None:
    """Whatever is paid, or is refused, all counters together hold what they held, and none less than none."""
    seats, pot, other = Counters("seats", 3), Counter("pot", 7), Counter("other")
    seats._load(start)
    every = [*seats, pot, other]
    for payer, to, amount, at_most in moves:
        before = [counter.value for counter in every]
        try:
            if at_most:
                moved = every[payer].pay_up_to(amount, every[to])
                assert moved == min(amount, before[payer])
            else:
                every[payer].pay(amount, every[to])
        except PieceError:
            assert [counter.value for counter in every] == before
            assert amount < 0 or amount > before[payer]
        assert sum(counter.value for counter in every) == sum(start) + 7
        assert min(counter.value for counter in every) >= 0


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6))
def test_the_only_holder_is_the_one_who_has_any(values: list[int]) -> None:
    """`only_holder` names a seat exactly while all others have none."""
    seats = Counters("seats", len(values))
    seats._load(values)
    holders = [seat for seat, value in enumerate(values) if value]
    assert seats.only_holder() == (holders[0] if len(holders) == 1 else None)
    assert [bool(seats.holds(SEATS[seat])) for seat in range(len(values))] == [
        bool(value) for value in values
    ]
    assert (seats.values(), seats.total(), len(seats)) == (values, sum(values), len(values))


def test_seats_pay_each_other_quickly() -> None:
    """`move` is `pay` between two seats, with the same refusals."""
    seats = Counters("seats", 2, 3)
    seats.move(0, 1, 2)
    assert seats.values() == [1, 5]
    for amount in (2, -1):
        with pytest.raises(PieceError, match="can't pay"):
            seats.move(0, 1, amount)
    assert seats.values() == [1, 5]


def test_a_seat_pays_into_a_counter_quickly() -> None:
    """`Counters.pay` is `pay` of one seat's counter, with the same refusals."""
    seats, pot = Counters("seats", 2, 3), Counter("pot", 1)
    seats.pay(1, 2, pot)
    assert (seats.values(), pot.value) == ([3, 1], 3)
    for amount in (2, -1):
        with pytest.raises(PieceError, match="can't pay"):
            seats.pay(1, amount, pot)
    assert (seats.values(), pot.value) == ([3, 1], 3)


def test_a_counter_says_what_it_has() -> None:
    """As a number, as its truth, and to a person."""
    counter = Counter("pot", 2)
    assert (int(counter), bool(counter), repr(counter)) == (2, True, "Counter('pot', 2)")
    assert not Counter("none")


@pytest.mark.parametrize("make", [lambda: Counter("x", -1), lambda: Counters("x", 2, -1)])
def test_no_counter_starts_below_zero(make: Any) -> None:
    """A counter that would start below zero is an error."""
    with pytest.raises(PieceError, match="can't start at -1"):
        make()


def test_a_bank_always_pays() -> None:
    """A bank's value is what came in less what went out; it pays no negative amount."""
    bank, pot = Bank("bank"), Counter("pot")
    bank.pay(5, pot)
    assert bank.pay_up_to(2, pot) == 2
    pot.pay(3, bank)
    assert (bank.value, pot.value) == (-4, 4)
    with pytest.raises(PieceError):
        bank.pay(-1, pot)


def test_dice_have_faces() -> None:
    """A die is its faces: numbers, or anything, at least one."""
    assert D6.faces == (1, 2, 3, 4, 5, 6)
    assert Die.of(3) == Die((1, 2, 3))
    assert Die(tuple("aab")).faces == ("a", "a", "b")
    for many in (0, 1001):
        with pytest.raises(PieceError, match="1 to 1000 faces"):
            Die.of(many)


def test_a_counter_is_not_taken_for_a_number() -> None:
    """Adding to it, or comparing it, is refused with what to write."""
    points: Any = Counters("points", 2)
    wrongs: list[Callable[[], object]] = [
        lambda: points.__setitem__(1, 3),
        lambda: points[1] + 3,
        lambda: 3 - points[1],
        lambda: points[1] >= 3,
    ]
    for wrong in wrongs:
        with pytest.raises(GameError, match=r"`bank\.pay\(3, points\[seat\]\)`"):
            wrong()
    with pytest.raises(GameError, match=r"its number is `\.value`"):
        points[1] += 3
    assert points.values() == [0, 0]
