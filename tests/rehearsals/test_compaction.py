"""A table whose log was compacted: who comes, and who comes back, goes on from the snapshot."""

from __future__ import annotations

import pytest
from tests.rehearsals.plan import Face, Plan, Seat
from tests.rehearsals.scenes import ANN, BID, BOB, HOST, Scene, played
from tests.rehearsals.vows import _kept

pytestmark = pytest.mark.battery

WIM = BOB
SLOW = Seat(Face.PLAIN, pace=(2.0, 3.0))
TWO = Plan(3, "tricks", (SLOW, SLOW, Seat(Face.PLAIN, watches=True, joins_at=1.0)))
GOES_ON, GONE = "The match continues", "Lost contact with Ann"


class Twice(Scene):
    """Two matches: in the second Wim comes to watch, and Ann's laptop dies and joins again.

    Attributes:
        snapshots: whose logs begin with a snapshot: the host's after the first match, all in the second.
        noticed: the seconds until the host read that Ann had gone.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan, Twice._play_twice, at_once=False)
        self.snapshots: list[bool] = []
        self.noticed = -1.0

    def _note_snapshot(self, name: str) -> None:
        table = self._sessions[name]._log_driver.log.table
        kept = self.world.computers[name].within(_kept, table)
        assert kept is not None
        self.snapshots.append(kept.snapshot is not None)

    async def _play_twice(self) -> None:
        self.play_on(HOST, ANN)
        self._ready(HOST, ANN)
        await self.until(lambda: self._plays(HOST))
        await self.read(BID, ANN)
        await self.until(lambda: not self._plays(HOST))
        self._note_snapshot(HOST)
        self._ready(HOST, ANN)
        await self.read(BID, ANN)
        self.join(WIM)
        await self.read(GOES_ON, WIM)
        for name in self.names:
            self._note_snapshot(name)
        self.kill(ANN)
        died = self.clock
        self.noticed = await self.read(GONE, HOST, within=20) - died
        self.join(ANN)
        await self.read(GOES_ON, ANN)
        self.play_on(ANN)
        await self.until(lambda: not any(map(self._plays, self.names)))
        await self.wait(5.0)
        for name in (ANN, WIM, HOST):
            self.world.computers[name].within(self._sessions[name].commands.quit)
        await self.until(self._is_over)


def test_newcomers_and_those_who_come_back_go_on_from_the_snapshot() -> None:
    """In the second match no log has the first any more; a watcher and a killed guest see all of it."""
    evening = played(Twice(TWO))
    assert evening.snapshots == [False, True, True, True]
    assert 0 < evening.noticed < 20
    assert [len(evening.has(*read)) for read in ((HOST, GONE), (WIM, GOES_ON), (ANN, GOES_ON))] == [1, 1, 1]
    assert [len(evening.kept[name]) for name in evening.names] == [2, 2, 1]
    ends = [evening.kept[name][-1].end for name in evening.names]
    assert ends[0] is not None
    assert ends == [ends[0]] * 3
