"""Boxes that one peer alone can open: faces for a single seat, sealed to its identity's key.

Thin over PyNaCl's sealed boxes; the place (match, seat, card) is inside, so that a box that is
carried elsewhere opens to nothing.
"""

from __future__ import annotations

from nacl.exceptions import CryptoError
from nacl.public import SealedBox
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
