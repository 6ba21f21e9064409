"""Proposals: the author stores its own until they are final, and sends them again when needed.

At the leader, an author's next proposal is appended, and early ones wait. `ProposalQueue` is rule 2, and the
quota of each author; `leader.py` sends the appended entries.
"""

from __future__ import annotations

from itertools import islice

from tavolata_protocol.entries import Entry, EntryKind, Proposal, is_authentic, place, propose, read_proposal
from tavolata_protocol.errors import BrokenEntry
from tavolata_protocol.grouplog import events, storage
from tavolata_protocol.grouplog.replica import Replica
from tavolata_protocol.grouplog.timing import IN_FLIGHT, QUOTAS, WAITING_PROPOSALS
from tavolata_protocol.identity import PeerId
from tavolata_protocol.limits import RateLimit
from tavolata_protocol.messages import log as wire
from tavolata_protocol.messages.entries import Role


class Proposer:
    """Own proposals by count; each is delivered at most once (rule 8)."""

    def __init__(self, replica: Replica) -> None:
        self._replica = replica
        self._sent: dict[int, float] = {}
        self._next = 1

    def recover(self, proposals: dict[int, storage.ProposalKept]) -> None:
        """Restore the proposals from before a restart; the journal is already complete."""
        self._next = max(self._replica.journal.last_count(self._replica.me), *proposals, 0) + 1
        final = self._final_count()
        self._replica.proposals = {
            count: read_proposal(record.signed, record.signature)
            for count, record in sorted(proposals.items())
            if count > final
        }
        self.sign_again()  # the crash may have come in the middle of a takeover

    def _final_count(self) -> int:
        """Return the last own count that is final; the counts in a log have no gaps."""
        journal, count = self._replica.journal, self._replica.journal.last_count(self._replica.me)
        while count and (journal.place_of(self._replica.me, count) or 0) > journal.commit_index:
            count -= 1
        return count

    def add(self, body: bytes) -> int:
        """Sign and store a proposal; return its count. Raise `ProposalTooLarge` if the body is too long."""
        replica = self._replica
        self._next = max(self._next, replica.journal.last_count(replica.me) + 1)
        proposal = propose(replica.signer, replica.lineage, self._next, body)
        self._keep(proposal)
        self._next += 1
        return proposal.count

    def _keep(self, proposal: Proposal) -> None:
        self._replica.proposals[proposal.count] = proposal
        self._replica.disk.write(storage.ProposalKept(proposal.count, proposal.signed, proposal.signature))

    def sign_again(self) -> None:
        """Sign all proposals of an earlier lineage that are not in the log again, for the present one."""
        replica = self._replica
        last = replica.journal.last_count(replica.me)
        for proposal in list(replica.proposals.values()):
            if proposal.count > last and proposal.lineage != replica.lineage:
                self._keep(propose(replica.signer, replica.lineage, proposal.count, proposal.body))

    def final(self, entry: Entry) -> None:
        """Drop its own proposal once its entry is final."""
        if entry.author != self._replica.me or entry.kind is not EntryKind.APPLICATION:
            return
        mine = self._replica.proposals.pop(entry.count, None)
        self._sent.pop(entry.count, None)
        if mine is not None and mine.body != entry.body:
            self.add(mine.body)  # that count was used before a power cut, or by a copy that was lost

    def restore(self, dropped: list[Entry]) -> None:
        """Propose own entries again that were rolled back, the last first in `dropped`."""
        replica = self._replica
        for entry in dropped:
            is_own = entry.author == replica.me and entry.kind is EntryKind.APPLICATION
            if is_own and entry.count not in replica.proposals:
                self._keep(entry.proposal)  # a compacted file has none of those that were final
        replica.proposals = dict(sorted(replica.proposals.items()))

    def prune(self) -> None:
        """Drop the proposals that a new snapshot contains."""
        final = self._final_count()
        for count in [count for count in self._replica.proposals if count <= final]:
            del self._replica.proposals[count]

    def withdraw(self) -> None:
        """Drop all proposals, since this peer is no longer a member; they will not be delivered."""
        for count in self._replica.proposals:
            self._replica.disk.write(storage.Withdrawn(count))
        self._replica.proposals.clear()

    def placed(self, count: int, term: int) -> None:
        """Note that the leader of that term has a proposal, so that it is not sent again in this term."""
        if count in self._replica.proposals and term == self._replica.term:
            self._sent[count] = float("inf")

    def forget_sending(self) -> None:
        """Send everything again, since there is a new leader or entries were dropped."""
        self._sent.clear()

    def waiting(self) -> list[Proposal]:
        """Return the oldest 16 proposals that are not in the log yet."""
        if not self._replica.proposals:
            return []
        last = self._replica.journal.last_count(self._replica.me)
        return list(
            islice((p for p in self._replica.proposals.values() if p.count > last), WAITING_PROPOSALS)
        )

    def flush(self) -> None:
        """Send the leader the proposals that it may not have."""
        replica = self._replica
        if replica.leader in (None, replica.me) or not self._replica.proposals:
            return
        assert replica.leader is not None
        size = 0
        for proposal in self.waiting():
            size += len(proposal.signed)
            if size > IN_FLIGHT:
                break
            if replica.now - self._sent.get(proposal.count, float("-inf")) >= replica.timing.repeat:
                self._sent[proposal.count] = replica.now
                replica.send(
                    replica.leader, wire.Propose(replica.lineage, proposal.signed, proposal.signature)
                )

    def due(self) -> float | None:
        """Return when proposals are sent again."""
        if self._replica.leader in (None, self._replica.me) or not self._replica.proposals:
            return None
        times = [self._sent.get(p.count, self._replica.now) for p in self.waiting()]
        soonest = min(times, default=float("inf"))
        return None if soonest == float("inf") else soonest + self._replica.timing.repeat


class ProposalQueue:
    """Proposals that came too early, at most 16 of each author."""

    def __init__(self, replica: Replica) -> None:
        self._replica = replica
        self._waiting: dict[PeerId, dict[int, Proposal]] = {}
        self._quotas: dict[tuple[PeerId, Role], RateLimit] = {}

    def on_propose(self, peer: PeerId, message: wire.Propose | wire.Relay) -> None:
        """Take a proposal from its author, or from another member.

        Raise `MalformedMessage` if it doesn't decode, `BrokenEntry` if it isn't the sender's own and was not
        passed on, or is of another lineage.
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
        """Return True if an author may add bytes now, which everybody has to keep; otherwise tell it so."""
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
        if proposal.author not in self._waiting:  # or one machine with many keys fills the memory
            self._waiting = {one: kept for one, kept in self._waiting.items() if one in replica.configuration}
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
