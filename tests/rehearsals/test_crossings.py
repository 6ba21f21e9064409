"""Two things at once: somebody waits for a chair while everyone goes back a turn, or a pile is opened."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace
from tests.rehearsals.family import NAMES
from tests.rehearsals.people import Person
from tests.rehearsals.plan import Face, Plan, Seat
from tests.rehearsals.test_chairs import Table
from typing_extensions import override

from tavolata._engine.dealing import steps
from tavolata._engine.dealing.driver import DealingDriver
from tavolata._engine.dealing.fair_dealing import FairDealing
from tavolata._engine.dealing.piles import PileMaking

pytestmark = pytest.mark.battery

HOST, ANN, BOB, CY = NAMES[:4]
SLOWLY = (1.0, 3.0)
SOMEBODY = Seat(Face.JSON, pace=SLOWLY)
THREE = Plan(7, "horse-fever", (SOMEBODY,) * 3, {"turns": 4})
DEALT = Plan(7, "zompa", (SOMEBODY,) * 4, {"fiches": 1})
HANDS = Plan(7, "conto", (SOMEBODY,) * 3, {"hands": 2})
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


class Opened(Back):
    """Ann's machine holds its seeds back while it `keeps` them, so a pile stays half opened.

    Attributes:
        pile: the pile that is being opened.
        played: who plays, in each match.
    """

    pile: PileMaking

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.keeps = True
        self.played: list[list[str]] = []

    def held_back(self, driver: DealingDriver, held: set[int]) -> set[int]:
        return {*held, steps.SEED} if self.keeps and driver.deal.me == 2 else held

    def _deal(self) -> FairDealing:
        deal = self._sessions[HOST].state.matches.dealing
        assert isinstance(deal, FairDealing)
        return deal

    def _is_opened(self) -> bool:
        return self._plays(HOST) and any(pile.chain.openers for pile in self._deal().piles.under_way)

    async def _until_opened(self) -> None:
        await self._until(self._is_opened)
        self.pile = next(pile for pile in self._deal().piles.under_way if pile.chain.openers)

    def _nobody_refused(self) -> bool:
        return not any(self._deal().authority._refusals.values())

    def _note_players(self, name: str) -> None:
        last = self._sessions[name].state.matches.last
        assert last is not None
        self.played.append(list(map(str, last.header.names)))


class SomebodyComes(Opened):
    """Cy comes meanwhile, and waits for a chair."""

    @override
    async def _main(self) -> None:
        await self._open(1, 2)
        self._ready(HOST, ANN, BOB)
        await self._until_opened()
        self._join(3)
        await self._until(lambda: CY in self._sessions and self._sessions[CY]._connection.is_here)
        await self._until(lambda: self._facts(CY).waits)
        await asyncio.sleep(10.0)
        assert self.pile in self._deal().piles.under_way
        assert not self.pile.chain.is_made
        self._note_players(CY)
        self.keeps = False
        await self._until(lambda: self.pile.chain.is_made)
        assert self._nobody_refused()
        await self._until(lambda: not self._plays(HOST))
        await self._until(lambda: CY in self._sessions[HOST].names)
        self._ready(HOST, ANN, BOB, CY)
        await self._until(lambda: self._plays(CY) and self._sessions[CY].people != ())
        self._note_players(CY)


class GoesBack(Opened):
    """Everyone wishes to go back to the last clean turn meanwhile."""

    @override
    async def _main(self) -> None:
        self.keeps = False
        await self._open(1, 2)
        self._ready(HOST, ANN, BOB)
        await self._until(self._snapshot)
        self.keeps = True
        await self._until_opened()
        self._note_players(HOST)
        left = self._deal()
        self._wish_back(HOST, ANN, BOB)
        await self._until(lambda: self._is_back(HOST, ANN, BOB))
        assert self._deal() is not left
        assert not self.pile.chain.is_made
        self._note_players(HOST)
        await self._until_opened()
        await asyncio.sleep(10.0)
        self.keeps = False
        await self._until(lambda: self.pile.chain.is_made)
        assert self._nobody_refused()
        await self._until(lambda: not self._plays(HOST))


def half_opened(kind: type[Opened], plan: Plan, monkeypatch: pytest.MonkeyPatch) -> Opened:
    """Play an evening at which a pile stays half opened."""
    evening = kind(plan)
    held = DealingDriver._held_back
    monkeypatch.setattr(
        DealingDriver, "_held_back", lambda self, now: evening.held_back(self, held(self, now))
    )
    monkeypatch.setattr(Person, "_leave", lambda _: None)
    report = evening.play()
    assert evening.pile.chain.draw == 0
    assert not report.broken, report.broken
    return evening


def test_who_comes_while_a_pile_is_opened_waits_and_the_order_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody counts as refusing, the first seeds make the deck, and the next match has a fourth chair."""
    evening = half_opened(SomebodyComes, DEALT, monkeypatch)
    assert evening.played == [[HOST, ANN, BOB], [HOST, ANN, BOB, CY]]


def test_a_table_goes_back_while_a_pile_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """The half opened pile is left with its match; the new one opens its own, and nobody has refused."""
    evening = half_opened(GoesBack, HANDS, monkeypatch)
    assert evening.played == [[HOST, ANN, BOB]] * 2
