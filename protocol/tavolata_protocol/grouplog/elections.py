"""Leader elections: suspicion, indirect probes, pre-votes, votes.

This module has rule 5 and the election timeout. `leader.py` has the duties of the winner, and `leadership.py`
the effects of a new term.
"""

from __future__ import annotations

from collections.abc import Callable

from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.replica import Replica
from tavolata_protocol.grouplog.roles import State, Trigger
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire

HELPERS = 2
"""The number of other voters that are asked whether they hear the leader."""


class Elections:
    """The election timeout of a peer that isn't the leader, and its part in elections."""

    def __init__(
        self, replica: Replica, win: Callable[[], None], enter_term: Callable[[int, PeerId | None], None]
    ) -> None:
        self._replica = replica
        self._win = win
        self._enter_term = enter_term
        self._granted: set[PeerId] = set()
        self._probed: set[PeerId] = set()
        self._round_trips: dict[PeerId, tuple[float, float]] = {}
        self._told_takeover = False
        self.heard = replica.now
        self.deadline = replica.now

    # The election timeout

    def note_round_trip(self, peer: PeerId, smoothed: float, variation: float) -> None:
        """Take the round trip that a session measured, in seconds."""
        self._round_trips[peer] = (smoothed, variation)

    @property
    def patience(self) -> float:
        """The silence of the leader, in seconds, that is suspicious with this round trip."""
        replica = self._replica
        smoothed, variation = self._round_trips.get(replica.leader or replica.me, (0.0, 0.0))
        return max(replica.timing.silence, 8 * (smoothed + 4 * variation))

    def wait(self, base: float | None = None) -> None:
        """Suspect nobody for `base` seconds (by default `patience`) plus this peer's own delay."""
        replica = self._replica
        rank = replica.configuration.rank(replica.me)
        base = self.patience if base is None else base
        self.deadline = (
            replica.now + base + rank * replica.timing.rank + replica.chance.random() * replica.timing.jitter
        )

    def hear(self) -> None:
        """Note that the leader was heard."""
        replica = self._replica
        self.heard = replica.now
        self._told_takeover = False
        self.wait()
        if replica.leader in replica.away and replica.leader is not None:
            replica.away.discard(replica.leader)
            replica.tell(events.PeerBack(replica.leader))

    @property
    def hears_leader(self) -> bool:
        """Whether the leader was heard recently enough to refuse a change."""
        replica = self._replica
        if replica.state is State.LEADER:
            return True
        return replica.leader is not None and replica.now - self.heard < replica.timing.silence

    @property
    def forsaken_at(self) -> float:
        """When no leader will have been heard for so long that this peer may have been taken out unheard."""
        return self.heard + self._replica.timing.takeover

    @property
    def is_forsaken(self) -> bool:
        """Whether that time has come."""
        return self._replica.state is not State.LEADER and self._replica.now >= self.forsaken_at

    def due(self) -> float:
        """When `tick` has something to do next."""
        replica, soonest = self._replica, self.deadline
        if replica.leader is not None and replica.leader not in replica.away:
            soonest = min(soonest, self.heard + replica.timing.away)
        if self.forsaken_at < soonest and not self._told_takeover and replica.is_voter:
            soonest = self.forsaken_at
        return soonest

    def tick(self) -> None:
        """Go on to the next step if the deadline of the present one has passed."""
        replica = self._replica
        silent = replica.now - self.heard
        if (
            replica.leader is not None
            and silent >= replica.timing.away
            and replica.leader not in replica.away
        ):
            replica.away.add(replica.leader)
            replica.tell(events.PeerAway(replica.leader))
        if silent >= replica.timing.takeover and not self._told_takeover and replica.is_voter:
            self._told_takeover = True
            replica.tell(events.TakeoverPossible())
        if replica.now < self.deadline:
            return
        if not replica.is_voter:
            self.wait()
        elif replica.state is State.FOLLOWER:
            replica.turn(Trigger.SILENCE)
            self._probe()
        elif replica.state is State.PROBING:
            replica.turn(Trigger.NOBODY_HEARS_IT)
            self._ask_pre_votes()
        elif replica.state in (State.PRE_CANDIDATE, State.CANDIDATE):
            replica.turn(Trigger.GAVE_UP)
            self.wait(replica.timing.jitter)

    # Suspicion

    def _probe(self) -> None:
        replica = self._replica
        others = [peer for peer in replica.configuration.voters if peer not in (replica.me, replica.leader)]
        self.deadline = replica.now + replica.timing.probe
        if replica.leader is None or not others:
            self.deadline = replica.now
            self.tick()
            return
        self._probed.clear()
        for _ in range(min(HELPERS, len(others))):
            helper = others.pop(int(replica.chance.random() * len(others)))
            self._probed.add(helper)
            replica.send(helper, wire.Probe(replica.lineage, replica.term, replica.leader), reliable=False)

    def on_probe(self, peer: PeerId, message: wire.Probe) -> None:
        """Tell a peer that suspects the leader whether the leader is heard here."""
        replica = self._replica
        heard = message.term <= replica.term and self.hears_leader
        replica.send(peer, wire.Probed(message.lineage, replica.term, heard), reliable=False)

    def on_probed(self, peer: PeerId, message: wire.Probed) -> None:
        """Take a probed peer's answer whether it still hears the leader."""
        if message.heard and peer in self._probed and self._replica.state is State.PROBING:
            self._replica.turn(Trigger.SOMEBODY_HEARS_IT)
            self.wait()

    # Asking for votes

    def _ask_pre_votes(self) -> None:
        replica = self._replica
        self._granted = {replica.me}
        self.deadline = replica.now + replica.timing.election
        for peer in replica.configuration.voters:
            replica.send(peer, wire.PreVote(replica.lineage, replica.term + 1, *replica.last), reliable=False)
        self._count_votes(Trigger.WOULD_WIN)

    def stand(self, *, handover: bool = False) -> None:
        """Ask for votes in a new term; the state already allows it."""
        replica = self._replica
        self._enter_term(replica.term + 1, replica.me)
        self._granted = {replica.me}
        self.deadline = replica.now + replica.timing.election
        for peer in replica.configuration.voters:
            replica.send(
                peer, wire.Vote(replica.lineage, replica.term, *replica.last, handover), reliable=False
            )
        self._count_votes(Trigger.WON)

    def on_pre_voted(self, peer: PeerId, message: wire.PreVoted) -> None:
        """Take an answer to the pre-vote."""
        replica = self._replica
        if replica.state is State.PRE_CANDIDATE and message.granted and message.term == replica.term + 1:
            self._grant(peer, message.birth, Trigger.WOULD_WIN)

    def on_voted(self, peer: PeerId, message: wire.Voted) -> None:
        """Take an answer to the vote."""
        if self._replica.state is State.CANDIDATE and message.granted and message.term == self._replica.term:
            self._grant(peer, message.birth, Trigger.WON)

    def _grant(self, peer: PeerId, birth: bytes, aim: Trigger) -> None:
        if self._replica.configuration.is_voter(peer, birth):  # rule 12: no vote of a lost copy
            self._granted.add(peer)
            self._count_votes(aim)

    def _count_votes(self, aim: Trigger) -> None:
        replica = self._replica
        if len(self._granted) < replica.rules.quorum(len(replica.configuration.voters)):
            return
        replica.turn(aim)
        if aim is Trigger.WON:
            self._win()
        else:
            self.stand()

    # Voting

    def on_pre_vote(self, peer: PeerId, message: wire.PreVote, *, may_stand: bool) -> None:
        """Answer whether this peer would vote for that candidate."""
        replica = self._replica
        granted = (
            may_stand
            and message.term > replica.term
            and not (self.hears_leader and peer != replica.leader)
            and replica.rules.is_up_to_date((message.last_term, message.last_number), replica.last)
        )
        term = message.term if granted else replica.term
        replica.send(peer, wire.PreVoted(message.lineage, term, replica.birth, granted), reliable=False)

    def ignores(self, peer: PeerId, message: wire.Vote) -> bool:
        """Whether the request comes while the leader is heard here; then even its term is ignored."""
        return self.hears_leader and not message.handover and peer != self._replica.leader

    def on_vote(self, peer: PeerId, message: wire.Vote) -> None:
        """Answer a vote request; a higher term of the message has already been entered."""
        replica = self._replica
        granted = (
            message.term == replica.term
            and replica.state is State.FOLLOWER
            and replica.rules.may_vote(replica.voted_for, peer)
            and replica.rules.is_up_to_date((message.last_term, message.last_number), replica.last)
        )
        if granted and replica.voted_for is None:
            self._enter_term(replica.term, peer)
        if granted:
            self.wait()
        replica.send(peer, wire.Voted(message.lineage, replica.term, replica.birth, granted), reliable=False)
