"""Laptops that come to a full table: a bot gives way, and whoever comes during a match plays the next one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from tests.rehearsals.family import NAMES, Evening
from tests.rehearsals.people import Person
from tests.rehearsals.plan import Face, Plan, Seat
from typing_extensions import override

from tavolata._engine.peer.peer_settings import PeerSettings

HOST, ANN, BOB, CY = NAMES[:4]
FOUR = Plan(
    5, "zompa", (Seat(Face.JSON), Seat(Face.PLAIN), Seat(Face.JSON), Seat(Face.PLAIN)), {"fiches": 1},
    bots=("easy",),
)  # fmt: skip


class Coming(Evening):
    """Three seats: a bot has one until Bob comes, and Cy comes in mid-match.

    Attributes:
        seated: who sat at the table, at moments.
        lines: what Cy reads while the others play.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.seated: list[list[str]] = []
        self.lines: list[str] = []

    @override
    def _settings(self, index: int) -> PeerSettings:
        settings = super()._settings(index)
        settings.at_once = False
        if settings.found is not None:
            settings.found = (3, *settings.found[1:])
        return settings

    @override
    async def _main(self) -> None:
        self._code = ""
        for name in NAMES[:4]:
            self.world.computer(name)
        self._begin(HOST, self._host)
        await asyncio.sleep(1.0)
        self._join(1)
        await asyncio.sleep(3.0)
        self._note()
        self._join(2)
        await asyncio.sleep(3.0)
        self._note()
        self._ready(HOST, ANN, BOB)
        await self._until(lambda: self._plays(ANN))
        self._join(3)
        await self._until(lambda: CY in self._sessions and self._sessions[CY]._connection.is_here)
        assert self._plays(CY)
        facts = self.world.computers[CY].within(self._sessions[CY].table)
        assert facts.waits
        self.lines = [message for message, _ in self.world.computers[CY].within(self._sessions[CY].lobby)]
        self._note()
        await self._until(lambda: not self._plays(HOST))
        self._note()
        self.world.computers[BOB].within(self._sessions[BOB].commands.quit)
        await self._until(lambda: CY in self._sessions[HOST].names)
        self._note()
        self._ready(HOST, ANN, CY)
        await self._until(lambda: self._plays(CY) and self._sessions[CY].people != ())

    def _note(self) -> None:
        self.seated.append(["a bot" if place.level else str(place.name)
                            for place in self._sessions[HOST].state.roster.places])  # fmt: skip

    def _plays(self, name: str) -> bool:
        return self._sessions[name].state.matches.running is not None

    def _ready(self, *names: str) -> None:
        for name in names:
            self.world.computers[name].within(self._sessions[name].commands.ready)

    async def _until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(self.plan.limit):
            while not holds():  # noqa: ASYNC110 - virtual time
                await asyncio.sleep(0.5)

    @override
    def _check_files(self) -> None:
        """The last match has only begun."""


def test_a_laptop_that_comes_to_a_full_table_is_seated_as_soon_as_it_can_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody is refused: three play, and the fourth has the first seat that is free between two matches."""
    monkeypatch.setattr(Person, "_leave", lambda _: None)
    evening = Coming(FOUR)
    report = evening.play()
    bot, three, during, after, last = evening.seated
    assert bot == [HOST, "a bot", ANN]
    assert three == during == [HOST, ANN, BOB]
    assert "{name} is watching, and plays as soon as a seat is free." in evening.lines
    assert after == three
    assert last == [HOST, ANN, CY]
    assert not report.broken, report.broken
