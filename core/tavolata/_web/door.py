"""The TCP door of the pages, which counts each connection as soon as it is accepted.

A server that only closes what is too much has accepted the whole backlog before: by then the descriptors of
the match are used up. A connection without a token in time is cut off.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import Callable

from tavolata._tasks import cancel
from tavolata_protocol.admission import Admission, Entrance, connections, source
from tavolata_protocol.io.opening import open_listener

TIRED = 0.1
"""Seconds to wait where the system gives no connection."""


class TcpDoor:
    """Accepts connections at some listening sockets; `handler` makes the protocol of each."""

    def __init__(self, handler: Callable[[], asyncio.BaseProtocol]) -> None:
        limit, seated = (connections(descriptors(), row) for row in (Entrance.CONNECTIONS, Entrance.SEATED))
        self._handler = handler
        self._seconds = limit.proof
        self._strangers = Admission[asyncio.Transport](limit, lambda one: one.is_closing())
        self._seated = Admission[asyncio.Transport](seated, lambda one: one.is_closing())
        self._accepting: list[asyncio.Task[None]] = []
        self._sockets: list[socket.socket] = []

    @property
    def port(self) -> int:
        """The port of the first socket."""
        return int(self._sockets[0].getsockname()[1])

    def listen(self, host: str, port: int) -> None:
        """Accept connections at an address, too; raise `OSError` if that isn't possible."""
        listener = open_listener(host, port)
        self._sockets.append(listener)
        self._accepting.append(asyncio.create_task(self._accept(listener)))

    def prove(self, transport: asyncio.Transport, seat: str = "") -> None:
        """Note that a connection showed a token: it stays from now on.

        That of a `seat` counts for its address no more: a household has one, however many play there.
        """
        if not seat:
            self._strangers.prove(transport)
        elif not self._seated.is_proved(transport):
            self._strangers.leave(transport)
            if self._seated.enter(transport, seat) is None:
                self._seated.prove(transport)
            else:
                transport.abort()

    async def close(self) -> None:
        """Accept nothing more."""
        try:
            await cancel(*self._accepting)
        finally:
            for listener in self._sockets:
                listener.close()

    async def _accept(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, address = await loop.sock_accept(listener)
            except OSError:  # no descriptor is left, or the caller has gone again
                await asyncio.sleep(TIRED)
                continue
            with contextlib.suppress(OSError):
                accepted.setblocking(False)
                transport, _ = await loop.connect_accepted_socket(self._handler, accepted)
                self._admit(transport, source(address))

    def _admit(self, transport: asyncio.Transport, of: str) -> None:
        gives_way = self._strangers.enter(transport, of)
        if gives_way is not None:
            gives_way.abort()
        if gives_way is not transport:
            asyncio.get_running_loop().call_later(self._seconds, self._expire, transport)

    def _expire(self, transport: asyncio.Transport) -> None:
        if not (self._strangers.is_proved(transport) or self._seated.is_proved(transport)):
            transport.abort()


def descriptors() -> int:
    """Return how many descriptors this process may have; it raises its own limit if it may."""
    if sys.platform == "win32":
        return 1024
    else:  # noqa: RET505 - the type checker for Windows looks at no branch of another system
        import resource  # noqa: PLC0415 - Windows has none

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = WANTED if hard == resource.RLIM_INFINITY else min(hard, WANTED)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
                soft = wanted
        return WANTED if soft == resource.RLIM_INFINITY else soft


WANTED = 4096
"""Descriptors that are enough for any table."""
