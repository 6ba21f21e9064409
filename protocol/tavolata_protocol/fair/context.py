"""The context that every message of fair dealing is bound to, so that it is not valid anywhere else."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tavolata_protocol.fair.group import ED25519, Group
from tavolata_protocol.fair.hashing import frame


@dataclass(frozen=True, slots=True)
class Context:
    """The place in a match that a message belongs to.

    Attributes:
        match: the match's id, 16 bytes.
        lineage: the lineage of the agreed log in which the match began.
        epoch: counts the keys of a match; a new membership has a new epoch.
        object: the subject, such as "keys", "pile 3", "lot", "seal of seat 2".
        number: the number of the subject, such as the round of a pile; what counts is known to all.
        party: the sender, 1 to n.
        transcript: T of the keys in force; empty while the keys are being made.
    """

    match: bytes
    lineage: bytes
    epoch: int
    object: str
    number: int
    party: int
    transcript: bytes = b""
    group: Group = ED25519

    def of(self, party: int) -> Context:
        """Return the same context for another sender."""
        return replace(self, party=party)

    @property
    def common(self) -> bytes:
        """The context as bytes without the party, for values that are the same for all parties."""
        return frame(
            self.group.suite,
            self.match,
            self.lineage,
            self.epoch,
            self.transcript,
            self.object.encode(),
            self.number,
        )

    @property
    def encoded(self) -> bytes:
        """The whole context as bytes, to be hashed."""
        return frame(self.common, self.party)
