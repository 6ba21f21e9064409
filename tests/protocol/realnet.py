"""Peers with real sockets on loopback, and a relay between them that is a bad network.

All in one process and one event loop: agreed logs, sessions, drivers and sockets are the real ones. The relay
has a socket for each end of each pair of peers, so that each believes it talks to the other's address.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.protocol.grouplog.memory_storage import MemoryStorage

from tavolata._engine.network.log_driver import LogDriver
from tavolata._engine.storage.ways_back import WayFile
from tavolata_protocol.addresses import Address
from tavolata_protocol.endpoint import Endpoint
from tavolata_protocol.entries import Entry, EntryKind
from tavolata_protocol.events import CallFailure, ConnectFailed, Disconnected
from tavolata_protocol.grouplog import GroupLog, events
from tavolata_protocol.handshake import open_table_psk
from tavolata_protocol.identity import Identity, PeerId
from tavolata_protocol.io.udp import UdpDriver

from .lossy import CALM, Weather

TABLE = b"a table on real sockets"


class Relay:
    """A network that loses, repeats, delays and reorders what passes between numbered peers.

    Attributes:
        weather: what it does at present.
        cut: pairs of numbers between which nothing passes in that direction.
        carried: datagrams that came in.
    """

    def __init__(self, seed: int, weather: Weather = CALM, *, direct: bool = False) -> None:
        self.weather = weather
        self._direct = direct
        self.cut: Callable[[int, int], bool] = lambda source, target: False
        self.carried = 0
        self._chance = random.Random(seed)
        self._homes: dict[int, Address] = {}
        self._faces: dict[tuple[int, int], asyncio.DatagramTransport] = {}

    async def face(self, viewer: int, other: int) -> Address:
        """The address under which `viewer` reaches `other`."""
        if self._direct:
            return self._homes[other]
        if (viewer, other) not in self._faces:
            for near, far in ((viewer, other), (other, viewer)):
                self._faces[near, far] = await self._open(near, far)
        address: Address = self._faces[viewer, other].get_extra_info("sockname")
        return address

    def at_home(self, number: int, address: Address) -> None:
        """A peer listens there."""
        self._homes[number] = address

    async def _open(self, near: int, far: int) -> asyncio.DatagramTransport:
        relay = self

        class _Face(asyncio.DatagramProtocol):
            def datagram_received(self, data: bytes, addr: Any) -> None:
                relay._carry(data, near, far)

        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        sock.bind(("127.0.0.1", 0))
        transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(_Face, sock=sock)
        return transport

    def _carry(self, data: bytes, source: int, target: int) -> None:
        self.carried += 1
        weather, chance = self.weather, self._chance.random
        for _ in range(2 if chance() < weather.duplicate else 1):
            if chance() < weather.loss or self.cut(source, target):
                continue
            late = weather.jitter * chance() + (weather.delay * 3 if chance() < weather.reorder else 0.0)
            face, home = self._faces[target, source], self._homes[target]
            if late:
                asyncio.get_running_loop().call_later(late, self._hand_over, face, data, home)
            else:
                self._hand_over(face, data, home)

    @staticmethod
    def _hand_over(face: asyncio.DatagramTransport, data: bytes, home: Address) -> None:
        if not face.is_closing():
            face.sendto(data, home)

    def close(self) -> None:
        """Close its sockets."""
        for face in self._faces.values():
            face.close()


@dataclass
class Seat:
    """One peer, and everything that became final for it."""

    number: int
    wire: LogDriver
    applied: list[Entry] = field(default_factory=list)
    terms: list[int] = field(default_factory=list)
    fault: str = ""

    @property
    def id(self) -> PeerId:
        return self.wire.driver.endpoint.peer

    @property
    def bodies(self) -> list[bytes]:
        return [entry.body for entry in self.applied if entry.kind is EntryKind.APPLICATION]


class Group:
    """Peers around one table; use it as `async with gathered(...) as group`."""

    def __init__(self, relay: Relay, seats: list[Seat]) -> None:
        self.relay = relay
        self.seats = seats

    def leader(self) -> Seat | None:
        """Who leads, if it is one."""
        found = [one for one in self.seats if one.wire.log.is_leader]
        return found[0] if len(found) == 1 else None

    async def until(self, condition: Callable[[], object], seconds: float) -> float:
        """Wait for something; how long it took."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        while not condition():
            assert loop.time() - began < seconds, self.story()
            assert not any(one.fault for one in self.seats), self.story()
            await asyncio.sleep(0.005)
        return loop.time() - began

    def story(self) -> str:
        """Where everybody is, for a failure."""
        return "\n".join(
            f"{one.number}: {one.wire.log.state.value}, term {one.wire.log.term}, final "
            f"{one.wire.log.commit_index} of {one.wire.log.last_number}, {len(one.bodies)} bodies {one.fault}"
            for one in self.seats
        )

    def check(self, bodies: int) -> None:
        """All hold the same log with as many bodies, none of them twice."""
        first = self.seats[0]
        number = first.wire.log.commit_index
        for one in self.seats:
            assert one.wire.log.commit_index == number, self.story()
            assert one.wire.log.chain_at(number) == first.wire.log.chain_at(number)
            assert one.bodies == first.bodies
        assert len(set(first.bodies)) == len(first.bodies) == bodies, self.story()


