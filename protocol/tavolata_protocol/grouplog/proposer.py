"""The proposer of own entries: it stores proposals until they are final, and sends them again when needed.

The leader's part is in `proposal_queue.py`.
"""

from __future__ import annotations

from itertools import islice

from tavolata_protocol.entries import Entry, EntryKind, Proposal, propose, read_proposal
from tavolata_protocol.grouplog import events, storage
from tavolata_protocol.grouplog.replica import Replica
from tavolata_protocol.grouplog.timing import IN_FLIGHT, WAITING_PROPOSALS
from tavolata_protocol.messages import log as wire


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

    def _final_count(self) -> int:
        """The last own count that is final; the counts in a log have no gaps."""
        journal, count = self._replica.journal, self._replica.journal.last_count(self._replica.me)
        while count and (journal.place_of(self._replica.me, count) or 0) > journal.commit_index:
            count -= 1
        return count

    @property
    def pending(self) -> tuple[int, ...]:
        """The counts of proposals that are not final yet, ascending."""
        return tuple(self._replica.proposals)

    def add(self, body: bytes) -> int:
        """Sign and store a proposal; returns its count.

        Raises:
            ProposalTooLarge: when the body is too long.
        """
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
        """Sign all proposals that are not in the log again, for the new lineage."""
        replica = self._replica
        for proposal in list(self._replica.proposals.values()):
            if proposal.count > replica.journal.last_count(replica.me):
                self._keep(propose(replica.signer, replica.lineage, proposal.count, proposal.body))

    def final(self, entry: Entry) -> None:
        """Drop an own proposal once its entry is final."""
        if entry.author != self._replica.me or entry.kind is not EntryKind.APPLICATION:
            return
        mine = self._replica.proposals.pop(entry.count, None)
        self._sent.pop(entry.count, None)
        if mine is not None and mine.body != entry.body:
            self.add(mine.body)  # that count was used before a power cut, or by a copy that was lost

    def prune(self) -> None:
        """Drop the proposals that a new snapshot contains."""
        final = self._final_count()
        for count in [count for count in self._replica.proposals if count <= final]:
            del self._replica.proposals[count]

    def refused(self, count: int, reason: events.Reason) -> None:
        """Drop a proposal that the leader refused."""
        if self._replica.proposals.pop(count, None) is not None:
            self._replica.disk.write(storage.Withdrawn(count))
            self._replica.tell(events.ProposalRefused(count, reason))

    def placed(self, count: int, term: int) -> None:
        """Note that the leader of that term has a proposal, so that it is not sent again in this term."""
        if count in self._replica.proposals and term == self._replica.term:
            self._sent[count] = float("inf")

    def forget_sending(self) -> None:
        """Send everything again, since there is a new leader or entries were dropped."""
        self._sent.clear()

    def waiting(self) -> list[Proposal]:
        """The oldest 16 proposals that are not in the log yet."""
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
        """When proposals are sent again."""
        if self._replica.leader in (None, self._replica.me) or not self._replica.proposals:
            return None
        times = [self._sent.get(p.count, self._replica.now) for p in self.waiting()]
        soonest = min(times, default=float("inf"))
        return None if soonest == float("inf") else soonest + self._replica.timing.repeat
