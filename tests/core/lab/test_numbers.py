"""Statistics of samples: intervals, balance and ratings, against values that are known."""

from __future__ import annotations

import pytest

from tavolata._lab.numbers import balance, bootstrap, mean, ratings, samples, wilson


@pytest.mark.parametrize(
    ("wins", "of", "low", "high"), [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)]
)
def test_wilsons_interval_is_that_of_the_tables(wins: int, of: int, low: float, high: float) -> None:
    """Values of Newcombe's comparison of intervals (1998) and at the ends of the scale."""
    found = wilson(wins, of)
    assert found.low == pytest.approx(low, abs=1e-4)
    assert found.high == pytest.approx(high, abs=1e-4)


def test_a_mean_has_an_interval_by_its_standard_error() -> None:
    """One value has none; of 1, 2, 3, 4 the standard error is 0.6455."""
    assert mean([5.0]) == (5.0, 5.0, 5.0)
    found = mean([1, 2, 3, 4])
    assert found.value == 2.5
    assert found.high - found.value == pytest.approx(1.959964 * 0.645497, abs=1e-5)
    assert mean([0.0, 0.0, 1.0], 0, 0.8) == pytest.approx((1 / 3, 0.0, 0.8))  # no share lies below nothing


@pytest.mark.parametrize(
    ("wins", "found"), [([5, 5, 5], 1.0), ([9, 0, 0], 0.0), ([0, 0, 0, 7], 0.0), ([3, 1], 0.5), ([0, 0], 1.0)]
)
def test_balance_is_one_if_all_win_equally_often_and_zero_if_one_always(
    wins: list[float], found: float
) -> None:
    """The scale is the same for any number of seats."""
    assert balance(wins) == pytest.approx(found)


def test_a_bootstrap_is_the_same_for_the_same_sample() -> None:
    """The interval has the value in it, is drawn again in the same way, and each sample is as large."""
    sample = ["lost", "won", "won", "lost", "won", "won"]
    drawn = list(samples(sample))
    assert drawn[0] == {"lost": 2, "won": 4}
    assert drawn == list(samples(sample))
    assert all(sum(one.values()) == len(sample) for one in drawn)
    found = bootstrap([one.get("won", 0) / len(sample) for one in drawn])
    assert found.low < found.value == 4 / 6 < found.high


def test_ratings_give_the_share_of_wins_that_was_seen() -> None:
    """Who wins 10 of 11 is about 400 points better; three in a chain are ordered, also if one always won."""
    points = ratings({("a", "b"): 1000, ("b", "a"): 100})
    assert points["a"] - points["b"] == pytest.approx(400, abs=0.1)
    chain = ratings({("a", "b"): 30, ("b", "a"): 10, ("b", "c"): 20, ("c", "b"): 0})
    assert chain["a"] > chain["b"] > chain["c"]
    assert sum(chain.values()) == pytest.approx(3000)
