"""The UDP sockets of one driver, one for each local address: opening, draining and choosing one to send.

Each is read and written through asyncio-dgram (`streams`). This module handles three properties of the layers
below:

- An event loop hands over one datagram a turn. So the datagrams behind it are read directly from the socket.
- The system may refuse a datagram. It is lost like any other, and sessions handle losses.
- Python gives the scope of a link-local address twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import math
import socket
from collections.abc import Callable, Coroutine, Iterator, Sequence
from functools import partial
from typing import Any

from tavolata_protocol.addresses import Address, is_sendable, show
from tavolata_protocol.errors import AddressUnavailable
from tavolata_protocol.io.interfaces import Interface, interfaces, own_hosts, source_to
from tavolata_protocol.io.opening import open_socket
from tavolata_protocol.io.streams import Stream

DRAIN = 63
"""The most datagrams that are read after the one from the event loop, before others have a turn."""
MAX_ROUTES = 4096
LOOK_AGAIN = 1.0
"""Seconds after which this machine's addresses are read again."""
PORTS = 8
"""Free ports that are tried until one is free at all addresses."""
LOST_AGAIN = 1.0
"""If a socket is lost twice within so many seconds, it is not opened a third time."""
_READ_SIZE = 2048  # more than any packet, so that a longer datagram is noticed and dropped as malformed

Datagrams = Iterator[tuple[bytes, Address]]


async def resolve(host: str, port: int) -> list[Address]:
    """Return the numeric addresses of a host name, in the order to try them; empty if there isn't one.

    The name may be any text; a `%` without a zone behind it is left out.
    """
    loop, name = asyncio.get_running_loop(), host.removesuffix("%")
    try:
        found = await loop.getaddrinfo(name, port, type=socket.SOCK_DGRAM) if name else []
    except (OSError, ValueError):  # a name can't look like that: UnicodeError, a ValueError
        return []
    return list(dict.fromkeys(_plain(address) for *_, address in found))


