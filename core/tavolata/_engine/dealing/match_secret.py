"""The secret of one party in one match, from which everything else follows that it keeps to itself there.

A party draws it afresh when it says IN, and erases it when the match is over. The key of its identity signs
and does nothing else: nothing that opens anything follows from it.
"""

from __future__ import annotations

from functools import cached_property
from hashlib import blake2b, sha512

from nacl.public import PrivateKey
from nacl.signing import SigningKey

from tavolata_protocol.fair.beginning import mailbox_context, prove_mailbox
from tavolata_protocol.fair.seeds import Randomness, Secrets


class MatchSecret:
    """Everything that follows from one match secret, 32 bytes that no one else knows.

    `header` is the header's hash; see `fair.beginning`. The mailbox is made before the match has an id.
    """

    def __init__(self, secret: bytes, header: bytes) -> None:
        self._secret = secret
        self._header = header
        self._mailbox = SigningKey(blake2b(header, key=secret, digest_size=32, person=b"tt mailbox").digest())

    @property
    def mailbox_secret(self) -> int:
        """The logarithm e of the mailbox E = e·G."""
        digest = bytearray(sha512(bytes(self._mailbox)).digest()[:32])
        digest[0] &= 248  # as Ed25519 makes its scalar of a seed (RFC 8032)
        digest[31] = digest[31] & 127 | 64
        return int.from_bytes(digest, "little")

    def named_mailbox(self, lineage: bytes, party: int, nonce: bytes, randomness: Randomness) -> bytes:
        """Return the mailbox with its proof, as IN has it; see `fair.beginning`."""
        context, secrets = mailbox_context(lineage, party), Secrets(self.dealing, randomness)
        return prove_mailbox(context, self.mailbox_secret, self._header, nonce, secrets)

    @cached_property
    def private_key(self) -> PrivateKey:
        """The same key for sealed boxes, on curve25519."""
        return self._mailbox.to_curve25519_private_key()

    @property
    def dealing(self) -> bytes:
        """The seed of all secrets of dealing together, 32 bytes."""
        return self._derived(b"tt dealing", b"")

    def notes(self, match: str) -> bytes:
        """Return the key of the notes to oneself in a match, 32 bytes."""
        return self._derived(b"tt notes", match.encode())

    def book(self, match: str) -> bytes:
        """Return the seed of the shuffles of a trusted dealer, 32 bytes."""
        return self._derived(b"tt book", match.encode())

    def _derived(self, purpose: bytes, about: bytes) -> bytes:
        return blake2b(about, key=self._secret, digest_size=32, person=purpose).digest()
