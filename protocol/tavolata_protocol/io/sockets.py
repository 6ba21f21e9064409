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
import math
import socket
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from tavolata_protocol.addresses import Address, is_sendable, show
from tavolata_protocol.errors import AddressUnavailable
from tavolata_protocol.io.interfaces import source_to
from tavolata_protocol.io.opening import open_socket
from tavolata_protocol.io.streams import Stream

DRAIN = 63
"""The most datagrams that are read after the one from the event loop, before others have a turn."""
MAX_ROUTES = 4096
LOST_AGAIN = 1.0
"""If a socket is lost twice within so many seconds, it is not opened a third time."""
_READ_SIZE = 2048  # more than any packet, so that a longer datagram is noticed and dropped as malformed

Datagrams = Iterator[tuple[bytes, Address]]


async def resolve(host: str, port: int) -> list[Address]:
    """Return the numeric addresses of a host name, in the order to try them; empty if there is none."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_DGRAM)
    except OSError:
        return []
    return list(dict.fromkeys(_plain(address) for *_, address in found))


class Sockets:
    """Sockets at several local addresses, one each, and one port for all; 0 takes any free one.

    `arrived` takes the datagrams that came, in the turn of the event loop in which they are read. `failed`
    takes the reason why a lost socket can't be opened again; the sockets are of no use then.
    """

    def __init__(
        self,
        hosts: Sequence[str],
        port: int,
        arrived: Callable[[Datagrams], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self._hosts = hosts
        self._port = port
        self._arrived = arrived
        self._failed = failed
        self._lost_at: dict[int, float] = {}
        self._openings: set[asyncio.Task[None]] = set()
        self._sockets: list[socket.socket] = []
        self._streams: list[Stream] = []
        self._routes: dict[Address, int] = {}

    async def open(self) -> None:
        """Open all sockets and begin; if this raises `AddressUnavailable`, none stays open."""
        try:
            for index, host in enumerate(self._hosts):
                sock = open_socket(host, self._port)
                self._sockets.append(sock)
                self._port = self._port or sock.getsockname()[1]
                self._streams.append(await self._stream(index, sock))
        except AddressUnavailable:
            await self.close()
            raise

    async def close(self) -> None:
        """Close all sockets; may be called twice."""
        for opening in self._openings:
            opening.cancel()
        try:
            await asyncio.gather(*self._openings, return_exceptions=True)
            for stream in self._streams:
                stream.close()
            await asyncio.sleep(0)  # the transports close in the next turn of the loop
        finally:  # whoever is in a hurry does not wait for that
            for sock in self._sockets:
                sock.close()

    @property
    def addresses(self) -> list[Address]:
        """The addresses at which the sockets listen."""
        return [_plain(sock.getsockname()) for sock in self._sockets if sock.fileno() >= 0]

    def waiting(self) -> Datagrams:
        """Datagrams that arrived and were not handed over yet, at most a batch from each socket."""
        for index in range(len(self._sockets)):
            yield from self._drain(index)

    def send(self, data: bytes, address: Address) -> None:
        """Send from the socket that reaches the address; if there is none, the datagram is lost."""
        index = self._route(address)
        if index is not None:
            self._streams[index].send(data, address)

    async def _stream(self, index: int, sock: socket.socket) -> Stream:
        return await Stream.of(sock, partial(self._take, index), partial(self._lost, index))

    def _lost(self, index: int) -> None:
        """Open a socket again that the event loop has closed for any reason."""
        opening = asyncio.ensure_future(self._open_again(index))
        self._openings.add(opening)
        opening.add_done_callback(self._openings.discard)

    async def _open_again(self, index: int) -> None:
        now = asyncio.get_running_loop().time()
        before = self._lost_at.get(index, -math.inf)
        self._lost_at[index] = now
        self._sockets[index].close()
        host, port = self._hosts[index], self._port
        if now - before < LOST_AGAIN:
            where = show((host, port))
            self._failed(
                AddressUnavailable(
                    f"The system closes the socket at {where} again and again: start the program again."
                )
            )
            return
        try:
            self._sockets[index] = open_socket(host, port)
        except AddressUnavailable as error:
            self._failed(error)
        else:
            self._streams[index] = await self._stream(index, self._sockets[index])

    def _take(self, index: int, data: bytes, address: Any) -> None:
        self._arrived(self._batch(index, data, address))

    def _batch(self, index: int, data: bytes, address: Any) -> Datagrams:
        yield data, self._note(index, address)
        yield from self._drain(index)

    def _drain(self, index: int) -> Datagrams:
        sock = self._sockets[index]
        for _ in range(DRAIN):
            try:
                data, address = sock.recvfrom(_READ_SIZE)
            except (BlockingIOError, InterruptedError):
                return
            except OSError:
                if sock.fileno() < 0:
                    return  # closed: it is being opened anew
                continue  # an ICMP answer to an earlier datagram
            yield data, self._note(index, address)

    def _note(self, index: int, address: Any) -> Address:
        """Remember the socket that an address wrote to, to answer from the same socket."""
        plain = _plain(address)
        if len(self._hosts) > 1 and self._routes.get(plain) != index:
            if len(self._routes) >= MAX_ROUTES:
                self._routes.clear()
            self._routes[plain] = index
        return plain

    def _route(self, address: Address) -> int | None:
        """The socket for an address: the one it wrote to, or else the one that the kernel would choose."""
        if len(self._sockets) == 1:
            return 0 if (len(address) == 4) == (":" in self._hosts[0]) else None
        index = self._routes.get(address)
        if index is None and is_sendable(address):
            index = self._kernels_choice(address)
            if index is not None:
                self._routes[address] = index
        return index

    def _kernels_choice(self, address: Address) -> int | None:
        family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        fitting = [index for index, sock in enumerate(self._sockets) if sock.family == family]
        source = source_to(address)
        with contextlib.suppress(OSError):  # a lost socket, which is being opened again
            for index in fitting:
                if self._sockets[index].getsockname()[0] == source:
                    return index
        return fitting[0] if fitting else None


def _plain(address: Any) -> Address:
    """Return an address in one spelling: the scope of a link-local one is only in its fourth place."""
    if len(address) == 2:
        return (address[0], address[1])
    return (str(address[0]).partition("%")[0], address[1], 0, address[3])