class Sockets:
    """Sockets at several local addresses, one each, and one port for all; 0 takes any free one.

    An unspecified host (`0.0.0.0`, `::`) stands for each address of this machine, as they come and go.
    `arrived` takes the datagrams that came, in the turn of the event loop in which they are read. `failed`
    takes the reason why a lost socket can't be opened again; the sockets are of no use then. `moved` is
    called when addresses have come or gone.
    """

    def __init__(
        self,
        hosts: Sequence[str],
        port: int,
        arrived: Callable[[Datagrams], None],
        failed: Callable[[Exception], None],
        moved: Callable[[], None] = lambda: None,
    ) -> None:
        self.bound = list(hosts)
        self.port = port
        self.interfaces: list[Interface] = []
        """The interfaces at whose addresses this machine listens, as they were seen last."""
        self._arrived = arrived
        self._failed = failed
        self._moved = moved
        self._lost_at: dict[str, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._sockets: dict[str, socket.socket] = {}
        self._streams: dict[str, Stream] = {}
        self._routes: dict[Address, str] = {}

    async def open(self) -> None:
        """Open all sockets and begin; if this raises `AddressUnavailable`, none stays open."""
        self.interfaces = interfaces(self.bound)
        chosen = self.port
        for again in reversed(range(PORTS)):
            try:
                for host in own_hosts(self.bound, self.interfaces):
                    await self._open(host)
                break
            except AddressUnavailable:
                await self._close_all()
                if chosen or not self.port or not again:
                    raise
                self.port = 0  # it was free at one address, and not at another
        if self._follows:
            self._begin(self._watch())

    async def close(self) -> None:
        """Close all sockets; may be called twice."""
        for task in self._tasks:
            task.cancel()
        try:
            await asyncio.gather(*self._tasks, return_exceptions=True)
        finally:
            await self._close_all()

    async def _close_all(self) -> None:
        try:
            for stream in self._streams.values():
                stream.close()
            await asyncio.sleep(0)  # the transports close in the next turn of the loop
        finally:  # whoever is in a hurry does not wait for that
            for sock in self._sockets.values():
                sock.close()
            self._streams.clear()
            self._sockets.clear()

    @property
    def addresses(self) -> list[Address]:
        """The addresses at which the sockets listen."""
        return [_plain(sock.getsockname()) for sock in self._sockets.values() if sock.fileno() >= 0]

    def waiting(self) -> Datagrams:
        """Datagrams that arrived and were not handed over yet, at most a batch from each socket."""
        for host in list(self._sockets):
            yield from self._drain(host)

    def send(self, data: bytes, address: Address) -> None:
        """Send from the socket that reaches the address; if there isn't one, the datagram is lost."""
        host = self._route(address)
        if host is not None:
            self._streams[host].send(data, address)

    @property
    def _follows(self) -> bool:
        return own_hosts(self.bound, []) != self.bound

    async def _watch(self) -> None:
        """Open and close sockets as this machine's addresses come and go."""
        while True:
            await asyncio.sleep(LOOK_AGAIN)
            self.interfaces = interfaces(self.bound)
            wanted = own_hosts(self.bound, self.interfaces)
            gone = [host for host in self._sockets if host not in wanted]
            for host in gone:
                self._streams.pop(host).close()
                self._sockets.pop(host).close()
            new = [host for host in wanted if host not in self._sockets]
            for host in new:
                with contextlib.suppress(AddressUnavailable):  # asked again at the next look
                    await self._open(host)
            if gone or any(host in self._sockets for host in new):
                self._moved()

    async def _open(self, host: str) -> None:
        try:
            sock = open_socket(host, self.port)
        except AddressUnavailable as error:
            cause = error.__cause__
            if host in self.bound or (isinstance(cause, OSError) and cause.errno == errno.EADDRINUSE):
                raise
            return  # it has gone, or the system has no such family
        try:
            stream = await Stream.of(sock, partial(self._take, host), partial(self._lost, host))
        except BaseException:
            sock.close()
            raise
        self.port = self.port or sock.getsockname()[1]
        self._sockets[host], self._streams[host] = sock, stream

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _lost(self, host: str) -> None:
        """Open a socket again that the event loop has closed for any reason."""
        self._begin(self._open_again(host))

    async def _open_again(self, host: str) -> None:
        now = asyncio.get_running_loop().time()
        before = self._lost_at.get(host, -math.inf)
        self._lost_at[host] = now
        self._sockets[host].close()
        if now - before < LOST_AGAIN:
            where = show((host, self.port))
            self._failed(
                AddressUnavailable(
                    f"The system closes the socket at {where} again and again: start the program again."
                )
            )
            return
        try:
            await self._open(host)
        except AddressUnavailable as error:
            self._failed(error)

    def _take(self, host: str, data: bytes, address: Any) -> None:
        self._arrived(self._batch(host, data, address))

    def _batch(self, host: str, data: bytes, address: Any) -> Datagrams:
        yield data, self._note(host, address)
        yield from self._drain(host)

    def _drain(self, host: str) -> Datagrams:
        sock = self._sockets.get(host)
        for _ in range(0 if sock is None else DRAIN):
            assert sock is not None
            try:
                data, address = sock.recvfrom(_READ_SIZE)
            except (BlockingIOError, InterruptedError):
                return
            except OSError:
                if sock.fileno() < 0:
                    return  # closed: it is being opened again
                continue  # an ICMP answer to an earlier datagram
            yield data, self._note(host, address)

    def _note(self, host: str, address: Any) -> Address:
        """Remember the socket that an address wrote to, to answer from the same socket."""
        plain = _plain(address)
        if self._routes.get(plain) != host:
            if len(self._routes) >= MAX_ROUTES:
                self._routes.clear()
            self._routes[plain] = host
        return plain

    def _route(self, address: Address) -> str | None:
        """Return the socket for an address: the one it wrote to, or the one the kernel would choose.

        A choice isn't remembered: while this machine has no network, only loopback is left to choose.
        """
        host = self._routes.get(address)
        if host in self._streams:
            return host
        return self._kernels_choice(address) if is_sendable(address) else None

    def _kernels_choice(self, address: Address) -> str | None:
        family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        fitting = [host for host, sock in self._sockets.items() if sock.family == family]
        if len(fitting) > 1:
            source = source_to(address)
            with contextlib.suppress(OSError):  # a lost socket, which is being opened again
                for host in fitting:
                    if self._sockets[host].getsockname()[0] == source:
                        return host
        return fitting[0] if fitting else None


def _plain(address: Any) -> Address:
    """Return an address in one spelling: the scope of a link-local one is only in its fourth place."""
    if len(address) == 2:
        return (address[0], address[1])
    return (str(address[0]).partition("%")[0], address[1], 0, address[3])
