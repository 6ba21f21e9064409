"""A table at which everyone says that they are ready: the match begins after a count on all machines."""

from __future__ import annotations

import asyncio

from tests.rehearsals.family import NAMES, Evening
from tests.rehearsals.people import Phone
from tests.rehearsals.plan import Face, Plan, Seat
from typing_extensions import override

from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.peer.presence import COUNT

THREE = Plan(3, "zompa", (Seat(Face.JSON), Seat(Face.PLAIN, phones=1), Seat(Face.JSON)), {"fiches": 1})


class Ready(Evening):
    """Guests say ready, then the host does; Ann would rather wait, and says ready once more.

    Attributes:
        counts: the seconds left on each machine, at moments.
        began: the seconds from the last word to the match.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.counts: list[list[float | None]] = []
        self.began = -1.0

    @override
    def _settings(self, index: int) -> PeerSettings:
        settings = super()._settings(index)
        settings.at_once = False
        if settings.found is not None:
            settings.found = (6, *settings.found[1:])
        return settings

    @override
    async def _main(self) -> None:
        self._code = ""
        self.world.computer(NAMES[0])
        for index in range(1, len(self.plan.seats)):
            self.world.computer(NAMES[index])
        self._begin(NAMES[0], self._host)
        for index in range(1, len(self.plan.seats)):
            await asyncio.sleep(0.3)
            self._join(index)
        await asyncio.sleep(3.0)
        for name in NAMES[1:3]:
            await self._ready(name)
        [phone] = self._people[NAMES[1]][1:]
        assert isinstance(phone, Phone)
        frontend = phone.seat._frontend
        assert frontend is not None
        commands = frontend.session.commands
        assert commands is not None
        self.world.computers[NAMES[1]].within(commands.ready)
        await asyncio.sleep(20.0)
        await self._note()
        await self._ready(NAMES[0])
        await self._note()
        await self._ready(NAMES[1])
        await asyncio.sleep(20.0)
        await self._note()
        await self._ready(NAMES[1])
        last = self.world.loop.clock
        while not self._runs():  # noqa: ASYNC110 - virtual time
            await asyncio.sleep(0.1)
        self.began = self.world.loop.clock - last

    async def _ready(self, name: str) -> None:
        self.world.computers[name].within(self._sessions[name].commands.ready)
        await asyncio.sleep(1.0)

    async def _note(self) -> None:
        machines = [(self.world.computers[name], self._sessions[name]) for name in NAMES[:3]]
        self.counts.append([computer.within(session.table).starts_in for computer, session in machines])

    def _runs(self) -> bool:
        return all(session.state.matches.running is not None for session in self._sessions.values())

    @override
    def _check_files(self) -> None:
        """The match has only begun."""


def test_when_all_are_ready_the_match_begins_after_five_seconds() -> None:
    """Not before the host is ready; whoever isn't ready after all stops the count on every machine."""
    evening = Ready(THREE)
    report = evening.play()
    before, counted, stopped = evening.counts
    assert before == [None] * 3
    assert len(counted) == 3
    for seconds in counted:
        assert seconds is not None
        assert COUNT - 2 < seconds < COUNT
    assert stopped == [None] * 3
    assert COUNT - 1 < evening.began < COUNT + 6
    assert not report.broken, report.broken
