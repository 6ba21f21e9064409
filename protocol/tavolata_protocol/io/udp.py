"""Sockets and clock for an `Endpoint`, over asyncio-dgram.

Only moving bytes, and knowing the faults of the layers below, lives here; every decision is the endpoint's.
One socket for each local address, one receiver and one sender task for each driver part. What is known of
asyncio-dgram 3.0 and worked around below:

- a failed send is silent, and the next send or receive raises it;
- `send` and `recv` do not yield when they are ready;
- its receive queue has no bound, and its event loop reads one datagram a turn: drain the socket itself;
- `close` wakes only one of several receivers: tasks are cancelled one by one.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import math
import socket
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Self

import asyncio_dgram

from tavolata_protocol.addresses import Address, show
from tavolata_protocol.endpoint import Endpoint
from tavolata_protocol.errors import AddressUnavailable, LocalError
from tavolata_protocol.events import Event

DRAIN = 63
YIELD_EVERY = 64
MAX_EVENTS = 4096
RECEIVE_BUFFER = 1 << 20
_READ_SIZE = 2048  # more than any packet: what is longer shows, and is dropped as malformed


def open_socket(host: str, port: int) -> socket.socket:
    """A UDP socket on a local address; port 0 takes any free one.

    Raises:
        AddressUnavailable: the port is taken, or the address is not of this machine.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_DGRAM, flags=socket.AI_NUMERICHOST | socket.AI_PASSIVE
        )[0]
    except socket.gaierror:
        raise AddressUnavailable(f"{host} is no address of a network interface.") from None
    sock = socket.socket(family, socket.SOCK_DGRAM)
    try:
        sock.setblocking(False)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        sock.bind(address)
    except OSError as error:
        sock.close()
        where = show((host, port))
        if error.errno == errno.EADDRINUSE:
            raise AddressUnavailable(
                f"Another program uses port {port} already ({where}): close it, or take another with --port."
            ) from error
        raise AddressUnavailable(f"This machine can't listen at {where}: {error.strerror}.") from error
    return sock


