"""Path validation: a peer's new address is used only after an answer to a challenge came from there.

This module knows only addresses and tokens. A session carries the challenge, and the endpoint sends it.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable

from tavolata_protocol.addresses import Address

TOKEN_SIZE = 8
AGAIN = 0.1
"""Seconds between two challenges to one peer, at any address; they are repeated because one may be lost."""


class Path:
    """The address of one peer, at first that of the handshake, and one candidate for a new address."""

    __slots__ = ("_asked_at", "_candidate", "_token", "address")

    def __init__(self, address: Address) -> None:
        self.address = address
        self._candidate: Address | None = None
        self._token = b""
        self._asked_at = float("-inf")

    def challenge(self, source: Address, now: float, random_bytes: Callable[[int], bytes]) -> bytes | None:
        """Return the token to send to the source of the peer's newest packet; None if none is needed."""
        if source == self.address:
            self._candidate = None  # it has not moved after all
            return None
        if now - self._asked_at < AGAIN:
            return None
        if source != self._candidate:
            self._candidate, self._token = source, random_bytes(TOKEN_SIZE)
        self._asked_at = now
        return self._token

    def prove(self, source: Address, token: bytes) -> bool:
        """Take a returned token; if it is the one sent to that address, use the address from now on."""
        if source != self._candidate or not hmac.compare_digest(token, self._token):
            return False
        self.address, self._candidate = source, None
        return True