@contextlib.asynccontextmanager
async def gathered(
    peers: int, seed: int = 0, weather: Weather = CALM, *, direct: bool = False
) -> AsyncIterator[Group]:
    """So many peers, all voters, with sessions among all of them; the weather begins then.

    With `direct` they reach each other without a relay in between.
    """
    relay = Relay(seed, direct=direct)
    seats: list[Seat] = []
    readers: list[asyncio.Task[None]] = []
    async with contextlib.AsyncExitStack() as stack:
        for number in range(peers):
            identity = Identity(random.Random(seed * 100 + number).randbytes(32))
            endpoint = Endpoint(
                identity,
                os.urandom,
                asyncio.get_running_loop().time(),
                psk=open_table_psk(TABLE),
                table=TABLE,
            )
            driver = UdpDriver(endpoint)
            await driver.start()
            log = GroupLog(identity, MemoryStorage(), table=TABLE, chance=random.Random(seed + number))
            wire = LogDriver(driver, log, WayFile(Path(os.devnull)))
            seats.append(Seat(number, wire))
            stack.push_async_callback(wire.close)
            relay.at_home(number, driver.addresses[0])
        group = Group(relay, seats)
        seats[0].wire.log.create(seats[0].wire.now())
        for one in seats:
            readers.append(asyncio.create_task(_follow(one, group)))
            for other in seats[: one.number]:
                one.wire.driver.endpoint.connect(await relay.face(one.number, other.number), one.wire.now())
            one.wire.driver.wake()
        await group.until(
            lambda: all(len(one.wire.driver.endpoint.peers()) == peers - 1 for one in seats), 20
        )
        for one in seats[1:]:
            one.wire.log.join(seats[0].id, one.wire.now())
            one.wire.pump()
        seats[0].wire.pump()
        await group.until(lambda: all(len(one.wire.log.configuration.voters) == peers for one in seats), 30)
        relay.weather = weather
        try:
            yield group
        finally:
            for reader in readers:
                reader.cancel()
            await asyncio.gather(*readers, return_exceptions=True)
            relay.close()


async def _follow(one: Seat, group: Group) -> None:
    """What a peer at a table does about its log and its sessions, and no more."""
    log = one.wire.log
    async for event in one.wire.events():
        match event:
            case events.Final(entry):
                one.applied.append(entry)
            case events.JoinRequested(peer) if log.is_leader:
                log.add_learner(peer)
                log.promote(peer)
                one.wire.pump()
            case events.Halted(sentence):
                one.fault = sentence
            case Disconnected(peer=peer):
                other = next(seat.number for seat in group.seats if seat.id == peer)
                one.wire.driver.endpoint.connect(await group.relay.face(one.number, other), one.wire.now())
                one.wire.driver.wake()
            case ConnectFailed(address, CallFailure.NO_ANSWER):  # cut off for longer than a call lasts
                one.wire.driver.endpoint.connect(address, one.wire.now())
                one.wire.driver.wake()
            case _:
                pass
