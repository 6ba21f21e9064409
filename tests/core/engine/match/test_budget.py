"""How long a search may think."""

from __future__ import annotations

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
