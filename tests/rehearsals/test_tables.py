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
from tests.rehearsals.played import Played, agree, tricks
from typing_extensions import override

from tavolata._engine.network.joining import TableCard, open_table
from tavolata._engine.peer.peer_settings import PeerSettings

pytestmark = pytest.mark.battery

HOST, ANN, BOB, CY = NAMES[:4]
BOT = Seat(Face.PLAIN, "random")
LOOPBACK = "127.0.0.1"
TWO = Plan(3, "tricks", (BOT, BOT))


@pytest.mark.long
def test_a_table_of_eight_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    """As tables of two to six do in any evening."""
    names = (*NAMES, "Fay", "Gil")
    monkeypatch.setattr(family, "NAMES", names)
    with tricks():
        evening = Played(replace(TWO, seats=(BOT,) * 8))
        report = evening.play()
    assert len(set(names)) == 8
    agree(evening, names)
    assert not report.broken, report.broken


class OnOneComputer(Played):
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
    with tricks():
        evening = OnOneComputer(replace(TWO, bots=("random", "random")))
        report = evening.play()
    agree(evening, (HOST, ANN))
    for name in (HOST, ANN):
        assert evening.read(name, "Host's bot (random)")
        assert evening.read(name, "A bot's cards are visible to the machine that runs it")
        assert evening.read(
            name, "All seats share one address. If it's one computer, its owner could see all hands"
        )
        [kept] = evening.kept[name]
        assert kept.header["dealer"] == "fair"
        assert kept.header["seed"] is None
        assert len(set(kept.header["keys"])) == 2
    assert not report.broken, report.broken


def test_a_host_that_deals_says_so() -> None:
    """Everybody reads in the lobby and at the match whom to trust."""
    with tricks():
        evening = Played(replace(TWO, dealer="host"))
        report = evening.play()
    agree(evening, (HOST, ANN))
    for name in (HOST, ANN):
        assert evening.read(name, "Host (the host) deals and could see every card")
        [kept] = evening.kept[name]
        assert kept.header["dealer"] == "host"
    assert not report.broken, report.broken


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
        async with asyncio.timeout(self.plan.limit):
            while not self._is_over():  # noqa: ASYNC110 - virtual time
                await asyncio.sleep(1.0)

    @override
    def _settings(self, index: int) -> PeerSettings:
        settings = super()._settings(index)
        if settings.found is not None:
            settings.found = (2, *settings.found[1:])
        return settings

    async def _host_there(self, computer: Laptop) -> str:
        settings = self._settings(0)
        settings.name, settings.address = BOB, computer.host
        card = TableCard.of_game(BOB, family.catalogue().game(self.plan.game))
        async with open_table(card, ["0.0.0.0"], PORT + 1, None) as access:
            return await self._sit(computer, 2, access, self.plan.game, settings)


def test_two_tables_at_once_on_one_computer() -> None:
    """Tables at different ports know nothing of each other."""
    with tricks():
        evening = TwoTables(replace(TWO, seats=(BOT,) * 4))
        report = evening.play()
    assert agree(evening, (HOST, ANN)) != agree(evening, (BOB, CY))
    assert not report.broken, report.broken


def test_rules_that_break_end_the_match_and_not_the_table() -> None:
    """Everybody reads of a fault of a game in one sentence, and the match is broken off."""
    with tricks():
        evening = Played(replace(TWO, options={"broken": True}))
        report = evening.play()
    agree(evening, (HOST, ANN))
    for name in (HOST, ANN):
        [told] = evening.read(name, "Error in the rules of tricks")
        assert "a fault of the rules" in told
        [kept] = evening.kept[name]
        assert kept.end is not None
        assert kept.end["outcome"] is None
    assert not report.broken, report.broken
