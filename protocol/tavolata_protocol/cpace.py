"""CPace, a password-authenticated key exchange (draft-irtf-cfrg-cpace, suite CPACE-X25519-SHA512).

Two sides that share a short code agree on a strong key. Each side sends one point. An observer of both points
learns nothing to test codes against, and neither does a side with a wrong code. So every guess costs a call.
The names are those of the draft. Only the mathematics is here. The form of a code is in `codes.py`, and the
limit on wrong codes is in `limits.py`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from nacl import bindings
from nacl.exceptions import CryptoError

from tavolata_protocol.errors import HandshakeFailed

POINT_SIZE = 32
SCALAR_SIZE = 32
_DSI = b"CPace255"
_DSI_ISK = b"CPace255_ISK"
_BLOCK = 128  # bytes that SHA-512 takes at once
_ORDER = 2**252 + 27742317777372353535851937790883648493
_EIGHTH = pow(8, -1, _ORDER).to_bytes(32, "little")


def generator(code: bytes, channel: bytes, session: bytes) -> bytes:
    """Return the point of which all of this run's points are multiples; nobody knows its discrete logarithm.

    In the draft, `code` is PRS, `channel` (what both sides know of it) CI, and `session` sid.
    """
    padding = bytes(max(0, _BLOCK - 1 - len(_prepended(code)) - len(_prepended(_DSI))))
    digest = hashlib.sha512(_lv_cat(_DSI, code, padding, channel, session)).digest()
    field = digest[:31] + bytes((digest[31] & 0x7F,))
    # libsodium's map multiplies by 8, against the cofactor; the draft leaves that to the scalars.
    point = bindings.crypto_core_ed25519_from_uniform(field)
    point = bindings.crypto_scalarmult_ed25519_noclamp(_EIGHTH, point)
    return bindings.crypto_sign_ed25519_pk_to_curve25519(point)


@dataclass(frozen=True, slots=True)
class CPaceShare:
    """One side's state: 32 secret random bytes (`scalar`), the point to send, and the id of the run."""

    scalar: bytes
    point: bytes
    session: bytes

    @classmethod
    def make(cls, code: bytes, channel: bytes, session: bytes, scalar: bytes) -> CPaceShare:
        """Begin a run with 32 random bytes."""
        base = generator(code, channel, session)
        return cls(scalar, bindings.crypto_scalarmult(scalar, base), session)

    def secret(self, theirs: bytes) -> bytes:
        """K, the point that both sides compute; raise `HandshakeFailed` if there isn't one."""
        if len(theirs) != POINT_SIZE:  # PyNaCl would read past the end
            raise HandshakeFailed("The other side sent a point that is none.")
        try:
            return bindings.crypto_scalarmult(self.scalar, theirs)
        except CryptoError:
            raise HandshakeFailed("The other side sent a point that is none.") from None


def session_key(
    session: bytes, secret: bytes, first: tuple[bytes, bytes], second: tuple[bytes, bytes]
) -> bytes:
    """ISK of 64 bytes; `first` and `second` are (point, associated data) of initiator and responder."""
    transcript = _lv_cat(*first) + _lv_cat(*second)
    return hashlib.sha512(_lv_cat(_DSI_ISK, session, secret) + transcript).digest()


def _prepended(data: bytes) -> bytes:
    """Return the data with their length in LEB128 before them."""
    size, head = len(data), bytearray()
    while size >= 0x80:
        head.append(size & 0x7F | 0x80)
        size >>= 7
    head.append(size)
    return bytes(head) + data


def _lv_cat(*parts: bytes) -> bytes:
    return b"".join(map(_prepended, parts))
