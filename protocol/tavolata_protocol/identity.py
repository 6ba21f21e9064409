"""Identities of peers: Ed25519 keys, and the known name of each key.

Pure: the caller passes in the seed and the known names, and stores the result. Files are in other modules.
"""

from __future__ import annotations

import hashlib
from enum import Enum
from functools import lru_cache
from typing import NewType

from nacl import bindings
from nacl.exceptions import BadSignatureError

PeerId = NewType("PeerId", bytes)
"""An Ed25519 public key, 32 bytes."""

SEED_SIZE = 32
_SIGNATURE_SIZE = 64


class Identity:
    """A peer's own identity, made from its secret seed of 32 bytes."""

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_SIZE:
            raise ValueError(f"The seed of an identity has {SEED_SIZE} bytes, not {len(seed)}.")
        public, self._secret = bindings.crypto_sign_seed_keypair(seed)
        self.peer = PeerId(public)

    def sign(self, context: bytes, message: bytes) -> bytes:
        """Return a signature of 64 bytes; `context` names its purpose, so that it is valid for no other."""
        return bindings.crypto_sign(_framed(context, message), self._secret)[:_SIGNATURE_SIZE]


def verify(peer: PeerId, context: bytes, message: bytes, signature: bytes) -> bool:
    """Return True if `peer` signed `message` for the purpose `context`."""
    if len(peer) != bindings.crypto_sign_PUBLICKEYBYTES or len(signature) != _SIGNATURE_SIZE:
        return False
    try:
        bindings.crypto_sign_open(signature + _framed(context, message), peer)
    except BadSignatureError:
        return False
    return True


def _framed(context: bytes, message: bytes) -> bytes:
    return bytes((len(context),)) + context + message


@lru_cache(maxsize=256)  # a screen asks for those of its table each time
def fingerprint(peer: PeerId) -> str:
    """Return a peer's key for people to compare: four groups of five characters (Crockford base 32)."""
    alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
    number = int.from_bytes(hashlib.blake2b(peer, digest_size=13, person=b"tavolata-finger").digest(), "big")
    symbols = "".join(alphabet[number >> shift & 31] for shift in range(95, -1, -5))
    return "-".join(symbols[start : start + 5] for start in range(0, 20, 5))


class Acquaintance(Enum):
    """The verdict on a name and its key, as ssh judges host keys."""

    FIRST_SEEN = "first seen"
    KNOWN = "known"
    CHANGED_KEY = "changed key"


class KnownNames:
    """The keys of each name, trusted on first use, and when each was met first, in seconds since 1970.

    Two people may have one name. Names compare as given, so fold their case before.
    """

    def __init__(self) -> None:
        self._known: dict[str, dict[PeerId, float]] = {}

    def judge(self, name: str, peer: PeerId) -> Acquaintance:
        """Judge a name without remembering it; `CHANGED_KEY` must stop the join until a person decides."""
        keys = self._known.get(name)
        if not keys:
            return Acquaintance.FIRST_SEEN
        return Acquaintance.KNOWN if peer in keys else Acquaintance.CHANGED_KEY

    def remember(self, name: str, peer: PeerId, when: float = 0.0) -> None:
        """Bind `name` to `peer`, beside the other keys of that name."""
        self._known.setdefault(name, {}).setdefault(peer, when)

    def last_met(self, name: str) -> float:
        """Return when the newest key of a name was met first; 0 if that isn't known."""
        return max(self._known.get(name, {}).values(), default=0.0)

    def snapshot(self) -> dict[str, dict[PeerId, float]]:
        """Everything remembered, for storing."""
        return {name: dict(keys) for name, keys in self._known.items()}
