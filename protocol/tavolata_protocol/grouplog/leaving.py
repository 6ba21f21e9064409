"""Graceful departure (rule 13): a leadership transfer if this peer leads, then a request to be removed.

This module is the leaving peer's part; the removal itself is in `configuration_changes.py`.
"""

from __future__ import annotations

from collections.abc import Container

from tavolata_protocol.grouplog.leader import Leader
from tavolata_protocol.grouplog.replica import Replica
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire
from tavolata_protocol.votes import sign_transfer


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

    def ask_again(self) -> None:
        """Ask at once, because the leader does not know yet that this peer leaves."""
        self._again = self._replica.now

    def due(self) -> float | None:
        """Return when the request is sent again."""
        return self._again if self.leaving else None

    def ask(self, named: PeerId | None, *, forsaken: bool) -> None:
        """As a follower: ask the leader, perhaps `named` by another peer, once a second.

        If `forsaken`, no leader is heard; then that one and all voters are asked, who may name it.
        """
        replica = self._replica
        if self.leaving and replica.now >= self._again:
            self._again = replica.now + replica.timing.repeat
            lost = replica.leader is None or forsaken
            asked = (named, *replica.configuration.voters) if lost else (replica.leader,)
            for peer in dict.fromkeys(asked if replica.lineage else ()):
                if peer is not None:
                    replica.send(peer, wire.Leave(replica.lineage))

    def hand_over(self, leader: Leader, departing: Container[PeerId]) -> bool:
        """As the leader: hand over to a present voter with a complete log; True if no voter is left.

        Voters that are `departing` are taken out first; of several that leave, none would stay the leader.
        """
        replica, journal = self._replica, self._replica.journal
        others = [
            peer for peer in replica.configuration.voters if peer != replica.me and peer not in replica.away
        ]
        if not others:
            return True
        heirs = [peer for peer in others if peer not in departing]
        ready = [
            peer
            for peer in heirs
            if leader.progress(peer).match == journal.last_number == journal.commit_index
        ]
        if replica.now >= self._again:
            self._again = replica.now + replica.timing.repeat / 2
            if ready:
                heir = ready[int(replica.chance.random() * len(ready))]
                transfer = sign_transfer(replica.signer, replica.lineage, replica.term, heir)
                replica.send(heir, wire.HandOver(replica.lineage, transfer.statement))
        return False
