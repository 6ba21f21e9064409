"""Laptops that die, sleep, flap and are closed while a family plays: what all read, and after how long."""

from __future__ import annotations

from itertools import permutations

import pytest
from msgspec.structs import replace
from tests.rehearsals.scenes import ANN, BID, BOB, CY, DOT, FIVE, HOST, THREE, Scene, agreed

pytestmark = pytest.mark.battery


async def sleeps(table: Scene, name: str, seconds: float, *others: str) -> None:
    """Have a laptop sleep; it's away after 15 seconds, and back at once when it wakes so much later."""
    slept = table.clock
    table.sleep(name)
    assert 12 < await table.read(f"{name} is away", *others, within=16) - slept < 16
    await table.wait(seconds)
    woke = table.clock
    table.wake(name)
    assert await table.read(f"{name} is back", *others) - woke < 1


async def is_answered_for(table: Scene, stand_after: int) -> None:
    """Kill Bob once the others have bid; 15 seconds and `stand_after` later the game bids for him."""
    table.play_on(HOST, ANN)
    await table.wait(5.0)
    table.kill(BOB)
    died = table.clock
    for pattern, least, most in (
        ("Lost contact with Bob", 3, 8),
        ("hasn't heard from Bob for 15 s", 12, 17),
        ("Bob is away", 12, 17),
        ("Time's up for Bob", 12 + stand_after, 17 + stand_after),
        ("Bob bids", 12 + stand_after, 17 + stand_after),
    ):
        assert least < await table.read(pattern, HOST, ANN, within=90) - died < most, pattern


@pytest.mark.parametrize("stand_after", [30, 60])
def test_the_game_answers_for_the_dead_once_they_have_been_away_for_long_enough(stand_after: int) -> None:
    """The wait has its cause in the lines of both others."""

    async def story(table: Scene) -> None:
        await table.bids()
        await is_answered_for(table, stand_after)
        await table.finish()

    agreed(Scene(replace(THREE, stand_after=stand_after), story), 2)


def test_where_nothing_is_hidden_nobody_waits_after_15_seconds() -> None:
    """Zompa's players hold nothing and are asked little: the others play to the end."""

    async def story(table: Scene) -> None:
        await table.read("shuffles and deals", *table.names)
        table.kill(BOB)
        died = table.clock
        assert 12 < await table.read("Bob is away: ", HOST, ANN, within=17) - died < 17
        await table.finish()

    agreed(Scene(replace(THREE, game="zompa", options={"fiches": 1, "fives": True}), story), 2)


def test_an_evening_of_three_laptops_ends_well() -> None:
    """A link that is down for five seconds of twenty makes nobody away; one sleeps, and another one dies."""

    async def story(table: Scene) -> None:
        await table.bids()
        for _ in range(4):
            table._cut(BOB, [HOST, ANN], 5.0)
            await table.wait(20.0)
        assert not any(table.has(name, " is away: ") for name in table.names)
        await sleeps(table, ANN, 10.0, HOST, BOB)
        await is_answered_for(table, 30)
        await table.finish()

    agreed(Scene(THREE, story), 2)


def test_lids_are_closed_and_nobody_is_gone() -> None:
    """Who wakes is back by itself, another one leads while the host sleeps, and the match ends well."""

    async def story(table: Scene) -> None:
        await table.bids()
        await sleeps(table, ANN, 30.0, HOST, BOB)
        await sleeps(table, HOST, 10.0, ANN, BOB)
        assert table.has(ANN, "now leads the table")
        await table.finish()

    agreed(Scene(THREE, story))


def test_somebody_comes_back_just_before_their_time_is_up() -> None:
    """The seat is theirs again from their word on, and each question has exactly one answer."""

    async def story(table: Scene) -> None:
        await table.bids()
        table.play_on(HOST, ANN)
        table.kill(BOB)
        await table.read("Bob is away", HOST, ANN, within=30)
        await table.wait(28.0)
        table.join(BOB)
        await table.read("Bob is back", HOST)
        await table.read("The match continues", BOB)
        await table.read(BID, BOB)
        await table.finish()

    evening = agreed(Scene(THREE, story))
    for name in (HOST, ANN):
        assert sum("Bob bids" in text for text in evening.lines[name]) == 1
        assert not evening.has(name, "Time's up for Bob")


def test_three_of_five_die_and_the_match_is_suspended_and_goes_on() -> None:
    """It waits with names and an exit, and goes on to its end when all have resumed it."""

    async def story(table: Scene) -> None:
        await table.bids()
        for name in (BOB, CY, DOT):
            table.kill(name)
            await table.wait(5.0)
        missing = "|".join(map(", ".join, permutations((BOB, CY, DOT))))
        await table.read(f"1 min without ({missing})", HOST, ANN, within=120)
        for name in (HOST, ANN):
            table.type(name, "suspend")
        await table.until(table._is_over)
        for name in (HOST, ANN):
            assert table.report.ends[name].startswith("Match suspended; no one has lost."), name
            table.kill(name)
        for index in range(5):
            table._restart(index)
        await table.read(BID, *table.names, within=60)
        await table.finish()

    agreed(Scene(FIVE, story))
