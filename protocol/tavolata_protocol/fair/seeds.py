"""Key derivation: all secrets of one peer for one match, from one seed of 32 bytes.

The seed and the log restore every secret after a crash. The nonces of proofs must never be used twice, so
they are hedged: hashed from the statement, the secret, and fresh randomness. Neither a bad source of
randomness nor a repeated statement alone reveals a secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b

from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.hashing import Field, H, numbers, scalars

SEED_SIZE = 32

Randomness = Callable[[int], bytes]
"""A function that returns so many unpredictable bytes: `os.urandom`, except in tests."""


class Secrets:
    """One peer's secrets in one match, from 32 secret bytes that are stored before the peer joins.

    `randomness` is called for every proof.
    """

    def __init__(self, seed: bytes, randomness: Randomness) -> None:
        if len(seed) != SEED_SIZE:
            raise ValueError(f"A seed has {SEED_SIZE} bytes, not {len(seed)}.")
        self._seed = seed
        self._key = blake2b(seed, digest_size=64, person=b"tavolata secrets").digest()
        self._randomness = randomness

    @property
    def steady(self) -> Secrets:
        """The same secrets without fresh randomness, for a proof that must be the same after a crash.

        Its nonces are hashed from the statement and the secret (as in RFC 6979), so two statements never
        share a nonce.
        """
        return Secrets(self._seed, bytes)

    def derive(self, context: Context, purpose: str, *fields: Field) -> bytes:
        """64 secret bytes; equal arguments give equal bytes."""
        return H(b"secret bytes", self._key, purpose.encode(), context.encoded, *fields)

    def scalars(self, context: Context, count: int, purpose: str, *fields: Field) -> list[int]:
        """Secret scalars; equal arguments give equal scalars."""
        return scalars(
            context.group, count, b"secret scalars", self._key, purpose.encode(), context.encoded, *fields
        )

    def numbers(self, context: Context, purpose: str, *fields: Field) -> Iterator[int]:
        """Return a stream of secret numbers below 2**64; equal arguments give equal streams."""
        return numbers(b"secret numbers", self._key, purpose.encode(), context.encoded, *fields)

    def nonces(self, context: Context, count: int, purpose: str, *known: Field) -> list[int]:
        """Scalars that never repeat: from the seed, the statement, the secret, and fresh randomness."""
        fresh = self._randomness(64)
        return scalars(
            context.group, count, b"nonces", self._key, purpose.encode(), context.encoded, fresh, *known
        )
