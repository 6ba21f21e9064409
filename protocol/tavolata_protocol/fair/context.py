"""The context that every message of fair dealing is bound to, so that it is not valid anywhere else."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tavolata_protocol.fair.group import ED25519, Group
from tavolata_protocol.fair.hashing import frame


@dataclass(frozen=True, slots=True)
class Context:
    """The place in a match that a message belongs to.

    Attributes:
        match: the match's id.
        epoch: counts the keys of a match; a new membership has a new epoch.
        object: the subject: "keys", "deck 3", "die 17", "ask 5 of seat 2".
        position: the place in the agreed log where the message was asked for.
        party: the sender, 1 to n.
        transcript: T of the keys in force; empty while the keys are being made.
        group: the group, by its suite id.
    """

    match: bytes
    epoch: int
    object: str
    position: int
    party: int
    transcript: bytes = b""
    group: Group = ED25519

    def of(self, party: int) -> Context:
        """The same context for another sender."""
        return replace(self, party=party)

    @property
    def common(self) -> bytes:
        """The context as bytes without the party, for values that are the same for all parties."""
        return frame(
            self.group.suite, self.match, self.epoch, self.object.encode(), self.position, self.transcript
        )

    @property
    def encoded(self) -> bytes:
        """The whole context as bytes, to be hashed."""
        return frame(self.common, self.party)
