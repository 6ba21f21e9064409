"""The proposer: own proposals, kept on disk until they are final, and sent again under the same count.

What the sequencer does with them stands in `sequencing.py`.
"""

from __future__ import annotations

from itertools import islice

from tavolata_protocol.entries import Entry, Kind, Proposal, propose, read_proposal
from tavolata_protocol.grouplog import events, storage
from tavolata_protocol.grouplog.replica import Desk
from tavolata_protocol.grouplog.timing import IN_FLIGHT, WAITING_PROPOSALS
from tavolata_protocol.messages import log as wire


class Proposing:
    """Own proposals by count; delivered at most once each (rule 8)."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._sent: dict[int, float] = {}
        self._next = 1

    def recover(self, promised: dict[int, storage.Promised]) -> None:
        """Take up what was promised before a restart; `journal` is whole by now."""
        self._next = max(self._desk.journal.last_count(self._desk.me), *promised, 0) + 1
        final = self._final_count()
        self._desk.promised = {
            count: read_proposal(record.signed, record.signature)
            for count, record in sorted(promised.items())
            if count > final
        }

    def _final_count(self) -> int:
        """The own count that is final; the counts in a log have no gaps."""
        journal, count = self._desk.journal, self._desk.journal.last_count(self._desk.me)
        while count and (journal.place_of(self._desk.me, count) or 0) > journal.final:
            count -= 1
        return count

    @property
    def pending(self) -> tuple[int, ...]:
        """Counts of the proposals that aren't final yet, ascending."""
        return tuple(self._desk.promised)

    def add(self, body: bytes) -> int:
        """Sign and keep a proposal; returns its count.

        Raises:
            ProposalTooLarge: for too long a body.
        """
        desk = self._desk
        assert desk.lineage is not None
        self._next = max(self._next, desk.journal.last_count(desk.me) + 1)
        proposal = propose(desk.signer, desk.lineage, self._next, body)
        self._keep(proposal)
        self._next += 1
        return proposal.count

    def _keep(self, proposal: Proposal) -> None:
        self._desk.promised[proposal.count] = proposal
        self._desk.disk.write(storage.Promised(proposal.count, proposal.signed, proposal.signature))

    def sign_again(self) -> None:
        """The lineage changed: what isn't in the log is signed for the new one."""
        desk = self._desk
        assert desk.lineage is not None
        for proposal in list(self._desk.promised.values()):
            if proposal.count > desk.journal.last_count(desk.me):
                self._keep(propose(desk.signer, desk.lineage, proposal.count, proposal.body))

    def final(self, entry: Entry) -> None:
        """An entry became final: if it is the own one, it need not be kept any longer."""
        if entry.author != self._desk.me or entry.kind is not Kind.APPLICATION:
            return
        mine = self._desk.promised.pop(entry.count, None)
        self._sent.pop(entry.count, None)
        if mine is not None and mine.body != entry.body:
            self._desk.tell(events.ProposalRefused(entry.count, events.Reason.COUNT_TAKEN))

    def prune(self) -> None:
        """The log begins anew behind a snapshot: what is in that needs no keeping."""
        final = self._final_count()
        for count in [count for count in self._desk.promised if count <= final]:
            del self._desk.promised[count]

    def refused(self, count: int, reason: events.Reason) -> None:
        """The sequencer doesn't take it."""
        if self._desk.promised.pop(count, None) is not None:
            self._desk.disk.write(storage.Withdrawn(count))
            self._desk.tell(events.ProposalRefused(count, reason))

    def placed(self, count: int, term: int) -> None:
        """The sequencer of that term has it: no need to send it again in this term."""
        if count in self._desk.promised and term == self._desk.term:
            self._sent[count] = float("inf")

    def forget_sending(self) -> None:
        """There is another sequencer, or entries were dropped: send everything again."""
        self._sent.clear()

    def waiting(self) -> list[Proposal]:
        """What isn't in the log yet, the oldest 16 of it."""
        if not self._desk.promised:
            return []
        last = self._desk.journal.last_count(self._desk.me)
        return list(islice((p for p in self._desk.promised.values() if p.count > last), WAITING_PROPOSALS))

    def flush(self) -> None:
        """Send to the sequencer what it may not have."""
        desk = self._desk
        if desk.sequencer in (None, desk.me) or not self._desk.promised:
            return
        assert desk.sequencer is not None
        assert desk.lineage is not None
        size = 0
        for proposal in self.waiting():
            size += len(proposal.signed)
            if size > IN_FLIGHT:
                break
            if desk.now - self._sent.get(proposal.count, float("-inf")) >= desk.timing.repeat:
                self._sent[proposal.count] = desk.now
                desk.send(desk.sequencer, wire.Propose(desk.lineage, proposal.signed, proposal.signature))

    def due(self) -> float | None:
        """When something is to be sent again."""
        if self._desk.sequencer in (None, self._desk.me) or not self._desk.promised:
            return None
        times = [self._sent.get(p.count, self._desk.now) for p in self.waiting()]
        soonest = min(times, default=float("inf"))
        return None if soonest == float("inf") else soonest + self._desk.timing.repeat
