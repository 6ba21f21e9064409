"""Exclusion of an equivocating leader: its messages are ignored, and the others go on without it.

Its final entries can't be trusted: two honest copies may differ in final entries, so an election does not
help. The first remaining voter begins a new lineage with its own copy. The others keep their copies aside and
join again, as after any other fork of lineages.

A leader that signs nothing in one of its histories can't be convicted, but it is voted out. Then a copy that
contradicts the next leader's gives way in the same manner.
"""

from __future__ import annotations

from tavolata_protocol.entries import branch
from tavolata_protocol.equivocation import Equivocation, SignedCommit
from tavolata_protocol.grouplog import events, storage
from tavolata_protocol.grouplog.leadership import Leadership
from tavolata_protocol.grouplog.roles import ASLEEP, State, Trigger
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Configuration
from tavolata_protocol.messages import log as wire
from tavolata_protocol.messages.entries import Member, Role
from tavolata_protocol.votes import SignedVote


class Exclusion:
    """The convicted peers, and the time when this peer begins a lineage without them."""

    def __init__(self, leadership: Leadership) -> None:
        self._leadership = leadership
        self._at: float | None = None
        self._joins = False
        self._tells_at: float | None = None
        self._pause = 0.0
        self._reminded = float("-inf")
        leadership.replica.when_equivocated = self.convict

    def convict(self, proof: Equivocation) -> None:
        """Ignore a peer that equivocated, from now on and after restarts, and show the others why."""
        replica = self._leadership.replica
        if proof.equivocator not in replica.convicted:
            replica.convicted[proof.equivocator] = proof
            replica.disk.write(storage.Convicted(proof.pack()))
            replica.tell(events.EquivocationProved(proof))
            self._pause = replica.timing.repeat
            self._tell()
            self.part()

    def _tell(self) -> None:
        """Show the others all proofs, and soon again: who isn't reached just now must learn of them, too."""
        replica = self._leadership.replica
        for peer in replica.configuration.peers:
            self._show(peer)
        self._tells_at = replica.now + self._pause if self._pause <= replica.timing.parting else None
        self._pause *= 2

    def _show(self, peer: PeerId) -> None:
        replica = self._leadership.replica
        for proof in replica.convicted.values() if peer not in replica.convicted else ():
            for message in _messages(proof):
                replica.send(peer, message)

    def remind(self, peer: PeerId, lineage: bytes) -> None:
        """Show the proofs to a peer that still follows a lineage in which somebody equivocated."""
        replica = self._leadership.replica
        lied = any(proof.first.lineage == lineage for proof in replica.convicted.values())
        if lied and replica.now - self._reminded >= replica.timing.repeat:
            self._reminded = replica.now
            self._show(peer)

    def part(self) -> None:
        """Stop following an equivocator; wait for a new lineage, or for this peer's turn to begin one."""
        replica = self._leadership.replica
        lied = any(proof.first.lineage == replica.lineage for proof in replica.convicted.values())
        if not lied or replica.state in (*ASLEEP, State.JOINING, State.PARTED):
            return
        self._leadership.step_down(Trigger.CONVICTED)
        # A voter that is absent in one history may count in the other, so all have a place in the queue.
        counted = [one.peer for one in replica.configuration.members if one.role is not Role.LEARNER]
        honest = [peer for peer in counted if peer not in replica.convicted]
        if replica.is_voter and replica.me in honest:
            self._at = replica.now + honest.index(replica.me) * replica.timing.branch

    def due(self) -> float | None:
        """Return when this peer tells the proofs again, or begins a lineage without the convicted peers."""
        at = self._at if self._leadership.replica.state is State.PARTED else None
        return min((one for one in (at, self._tells_at) if one is not None), default=None)

    def tick(self) -> None:
        """Tell the proofs again, and begin the new lineage, if it is time."""
        replica = self._leadership.replica
        if self._tells_at is not None and replica.now >= self._tells_at:
            self._tell()
        if replica.state is not State.PARTED or self._at is None or replica.now < self._at:
            return
        members = (
            Member(one.peer, one.birth, Role.ABSENT)
            if one.role is Role.VOTER and one.peer != replica.me
            else one
            for one in replica.configuration.members
            if one.peer not in replica.convicted
        )
        branch_off(self._leadership, Configuration(tuple(members)))

    def yields_to(self, leader: PeerId, term: int) -> bool:
        """Give up this copy if its final entries contradict those of a leader that was elected after them.

        Then a leader before it equivocated. Without a proof nobody knows which: the majority's copy counts.
        """
        leadership, replica = self._leadership, self._leadership.replica
        if not leadership.mandates.is_proved(leader, term):
            leadership.mandates.ask(leader, term)
            return False
        if term <= (replica.journal.term_at(replica.journal.commit_index) or 0) or self._joins:
            return False
        self._joins, self._at = True, None
        leadership.step_down(Trigger.CONVICTED)
        replica.tell(events.CopyContradicted(leader))
        return True

    def gives_way(self, founder: PeerId) -> bool:
        """Return True if this peer should join `founder`, which leads a new lineage and comes before it."""
        replica, order = self._leadership.replica, self._leadership.replica.configuration.peers
        if not replica.convicted or founder in replica.convicted or founder not in order:
            return False
        if replica.state is not State.PARTED and order.index(founder) > order.index(replica.me):
            return False
        if not self._joins:
            self._joins, self._at = True, None
            replica.tell(events.LineageBegun(founder))
        return True


def _messages(proof: Equivocation) -> list[wire.LogMessage]:
    both = (proof.first, proof.second)
    votes = tuple(one.statement for one in both if isinstance(one, SignedVote))
    if votes:
        return [wire.Elected(proof.first.lineage, votes)]
    return [
        wire.CommitNotice(one.lineage, one.signed, one.signature)
        for one in both
        if isinstance(one, SignedCommit)
    ]


def branch_off(leadership: Leadership, configuration: Configuration) -> None:
    """Begin a new lineage after all entries of this copy, and lead it."""
    replica = leadership.replica
    lineage = branch(replica.lineage, replica.journal.chain, replica.me)
    replica.elsewhere = replica.signed  # should this peer ever follow the old lineage again
    replica.disk.write(storage.SignedElsewhere(replica.lineage, replica.elsewhere[replica.lineage]))
    leadership.enter_term(replica.term + 1, replica.me)
    replica.turn(Trigger.TAKES_OVER)
    replica.lineage = lineage
    leadership.lead().append_control(configuration)
    replica.enter_lineage(lineage)
    leadership.proposer.sign_again()
