"""Bang's bots: they react to what lies there, in times that people can beat, and make mistakes."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tavolata._engine.match.simulate import play
from tavolata.bots import GO_ON, Chance, RandomBot
from tavolata.decks import FRENCH_54, FrenchFace
from tavolata.testing import goes_on
from tavolata_bang.bots import EasyBot, HardBot, NormalBot, SlowBot
from tavolata_bang.options import BangOptions
from tavolata_bang.patterns import Pattern
from tavolata_bang.rules import Bang

from .table import table

LEVELS: list[type[EasyBot]] = [SlowBot, EasyBot, NormalBot, HardBot]


def reflexes(
    bot: EasyBot, stacks: tuple[str, str], laid: int, seat: int = 1, **options: int
) -> list[tuple[object, int]]:
    """What a bot does in a thousand windows like this one."""
    match = table(*stacks, rest=0, **options).play(goes_on(laid - 1))
    assert match.window is not None
    chance = Chance(5)
    found = [bot.react(match.views(seat), match.window, chance) for _ in range(1000)]
    return [(one.value, one.ms) for one in found if one is not None]


@pytest.mark.parametrize("level", LEVELS)
def test_it_bangs_mostly_where_there_is_a_reason_and_seldom_where_there_is_none(level: type[EasyBot]) -> None:
    """About as often as its numbers say: it misses some, and is startled now and then."""
    right = sum(value is True for value, _ in reflexes(level(), ("7 2", "7 3"), 2))
    wrong = sum(value is True for value, _ in reflexes(level(), ("7 2", "9 3"), 2))
    assert abs(right - 10 * level.sees) < 60
    assert abs(wrong - level.startled) < 15
    assert wrong > 0


@pytest.mark.parametrize("level", LEVELS)
def test_its_times_are_those_of_people(level: type[EasyBot]) -> None:
    """Never faster than its fastest, never slower than its slowest, and different each time."""
    times = [taken for value, taken in reflexes(level(), ("7 2", "7 3"), 2) if value is True]
    assert level.fastest <= min(times)
    assert max(times) <= level.fastest + level.spread
    assert len(set(times)) > 100
    assert level.fastest >= 300  # a person who pays attention is as fast


def test_levels_are_faster_and_surer_one_after_the_other() -> None:
    """Hard before normal before easy before slow, in each of the four numbers."""
    for weaker, stronger in pairwise(LEVELS):
        assert stronger.sees > weaker.sees
        assert stronger.startled < weaker.startled
        assert stronger.fastest < weaker.fastest
        assert stronger.spread < weaker.spread


def test_what_is_harder_to_see_takes_longer() -> None:
    """A double is seen at once, a big sandwich is not."""
    assert Pattern.DOUBLE.harder < Pattern.SANDWICH.harder < Pattern.BIGMAC.harder


def test_whose_move_it_is_lays_in_good_time() -> None:
    """Not before the table allows it, and not long after."""
    moves = [taken for value, taken in reflexes(HardBot(), ("7 2", "9 3"), 1) if value is GO_ON]
    assert len(moves) > 900
    assert all(800 <= taken <= 1500 for taken in moves)


@pytest.mark.parametrize("level", LEVELS)
def test_a_slower_table_slows_its_bots(level: type[EasyBot]) -> None:
    """With twice the usual `hurry` their bangs take twice the time; with half of it no less than usual."""
    usual, slow, quick = (
        [ms for value, ms in reflexes(level(), ("7 2", "7 3"), 2, hurry=hurry) if value is True]
        for hurry in (800, 1600, 400)
    )
    assert len(usual) > 100
    assert slow == [2 * ms for ms in usual]
    assert quick == usual


def test_the_slow_bot_leaves_time_to_look() -> None:
    """It lays its card more than half a second later than the others, so that a child can bang."""
    moves = [taken for value, taken in reflexes(SlowBot(), ("7 2", "9 3"), 1) if value is GO_ON]
    assert len(moves) > 900
    assert min(moves) >= 800 + 200 + 700


@pytest.mark.battery
@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [(RandomBot, EasyBot), (SlowBot, EasyBot), (EasyBot, NormalBot), (NormalBot, HardBot)],
)
def test_the_stronger_bot_wins_more(weaker: type[RandomBot], stronger: type[RandomBot]) -> None:
    """Over forty matches, seats turn about; benchmarks/README.md has the shares over hundreds."""
    won = 0
    for seed in range(40):
        bots = [stronger(), weaker()] if seed % 2 else [weaker(), stronger()]
        outcome = play(Bang, BangOptions(), bots, seed).outcome
        won += any(type(bots[seat]) is stronger for seat in outcome.winners)
    assert won > 28


def test_a_bot_sees_only_what_lies_open() -> None:
    """What is in the stacks, seen or not, changes nothing in what it does."""
    match = table("7 2", "9 3", rest=0)
    assert match.window is not None
    before = [HardBot().react(match.views(1), match.window, Chance(seed)) for seed in range(50)]
    faces: list[FrenchFace] = list(FRENCH_54.faces)
    for card in match.game.stacks[0]:
        card._face = faces[0]
    assert [HardBot().react(match.views(1), match.window, Chance(seed)) for seed in range(50)] == before
