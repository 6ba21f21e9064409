"""Boxes that one peer alone can open: faces for a single seat, sealed to its identity's key.

Thin over PyNaCl's sealed boxes; the place (match, seat, card) is inside, so that a box that is
carried elsewhere opens to nothing. Notes are boxes of a peer to itself.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from nacl.exceptions import CryptoError
from nacl.public import SealedBox
from nacl.secret import SecretBox
from nacl.signing import SigningKey, VerifyKey

from tavolata._engine.header import Header
from tavolata._engine.state import pack, unpack


def seal_face(header: Header, seat: int, card: int, face: int) -> bytes:
    """The face of a card, for the peer of this seat only."""
    key = VerifyKey(header.keys[seat]).to_curve25519_public_key()
    return bytes(SealedBox(key).encrypt(pack([header.id, seat, card, face])))


class Keys:
    """Opens what is sealed to one identity; see `log_source.Keyring`.

    Args:
        header: the match.
        seed: the identity's 32 secret bytes.
    """

    def __init__(self, header: Header, seed: bytes) -> None:
        self._header = header
        signing = SigningKey(seed)
        self._mine = bytes(signing.verify_key)
        self._box = SealedBox(signing.to_curve25519_private_key())

    def face(self, seat: int, card: int, box: bytes) -> int | None:
        """The face in a box for this seat, None if it is not ours or not what it should be."""
        if self._header.keys[seat] != self._mine:
            return None
        try:
            match, to, what, face = unpack(self._box.decrypt(box))
        except (CryptoError, ValueError, TypeError):
            return None
        return int(face) if [match, to, what] == [self._header.id, seat, card] else None


_NOTE = 64
"""Notes are filled up to a multiple of so many bytes: their length tells nothing of a short answer."""


class Notes:
    """What a peer writes to itself into the agreed log, so that it still knows it after a crash.

    Its answer under a seal, for one: nobody else can open that, and no other file has to keep it.

    Args:
        seed: the identity's 32 secret bytes.
        match: the match that they belong to.
    """

    def __init__(self, seed: bytes, match: str) -> None:
        self._box = SecretBox(
            blake2b(match.encode(), key=seed, digest_size=32, person=b"tavolata note").digest()
        )

    def write(self, value: Any) -> bytes:
        """The note of plain data."""
        data = pack(value)
        return bytes(self._box.encrypt(data + b"\x01" + b"\0" * (-(len(data) + 1) % _NOTE)))

    def read(self, note: bytes) -> Any:
        """The data of an own note, None if it is none."""
        try:
            return unpack(self._box.decrypt(note).rstrip(b"\0")[:-1])
        except (CryptoError, ValueError, TypeError):
            return None
