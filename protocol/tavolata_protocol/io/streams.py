"""UDP sockets as asyncio-dgram streams: a function takes what arrives, and datagrams are sent at once.

Every socket that an event loop reads is such a stream. This module handles four properties of asyncio-dgram
3.0:

- It puts what arrives into a queue, and who waits for that queue is woken a turn of the event loop later. So
  the queue here is one that hands over at once.
- A failed send is silent; the next send raises its error. `fault` returns that error.
- `send` waits only if it has to. So it can be a plain call here. It asks about errors by an exception each
  time, in eight calls of functions; so what the system takes at once is given to the socket itself.
- An error of a send that is no `OSError` closes the socket without a report. So the stream calls `lost`.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any, Self

import asyncio_dgram
from asyncio_dgram.aio import DatagramServer, Protocol
from typing_extensions import override

from tavolata_protocol.addresses import Address

Take = Callable[[bytes, Any], None]


def _nobody() -> None:
    """Do nothing about a lost socket; it serves one query, or other sockets send the same one."""


class _HandOver(asyncio.Queue[tuple[bytes | None, Any]]):
    """The queue of received datagrams, which keeps none: a function takes each in the turn that reads it."""

    def __init__(self, take: Take, lost: Callable[[], None]) -> None:
        super().__init__()
        self._take = take
        self._lost = lost

    @override
    def put_nowait(self, item: tuple[bytes | None, Any]) -> None:
        data, address = item
        if data is None:
            self._lost()
        else:
            self._take(data, address)

    def end(self) -> None:
        """Hand over nothing more: the stream was closed on purpose."""
        self._take, self._lost = (lambda *_: None), _nobody


class Stream:
    """A bound socket; make it with `of`."""

    def __init__(self, sock: socket.socket, stream: DatagramServer, arrived: _HandOver) -> None:
        self._socket = sock
        self._stream = stream
        self._arrived = arrived
        self._fault: OSError | None = None
        self._is_closed = False

    @classmethod
    async def of(cls, sock: socket.socket, take: Take, lost: Callable[[], None] = _nobody) -> Self:
        """Begin to read a bound socket, which belongs to the stream from now on.

        `take` takes each datagram and its source, and never raises. `lost` is called once if the socket is
        closed by anything but `close`.
        """
        arrived, faults, drained = _HandOver(take, lost), asyncio.Queue[Exception](), asyncio.Event()
        transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
            lambda: Protocol(arrived, faults, drained), sock=sock
        )
        stream = DatagramServer(transport, arrived, faults, drained)  # type: ignore[arg-type]  # its stub has the wrong class
        return cls(sock, stream, arrived)

    @property
    def fault(self) -> OSError | None:
        """The system's error when sending failed last; None if it never failed."""
        try:
            found = self._stream.exception  # raises what was not told yet
        except OSError as error:
            found = error
        self._fault = found or self._fault
        return self._fault

    def send(self, data: bytes, address: Address) -> None:
        """Send now; a datagram that the system does not take is lost like any other, or waits for room."""
        if self._is_closed:
            return
        try:
            self._socket.sendto(data, address)  # as nearly always
        except (OSError, OverflowError, TypeError):
            self._send_through_library(data, address)

    def _send_through_library(self, data: bytes, address: Address) -> None:
        """Send what the system did not take at once: the library waits for room, and tells faults apart."""
        for _ in range(2):  # the first try may raise the failure of an earlier send
            sending = self._stream.send(data, address)
            try:
                sending.send(None)  # a task for a call that does not wait would be a turn too late
            except StopIteration:
                return
            except OSError as error:
                self._fault = error
                continue
            except asyncio_dgram.TransportClosed:
                return
            sending.close()  # the transport keeps it until there is room; nobody has to wait for that
            return

    def close(self) -> None:
        """Stop reading and sending."""
        self._is_closed = True
        self._arrived.end()
        self._stream.close()
