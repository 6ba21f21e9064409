"""State digests: each peer's at the same entry are compared, so that replicas that went apart are found.

Nothing but comparing; what to do about a difference is the application's.
"""

from __future__ import annotations

from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.replica import Replica
from tavolata_protocol.identity import PeerId


class DigestWatch:
    """Each peer's latest digest, against the own one of that entry."""

    def __init__(self, replica: Replica) -> None:
        self._replica = replica
        self._theirs: dict[PeerId, tuple[int, bytes]] = {}
        self._told: dict[PeerId, int] = {}

    def heard(self, peer: PeerId, number: int, digest: bytes) -> None:
        """A peer said what its state is at `number`."""
        if number and self._theirs.get(peer, (0, b""))[0] <= number:
            self._theirs[peer] = (number, digest)
            self._compare(peer)

    def noted(self, number: int, digest: bytes) -> None:
        """The application said what the own state is at `number`."""
        self._replica.note_digest(number, digest)
        for peer in self._theirs:
            self._compare(peer)

    def _compare(self, peer: PeerId) -> None:
        number, theirs = self._theirs[peer]
        mine = self._replica.digests.get(number)
        if mine is not None and mine != theirs and self._told.get(peer, 0) < number:
            self._told[peer] = number
            self._replica.tell(events.Desynchronised(peer, number, mine, theirs))
