"""Dice: one possible value, the same for every t of the parties, and even."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tavolata_protocol.fair import dice
from tavolata_protocol.fair.group import ED25519

from .parties import parties


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_every_t_parties_throw_the_same(count: int) -> None:
    """A die is equal over all t-subsets; from fewer no point comes, so no value."""
    some = parties(count)
    context = some.context("die 1")
    die = [dice.point(context)]
    thrown = {
        dice.value(context.of(group[0]), some.opened(die, list(group))[0], 2**60)
        for group in combinations(range(1, count + 1), some.public.roster.threshold)
    }
    assert len(thrown) == 1
    for group in combinations(range(1, count + 1), some.public.roster.threshold - 1):
        if group:
            with pytest.raises(ValueError, match="It takes"):
                some.opened(die, list(group))


def test_dice_are_even_and_each_is_its_own() -> None:
    """1,800 dice of one epoch show each of six faces about 300 times."""
    two = parties(2)
    seen = Counter[int]()
    for number in range(1800):
        context = two.context(f"die {number}")
        opened = ED25519.multiply(two.rings[0].share, dice.point(context).point)  # any point will do here
        seen[dice.value(context, opened, 6)] += 1
    assert set(seen) == set(range(6))
    assert all(abs(count - 300) < 5 * 16 for count in seen.values())


def test_a_die_of_one_side_and_of_many() -> None:
    """One side always shows 0; with many sides values stay below."""
    context, point = parties(2).context("die 1"), ED25519.multiply_base(5)
    assert dice.value(context, point, 1) == 0
    assert {dice.value(context, point, sides) < sides for sides in range(1, 200)} == {True}


def test_the_value_is_of_the_opened_point_and_of_the_sides() -> None:
    """Another opened point is another value, and another number of sides is another draw."""
    context, points = parties(2).context("die 1"), [ED25519.multiply_base(number) for number in range(5, 25)]
    assert len({dice.value(context, point, 2**60) for point in points}) == len(points)
    assert dice.value(context, points[0], 2**59) != dice.value(context, points[0], 2**60) % 2**59


def test_a_die_is_no_key_and_no_other_die() -> None:
    """Points of different dice, and G and P, are all different."""
    two = parties(2)
    points = {dice.point(two.context(f"die {number}")).point for number in range(20)}
    assert len(points | {ED25519.base, two.joint}) == 22
