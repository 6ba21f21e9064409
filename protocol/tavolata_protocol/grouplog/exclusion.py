"""Exclusion of a peer that equivocated: it is ignored, leads no more, and is taken out by whoever leads.

A proof costs the liar its place and nobody else anything. While a majority agrees, its consequences are
ordinary: an election, and a change of the configuration. The liar counts in the quorum until that change is
in force.

A leader that signs nothing in one of its histories can't be convicted, but it is voted out. Then a copy that
contradicts the next leader's gives way.
"""

from __future__ import annotations

from tavolata_protocol.entries import branch
from tavolata_protocol.equivocation import Equivocation, SignedCommit
from tavolata_protocol.grouplog import events, storage
from tavolata_protocol.grouplog.leadership import Leadership
from tavolata_protocol.grouplog.roles import Trigger
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Configuration
from tavolata_protocol.messages import log as wire
from tavolata_protocol.votes import SignedVote


class Exclusion:
    """The convicted peers, and when their proofs are shown again."""

    def __init__(self, leadership: Leadership) -> None:
        self._leadership = leadership
        self._joins = False
        self._tells_at: float | None = None
        self._pause = leadership.replica.timing.repeat
        leadership.replica.when_equivocated = self.convict
        leadership.mandates.when_shown = self._show

    def convict(self, proof: Equivocation) -> None:
        """Ignore a peer that equivocated, from now on and after restarts, and show the others why.

        If it is followed, or voted twice in this term, another leader is elected.
        """
        replica, liar, first = self._leadership.replica, proof.equivocator, proof.first
        if liar in replica.convicted:
            return
        replica.convicted[liar] = proof
        replica.disk.write(storage.Convicted(proof.pack()))
        replica.tell(events.EquivocationProved(proof))
        self._pause = replica.timing.repeat
        self.tell()
        if liar == replica.leader or (isinstance(first, SignedVote) and first.term == replica.term):
            self._leadership.depose(0.0 if proof.is_of_votes else 2 * replica.timing.election)

    def tell(self) -> None:
        """Show the others all proofs, and again as long as a convicted peer is a member.

        A peer that isn't reached now, or was apart for long, needs them, too.
        """
        replica = self._leadership.replica
        for peer in replica.configuration.peers:
            self._show(peer)
        counts = any(liar in replica.configuration for liar in replica.convicted)
        self._tells_at = replica.now + self._pause if counts else None
        self._pause = min(2 * self._pause, replica.timing.parting)

    def _show(self, peer: PeerId) -> None:
        replica = self._leadership.replica
        for proof in replica.convicted.values() if peer not in replica.convicted else ():
            for message in _messages(proof):
                replica.send(peer, message)

    def due(self) -> float | None:
        """Return when the proofs are shown again."""
        return self._tells_at

    def tick(self) -> None:
        """Show the proofs again, if it is time."""
        if self._tells_at is not None and self._leadership.replica.now >= self._tells_at:
            self.tell()

    def yields_to(self, leader: PeerId, term: int) -> bool:
        """Give up this copy if its final entries contradict those of a leader that was elected after them.

        Then a leader before it equivocated: the majority's copy counts.
        """
        leadership, replica = self._leadership, self._leadership.replica
        if not leadership.mandates.is_proved(leader, term):
            leadership.mandates.ask(leader, term)
            return False
        if term <= (replica.journal.term_at(replica.journal.commit_index) or 0) or self._joins:
            return False
        self._joins = True
        leadership.step_down(Trigger.CONTRADICTED)
        replica.tell(events.CopyContradicted(leader))
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
