"""Leader elections: suspicion, indirect probes, pre-votes, signed votes.

This module has rule 5 and the election timeout. `mandates.py` compares votes, `leader.py` has the duties of
the winner, and `leadership.py` the effects of a new term.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from tavolata_protocol.errors import BrokenEntry, FurtherCopy, UnheardCopy, WrongMoment
from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.mandates import Mandates
from tavolata_protocol.grouplog.replica import Replica
from tavolata_protocol.grouplog.roles import State, Trigger
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire
from tavolata_protocol.votes import SignedTransfer, SignedVote, read_transfer, read_vote, sign_vote

HELPERS = 2
"""The number of other voters that are asked whether they hear the leader."""


class Elections:
    """The election timeout of a peer that isn't the leader, and its part in elections."""

    def __init__(
        self,
        replica: Replica,
        mandates: Mandates,
        win: Callable[[], None],
        enter_term: Callable[[int, PeerId | None], None],
        observe: Callable[[int], None],
    ) -> None:
        self._replica = replica
        self._mandates = mandates
        self._win = win
        self._enter_term = enter_term
        self._observe = observe
        self._granted: set[PeerId] = set()
        self._votes: dict[PeerId, SignedVote] = {}
        self._named = 0
        self._renewal_ends = float("-inf")
        self._probed: set[PeerId] = set()
        self._round_trips: dict[PeerId, tuple[float, float]] = {}
        self._told_takeover = False
        self._ends: dict[PeerId, tuple[float, tuple[int, int]]] = {}
        self.heard = replica.now
        self.deadline = replica.now

    # The election timeout

    def note_round_trip(self, peer: PeerId, smoothed: float, variation: float) -> None:
        """Take the round trip that a session measured, in seconds."""
        self._round_trips[peer] = (smoothed, variation)

    @property
    def patience(self) -> float:
        """The suspicious silence of the leader, in seconds: longer on a slow link, which it may feign."""
        replica, timing = self._replica, self._replica.timing
        smoothed, variation = self._round_trips.get(replica.leader or replica.me, (0.0, 0.0))
        return min(max(timing.silence, 8 * (smoothed + 4 * variation)), timing.takeover)

    def wait(self, base: float | None = None) -> None:
        """Suspect nobody for `base` seconds (by default `patience`) plus this peer's own delay."""
        replica = self._replica
        rank = replica.configuration.rank(replica.me)
        base = self.patience if base is None else base
        self.deadline = (
            replica.now + base + rank * replica.timing.rank + replica.chance.random() * replica.timing.jitter
        )

    def hold(self, seconds: float) -> None:
        """Ask for no votes for `seconds` at least."""
        self.deadline = max(self.deadline, self._replica.now + seconds)

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
        """True if the leader was heard recently enough to refuse a change, or is just being elected again."""
        replica = self._replica
        return replica.state is State.LEADER or replica.now < self._renewal_ends or self._heard_lately

    @property
    def _heard_lately(self) -> bool:
        replica = self._replica
        return replica.leader is not None and replica.now - self.heard < replica.timing.silence

    @property
    def forsaken_at(self) -> float:
        """When no leader will have been heard for so long that this peer may have been taken out unheard."""
        return self.heard + self._replica.timing.takeover

    @property
    def is_forsaken(self) -> bool:
        """True if that time has come."""
        return self._replica.state is not State.LEADER and self._replica.now >= self.forsaken_at

    def due(self) -> float:
        """Return when `tick` has something to do next."""
        replica, soonest = self._replica, self.deadline
        if replica.leader is not None and replica.leader not in replica.away:
            soonest = min(soonest, self.heard + replica.timing.away)
        if self.forsaken_at < soonest and not self._told_takeover and replica.is_voter:
            soonest = self.forsaken_at
        return soonest

    def tick(self) -> None:
        """Continue to the next step if the deadline of the present one has passed."""
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
        if not replica.may_lead:
            self.wait()
        elif replica.state is State.FOLLOWER:
            replica.turn(Trigger.SILENCE)
            self._probe()
        elif replica.state is State.PROBING:
            replica.turn(Trigger.NOBODY_HEARS_IT)
            self._ask_pre_votes()
        elif replica.state in (State.PRE_CANDIDATE, State.CANDIDATE):
            replica.turn(Trigger.GAVE_UP)
            self._observe(self._named)
            self.wait(replica.timing.jitter)

    # Suspicion

    def _probe(self) -> None:
        replica = self._replica
        others = [peer for peer in replica.configuration.voters if peer not in (replica.me, replica.leader)]
        self.deadline = replica.now + replica.timing.probe
        waited = replica.now - self.heard >= 2 * self.patience  # a helper that lies delays nobody for longer
        if replica.leader is None or not others or waited:
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
        self._begin_round()
        for peer in replica.configuration.voters:
            replica.send(peer, wire.PreVote(replica.lineage, replica.term + 1, *replica.last), reliable=False)
        self._count_votes(Trigger.WOULD_WIN)

    def stand(self, transfer: SignedTransfer | None = None) -> None:
        """Vote for itself in a new term, and ask for votes; the state already allows it."""
        replica = self._replica
        self._enter_term(replica.term + 1, replica.me)
        self._begin_round()
        own = self._sign(replica.me, replica.last)
        self._votes = {replica.me: own}
        handed = None if transfer is None else transfer.statement
        for peer in replica.configuration.voters:
            replica.send(peer, wire.Vote(replica.lineage, own.statement, handed))
        self._count_votes(Trigger.WON)

    def renew(self) -> None:
        """Stand for election at once as a leader continuing in a higher term, and hear no other candidate."""
        self.heard = self._replica.now
        self._renewal_ends = self.heard + self._replica.timing.election
        self.stand()

    def _begin_round(self) -> None:
        self._granted, self._named = {self._replica.me}, 0
        self.deadline = self._replica.now + self._replica.timing.election

    def _sign(self, candidate: PeerId, last: tuple[int, int]) -> SignedVote:
        replica = self._replica
        return sign_vote(replica.signer, replica.lineage, replica.birth, replica.term, candidate, last)

    def on_pre_voted(self, peer: PeerId, message: wire.PreVoted) -> None:
        """Take an answer to the pre-vote."""
        replica = self._replica
        self._ends[peer] = (replica.now, (message.last_term, message.last_number))
        if not message.granted:
            self._note_term(message.term)
        elif replica.state is State.PRE_CANDIDATE and message.term == replica.term + 1:
            self._grant(peer, message.birth, Trigger.WOULD_WIN)

    def on_voted(self, peer: PeerId, message: wire.Voted) -> None:
        """Take an answer to the vote.

        Raise `MalformedMessage` if the vote doesn't decode, `BrokenEntry` if it is not the sender's.
        """
        replica = self._replica
        if message.vote is None:
            self._note_term(message.term)
            return
        vote = read_vote(message.vote)
        if vote.voter != peer:
            raise BrokenEntry("A peer answers with another's vote.")
        self._mandates.check(vote)
        if (vote.term, vote.candidate) == (replica.term, replica.me) and replica.state is State.CANDIDATE:
            self._votes[peer] = vote
            self._grant(peer, vote.birth, Trigger.WON)

    def _answer_of(self, peer: PeerId) -> tuple[int, int] | None:
        """Return the end of a peer's log, if it has answered lately."""
        at, last = self._ends.get(peer, (float("-inf"), (0, 0)))
        return last if at >= self._replica.now - self._replica.timing.takeover else None

    def obstacle(self, here: Collection[PeerId]) -> WrongMoment | None:
        """Return why this copy doesn't take over; `here` are the peers with a living session.

        A voter that has answered lately goes further, or one that is here hasn't answered. The latter counts
        for `timing.proof` without a leader: a voter that never answers stops nobody for longer.
        """
        replica = self._replica
        patient = replica.now - self.heard < replica.timing.proof
        others = [peer for peer in (*here, *self._ends) if peer not in (replica.me, *replica.convicted)]
        for peer in filter(replica.journal.may_vote, others):
            last = self._answer_of(peer)
            if last is not None and not replica.rules.is_up_to_date(replica.last, last):
                return FurtherCopy(peer)
            if last is None and peer in here and patient:
                return UnheardCopy(peer)
        return None

    def _note_term(self, term: int) -> None:
        """Keep the term of who refuses until the round is over: one voter must not end it."""
        if self._replica.state in (State.PRE_CANDIDATE, State.CANDIDATE):
            self._named = max(self._named, term)

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
            self._mandates.won(self._votes[peer] for peer in sorted(self._granted))  # a set has no order
            self._win()
        else:
            self.stand()

    # Voting

    @property
    def _end(self) -> tuple[float, int]:
        """The end of this log, or of the one that it may have lost, whichever goes further."""
        return max(self._replica.last, self._replica.journal.promised)

    def on_pre_vote(self, peer: PeerId, message: wire.PreVote, *, may_stand: bool) -> None:
        """Answer whether this peer would vote for that candidate."""
        replica = self._replica
        granted = (
            may_stand
            and message.term > replica.term
            and not (self.hears_leader and peer != replica.leader)
            and replica.rules.is_up_to_date((message.last_term, message.last_number), self._end)
        )
        term = message.term if granted else replica.term
        replica.send(
            peer, wire.PreVoted(message.lineage, term, replica.birth, granted, *replica.last), reliable=False
        )

    def examine(self, peer: PeerId, message: wire.Vote) -> SignedVote | None:
        """Return the candidate's vote; None if the leader is in contact and didn't hand over to that peer.

        Raise `MalformedMessage` if a statement doesn't decode, `BrokenEntry` if one is forged, or the vote is
        not the sender's for itself.
        """
        replica, own = self._replica, read_vote(message.own)
        if (own.voter, own.candidate) != (peer, peer):
            raise BrokenEntry("A candidate asks with a vote that isn't its own for itself.")
        self._mandates.check(own)
        if peer in replica.convicted:
            return None
        if peer == replica.leader:
            if self._heard_lately:
                self._renewal_ends = replica.now + replica.timing.silence
            return own
        if not self.hears_leader:
            return own
        transfer = None if message.transfer is None else read_transfer(message.transfer)
        transferred = (
            transfer is not None
            and (transfer.lineage, transfer.leader) == (replica.lineage, replica.leader)
            and (transfer.term, transfer.heir) == (replica.term, peer)
            and own.term == replica.term + 1
            and transfer.is_genuine(replica.verify)
        )
        return own if replica.rules.may_interrupt(transferred=transferred) else None

    def on_vote(self, peer: PeerId, own: SignedVote) -> None:
        """Answer a vote request; its higher term has already been entered."""
        replica, last = self._replica, (own.last_term, own.last_number)
        granted = (
            own.term == replica.term
            and replica.state is State.FOLLOWER
            and replica.rules.may_vote(replica.voted_for, peer)
            and replica.rules.is_up_to_date(last, self._end)
        )
        if granted and replica.voted_for is None:
            self._enter_term(replica.term, peer)
        if granted:
            self.wait()
        vote = self._sign(peer, last).statement if granted else None
        replica.send(peer, wire.Voted(replica.lineage, replica.term, vote))

    def on_hand_over(self, peer: PeerId, message: wire.HandOver) -> None:
        """Stand at once, since the leader hands over to this peer.

        Raise `MalformedMessage` if the transfer doesn't decode, `BrokenEntry` if it is not the leader's.
        """
        replica, transfer = self._replica, read_transfer(message.transfer)
        if transfer.leader != peer or not transfer.is_genuine(replica.verify):
            raise BrokenEntry("A transfer isn't signed by the leader that hands over.")
        if (transfer.lineage, transfer.term, transfer.heir) == (replica.lineage, replica.term, replica.me):
            replica.turn(Trigger.HANDED_OVER)
            self.stand(transfer)
