"""Join requests: a newcomer, or a removed member, asks once a second until it is admitted.

The application at the leader decides about admission (`configuration_changes.py`). A newcomer trusts only the
peers that it asked. It takes the log from no other peer until the log itself names the voters.
"""

from __future__ import annotations

from tavolata_protocol.grouplog.leadership import Leadership
from tavolata_protocol.grouplog.roles import State
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire


class JoinRequests:
    """The peer to ask, the time of the next request, and the leader that was named."""

    def __init__(self, leadership: Leadership) -> None:
        self._leadership = leadership
        self._via: PeerId | None = None
        self._named: tuple[PeerId | None, float] = (None, 0.0)
        self._again = 0.0
        self._around = 0.0
        self._asked: dict[PeerId, float] = {}

    def ask(self, via: PeerId | None) -> None:
        """Ask that peer from now on."""
        self._via, self._again = via, self._leadership.replica.now
        if via is not None:
            self._asked.pop(via, None)  # there may have been no session with it before

    def point_to(self, leader: PeerId) -> None:
        """Take the leader's id from a peer that was asked."""
        if leader != self._named[0]:
            self._again = self._leadership.replica.now
        self._named = (leader, self._leadership.replica.now)

    @property
    def wanted(self) -> bool:
        """True if this peer has to ask for admission."""
        leadership = self._leadership
        if leadership.replica.state is State.JOINING or leadership.is_stranger:
            return True
        # It may have been taken out while it was away, by voters that it does not know.
        return leadership.elections.is_forsaken and not leadership.leaving.leaving

    def asks(self, peer: PeerId) -> bool:
        """Return True if this peer asks that one, or an asked peer just named that one as the leader."""
        return peer == self.recently_named or (self.wanted and peer == self._via)

    def knows(self, peer: PeerId) -> bool:
        """Return True if that peer is the last one given by the application: its player chose it."""
        return peer == self._via

    @property
    def recently_named(self) -> PeerId | None:
        """The leader that an asked peer named in the last seconds."""
        peer, at = self._named
        return peer if self._leadership.replica.now - at < self._leadership.replica.timing.takeover else None

    def due(self) -> float | None:
        """Return when the next request is due."""
        elections = self._leadership.elections
        if not self.wanted:
            return None
        return max(self._again, elections.forsaken_at) if elections.is_forsaken else self._again

    def tick(self) -> None:
        """Send the request if it is time."""
        replica = self._leadership.replica
        if self.wanted and replica.now >= self._again:
            self._again = replica.now + replica.timing.repeat
            if self._leadership.elections.hears_leader:
                self._ask(replica.leader)
            else:
                voters = replica.configuration.voters if self._leadership.elections.is_forsaken else ()
                self._ask(replica.leader, self._named[0], self._via, *voters)

    def ask_around(self) -> None:
        """Ask the voters for the leader, once a second, because an unknown peer claims to lead."""
        replica = self._leadership.replica
        if replica.now >= self._around:
            self._around = replica.now + replica.timing.repeat
            self._ask(*replica.configuration.voters)

    def _ask(self, *whom: PeerId | None) -> None:
        """Ask those peers that were not asked in the last second.

        Voters that follow different leaders name now one, now the other. If each name had everybody asked
        again, the answers would multiply.
        """
        replica = self._leadership.replica
        self._asked = {peer: until for peer, until in self._asked.items() if until > replica.now}
        for peer in dict.fromkeys(whom):
            if peer is not None and peer not in self._asked:
                self._asked[peer] = replica.now + replica.timing.repeat
                replica.send(peer, wire.Join(replica.birth), reliable=False)
