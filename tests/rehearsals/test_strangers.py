"""What strangers, crowds and talkers send to a table: those who play see nothing of it."""

from __future__ import annotations

import asyncio
import contextlib
from random import Random

import pytest
from msgspec.structs import replace
from tests.rehearsals.disk import MemoryDisk
from tests.rehearsals.family import PORT
from tests.rehearsals.laptops import Laptop
from tests.rehearsals.network import Address, Transport, VirtualSocket
from tests.rehearsals.plan import Face, Plan, Seat
from tests.rehearsals.scenes import ANN, BOB, CY, HOST, Coded, Scene, finished, played
from tests.rehearsals.world import World
from typing_extensions import override

from tavolata._cli.failures import UNREACHABLE
from tavolata._engine.network.joining import join_table
from tavolata._engine.network.table_errors import Unreachable
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata_protocol.admission import LIMITS, Entrance
from tavolata_protocol.identity import PeerId

pytestmark = pytest.mark.battery

BOT = Seat(Face.JSON, "random")
THREE = Plan(3, "tricks", (BOT,) * 3, {"hands": 3})
TWO = replace(THREE, seats=(Seat(Face.PLAIN),) * 2, options={})
TABLE = ("10.0.0.1", PORT)
STRANGER = "10.0.0.66"


def noise(chance: Random) -> bytes:
    """Return a datagram that no machine sent: any length, often with the first byte of a real packet."""
    size = chance.choice((0, 1, 13, 14, 30, 64, 1200, 1201, 1400))
    data = bytearray(chance.randbytes(size))
    if data:
        data[0] = chance.choice((data[0], 0, 1, 2, 3, 4, 5, 6, 7, 8, 0x80))
    return bytes(data)


def stranger(world: World) -> VirtualSocket:
    """Return a socket at the usual port of a computer that has no program of ours."""
    disk = MemoryDisk(world.loop.time)
    computer = Laptop("stranger", STRANGER, world.stream("stranger"), disk, lambda: world.loop.clock)
    world.network.move(computer, computer.hosts)
    return VirtualSocket(computer, world.network, "", PORT)


class Sprayed(Coded):
    """Somebody throws garbage at the host's port all the while.

    Attributes:
        thrown: how much of it.
    """

    thrown = 0

    @override
    async def _main(self) -> None:
        source = stranger(self.world)
        spraying = source.computer.run(self._spray(source))
        await super()._main()
        await spraying

    async def _spray(self, source: VirtualSocket) -> None:
        while len(self.codes) < len(self.plan.seats):
            await asyncio.sleep(0.01)
            for _ in range(50):
                self.thrown += 1
                source.sendto(noise(source.computer.chance), TABLE)


def test_garbage_at_the_hosts_port_during_a_match() -> None:
    """Thousands of datagrams of nonsense: all play to one end, and read what they'd read without."""
    evening, usual = finished(Sprayed(THREE)), finished(Coded(THREE))
    for name in evening.names:
        assert evening.heard(name, "notice") == usual.heard(name, "notice")
    assert evening.thrown > 5000


class Parrot(asyncio.DatagramProtocol):
    """Answers every datagram with three of nonsense, and counts what it `heard`."""

    def __init__(self, sock: VirtualSocket) -> None:
        self.heard = 0
        self._sock = sock

    @override
    def datagram_received(self, data: bytes, addr: Address) -> None:
        self.heard += 1
        for _ in range(3):
            self._sock.sendto(noise(self._sock.computer.chance), addr)


class NoTable(Coded):
    """The host's laptop joins where only nonsense answers."""

    parrot: Parrot

    @override
    async def _main(self) -> None:
        self._code = ""
        self.world.computer(HOST)
        sock = stranger(self.world)
        self.parrot = Parrot(sock)
        Transport(self.world.loop, self.parrot, sock)
        self._begin(HOST, lambda computer: self._guest(computer, 0, STRANGER))
        async with asyncio.timeout(60.0):
            await self._tasks[HOST]


def test_what_answers_is_no_table() -> None:
    """A port that answers every datagram with garbage is no table: one sentence says so."""
    evening = played(NoTable(TWO))
    assert evening.parrot.heard > 1
    assert evening.report.ends[HOST].startswith(f"No answer from {STRANGER}.")
    assert evening.codes == {HOST: UNREACHABLE}
    assert not evening.lines


WILD = "{name}\x1b[31m@\u202e Ann"


class Talking(Scene):
    """Ann, whose name is wild, talks; then both play."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan, Talking._talk_and_play, at_once=False)
        self._keeps_names = False

    @override
    def _settings(self, index: int) -> PeerSettings:
        settings = super()._settings(index)
        if index == 1:
            settings.name = WILD
        return settings

    async def _talk_and_play(self) -> None:
        for words in ("\x1b[2Jclear {name} {0} \u0007bell", "long " * 1000, "你好 😀"):
            self.type(ANN, f"say {words}")
            await self.wait(1.0)
        self._ready(HOST, ANN)
        self.play_on(HOST, ANN)
        await self.read(" won", HOST, WILD, within=600)


def test_a_talker_cannot_break_the_lines_of_others() -> None:
    """Control signs, very long words, other scripts and braces arrive as one plain line."""
    evening = played(Talking(TWO))
    [line] = (found.string for found in evening.has(HOST, "clear"))
    assert line.isprintable()
    assert "says: " in line
    assert "{name} {0}" in line
    [line] = (found.string for found in evening.has(HOST, "long long"))
    assert len(line) < 450
    assert evening.has(HOST, "你好 😀")
    assert not [line for lines in evening.lines.values() for line in lines if not line.isprintable()]


class Crowded(Scene):
    """A crowd comes from Cy's laptop; then Ann comes to play and Bob to watch.

    Attributes:
        watching: how many of the crowd the table let in.
    """

    watching = 0

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan, Crowded._come_all, at_once=False)
        self.most = 2

    async def _come_all(self) -> None:
        self.watching = await self.world.computer(CY).run(look_on(20))
        for index in (2, 1):
            await self._comes(index)
        assert len(self._sessions[HOST].names) == 2
        roster = self._sessions[HOST].state.roster
        assert self._sessions[BOB].state.me in roster.watchers
        assert self._sessions[ANN].state.me in [place.peer for place in roster.places]


async def look_on(number: int) -> int:
    """Come to watch with so many identities at once; return how many are members after a while."""
    async with contextlib.AsyncExitStack() as stack:
        logs = []
        for one in range(number):
            with contextlib.suppress(Unreachable):
                access, _ = await stack.enter_async_context(join_table(TABLE[0], f"W{one}", watch=True))
                logs.append((access.log_driver.log, PeerId(access.own.identity.peer)))
        await asyncio.sleep(3.0)
        return sum(me in log.configuration for log, me in logs)


def test_one_machine_does_not_fill_the_table_with_spectators() -> None:
    """Of twenty from one machine twelve watch; a player and a spectator from elsewhere still get in."""
    host, guest = TWO.seats
    seats = (host, replace(guest, joins_at=1.0), Seat(watches=True, joins_at=1.0))
    evening = played(Crowded(replace(TWO, seats=seats)))
    assert evening.watching == LIMITS[Entrance.WATCHERS].source