async def resolve(host: str, port: int) -> list[Address]:
    """The numeric addresses of a host name, in the order to try them; empty if there is none."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_DGRAM)
    except OSError:
        return []
    return list(dict.fromkeys(_plain(address) for *_, address in found))


class UdpDriver:
    """Runs an endpoint over UDP sockets of this machine.

    Use it as `async with UdpDriver(endpoint, ["0.0.0.0"], port) as driver`, read `async for event in
    driver.events()`, and after every direct call to `driver.endpoint` call `driver.wake()`.

    Args:
        endpoint: what to run; made with `clock()` as its time.
        hosts: local addresses to listen at, one socket each.
        port: the port, the same for all; 0 takes any free one.
    """

    clock: Callable[[], float] = staticmethod(time.monotonic)

    def __init__(self, endpoint: Endpoint, hosts: Sequence[str] = ("127.0.0.1",), port: int = 0) -> None:
        self.endpoint = endpoint
        self._hosts = hosts
        self._port = port
        self._sockets: list[socket.socket] = []
        self._streams: list[asyncio_dgram.aio.DatagramServer] = []
        self._routes: dict[Address, int] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._wake = asyncio.Event()
        self._read = asyncio.Event()
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_at = math.inf
        self._closed = False

    @property
    def addresses(self) -> list[Address]:
        """Where the sockets listen."""
        return [_plain(sock.getsockname()) for sock in self._sockets]

    async def __aenter__(self) -> Self:
        """Open the sockets and start; raises `AddressUnavailable`."""
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Say goodbye to all peers and close."""
        await self.close()

    async def start(self) -> None:
        """Open the sockets and begin; raises `AddressUnavailable`, and nothing is left open then."""
        try:
            for host in self._hosts:
                sock = open_socket(host, self._port)
                self._sockets.append(sock)
                self._port = self._port or sock.getsockname()[1]
                stream = await asyncio_dgram.from_socket(sock)
                assert isinstance(stream, asyncio_dgram.aio.DatagramServer)  # the socket is not connected
                self._streams.append(stream)
        except LocalError:
            await self._close_sockets()
            raise
        self._tasks = [asyncio.create_task(self._receive(index)) for index in range(len(self._streams))]
        self._tasks.append(asyncio.create_task(self._send()))
        for task in self._tasks:
            task.add_done_callback(self._stopped)

    async def events(self) -> AsyncIterator[Event]:
        """Everything that happens, until the driver is closed; to be read by one task, and steadily.

        Whoever does not read holds up receiving, and in the end loses the sessions.
        """
        while not (self._closed and self._events.empty()):
            event = await self._events.get()
            self._read.set()
            if event is None:
                break
            yield event
        for task in self._tasks:
            if task.done() and not task.cancelled():
                task.result()  # a fault in this program: not to be swallowed

    async def connect(self, host: str, port: int, psk: bytes | None = None) -> list[Address]:
        """Call a host by name or address: all its addresses, of which the first to answer wins.

        Returns:
            The addresses called; an event follows for each.

        Raises:
            AddressUnavailable: there is no such host.
        """
        addresses = await resolve(host, port)
        if not addresses:
            raise AddressUnavailable(f"There is no host {host}: check the name, or give its address.")
        for address in addresses:
            self.endpoint.connect(address, self.clock(), psk)
        self.wake()
        return addresses

    def wake(self) -> None:
        """Let what was asked of the endpoint happen: call it after `connect`, `send` and the like."""
        self._wake.set()

    async def flush(self, seconds: float) -> bool:
        """Wait until every peer has acknowledged everything; returns whether that came in time."""
        deadline = self.clock() + seconds
        while any(self.endpoint.path(peer).unacknowledged for peer in self.endpoint.peers()):
            if self.clock() >= deadline:
                return False
            self.wake()
            await asyncio.sleep(0.005)
        return True

    async def close(self) -> None:
        """End all sessions, stop the tasks and close the sockets; may be called twice."""
        if self._closed:
            return
        self._closed = True
        self.endpoint.close(self.clock())
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._alarm is not None:
            self._alarm.cancel()
        for data, address in self.endpoint.datagrams_to_send(self.clock()):
            await self._transmit(data, address)
        await self._close_sockets()
        self._take_events()
        self._events.put_nowait(None)

    def _stopped(self, _task: asyncio.Task[None]) -> None:
        self._events.put_nowait(None)  # the reader of events sees to what it was

    async def _close_sockets(self) -> None:
        for stream in self._streams:
            stream.close()
        await asyncio.sleep(0)  # the transports close in the next turn of the loop
        for sock in self._sockets:
            sock.close()

    async def _receive(self, index: int) -> None:
        stream = self._streams[index]
        while True:
            try:
                data, address = await stream.recv()
            except OSError:
                continue  # the failure of an earlier send, or an ICMP answer to it: sessions see to losses
            except asyncio_dgram.TransportClosed:
                return
            self._take(data, address, index)
            self._drain(index)
            self._take_events()
            self._wake.set()
            await asyncio.sleep(0)
            while self._events.qsize() >= MAX_EVENTS:  # a slow reader: let the kernel hold, then drop
                self._read.clear()
                await self._read.wait()

    def _drain(self, index: int) -> None:
        """Take what else waits in a socket, a batch at most."""
        sock = self._sockets[index]
        for _ in range(DRAIN):
            try:
                data, address = sock.recvfrom(_READ_SIZE)
            except (BlockingIOError, InterruptedError):
                break
            except OSError:
                continue
            self._take(data, address, index)

    def _take(self, data: bytes, address: Any, index: int) -> None:
        plain = _plain(address)
        if len(self._hosts) > 1 and self._routes.get(plain) != index:
            if len(self._routes) >= MAX_EVENTS:
                self._routes.clear()
            self._routes[plain] = index
        self.endpoint.receive_datagram(data, plain, self.clock())

    async def _send(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._wake.wait()
            self._wake.clear()
            if self._is_due():
                await self._catch_up()
                if self._is_due():
                    self.endpoint.handle_timer(self.clock())
            sent = 0
            while datagrams := self.endpoint.datagrams_to_send(self.clock()):
                for data, address in datagrams:
                    await self._transmit(data, address)
                    sent += 1
                    if sent % YIELD_EVERY == 0:
                        await asyncio.sleep(0)
            self._take_events()
            timer = self.endpoint.next_timer()
            if timer is not None and timer < self._alarm_at:
                self._set_alarm(timer, loop)

    def _set_alarm(self, when: float, loop: asyncio.AbstractEventLoop) -> None:
        """Wake the sender at a time; an alarm that comes too early is cheaper than moving it each time."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm_at = when
        self._alarm = loop.call_later(max(when - self.clock(), 0.0), self._ring)

    def _ring(self) -> None:
        self._alarm_at = math.inf
        self._wake.set()

    def _is_due(self) -> bool:
        timer = self.endpoint.next_timer()
        return timer is not None and timer <= self.clock()

    async def _catch_up(self) -> None:
        """Take what has arrived: after a pause of this process, acknowledgements count before timers."""
        await asyncio.sleep(0)  # one turn to read a datagram, one for the receiver to take it
        await asyncio.sleep(0)
        for index in range(len(self._sockets)):
            self._drain(index)

    async def _transmit(self, data: bytes, address: Address) -> None:
        index = self._route(address)
        if index is None:
            return  # no socket of that family: as lost as on the wire
        for _ in range(2):  # the first try may raise the failure of an earlier send
            try:
                await self._streams[index].send(data, address)
            except OSError:
                continue
            except asyncio_dgram.TransportClosed:
                return
            return

    def _route(self, address: Address) -> int | None:
        """The socket to reach an address from: where it wrote to, else what the kernel would choose."""
        if len(self._sockets) == 1:
            return 0 if (":" in address[0]) == (self._sockets[0].family == socket.AF_INET6) else None
        index = self._routes.get(address)
        if index is None:
            index = self._kernels_choice(address)
            if index is not None:
                self._routes[address] = index
        return index

    def _kernels_choice(self, address: Address) -> int | None:
        family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        fitting = [index for index, sock in enumerate(self._sockets) if sock.family == family]
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(address)  # sends nothing
            source = probe.getsockname()[0]
            for index in fitting:
                if self._sockets[index].getsockname()[0] == source:
                    return index
        return fitting[0] if fitting else None

    def _take_events(self) -> None:
        while (event := self.endpoint.next_event()) is not None:
            self._events.put_nowait(event)


def _plain(address: Any) -> Address:
    """An address in one spelling: the scope of a link-local one stands in its fourth place only."""
    host, port = str(address[0]).partition("%")[0], address[1]
    if len(address) < 4:
        return (host, port)
    return (host, port, 0, address[3])
