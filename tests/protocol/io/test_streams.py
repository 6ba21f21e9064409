"""Streams: what arrives is handed over at once, and nothing after the stream was closed."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

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


def _bound() -> socket.socket:
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.bind(("127.0.0.1", 0))
    sock.setblocking(False)
    return sock
