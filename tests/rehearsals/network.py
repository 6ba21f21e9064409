"""The network of a rehearsal: UDP with loss, delay, copies, damage, cuts, limits of size and routers."""

from __future__ import annotations

import asyncio
import errno
import random
import socket
from collections import deque
from collections.abc import Callable
from contextvars import Context
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self

from typing_extensions import override

if TYPE_CHECKING:
    from tests.rehearsals.laptops import Laptop

HEADERS = 28
"""Bytes of the headers of IPv4 and UDP."""
QUEUE = 512
"""The most datagrams that wait at a socket."""

Address = tuple[str, int]


class Timers(Protocol):
    @property
    def clock(self) -> float: ...
    def call_soon(
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Any: ...


@dataclass
class Link:
    """The way from one computer to another: what happens to a datagram there.

    `delay` is the least and the greatest, in seconds; datagrams may overtake each other. `mtu` counts bytes
    with headers. `damage`, `loss` and `repeat` are probabilities.
    """

    chance: random.Random
    loss: float = 0.0
    repeat: float = 0.0
    damage: float = 0.0
    delay: tuple[float, float] = (0.0005, 0.003)
    mtu: int = 1500
    cuts: int = 0
    """How many cuts are in force."""

    def carry(self, data: bytes) -> list[tuple[float, bytes]]:
        """Return what arrives of a datagram, each with its delay in seconds."""
        if self.cuts or len(data) + HEADERS > self.mtu:
            return []
        arrived = []
        for _ in range(2 if self.repeat and self.chance.random() < self.repeat else 1):
            if self.loss and self.chance.random() < self.loss:
                continue
            if self.damage and self.chance.random() < self.damage:
                flipped = bytearray(data)
                flipped[self.chance.randrange(len(data))] ^= 1 << self.chance.randrange(8)
                data = bytes(flipped)
            arrived.append((self.chance.uniform(*self.delay), data))
        return arrived


class Network:
    """Everything between the computers.

    `stream` makes a generator of random numbers of a name; `sent` hears of every datagram (for the trace).
    """

    def __init__(
        self,
        stream: Callable[[str], random.Random],
        later: Callable[[float, Callable[..., object], Context, Any, Any, Any], object],
        sent: Callable[[Address, Address, bytes], object],
    ) -> None:
        self.by_host: dict[str, Laptop] = {}
        self.usual: dict[str, Any] = {}
        self.count = 0
        self._stream = stream
        self._later = later
        self._sent = sent
        self._links: dict[tuple[str, str], Link] = {}
        self._moved: dict[Address, Address] = {}

    def link(self, source: str, target: str) -> Link:
        """Return the way from one computer to another, by their names."""
        found = self._links.get((source, target))
        if found is None:
            found = Link(self._stream(f"link {source} {target}"), **self.usual)
            self._links[source, target] = found
        return found

    def heal(self) -> None:
        """No loss, no damage and no cut from now on, on any way."""
        self.usual = {}
        for pair, old in self._links.items():
            self._links[pair] = Link(old.chance)

    def move(self, computer: Laptop, hosts: tuple[str, ...]) -> None:
        """Give a computer these addresses, of which it sends from the first."""
        self.by_host = {host: one for host, one in self.by_host.items() if one.name != computer.name}
        computer.hosts = hosts
        self.by_host |= dict.fromkeys(hosts, computer)

    @staticmethod
    def rebind(computer: Laptop, shift: int) -> None:
        """Have others see the sockets that a computer has now at ports so far off their own, as by a NAT."""
        for sock in computer.sockets.values():
            sock.seen_as = sock.port + shift

    def send(self, sock: VirtualSocket, data: bytes, target: Address) -> None:
        computer = sock.computer
        source = (computer.host if sock.host == "0.0.0.0" else sock.host, sock.seen_as)
        if source[0] not in computer.hosts:
            return  # its address has gone
        self.count += 1
        self._sent(source, target, data)
        receiver = self.by_host.get(target[0])
        if receiver is None:
            return
        for delay, arrived in self.link(computer.name, receiver.name).carry(data):
            self._later(delay, self._arrive, receiver.context, target, arrived, source)

    def _arrive(self, target: Address, data: bytes, source: Address) -> None:
        receiver = self.by_host.get(target[0])
        if receiver is None:
            return
        for sock in [*receiver.sockets.values()]:
            if sock.seen_as == target[1] and sock.host in ("0.0.0.0", target[0]):
                sock.arrive(data, source)


class VirtualSocket:
    """A UDP socket of a computer, as far as the product uses one. `seen_as` is its port for others."""

    family = socket.AF_INET
    type = socket.SOCK_DGRAM

    def __init__(self, computer: Laptop, network: Network, host: str, port: int) -> None:
        host = host or "0.0.0.0"
        if host not in ("0.0.0.0", "127.0.0.1", *computer.hosts):
            raise OSError(errno.EADDRNOTAVAIL, "no such address here")
        if any(
            port == taken and (there == host or "0.0.0.0" in (host, there))
            for there, taken in computer.sockets
        ):
            raise OSError(errno.EADDRINUSE, "in use")
        self.computer = computer
        self.network = network
        self.host, self.port = host, port or computer.free_port()
        self.seen_as = self.port
        self.closed = False
        self.transport: Transport | None = None
        self._peer: Address | None = None
        self._queue: deque[tuple[bytes, Address]] = deque()
        self._is_waking = False
        computer.sockets[self.host, self.port] = self

    def fileno(self) -> int:
        return -1 if self.closed else 1000 + self.port

    def getsockname(self) -> Address:
        return (self.host, self.port) if self._peer is None else (self.computer.host, self.port)

    def connect(self, address: Address) -> None:
        if address[0] not in self.network.by_host:
            raise OSError(errno.ENETUNREACH, "no route")
        self._peer = address

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def getpeername(self) -> Address:
        raise OSError(errno.ENOTCONN, "not connected")

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self.computer.sockets.pop((self.host, self.port), None)

    def recvfrom(self, _: int) -> tuple[bytes, Address]:
        if self.closed:
            raise OSError(errno.EBADF, "closed")
        if not self._queue:
            raise BlockingIOError
        return self._queue.popleft()

    def sendto(self, data: bytes, target: Address) -> None:
        if not self.closed:
            self.computer.before_datagram()
            self.network.send(self, bytes(data), target)

    def arrive(self, data: bytes, source: Address) -> None:
        if self.transport is not None and len(self._queue) < QUEUE:
            self._queue.append((data, source))
            self._wake()

    def _wake(self) -> None:
        if self._queue and not self._is_waking and self.transport is not None:
            self._is_waking = True
            self.transport.loop.call_soon(self._readable, context=self.computer.context)

    def _readable(self) -> None:
        self._is_waking = False
        if self.transport is None or self.transport.is_closing() or not self._queue:
            return
        data, source = self._queue.popleft()
        self.transport.protocol.datagram_received(data, source)
        self._wake()


class Transport(asyncio.DatagramTransport):
    """The transport of a socket; `loop` runs what it hears."""

    def __init__(self, loop: Timers, protocol: asyncio.DatagramProtocol, sock: VirtualSocket) -> None:
        super().__init__({"socket": sock, "sockname": sock.getsockname(), "peername": None})
        self.loop = loop
        self.protocol = protocol
        self._sock = sock
        self._is_closing = False
        sock.transport = self

    @override
    def sendto(self, data: Any, addr: Any = None) -> None:
        self._sock.sendto(data, addr)

    @override
    def is_closing(self) -> bool:
        return self._is_closing

    @override
    def close(self) -> None:
        if not self._is_closing:
            self._is_closing = True
            self.loop.call_soon(self._lost)

    @override
    def abort(self) -> None:
        self.close()

    def _lost(self) -> None:
        self.protocol.connection_lost(None)
        self._sock.close()
