"""The course of a match: what counts, who leads, and the measures of it."""

from __future__ import annotations

import pytest

from tavolata._lab.course import best, counts, courses
from tavolata.counters import Counters


def test_a_count_is_one_number_for_each_seat() -> None:
    """Counters and lists of numbers are counts; texts, flags and lists of another length are none."""
    state = {
        "points": Counters("points", 3, 2), "won": [1, 0, 2], "by": {0: 1, 1: 1, 2: 5},
        "names": ["a", "b", "c"], "flags": [True, False, True], "two": [1, 2], "round": 7,
    }  # fmt: skip
    assert counts(state, 3) == {"points": (2, 2, 2), "won": (1, 0, 2), "by": (1, 1, 5)}


def test_the_course_of_a_comeback() -> None:
    """The winner was last at half-time, took the lead once, at 3 of 4, and never lost it."""
    rows = [(0, 0), (0, 3), (1, 4), (6, 4), (9, 5)]
    (found,) = courses({"points": rows}, (0,))
    assert (found.count, found.changes, found.behind, found.last) == ("points", 1, True, True)
    assert (found.trailing, found.for_good) == (2 / 5, 3 / 4)
    assert found.decided == 1.0  # ahead by more than the loser's 1.5 only then


def test_the_fewest_may_lead() -> None:
    """Where the winner has least in the end, the count has a minus; where all are level, nobody leads."""
    (found,) = courses({"losses": [(0, 0, 0), (1, 0, 0), (2, 1, 0)]}, (2,))
    assert found.count == "-losses"
    assert found.trailing == 0
    assert found.for_good == pytest.approx(1 / 2)


def test_the_count_that_names_the_winners_most_often_tells_who_leads() -> None:
    """A count that names them in less than 80 of 100 matches tells nothing."""
    (one,) = courses({"points": [(0, 0), (2, 1)]}, (0,))
    (other,) = courses({"luck": [(0, 0), (2, 1)]}, (0,))
    assert best([(one, other), (one,)], 2) == "points"
    assert best([(other,), ()], 2) is None
    assert best([], 0) is None


def test_nobody_leads_where_nobody_loses() -> None:
    """Every count of one seat has the winner at its head, and so has one that is equal where all win."""
    assert courses({"points": [(0,), (3,)]}, (0,)) == ()
    assert courses({"points": [(0, 0), (3, 3)]}, (0, 1)) == ()
