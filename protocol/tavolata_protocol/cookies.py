"""Stateless cookies: a caller returns one to prove that it receives what is sent to its address.

The host remembers nothing before that. A cookie is a keyed BLAKE2b hash of address, nonce and minute.
"""

from __future__ import annotations

import hashlib
import hmac

from tavolata_protocol.addresses import Address

COOKIE_SIZE = 16
_PERIOD = 60.0


class CookieJar:
    """Makes and checks cookies with a secret of 32 random bytes that never leaves this process."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def bake(self, address: Address, nonce: bytes, now: float) -> bytes:
        """Return the cookie of 16 bytes for this address and nonce in this minute."""
        return self._cookie(address, nonce, int(now // _PERIOD))

    def check(self, address: Address, nonce: bytes, cookie: bytes, now: float) -> bool:
        """Return True if the cookie is of this address and nonce, in this minute or the one before."""
        minute = int(now // _PERIOD)
        return any(
            hmac.compare_digest(cookie, self._cookie(address, nonce, when)) for when in (minute, minute - 1)
        )

    def _cookie(self, address: Address, nonce: bytes, minute: int) -> bytes:
        host, port = address[:2]
        scope = address[3] if len(address) == 4 else 0
        text = f"{host}|{port}|{scope}|{minute}|".encode() + nonce
        return hashlib.blake2b(text, digest_size=COOKIE_SIZE, key=self._secret).digest()
