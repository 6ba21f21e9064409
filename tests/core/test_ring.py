"""Seats in a ring: directions, predicates, reversing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata import Ring, Seat
from tavolata.errors import PieceError
from tavolata.ring import SEATS

SIZES = st.integers(1, 8)


@given(SIZES, st.data())
def test_next_and_previous_are_each_other_s_way_back(size: int, data: st.DataObject) -> None:
    """In both directions, one step on and one back is where one was, and `after` walks the same way."""
    ring, seat = Ring(size), data.draw(st.integers(0, size - 1))
    for step in (1, -1):
        assert ring.next(seat) == ring.after(seat) == (seat + step) % size
        assert ring.previous(ring.next(seat)) == seat
        assert ring.after(seat, -3) == (seat - 3 * step) % size
        ring.reverse()


@given(SIZES, st.sets(st.integers(0, 7)), st.data())
def test_predicates_pass_over_seats(size: int, out: set[int], data: st.DataObject) -> None:
    """Only seats for which the predicate holds are found, the seat itself last; none is an error."""
    ring, seat = Ring(size), data.draw(st.integers(0, size - 1))
    ring._load(data.draw(st.sampled_from([1, -1])))
    around = [*ring.starting(seat)[1:], seat]
    left = [one for one in around if one not in out]

    def plays(one: Seat) -> bool:
        return one not in out

    if not left:
        for search in (ring.next, ring.previous):
            with pytest.raises(PieceError, match="No seat is left"):
                search(seat, plays)
        return
    assert ring.next(seat, plays) == left[0]
    back = [*reversed(around[:-1]), seat]
    assert ring.previous(seat, plays) == next(one for one in back if one not in out)
    assert ring.starting(seat, plays) == [one for one in ring.starting(seat) if one not in out]
    assert ring.where(plays) == sorted(left)


def test_a_ring_says_which_way_it_runs() -> None:
    """Reversing turns the direction, not the seats' numbers."""
    ring = Ring(3)
    ring.reverse()
    assert (ring.reversed, list(ring), len(ring), ring[2]) == (True, [0, 1, 2], 3, 2)
    assert ring.starting(0) == [0, 2, 1]


@pytest.mark.parametrize("size", [0, 65])
def test_a_ring_has_seats(size: int) -> None:
    """A ring has 1 to 64 seats."""
    with pytest.raises(PieceError, match="1 to 64"):
        Ring(size)


def test_a_seat_is_a_number_that_knows_what_it_is() -> None:
    """To a programmer it says that it is a seat; in names of pieces it is its number."""
    assert (repr(SEATS[3]), f"hand.{SEATS[3]}", SEATS[3] + 1) == ("Seat(3)", "hand.3", 4)
    assert Ring(4)[3] is SEATS[3]
