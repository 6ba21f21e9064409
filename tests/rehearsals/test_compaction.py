"""A table whose log was compacted: who comes, and who comes back, goes on from the snapshot."""

from __future__ import annotations

import asyncio

import pytest
from tests.rehearsals.family import NAMES
from tests.rehearsals.people import Person
from tests.rehearsals.plan import Face, Plan, Seat
from tests.rehearsals.played import Played, tricks
from tests.rehearsals.test_chairs import Table
from tests.rehearsals.vows import _kept

pytestmark = pytest.mark.battery

HOST, ANN, WIM = NAMES[:3]
SLOWLY = (2.0, 3.0)
TWO = Plan(
    3, "tricks",
    (Seat(Face.PLAIN, pace=SLOWLY), Seat(Face.PLAIN, pace=SLOWLY), Seat(Face.PLAIN, watches=True)),
)  # fmt: skip
GOES_ON = "The match continues"


class Twice(Played, Table):
    """Two matches: in the second Wim comes to watch, and Ann's laptop dies and joins again.

    Attributes:
        snapshots: whose logs begin with a snapshot: the host's after the first match, all in the second.
        noticed: the seconds until the host read that Ann had gone.
    """

    most = 2

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.snapshots: list[bool] = []
        self.noticed = -1.0

    def _note_snapshot(self, name: str) -> None:
        table = self._sessions[name]._log_driver.log.table
        kept = self.world.computers[name].within(_kept, table)
        assert kept is not None
        self.snapshots.append(kept.snapshot is not None)

    async def _until_read(self, who: str, words: str, times: int = 1) -> None:
        await self._until(lambda: len(self.read(who, words)) == times)

    async def _main(self) -> None:
        await self._open(1)
        self._ready(HOST, ANN)
        await self._until(lambda: self._plays(HOST))
        await self._until(lambda: not self._plays(HOST))
        self._note_snapshot(HOST)
        self._ready(HOST, ANN)
        await self._until_read(ANN, "How many do you take", 2)
        self._join(2)
        await self._until_read(WIM, GOES_ON)
        for name in NAMES[:3]:
            self._note_snapshot(name)
        self.world.computers[ANN].turn_off()
        died = self.world.loop.clock
        await self._until_read(HOST, "Lost contact with Ann")
        self.noticed = self.world.loop.clock - died
        self.world.computer(ANN)
        self._begin(ANN, lambda computer: self._guest(computer, 1, "10.0.0.1"))
        await self._until_read(ANN, GOES_ON)
        for name in NAMES[:3]:
            await self._until(lambda name=name: not self._plays(name))  # type: ignore[misc] # mypy knows no defaults of lambdas
        await asyncio.sleep(5.0)
        for name in (ANN, WIM, HOST):
            self.world.computers[name].within(self._sessions[name].commands.quit)
        await self._until(self._is_over)


def test_newcomers_and_those_who_come_back_go_on_from_the_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the second match no log has the first any more; a watcher and a killed guest see all of it."""
    monkeypatch.setattr(Person, "_leave", lambda _: None)
    with tricks():
        evening = Twice(TWO)
        report = evening.play()
    assert evening.snapshots == [False, True, True, True]
    assert 0 < evening.noticed < 20
    assert [len(evening.kept[name]) for name in NAMES[:3]] == [2, 2, 1]
    ends = [evening.kept[name][-1].end for name in NAMES[:3]]
    assert ends[0] is not None
    assert ends == [ends[0]] * 3
    assert not report.broken, report.broken
