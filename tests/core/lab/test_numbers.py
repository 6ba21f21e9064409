"""Statistics of samples: intervals, the test of places and ratings, against values that are known."""

from __future__ import annotations

import pytest

from tavolata._lab.numbers import by_chance, fairer, mean, rated, share, student


@pytest.mark.parametrize(
    ("wins", "of", "low", "high"), [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)]
)
def test_wilsons_interval_is_that_of_the_tables(wins: int, of: int, low: float, high: float) -> None:
    """Values of Newcombe's comparison of intervals (1998) and at the ends of the scale."""
    found = share([(1, 1)] * wins + [(0, 1)] * (of - wins))
    assert found.low == pytest.approx(low, abs=1e-4)
    assert found.high == pytest.approx(high, abs=1e-4)


def test_units_that_say_the_same_twice_count_once_and_opposites_count_more() -> None:
    """Two matches of a seed with one winner are one observation; a split leaves little to luck."""
    once = share([(1, 1)] * 12 + [(0, 1)] * 28)
    twice = share([(2, 2)] * 12 + [(0, 2)] * 28)
    assert twice == pytest.approx(once, abs=1e-9)
    split = share([(1, 2)] * 40)
    assert split.value == 0.5
    assert split.high - split.low < 0.5 * (once.high - once.low)


def test_a_mean_has_students_interval() -> None:
    """One value has none; of 1, 2, 3, 4 the standard error is 0.6455, and Student's quantile 3.182."""
    assert mean([(5.0, 1)]) == (5.0, 5.0, 5.0)
    found = mean([(one, 1) for one in (1, 2, 3, 4)])
    assert found.value == 2.5
    assert found.high - found.value == pytest.approx(3.182 * 0.645497, abs=0.02)
    assert mean([(0.0, 1), (0.0, 1), (1.0, 1)], 0, 0.8) == pytest.approx((1 / 3, 0.0, 0.8))
    assert mean([(2 * one, 2) for one in (1, 2, 3, 4)]) == pytest.approx(found)


@pytest.mark.parametrize(("units", "quantile"), [(2, 12.706), (3, 4.303), (5, 2.776), (11, 2.228), (61, 2.0)])
def test_students_quantiles_are_those_of_the_tables(units: int, quantile: float) -> None:
    """The fewer the units, the wider the interval."""
    assert student(units) == pytest.approx(quantile, rel=0.004)


@pytest.mark.parametrize(
    ("wins", "found"),
    [
        ([30, 20, 10], 0.007324),
        ([5, 5, 5], 1.0),
        ([9, 3], 0.097253),
        ([0, 0], 1.0),
        ([16, 8, 8, 8], 0.196786),
        ([300, 200, 100], 0.0),
    ],
)
def test_places_are_tested_as_by_pearson(wins: list[int], found: float) -> None:
    """Values of chi-squared less one part in as many as there are rows; without wins nothing is uneven."""
    rows = [
        [float(at == one) for one in range(len(wins))] for at, many in enumerate(wins) for _ in range(many)
    ]
    assert by_chance(rows) == pytest.approx(found, abs=1e-5)


@pytest.mark.parametrize("wins", [[1, 0], [4, 0], [3, 0, 0], [2, *[0] * 19]])
def test_a_few_wins_of_one_place_are_no_advantage(wins: list[int]) -> None:
    """Chance gives four of four to one of two places in 12 of 100 experiments, and one of one always."""
    rows = [[float(at == 0) for at in range(len(wins))]] * wins[0]
    assert by_chance(rows) >= 0.05
    assert (by_chance(rows) == 1.0) == (wins[0] == 1)


def test_wins_that_all_share_favour_nobody() -> None:
    """Sixths don't add up to a whole everywhere, which is no difference between places."""
    nobody, shared, rounded = [0.0] * 6, [1 / 6] * 6, [1 / 6 + 3e-17, *[1 / 6] * 5]
    assert by_chance([rounded] * 50) == 1.0
    often, seldom = [shared] * 30 + [nobody] * 10, [shared] * 20 + [nobody] * 20
    assert fairer([*zip(often, seldom, strict=True)]) is None


def test_the_arm_with_equal_places_is_fairer() -> None:
    """If one place always won before, it's sure; two matches can't say it."""
    before, after = [[1.0, 0.0]] * 40, [[1.0, 0.0], [0.0, 1.0]] * 20
    assert fairer([*zip(before, after, strict=True)]) is True
    assert fairer([*zip(after, before, strict=True)]) is False
    for few in (1, 2, 4):
        assert fairer([*zip(before, after, strict=True)][:few]) is None


def test_ratings_give_the_share_of_wins_that_was_seen() -> None:
    """Who wins 10 of 11 is about 400 points better; three in a chain are ordered, also if one always won."""
    points = rated([{("a", "b"): 1}] * 1000 + [{("b", "a"): 1}] * 100)
    assert points["a"].value - points["b"].value == pytest.approx(400, abs=1)
    # the standard error of the logarithm of the odds is the root of 1/1000 + 1/100, half of it for each
    assert points["a"].high - points["a"].value == pytest.approx(1.9621 * 173.7 * 0.104881 / 2, rel=0.01)
    chain = rated([{("a", "b"): 1}] * 30 + [{("b", "a"): 1}] * 10 + [{("b", "c"): 1}] * 20)
    assert chain["a"].value > chain["b"].value > chain["c"].value
    assert sum(one.value for one in chain.values()) == pytest.approx(3000)
    assert [one for one in chain.values() if not one.low < one.value < one.high] == []


def test_a_seed_that_both_sides_win_once_makes_ratings_surer() -> None:
    """The interval goes by how much seeds differ: mirrored matches that split leave little to luck."""
    apart = rated([{("a", "b"): 1}, {("b", "a"): 1}] * 20)
    split = rated([{("a", "b"): 1, ("b", "a"): 1}] * 20)
    assert split["a"].high - split["a"].low < 0.5 * (apart["a"].high - apart["a"].low)
