"""Graceful departure (rule 13): a leadership transfer if this peer leads, then a request to be removed.

This module is the leaving peer's part; the removal itself is in `configuration_changes.py`.
"""

from __future__ import annotations

from tavolata_protocol.grouplog.leader import Leader
from tavolata_protocol.grouplog.replica import Replica
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire


class Leaving:
    """The request to leave, repeated until it is fulfilled."""

    def __init__(self, replica: Replica) -> None:
        self._replica = replica
        self._again = 0.0
        self.leaving = False

    def begin(self) -> None:
        """Leave from now on."""
        self.leaving = True
        self._again = self._replica.now

    def due(self) -> float | None:
        """When the request is sent again."""
        return self._again if self.leaving else None

    def ask(self) -> None:
        """As a follower: ask the leader, once a second."""
        replica = self._replica
        if self.leaving and replica.now >= self._again:
            self._again = replica.now + replica.timing.repeat
            if replica.leader is not None:
                replica.send(replica.leader, wire.Leave(replica.lineage))

    def hand_over(self, leader: Leader) -> bool:
        """As the leader: hand over to a present voter with a complete log; True if no voter is left."""
        replica, journal = self._replica, self._replica.journal
        heirs: list[PeerId] = [
            peer for peer in replica.configuration.voters if peer != replica.me and peer not in replica.away
        ]
        if not heirs:
            return True
        ready = [
            peer
            for peer in heirs
            if leader.progress(peer).match == journal.last_number == journal.commit_index
        ]
        if replica.now >= self._again:
            self._again = replica.now + replica.timing.repeat / 2
            if ready:
                heir = ready[int(replica.chance.random() * len(ready))]
                replica.send(heir, wire.HandOver(replica.lineage, replica.term))
        return False
