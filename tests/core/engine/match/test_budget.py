"""How long a search may think."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata._engine.match.search import Budget


@pytest.mark.parametrize(
    ("seconds", "playouts", "passed", "used", "share"),
    [(2.0, 0, 0.0, 50, 0.0), (2.0, 0, 1.0, 50, 0.5), (0.0, 200, 9.0, 50, 0.25), (2.0, 200, 1.5, 50, 0.75)],
)
def test_the_scarcer_of_time_and_playouts_counts(
    seconds: float, playouts: int, passed: float, used: int, share: float
) -> None:
    """A clock that has run for long before it began changes nothing."""
    now = [1000.0]
    budget = Budget(seconds, playouts, lambda: now[0])
    now[0] += passed
    budget.used = used
    assert budget.spent() == share


def test_no_world_is_begun_that_may_not_be_made_in_time() -> None:
    """It may take twice as long as the slowest so far; where only playouts are counted, nothing is timed."""
    now = [1000.0]

    def made(seconds: float) -> Any:
        now[0] += seconds

    budget = Budget(2.0, 0, lambda: now[0])
    budget.timed(lambda: made(0.5))
    assert budget.has_room()
    budget.timed(lambda: made(0.25))
    now[0] += 0.25
    assert budget.spent() == 0.5
    assert not budget.has_room()
    unlimited = Budget(0.0, 10, lambda: now[0])
    unlimited.timed(lambda: made(100.0))
    assert unlimited.has_room()
