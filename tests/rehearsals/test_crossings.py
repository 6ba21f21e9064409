"""Two things at once: everyone goes back a turn while somebody waits for a chair."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.rehearsals.family import NAMES
from tests.rehearsals.people import Person
from tests.rehearsals.plan import Face, Plan, Seat
from tests.rehearsals.test_chairs import Table
from typing_extensions import override

HOST, ANN, BOB, CY = NAMES[:4]
SLOWLY = (1.0, 3.0)
SOMEBODY = Seat(Face.JSON, pace=SLOWLY)
THREE = Plan(7, "horse-fever", (SOMEBODY,) * 3, {"turns": 4})
WAITING = replace(THREE, seats=(SOMEBODY,) * 4)


class Back(Table):
    """A table whose people go back a turn although nothing has failed.

    Attributes:
        before: who sat where in the match that was left.
        after: who sits where in the new one.
    """

    most = 6

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.before: list[str] = []
        self.after: list[str] = []

    async def _play_until_a_turn_is_clean(self, *names: str) -> None:
        self._ready(*names)
        await self._until(lambda: self._snapshot() and self._turns() > 2)
        self.before = self._sitting()

    def _turns(self) -> int:
        running = self._sessions[HOST].state.matches.running
        return 0 if running is None else running.match.turns

    def _snapshot(self) -> bool:
        return self._sessions[HOST].state.matches.continuation.snapshot is not None

    def _sitting(self) -> list[str]:
        last = self._sessions[HOST].state.matches.last
        assert last is not None
        return list(map(str, last.header.names))

    def _wish_back(self, *names: str) -> None:
        for name in names:
            self.world.computers[name].within(self._sessions[name].commands.go_back)

    def _is_back(self, *names: str) -> bool:
        lasts = [self._sessions[name].state.matches.running for name in names]
        return all(one is not None and one.header.before is not None for one in lasts)


class WithSomebodyWaiting(Back):
    """Cy comes after the turn to whose end everyone goes back, and waits for a chair."""

    @override
    async def _main(self) -> None:
        await self._open(1, 2)
        await self._play_until_a_turn_is_clean(HOST, ANN, BOB)
        self._join(3)
        await self._until(lambda: CY in self._sessions and self._sessions[CY]._connection.is_here)
        self._wish_back(HOST, ANN, BOB)
        await self._until(lambda: self._is_back(HOST, ANN, BOB, CY))
        self.after = self._sitting()
        assert self._facts(CY).waits
        await self._until(lambda: not self._plays(HOST))
        await self._until(lambda: CY in self._sessions[HOST].names)
        self._ready(HOST, ANN, BOB, CY)
        await self._until(lambda: self._plays(CY) and self._sessions[CY].people != ())


def test_going_back_keeps_everyone_in_their_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same people play the new match, and whoever waits for a chair waits on and gets one."""
    monkeypatch.setattr(Person, "_leave", lambda _: None)
    evening = WithSomebodyWaiting(WAITING)
    report = evening.play()
    assert evening.before == evening.after
    assert len(evening.before) == 3
    assert not report.broken, report.broken
