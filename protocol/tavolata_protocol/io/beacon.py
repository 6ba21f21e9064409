"""Sockets for `beacons`: queries and replies by broadcast and IPv6 multicast."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Self

from tavolata_protocol import beacons
from tavolata_protocol.addresses import Address, is_sendable, on_link
from tavolata_protocol.admission import LIMITS, Entrance
from tavolata_protocol.announcements import Announcement
from tavolata_protocol.errors import MalformedMessage
from tavolata_protocol.io.interfaces import Interface, near
from tavolata_protocol.io.opening import join_group, open_plain, open_shared
from tavolata_protocol.io.streams import Stream
from tavolata_protocol.limits import RateLimit
from tavolata_protocol.sightings import Rung, Sighting

_AGAIN = (0.0, 0.4, 1.0)  # seconds between queries; wireless networks lose broadcasts


class BeaconAnswerer:
    """Answers queries from this machine's networks while a table is open."""

    def __init__(self, announcement: Announcement) -> None:
        self.announcement = announcement
        self._limit = RateLimit(LIMITS[Entrance.SEARCHES].whole)
        self._near = on_link(())
        self._ways: dict[bool, Stream] = {}
        self._groups: socket.socket | None = None
        self._joined: set[int] = set()

    async def start(self) -> None:
        """Open the discovery port; if that fails, tables are found only in the other ways."""
        for six, host in ((False, "0.0.0.0"), (True, "::")):  # noqa: S104 - broadcasts come to no other address
            sock = open_shared(socket.AF_INET6 if six else socket.AF_INET, host, beacons.PORT)
            if sock is not None:
                if six:
                    self._groups = sock
                self._ways[six] = await Stream.of(sock, partial(self._take, six))

    def follow(self, interfaces: Sequence[Interface]) -> None:
        """Answer on these interfaces from now on; one that couldn't be joined is tried again each time."""
        self._near = near(interfaces)
        now = {one.index for one in interfaces if one.ipv6}
        self._joined &= now
        for index in sorted(now - self._joined):
            with contextlib.suppress(OSError):  # an interface without multicast, or one that isn't ready
                if self._groups is not None:
                    join_group(self._groups, beacons.GROUP, index)
                    self._joined.add(index)

    def close(self) -> None:
        """Close the sockets."""
        for way in self._ways.values():
            way.close()

    def _take(self, six: bool, data: bytes, address: Any) -> None:
        if not self._near(address):
            return
        with contextlib.suppress(MalformedMessage):
            said = beacons.answer(data, self.announcement)
            if self._limit.take(asyncio.get_running_loop().time()):
                self._ways[six].send(said, address)


class BeaconSearch:
    """Queries all networks, and the addresses that worked before; `saw` takes the replies as sightings.

    `random_bytes` returns that many unpredictable bytes.
    """

    def __init__(self, random_bytes: Callable[[int], bytes], saw: Callable[[Sighting], None]) -> None:
        self._nonce = random_bytes(8)
        self._saw = saw
        self._ways: list[tuple[Stream, list[Address]]] = []
        self._task: asyncio.Task[None] | None = None

    async def start(self, interfaces: Sequence[Interface], remembered: Sequence[Address] = ()) -> Self:
        """Open the sockets and begin to send queries."""
        for one in interfaces:
            for four in one.ipv4:
                if four.network.prefixlen < 31:
                    await self._add(str(four.ip), [(str(four.network.broadcast_address), beacons.PORT)])
            if one.ipv6:
                await self._add_group(one)
        for six, host in ((False, "0.0.0.0"), (True, "::")):  # noqa: S104 - the way there is the system's choice
            known = [_at_port(one) for one in remembered if (":" in one[0]) == six and is_sendable(one)]
            if known:
                await self._add(host, known)
        self._task = asyncio.create_task(self._ask())
        return self

    @property
    def faults(self) -> list[OSError]:
        """The reasons why some networks could not be queried."""
        return [way.fault for way, _ in self._ways if way.fault is not None]

    async def close(self) -> None:
        """Stop, and close the sockets."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for way, _ in self._ways:
            way.close()

    async def _add_group(self, one: Interface) -> None:
        # A host answers from an address of the same kind; people can type one that is not link-local.
        for ip in sorted({six.ip.is_link_local: six.ip for six in one.ipv6}.values()):
            sock = open_plain(socket.AF_INET6, str(ip), one.index if ip.is_link_local else 0)
            if sock is not None:
                with contextlib.suppress(OSError):
                    sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, one.index)
                await self._read(sock, [(beacons.GROUP, beacons.PORT, 0, one.index)])

    async def _add(self, host: str, targets: list[Address]) -> None:
        sock = open_plain(socket.AF_INET6 if ":" in host else socket.AF_INET, host)
        if sock is not None:
            await self._read(sock, targets)

    async def _read(self, sock: socket.socket, targets: list[Address]) -> None:
        self._ways.append((await Stream.of(sock, self._take), targets))

    async def _ask(self) -> None:
        question = beacons.question(self._nonce)
        for pause in _AGAIN:
            await asyncio.sleep(pause)
            for way, targets in self._ways:
                for target in targets:
                    way.send(question, target)

    def _take(self, data: bytes, address: Any) -> None:
        with contextlib.suppress(MalformedMessage):
            said = beacons.read_answer(data, self._nonce)
            host = str(address[0]).partition("%")[0]
            scope = address[3] if len(address) == 4 and ipaddress.ip_address(host).is_link_local else 0
            where: Address = (host, said.port, 0, scope) if ":" in host else (host, said.port)
            self._saw(Sighting(where, Rung.BROADCAST, said))


def _at_port(address: Address) -> Address:
    if len(address) == 4:
        return (address[0], beacons.PORT, 0, address[3])
    return (address[0], beacons.PORT)
