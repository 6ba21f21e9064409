"""Whispers outside a match: words for one peer, sealed to a key that its process made when it came in.

The identity key opens nothing: it signs only. So who steals it later reads no whisper.
"""

from __future__ import annotations

from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, PublicKey, SealedBox

from tavolata import _machine
from tavolata._engine.dealing.sealing import seal

_ROOM = 256
"""Words are padded to a multiple of so many bytes, so that their length reveals little."""


class Whispers:
    """This process's mailbox: the public key, 32 bytes, to which others seal words for it."""

    def __init__(self) -> None:
        key = PrivateKey(_machine.token(PrivateKey.SIZE))
        self.mailbox = bytes(key.public_key)
        self._box = SealedBox(key)

    def opened(self, box: bytes) -> str | None:
        """Return the words in a box; None if it isn't for this process."""
        try:
            return self._box.decrypt(box).rstrip(b"\0").decode()
        except (CryptoError, ValueError, TypeError):
            return None


def sealed(mailbox: bytes, text: str) -> bytes | None:
    """Return a box that only the owner of a mailbox can open; None if the mailbox isn't a key."""
    words = text.encode()
    try:
        return seal(PublicKey(mailbox), words + b"\0" * (-len(words) % _ROOM))
    except (CryptoError, ValueError, TypeError):
        return None
