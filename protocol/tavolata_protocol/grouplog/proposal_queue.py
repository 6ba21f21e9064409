"""The queue of proposals at the leader: an author's next proposal is appended, early ones wait.

This module is rule 2, and the quota of each author; `leader.py` sends the appended entries.
"""

from __future__ import annotations

from tavolata_protocol.entries import EntryKind, Proposal, is_authentic, place, read_proposal
from tavolata_protocol.errors import BrokenEntry
from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.replica import Replica
from tavolata_protocol.grouplog.timing import QUOTAS, WAITING_PROPOSALS
from tavolata_protocol.identity import PeerId
from tavolata_protocol.limits import RateLimit
from tavolata_protocol.messages import log as wire
from tavolata_protocol.messages.entries import Role


class ProposalQueue:
    """Proposals that came too early, at most 16 of each author."""

    def __init__(self, replica: Replica) -> None:
        self._replica = replica
        self._waiting: dict[PeerId, dict[int, Proposal]] = {}
        self._quotas: dict[tuple[PeerId, Role], RateLimit] = {}

    def on_propose(self, peer: PeerId, message: wire.Propose | wire.Relay) -> None:
        """Take a proposal from its author, or from another member.

        Raises:
            MalformedMessage: when it doesn't decode.
            BrokenEntry: when it isn't the sender's own and was not passed on, or is of another lineage.
        """
        replica = self._replica
        proposal = read_proposal(message.signed, message.signature)
        author = proposal.author if isinstance(message, wire.Relay) else peer
        if (proposal.author, proposal.kind, proposal.lineage) != (
            author,
            EntryKind.APPLICATION,
            replica.lineage,
        ):
            raise BrokenEntry("A peer proposes what it may not: only own bodies, in the present lineage.")
        if author not in replica.configuration:
            if author == peer:
                rejected = wire.Rejected(proposal.lineage, proposal.count, events.Reason.NOT_A_MEMBER)
                replica.send(peer, rejected, reliable=False)
            return
        last = replica.journal.last_count(author)
        if proposal.count <= last and not replica.rules.is_next(last, proposal.count):
            number = replica.journal.place_of(author, proposal.count) or 0
            replica.send(
                author, wire.PlacedAt(proposal.lineage, replica.term, proposal.count, number), reliable=False
            )
            return
        if not is_authentic(proposal, replica.verify):
            raise BrokenEntry("A proposal isn't signed by its author.")
        self.offer(proposal)

    def _is_within_quota(self, proposal: Proposal) -> bool:
        """Whether an author may add so many bytes now, which everybody has to keep; if not, it is told so."""
        if proposal.author == self._replica.me:
            return True
        member = self._replica.configuration.member(proposal.author)
        role = Role.LEARNER if member is None or member.role is Role.LEARNER else Role.VOTER
        quota = self._quotas.get((proposal.author, role))
        if quota is None:
            rate, burst = QUOTAS[role]
            quota = self._quotas[proposal.author, role] = RateLimit(rate, self._replica.now, burst)
        if quota.take(self._replica.now, len(proposal.signed)):
            return True
        later = wire.Rejected(proposal.lineage, proposal.count, events.Reason.TOO_MUCH)
        self._replica.send(proposal.author, later, reliable=False)
        return False

    def offer(self, proposal: Proposal) -> None:
        """Append a checked proposal and all that waited for it, or let it wait."""
        replica = self._replica
        waiting = self._waiting.setdefault(proposal.author, {})
        if not replica.rules.is_next(replica.journal.last_count(proposal.author), proposal.count):
            if len(waiting) < WAITING_PROPOSALS:
                waiting[proposal.count] = proposal
            return
        following: Proposal | None = proposal
        while following is not None and self._is_within_quota(following):
            journal = replica.journal
            replica.append(
                place(following, replica.term, journal.last_number + 1, journal.chain), checked=True
            )
            waiting.pop(following.count, None)
            following = waiting.get(following.count + 1)
