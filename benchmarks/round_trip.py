"""The bare round trip of a datagram between two processes with asyncio's sockets, for comparison."""

from __future__ import annotations

import asyncio
import time


class _Echo(asyncio.DatagramProtocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, addr: object) -> None:
        self.transport.sendto(data, addr)  # type: ignore[attr-defined]  # it is a datagram's


class _Ask(asyncio.DatagramProtocol):
    heard: asyncio.Future[None]

    def datagram_received(self, data: bytes, addr: object) -> None:
        if not self.heard.done():
            self.heard.set_result(None)


async def echo(port: int) -> None:
    """Send every datagram of a port back for as long as the loop runs."""
    await asyncio.get_running_loop().create_datagram_endpoint(_Echo, local_addr=("127.0.0.1", port))


async def bare(port: int, rounds: int, size: int = 200, pause: float = 0.0) -> list[float]:
    """Seconds of round trips of `size` bytes to an echo in another process, without lost ones.

    There is a pause of `pause` seconds before each.
    """
    loop = asyncio.get_running_loop()
    ask, asking = await loop.create_datagram_endpoint(_Ask, local_addr=("127.0.0.1", 0))
    took = []
    try:
        for _ in range(rounds):
            asking.heard = loop.create_future()
            await asyncio.sleep(pause)
            began = time.perf_counter()
            ask.sendto(bytes(size), ("127.0.0.1", port))
            try:
                await asyncio.wait_for(asking.heard, 1)
            except TimeoutError:
                continue
            took.append(time.perf_counter() - began)
    finally:
        ask.close()
    return took
