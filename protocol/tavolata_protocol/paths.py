"""Path validation: a new address of a peer is used only after it answered a challenge.

Addresses and tokens only; a challenge is carried by a session, and sent by the endpoint.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable

from tavolata_protocol.addresses import Address

TOKEN_SIZE = 8
AGAIN = 0.1
"""Seconds between two challenges of one peer, wherever it seems to be: the first may be lost."""


class Path:
    """The way to one peer, and one address that may become it.

    Args:
        address: where the handshake was.

    Attributes:
        address: where to send.
    """

    __slots__ = ("_asked_at", "_candidate", "_token", "address")

    def __init__(self, address: Address) -> None:
        self.address = address
        self._candidate: Address | None = None
        self._token = b""
        self._asked_at = float("-inf")

    def challenge(self, source: Address, now: float, random_bytes: Callable[[int], bytes]) -> bytes | None:
        """The token to send to where the newest packet of the peer came from; None for nothing to ask."""
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
        """A token came back from an address: go there from now on, if it is the one that was asked."""
        if source != self._candidate or not hmac.compare_digest(token, self._token):
            return False
        self.address, self._candidate = source, None
        return True
