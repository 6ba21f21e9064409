"""Matches that are stopped for another day: who waits too long, what breaks, and how it goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.rehearsals.laptops import Laptop
from tests.rehearsals.scenes import ANN, BID, HOST, TWO, Scene, agreed
from typing_extensions import override

from tavolata._engine.match.entries import ANSWER
from tavolata._engine.peer.fair_part import FairPart
from tavolata._engine.table.matches import Matches

pytestmark = pytest.mark.battery

SUSPENDED = "Match suspended; no one has lost."


async def go_on(table: Scene, said: str = BID) -> None:
    """Resume on both machines, read this, and play to the end."""
    for one in (ANN, HOST):
        table.resume(one)
    await table.read(said, HOST, ANN)
    await table.play_out(HOST, ANN)


def test_who_waits_for_a_dead_machine_is_offered_to_stop() -> None:
    """After a minute the wait has a name and an exit; the dead machine goes on, too, once it's there."""

    async def scene(table: Scene) -> None:
        await table.bids()
        began = table.clock
        table.kill(ANN)
        table.type(HOST, "suspend")
        assert (
            55 <= await table.read("1 min without Ann", HOST, within=62) - began < 62
        )  # since Ann's last beat
        table.type(HOST, "suspend")
        assert (await table.ended(HOST)).startswith(SUSPENDED)
        await go_on(table)

    agreed(Scene(TWO, scene))


def test_who_quits_while_cut_off_keeps_the_match() -> None:
    """Without a majority nobody could read a farewell: the match waits, and goes on."""

    async def scene(table: Scene) -> None:
        await table.bids()
        table.kill(ANN)
        await table.wait(20.0)
        table.type(HOST, "quit")
        assert (await table.ended(HOST)).startswith(SUSPENDED)
        await go_on(table)

    agreed(Scene(TWO, scene))


class Faulty(Scene):
    """A table at which machines may meet faults."""

    @override
    def _check_reports(self, name: str, computer: Laptop) -> None:
        pass


def until_mended(usual: Callable[..., Any], match_of: Callable[..., Any], broken: list[str]) -> Any:
    """Return what does as usual, but fails after three answers in a match while anything is `broken`."""

    def act(*args: Any) -> Any:
        match = match_of(*args) if broken else None
        if match is not None and sum(entry[0] == ANSWER for entry in match.source.entries) >= 3:
            raise KeyError("a fault of this program")
        return usual(*args)

    return act


@pytest.mark.parametrize("where", ["in what all hear", "in what each would say"])
def test_a_fault_that_all_machines_share_ends_no_match(monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    """All programs end by themselves, or fall silent until people quit; `tt resume` continues the match."""
    broken, is_heard = [where], where == "in what all hear"
    if is_heard:
        fails = until_mended(Matches.play, lambda matches, *_: matches.match, broken)
        monkeypatch.setattr(Matches, "play", fails)
    else:
        monkeypatch.setattr(FairPart, "due", until_mended(FairPart.due, lambda _, match: match, broken))

    async def scene(table: Scene) -> None:
        await table.bids()
        table.play_on(HOST, ANN)
        for one in () if is_heard else (HOST, ANN):
            await table.read("Something in Tavolata broke here", one)
            table.type(one, "quit")
        for one in (HOST, ANN):
            told = await table.ended(one)
            assert told.startswith("Something broke here: KeyError" if is_heard else SUSPENDED)
            assert "The match is saved" in told or not is_heard
        broken.clear()
        await go_on(table, "The match continues")

    agreed(Faulty(TWO, scene))


def test_programs_that_the_system_ends_end_no_match() -> None:
    """All of them at once, as a closed terminal ends them: nobody has left, and both go on."""

    async def scene(table: Scene) -> None:
        await table.bids()
        for one in (HOST, ANN):
            table._tasks[one].cancel()
        await table.wait(20.0)
        await go_on(table, "The match continues")

    agreed(Scene(TWO, scene))
