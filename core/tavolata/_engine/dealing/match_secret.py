"""The secret of one party in one match, from which everything else follows that it keeps to itself there.

A party draws it afresh when it says IN, and erases it when the match is over. The key of its identity signs
and does nothing else: nothing that opens anything follows from it.
"""

from __future__ import annotations

from hashlib import blake2b

from tavolata_protocol.fair.beginning import mailbox_context, prove_mailbox
from tavolata_protocol.fair.group import ED25519
from tavolata_protocol.fair.hashing import HS
from tavolata_protocol.fair.seeds import Randomness, Secrets


class MatchSecret:
    """Everything that follows from one match secret, 32 bytes that no one else knows.

    `header` is the header's hash; see `fair.beginning`. The mailbox is made before the match has an id.
    """

    def __init__(self, secret: bytes, header: bytes) -> None:
        self._secret = secret
        self._header = header

    @property
    def mailbox_secret(self) -> int:
        """The logarithm e of the mailbox E = e·G."""
        return HS(ED25519, b"mailbox secret", self._derived(b"tt mailbox", self._header))

    def named_mailbox(self, lineage: bytes, party: int, nonce: bytes, randomness: Randomness) -> bytes:
        """Return the mailbox with its proof, as IN has it; see `fair.beginning`."""
        context, secrets = mailbox_context(lineage, party), Secrets(self.dealing, randomness)
        return prove_mailbox(context, self.mailbox_secret, self._header, nonce, secrets)

    @property
    def dealing(self) -> bytes:
        """The seed of all secrets of dealing together, 32 bytes."""
        return self._derived(b"tt dealing", b"")

    def book(self, match: str) -> bytes:
        """Return the seed of the shuffles of a trusted dealer, 32 bytes."""
        return self._derived(b"tt book", match.encode())

    def _derived(self, purpose: bytes, about: bytes) -> bytes:
        return blake2b(about, key=self._secret, digest_size=32, person=purpose).digest()
