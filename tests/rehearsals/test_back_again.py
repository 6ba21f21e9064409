"""The host's program is killed and resumes: its phones are back within ten seconds, with the same hands."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest
from msgspec.structs import replace
from tests.rehearsals.family import NAMES, Evening
from tests.rehearsals.people import ENOUGH
from tests.rehearsals.plan import Face, Plan, Seat
from typing_extensions import override

pytestmark = pytest.mark.battery

HOST = NAMES[0]
Hand = tuple[int, list[str]]
PHONES = [f"{HOST}'s {number}" for number in range(3)]
SLOWLY = (2.0, 4.0)
ALONE = Plan(5, "conto", (Seat(Face.JSON, pace=SLOWLY, phones=3),), {"hands": 3})
TOGETHER = replace(ALONE, seats=(*ALONE.seats, Seat(Face.PLAIN, pace=SLOWLY)))


class Killed(Evening):
    """The host's computer stops in the middle of a match, and says `tt resume` two seconds later.

    Attributes:
        before: by phone, its seat and its hand as the page showed them last.
        after: likewise, as the page showed them first once the host was back.
        seconds: by phone, how long that took.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.before: dict[str, Hand] = {}
        self.after: dict[str, Hand] = {}
        self.seconds: dict[str, float] = {}
        self._killed = self._resumed = 0.0

    @override
    def _shown(self, computer: str, who: str, text: str) -> None:
        super()._shown(computer, who, text)
        state = json.loads(text) if who in PHONES else {}
        scene = state["scene"] if state.get("type") == "state" else {}
        cards = [card["text"] for zone in scene.get("yours", ()) for card in zone.get("cards", ())]
        if not cards:
            return
        hand = scene["seat"], cards
        if not self._killed:
            self.before[who] = hand
        elif who not in self.after:
            self.after[who], self.seconds[who] = hand, self.world.loop.clock - self._resumed

    @override
    async def _main(self) -> None:
        self._code = ""
        for name in NAMES[: len(self.plan.seats)]:
            self.world.computer(name)
        self._begin(HOST, self._host)
        for index in range(1, len(self.plan.seats)):
            await asyncio.sleep(1.0)
            self._join(index)
        await self._until(lambda: self._turns() >= 3)
        self._all_think(ENOUGH)
        await asyncio.sleep(20.0)  # until pages have shown what happened
        self._turn_off(self.world.computers[HOST], 0.0, 0)
        self._killed = self.world.loop.clock
        await asyncio.sleep(2.0)
        self._resumed = self.world.loop.clock
        self._restart(0)
        await self._until(lambda: len(self.after) == len(PHONES))
        self._all_think(0)
        turns = self._turns()
        await self._until(lambda: self._turns() > turns)

    def _all_think(self, answers: int) -> None:
        """Have nobody answer, as if they had given so many answers already."""
        for people in self._people.values():
            for person in people:
                person.answers = answers

    def _turns(self) -> int:
        running = self._sessions[HOST].state.matches.running if HOST in self._sessions else None
        return 0 if running is None else running.match.turns

    async def _until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(self.plan.limit):
            while not holds():  # noqa: ASYNC110 - virtual time
                await asyncio.sleep(0.1)

    @override
    def _check_files(self) -> None:
        """The match goes on."""


@pytest.mark.parametrize("plan", [TOGETHER, ALONE], ids=["together", "alone"])
def test_phones_are_back_with_their_hands_after_the_host_was_killed(plan: Plan) -> None:
    """With another laptop and alone; the match goes on from there."""
    evening = Killed(plan)
    report = evening.play()
    assert set(evening.before) == set(evening.after) == set(PHONES)
    assert all(len(cards) > 1 for _, cards in evening.before.values())
    assert evening.after == evening.before
    assert max(evening.seconds.values()) < 10
    assert not report.broken, report.broken
