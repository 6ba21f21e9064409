"""Evenings of Sealed Tricks, at which all are asked at once, and everybody does what a scene says."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

import pytest
from tests.network import sealed_tricks
from tests.rehearsals import family
from tests.rehearsals.disk import MemoryDisk
from tests.rehearsals.family import NAMES, Evening, _match_files
from tests.rehearsals.laptops import EPOCH, Laptop, Power
from tests.rehearsals.people import AtLines, Ways
from tests.rehearsals.plan import Face, Plan, Seat
from tests.rehearsals.test_chairs import Table
from typing_extensions import override

from tavolata._engine.peer.peer import PeerSession
from tavolata._engine.plugins.catalogue import Catalogue

HOST, ANN, BOB = NAMES[:3]
BID = "How many do you take"
THREE = Plan(5, "tricks", (Seat(Face.PLAIN),) * 3)
TWO = Plan(5, "tricks", (Seat(Face.PLAIN),) * 2)


@cache
def catalogue() -> Catalogue:
    """Return the games of this Python and Sealed Tricks, found on no table's machine."""
    nowhere = Laptop("nowhere", "", random.Random(0), MemoryDisk(lambda: EPOCH), lambda: 0.0)
    known = Catalogue()
    nowhere.within(known.games)
    nowhere.within(known.game, sealed_tricks.__file__)
    return known


class Typist(AtLines):
    """Somebody who types what they're told to, and answers questions once they `play`."""

    plays = False

    @override
    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(0.5)
            ask = self.frontend.open_question()
            if self.plays and ask is not None:
                self.type(self._typed_answer(ask))


class Tricks(Table):
    """A table that plays a scene.

    Attributes:
        lines: by person, what they read.
        ends: what the files say of how matches ended, None for those that wait.
    """

    def __init__(self, plan: Plan, scene: Callable[[Tricks], Awaitable[None]]) -> None:
        super().__init__(plan)
        self.most = len(plan.seats)
        self.lines: dict[str, list[str]] = {name: [] for name in NAMES}
        self.ends: list[dict[str, Any] | None] = []
        self.reports_faults = False
        self._scene = scene
        self._passed = dict.fromkeys(NAMES, 0)

    # -- what people read and type ------------------------------------------------------------------

    async def bids(self) -> None:
        """Open the table, and play until everybody is asked for a bid."""
        await self._open(*range(1, self.most))
        self.type(HOST, "start")
        await self.read(BID, *NAMES[: self.most])

    async def read(self, pattern: str, *names: str, seconds: float = 120.0) -> float:
        """Wait until each of these people reads this, after what they were to read before; return when."""
        until = self.world.loop.clock + seconds
        for name in names:
            while not self._passes(name, pattern):
                assert self.world.loop.clock < until, (name, pattern, self.lines[name][-40:])
                await asyncio.sleep(0.1)
        return self.world.loop.clock

    def _passes(self, name: str, pattern: str) -> bool:
        for at in range(self._passed[name], len(self.lines[name])):
            if re.search(pattern, self.lines[name][at]):
                self._passed[name] = at + 1
                return True
        return False

    def has(self, name: str, pattern: str) -> bool:
        return any(re.search(pattern, line) for line in self.lines[name])

    def type(self, name: str, *lines: str) -> None:
        for line in lines:
            self.world.computers[name].within(self._typist(name).type, line)

    def play_on(self, *names: str) -> None:
        """Have these people answer from now on."""
        for name in names:
            self._typist(name).plays = True

    async def play_out(self, *names: str) -> None:
        """Have these people answer until the match is over."""
        self.play_on(*names)
        await self.read(r"It took \d+ turn", *names)

    def _typist(self, name: str) -> Typist:
        [person, *_] = self._people[name]
        assert isinstance(person, Typist)
        return person

    # -- machines -------------------------------------------------------------------------------------

    def kill(self, name: str) -> None:
        """Have a machine go off, and on again without a program."""
        self.world.computers[name].turn_off()
        self.world.computer(name)

    def put_to_sleep(self, name: str) -> None:
        self.world.computers[name].power = Power.ASLEEP

    def wake(self, name: str) -> None:
        self._wake(self.world.computers[name])

    def join(self, name: str, address: str = "10.0.0.1") -> None:
        """Say `tt join` where no program runs any more."""
        self._begin(name, lambda computer: self._guest(computer, NAMES.index(name), address))

    def resume(self, name: str) -> None:
        """Say `tt resume` where no program runs any more."""
        self._begin(name, lambda computer: self._back(computer, NAMES.index(name)))

    async def farewell(self, name: str) -> str:
        """Wait until a program has ended; return the last that it said."""
        await self._until(self._tasks[name].done)
        return self.report.ends[name]

    # -- an evening -----------------------------------------------------------------------------------

    @override
    async def _main(self) -> None:
        await self._scene(self)

    @override
    def _shown(self, computer: str, who: str, text: str) -> None:
        super()._shown(computer, who, text)
        self.lines[who].append(text)

    @override
    def _person(
        self, session: PeerSession, name: str, seat: Seat, ways: Ways, shown: Callable[[str, str], object]
    ) -> Typist:
        return Typist(name, self.world.stream(f"person {name}"), ways, shown, session, Face.PLAIN)

    @override
    def _check_reports(self, name: str, computer: Laptop) -> None:
        if not self.reports_faults:
            super()._check_reports(name, computer)

    @override
    def _check_files(self) -> None:
        Evening._check_files(self)
        for computer in self.world.computers.values():
            self.ends += [kept.end for _, kept in computer.within(_match_files)]


def perform(plan: Plan, scene: Callable[[Tricks], Awaitable[None]]) -> Tricks:
    """Play a scene in which nothing breaks, and return its table."""
    table = Tricks(plan, scene)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(family, "catalogue", catalogue)
        report = table.play()
    assert not report.broken, report.broken
    return table


def finish(plan: Plan, scene: Callable[[Tricks], Awaitable[None]]) -> None:
    """Perform a scene that every machine plays to the end: their files tell of one match, and one end."""
    ends = perform(plan, scene).ends
    assert ends[0] is not None
    assert ends == [ends[0]] * len(plan.seats)
