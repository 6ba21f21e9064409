"""Probing of addresses for tables, from separate sockets that are closed afterwards."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any, Self

from tavolata_protocol.addresses import Address, is_sendable
from tavolata_protocol.io.opening import open_plain
from tavolata_protocol.io.streams import Stream
from tavolata_protocol.probes import answered, probe

PAUSES = (0.25, 0.5, 0.75)
"""Seconds to wait after each of the three probes."""


class Prober:
    """Probes addresses; use it as `async with Prober(random_bytes) as prober`.

    Args:
        random_bytes: a function that returns that many unpredictable bytes.
    """

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
        """Close the sockets."""
        for way in self._ways.values():
            way.close()

    async def is_alive(self, address: Address) -> bool:
        """Whether a table answers at this address; this takes a second and a half if none does."""
        way = self._ways.get(":" in address[0])
        if way is None or not is_sendable(address):  # asyncio would close the socket
            return False
        nonce = self._random(8)
        heard = self._waiting[nonce] = asyncio.Event()
        try:
            for pause in PAUSES:
                way.send(probe(nonce), address)
                try:
                    await asyncio.wait_for(heard.wait(), pause)
                except TimeoutError:
                    continue
                return True
            return False
        finally:
            del self._waiting[nonce]

    def _take(self, data: bytes, _address: Any) -> None:
        nonce = answered(data)
        heard = self._waiting.get(nonce) if nonce is not None else None
        if heard is not None:
            heard.set()
