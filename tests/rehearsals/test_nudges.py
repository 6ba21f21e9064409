"""Players who are there and say nothing: a nudge, and what their own machine and the others do then."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from msgspec.structs import replace
from tests.rehearsals.scenes import ANN, BOB, HOST, THREE, Scene, agreed

pytestmark = pytest.mark.battery

COUNT, BOT, TIME_IS_UP = "A bot will answer in 20 s", "Your bot has answered for you", "Time's up for Ann"


def nudged(
    policy: str, low: float, high: float, react: Callable[[Scene], Awaitable[None]], *, voted: bool = False
) -> None:
    """The host and Bob bid, and Ann says nothing until she's nudged: her bid comes in these seconds.

    It's too early for a nudge at first. Only if it's `voted` is Ann's time up.
    """

    async def scene(table: Scene) -> None:
        await table.bids()
        table.type(HOST, "nudge Ann")
        await table.read("You can nudge someone after 10 seconds of waiting", HOST)
        await table.wait(table.plan.idle)
        table.type(HOST, "0", "nudge Ann")
        table.type(BOB, "0")
        began = await table.read("Host nudges Ann: are you there", HOST, ANN, BOB)
        await react(table)
        assert low < await table.read("Ann bids", HOST, BOB) - began < high
        table.play_on(HOST, BOB)
        if policy == "rest":
            await table.read("Ann plays", HOST)
            table.type(ANN, "seats")
            await table.read("3 of 3 seats taken", ANN)
            await table.read("Which card will you play", ANN)
        await table.play_out(HOST, ANN, BOB)
        assert bool(table.has(HOST, TIME_IS_UP)) is voted

    agreed(Scene(replace(THREE, nudged=policy), scene))


def test_who_was_nudged_and_presses_no_key_is_answered_for_by_its_own_bot() -> None:
    """The nudged machine counts down and answers, and no vote is needed."""

    async def react(table: Scene) -> None:
        await table.read(COUNT, ANN)
        await table.read(BOT, ANN, within=22)

    nudged("bot", 19, 22, react)


def test_a_key_stops_the_countdown() -> None:
    """The others read that who was nudged is there and thinks, and nobody answers in its place."""

    async def react(table: Scene) -> None:
        await table.read(COUNT, ANN)
        table.type(ANN, "seats")
        await table.read("Ann is here and thinking", HOST, BOB)
        await table.wait(120.0)  # longer than the others would wait for her if she weren't there
        assert not table.has(ANN, BOT)
        table.type(ANN, "0")

    nudged("bot", 120, 122, react)


def test_a_bot_plays_for_who_was_nudged_until_a_key_is_pressed() -> None:
    """`--nudged rest`: the own machine's bot answers, and goes on playing until its player is there again."""

    async def react(table: Scene) -> None:
        await table.read("In 20 s, a bot will play for you", ANN)
        await table.read(BOT, ANN, within=22)

    nudged("rest", 19, 22, react)


def test_a_machine_that_does_nothing_is_timed_out_by_votes() -> None:
    """`--nudged wait`: the others vote that time is up, and the question gets the answer of silence."""

    async def react(table: Scene) -> None:
        await table.read(TIME_IS_UP, HOST, ANN, BOB, within=30)

    nudged("wait", 24, 30, react, voted=True)
