"""Streams: what arrives is handed over at once, and nothing after the stream was closed."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from tavolata_protocol.io.streams import Stream


def test_what_arrives_is_handed_over_without_a_task() -> None:
    """The event loop's own call takes a datagram: no task has to be woken first, a turn later."""
    tasks: list[asyncio.Task[Any] | None] = []

    async def main() -> None:
        arrived = asyncio.Event()

        def take(_data: bytes, _address: object) -> None:
            tasks.append(asyncio.current_task())
            arrived.set()

        with _bound() as near, _bound() as far:
            stream = await Stream.of(near, take)
            far.sendto(b"hello", near.getsockname())
            await asyncio.wait_for(arrived.wait(), 20)
            stream.close()

    asyncio.run(main())
    assert tasks == [None]


def test_closing_is_no_loss() -> None:
    """A stream that its owner closes hands over nothing more, and does not say that its socket was lost."""
    said: list[object] = []

    async def main() -> None:
        with _bound() as near, _bound() as far:
            stream = await Stream.of(near, lambda data, _: said.append(data), lambda: said.append("lost"))
            far.sendto(b"late", near.getsockname())
            stream.close()
            await asyncio.sleep(0.01)

    asyncio.run(main())
    assert said == []


def test_the_library_sends_only_what_the_system_does_not_take_at_once() -> None:
    """What fits goes out by one call of the socket; what finds no room is left to the library, not lost."""
    left: list[bytes] = []

    class Full(socket.socket):
        is_full = False

        def sendto(self, *words: Any) -> int:
            if self.is_full:
                raise BlockingIOError
            return super().sendto(*words)

    async def main() -> None:
        with Full(socket.AF_INET, socket.SOCK_DGRAM) as near, _bound() as far:
            near.setblocking(False)
            near.bind(("127.0.0.1", 0))
            stream = await Stream.of(near, lambda *_: None)
            library = stream._stream.send

            def send(data: bytes, address: Any) -> Any:
                left.append(data)
                return library(data, address)

            stream._stream.send = send  # type: ignore[assignment,method-assign]  # who is asked
            stream.send(b"at once", far.getsockname())
            near.is_full = True
            stream.send(b"with patience", far.getsockname())
            near.is_full = False
            got = [await asyncio.wait_for(asyncio.get_running_loop().sock_recv(far, 99), 20) for _ in "12"]
            assert got == [b"at once", b"with patience"]
            stream.close()
            stream.send(b"too late", far.getsockname())
            await asyncio.sleep(0)
            with pytest.raises(BlockingIOError):
                far.recv(99)

    asyncio.run(main())
    assert left == [b"with patience"]


def _bound() -> socket.socket:
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.bind(("127.0.0.1", 0))
    sock.setblocking(False)
    return sock
