"""Tables that begin at once: of any size, with the host's bots, on one computer, and with faulty rules."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from msgspec.structs import replace
from tests.rehearsals import family
from tests.rehearsals.family import NAMES, PORT
from tests.rehearsals.laptops import Laptop
from tests.rehearsals.plan import Face, Plan, Seat
from tests.rehearsals.scenes import ANN, BOB, CY, HOST, Coded, finished, played
from typing_extensions import override

from tavolata._cli.failures import FINISHED
from tavolata._engine.network.joining import TableCard, open_table

pytestmark = pytest.mark.battery

BOT = Seat(Face.PLAIN, "random")
LOOPBACK = "127.0.0.1"
TWO = Plan(3, "tricks", (BOT, BOT))


@pytest.mark.long
def test_a_table_of_eight_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    """As tables of two to six do in any evening."""
    monkeypatch.setattr(family, "NAMES", (*NAMES, "Fay", "Gil"))
    assert len({*finished(Coded(replace(TWO, seats=(BOT,) * 8))).names}) == 8


class OnOneComputer(Coded):
    """All programs run on the host's computer, each with folders of its own."""

    @override
    def _begin(self, name: str, program: Callable[[Laptop], Coroutine[Any, Any, str]]) -> None:
        first, computer = self.world.computers[HOST], self.world.computers[name]
        self.world.network.move(computer, ())
        self.world.network.move(first, (LOOPBACK,))
        computer.hosts, computer.sockets = first.hosts, first.sockets
        super()._begin(name, program)

    @override
    async def _guest(self, computer: Laptop, index: int, address: str, key: str = "") -> str:
        there = address if address.startswith(LOOPBACK) else LOOPBACK
        return await super()._guest(computer, index, there, key)


def test_the_host_brings_bots_and_everybody_is_told_whom_to_trust() -> None:
    """Of four seats the host plays three; lobby and match file say who deals and who sees what."""
    evening = finished(OnOneComputer(replace(TWO, bots=("random", "random"))))
    for name in (HOST, ANN):
        assert evening.has(name, r"Host's bot \(random\)")
        assert evening.has(name, "A bot's cards are visible to the machine that runs it")
        assert evening.has(
            name, r"All seats share one address\. If it's one computer, its owner could see all hands"
        )
        [kept] = evening.kept[name]
        assert kept.header["dealer"] == "fair"
        assert kept.header["seed"] is None
        assert len(set(kept.header["keys"])) == 2


def test_a_host_that_deals_says_so() -> None:
    """Everybody reads in the lobby and at the match whom to trust."""
    evening = finished(Coded(replace(TWO, dealer="host")))
    for name in (HOST, ANN):
        assert evening.has(name, r"Host deals and could see every card")
        [kept] = evening.kept[name]
        assert kept.header["dealer"] == "host"


class TwoTables(OnOneComputer):
    """Bob opens a table of his own, at another port, and Cy comes to it."""

    @override
    async def _main(self) -> None:
        self._code = ""
        for name in NAMES[:4]:
            self.world.computer(name)
        self._begin(HOST, self._host)
        self._begin(BOB, self._host_there)
        await asyncio.sleep(1.0)
        self._begin(ANN, lambda computer: self._guest(computer, 1, LOOPBACK))
        self._begin(CY, lambda computer: self._guest(computer, 3, f"{LOOPBACK}:{PORT + 1}"))
        await self.until(self._is_over)

    async def _host_there(self, computer: Laptop) -> str:
        settings = self._settings(0)
        settings.name, settings.address = BOB, computer.host
        card = TableCard.of_game(BOB, family.catalogue().game(self.plan.game))
        async with open_table(card, ["0.0.0.0"], PORT + 1, None) as access:
            return await self._sit(computer, 2, access, self.plan.game, settings)


def test_two_tables_at_once_on_one_computer() -> None:
    """Tables at different ports know nothing of each other."""
    evening = TwoTables(replace(TWO, seats=(BOT,) * 4))
    evening.most = 2
    host, ann, bob, cy = played(evening).ends
    assert evening.report.matches == 4
    assert host == ann
    assert bob == cy
    assert host["digest"] != bob["digest"]
    assert evening.codes == dict.fromkeys(evening.names, FINISHED)


def test_rules_that_break_end_the_match_and_not_the_table() -> None:
    """Everybody reads of a fault of a game in one sentence, and the match is broken off."""
    evening = played(Coded(replace(TWO, options={"broken": True})))
    for name in (HOST, ANN):
        [told] = evening.has(name, "Error in the rules of tricks")
        assert "a fault of the rules" in told.string
        [kept] = evening.kept[name]
        assert kept.end is not None
        assert kept.end["outcome"] is None
    assert evening.ends == evening.ends[:1] * 2
    assert evening.codes == {HOST: FINISHED, ANN: FINISHED}
