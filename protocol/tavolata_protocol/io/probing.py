"""Probing of addresses for tables, from separate sockets that are closed afterwards."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from typing import Any, Self

from tavolata_protocol.addresses import Address, is_sendable
from tavolata_protocol.handshake import answered_hello, hello
from tavolata_protocol.io.opening import open_plain
from tavolata_protocol.io.streams import Stream
from tavolata_protocol.messages.handshake import MIN_HELLO
from tavolata_protocol.messages.packets import MAX_DATAGRAM
from tavolata_protocol.path_size import SIZES

PROBES = ((MAX_DATAGRAM, 0.25), (MAX_DATAGRAM, 0.5), (MIN_HELLO, 0.75))
"""The sizes of the three probes, and the seconds to wait after each; the last gets through narrow paths."""


class Prober:
    """Probes addresses; use it as `async with Prober(random_bytes) as prober`."""

    def __init__(self, random_bytes: Callable[[int], bytes]) -> None:
        self._random = random_bytes
        self._waiting: dict[bytes, asyncio.Event] = {}
        self._ways: dict[bool, Stream] = {}

    async def __aenter__(self) -> Self:
        """Open the sockets; a machine without one address family uses the other."""
        for six, host in ((False, "0.0.0.0"), (True, "::")):  # noqa: S104 - answers come from anywhere
            sock = open_plain(socket.AF_INET6 if six else socket.AF_INET, host)
            if sock is not None:
                self._ways[six] = await Stream.of(sock, self._take)
        return self

    async def __aexit__(self, *_: object) -> None:
        for way in self._ways.values():
            way.close()

    async def is_alive(self, address: Address) -> bool:
        """Return True if a table answers at this address; this takes a second and a half if none does."""
        return await self._ask(address, PROBES)

    async def size(self, address: Address) -> int:
        """Return the largest packet that a table at this address answers, 0 if it answers none."""
        sizes = (*SIZES, MIN_HELLO)
        heard = await asyncio.gather(*(self._ask(address, ((size, 0.5),) * 3) for size in sizes))
        return max((size for size, answers in zip(sizes, heard, strict=True) if answers), default=0)

    async def _ask(self, address: Address, probes: Sequence[tuple[int, float]]) -> bool:
        way = self._ways.get(":" in address[0])
        if way is None or not is_sendable(address):  # asyncio would close the socket
            return False
        nonce = self._random(8)
        heard = self._waiting[nonce] = asyncio.Event()
        try:
            for size, pause in probes:
                way.send(hello(nonce, size), address)
                try:
                    await asyncio.wait_for(heard.wait(), pause)
                except TimeoutError:
                    continue
                return True
            return False
        finally:
            del self._waiting[nonce]

    def _take(self, data: bytes, _address: Any) -> None:
        nonce = answered_hello(data)
        heard = self._waiting.get(nonce) if nonce is not None else None
        if heard is not None:
            heard.set()
