"""What every message of fair dealing is bound to, so that none serves anywhere else."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tavolata_protocol.fair.group import ED25519, Group
from tavolata_protocol.fair.hashing import frame


@dataclass(frozen=True, slots=True)
class Context:
    """Where a message belongs.

    Attributes:
        match: the match's id.
        epoch: counts the keys of a match; a new membership has a new epoch.
        object: what it is about: "keys", "deck 3", "die 17", "ask 5 of seat 2".
        position: a place of the log that all agree on: where the message was asked for.
        party: who speaks, 1 to n.
        transcript: T of the keys in force; empty while they are being made.
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
        """The same place, with somebody else speaking."""
        return replace(self, party=party)

    @property
    def common(self) -> bytes:
        """It as bytes without the party: for what all parties have to agree on."""
        return frame(
            self.group.suite, self.match, self.epoch, self.object.encode(), self.position, self.transcript
        )

    @property
    def encoded(self) -> bytes:
        """All of it as bytes, to be hashed."""
        return frame(self.common, self.party)
