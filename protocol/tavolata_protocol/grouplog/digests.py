"""State digests: a comparison of all peers' states at the same entry, which finds diverged replicas.

This module only compares; the application decides what to do about a difference.
"""

from __future__ import annotations

from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.replica import Replica
from tavolata_protocol.identity import PeerId


class DigestWatch:
    """Compares each peer's latest digest with its own digest at the same entry."""

    def __init__(self, replica: Replica) -> None:
        self._replica = replica
        self._theirs: dict[PeerId, tuple[int, bytes]] = {}
        self._told: dict[PeerId, int] = {}

    def heard(self, peer: PeerId, number: int, digest: bytes) -> None:
        """Take a peer's digest at `number`."""
        if number and self._theirs.get(peer, (0, b""))[0] <= number:
            self._theirs[peer] = (number, digest)
            self._compare(peer)

    def noted(self, number: int, digest: bytes) -> None:
        """Take its own digest at `number` from the application."""
        self._replica.note_digest(number, digest)
        for peer in self._theirs:
            self._compare(peer)

    def _compare(self, peer: PeerId) -> None:
        """Tell of another digest, or of one where this application, already further, has none."""
        own, (number, theirs) = self._replica.digests, self._theirs[peer]
        mine = own.get(number)
        skipped = mine is None and bool(own) and min(own) < number < max(own)
        if (skipped or mine not in (None, theirs)) and self._told.get(peer, 0) < number:
            self._told[peer] = number
            self._replica.tell(events.Desynchronised(peer, number, mine or b"", theirs))
