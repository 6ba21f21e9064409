"""UDP sockets as asyncio-dgram streams: a function takes what arrives, and datagrams are sent at once.

Every socket that an event loop reads is such a stream. This module handles four properties of asyncio-dgram
3.0:

- A failed send is silent; the next send or receive raises its error. `fault` returns that error.
- `send` and `recv` wait only if they have to. So `send` can be a plain call here, and a loop that reads has
  to give others a turn.
- An error of a send that is no `OSError` closes the socket without a report. So the stream calls `lost`.
- The receive queue has no bound. A user that expects many datagrams drains the socket itself, so that the
  queue stays short.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from itertools import count
from typing import Any, Self

import asyncio_dgram
from asyncio_dgram.aio import DatagramServer

from tavolata_protocol.addresses import Address

YIELD_EVERY = 16
"""Datagrams that the stream hands over in a row before others have a turn."""

Take = Callable[[bytes, Any], None]


def _nobody() -> None:
    """Do nothing about a lost socket; it serves one query, or other sockets send the same one."""


class Stream:
    """A bound socket; make it with `of`."""

    def __init__(self, stream: DatagramServer, take: Take, lost: Callable[[], None]) -> None:
        self._stream = stream
        self._take = take
        self._lost = lost
        self._fault: OSError | None = None
        self._task = asyncio.create_task(self._read())

    @classmethod
    async def of(cls, sock: socket.socket, take: Take, lost: Callable[[], None] = _nobody) -> Self:
        """Begin to read a bound socket.

        Args:
            sock: the socket, which belongs to the stream from now on.
            take: takes each datagram and its source, and never raises.
            lost: called once if the socket is closed by anything but `close`.
        """
        stream = await asyncio_dgram.from_socket(sock)
        assert isinstance(stream, DatagramServer)  # the socket is not connected
        return cls(stream, take, lost)

    @property
    def fault(self) -> OSError | None:
        """The system's error when sending failed last; None if it never failed."""
        try:
            found = self._stream.exception  # raises what was not told yet
        except OSError as error:
            found = error
        self._fault = found or self._fault
        return self._fault

    async def _read(self) -> None:
        for number in count(1):
            try:
                data, address = await self._stream.recv()
            except OSError as error:  # the failure of an earlier send, or an ICMP answer to it
                self._fault = error
                continue
            except asyncio_dgram.TransportClosed:
                self._lost()  # `close` cancels this task first
                return
            self._take(data, address)
            if number % YIELD_EVERY == 0:
                await asyncio.sleep(0)

    def send(self, data: bytes, address: Address) -> None:
        """Send now; a datagram that the system does not take is lost like any other, or waits for room."""
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
        self._task.cancel()
        self._stream.close()
