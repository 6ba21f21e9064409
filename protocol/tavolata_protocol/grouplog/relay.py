"""The relay of proposals that the leader leaves out: their author sends them to all, and all pass them on.

A leader that leaves out what it was passed counts as silent, so another one is elected. No single peer can
keep back what another one says.
"""

from __future__ import annotations

from tavolata_protocol.entries import EntryKind, Proposal, is_authentic, read_proposal
from tavolata_protocol.errors import BrokenEntry
from tavolata_protocol.grouplog.proposals import Proposer
from tavolata_protocol.grouplog.replica import Replica
from tavolata_protocol.grouplog.roles import NOT_LEADING
from tavolata_protocol.grouplog.timing import BATCH, WAITING_PROPOSALS
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire
from tavolata_protocol.messages.entries import Role


class RelayedProposals:
    """Proposals of all voters that are not in the log, as far as this peer has them.

    An author's quota (`timing.QUOTAS`) keeps none of its proposals waiting for a second, so it is no excuse.
    """

    def __init__(self, replica: Replica, proposer: Proposer) -> None:
        self._replica = replica
        self._proposer = proposer
        self._held: dict[PeerId, dict[int, Proposal]] = {}
        self._first: dict[PeerId, tuple[int, float]] = {}
        self._passed: dict[PeerId, float] = {}
        self._leader: PeerId | None = None

    # Received messages

    def on_relay(self, peer: PeerId, message: wire.Relay) -> None:
        """Hold a voter's own proposal, to pass it to the leader; others' are for the leader alone.

        Raise `MalformedMessage` if it doesn't decode, `BrokenEntry` if its author did not sign it.
        """
        replica = self._replica
        proposal = read_proposal(message.signed, message.signature)
        wanted = (peer, EntryKind.APPLICATION, replica.lineage)
        if (proposal.author, proposal.kind, proposal.lineage) != wanted or not self._has_room(proposal):
            return
        if not is_authentic(proposal, replica.verify):
            raise BrokenEntry("A proposal isn't signed by its author.")
        self._held.setdefault(peer, {})[proposal.count] = proposal

    def _has_room(self, proposal: Proposal) -> bool:
        last, author = self._replica.journal.last_count(proposal.author), proposal.author
        self.held(author)
        held = self._held.get(author, {})
        size = len(proposal.signed) + sum(len(one.signed) for one in held.values())
        is_first = self._replica.rules.is_next(last, proposal.count)
        fits = last < proposal.count <= last + WAITING_PROPOSALS and size <= BATCH
        return (is_first or fits) and proposal.count not in held and self._counts(author)

    def _counts(self, peer: PeerId) -> bool:
        """Return True if a peer is a voter, or was one before it was away."""
        member = self._replica.configuration.member(peer)
        return member is not None and member.role is not Role.LEARNER

    # What is held

    def held(self, author: PeerId) -> list[Proposal]:
        """Return a voter's proposals that it sent around and that are not in the log, in order."""
        if author not in self._held:
            return []
        replica, last = self._replica, self._replica.journal.last_count(author)
        self._held[author] = left = {
            count: one for count, one in self._held[author].items()
            if count > last and one.lineage == replica.lineage
        }  # fmt: skip
        found = list[Proposal]()
        while (following := left.get(last + len(found) + 1)) is not None:
            found.append(following)
        return found

    def _own(self) -> list[Proposal]:
        """Return its first proposals that aren't in the log: one at least, and not too many bytes."""
        found, size = list[Proposal](), 0
        for proposal in self._proposer.waiting():
            size += len(proposal.signed)
            if found and size > BATCH:
                break
            found.append(proposal)
        return found

    def _look(self) -> dict[PeerId, list[Proposal]]:
        """Return what each author waits for, and since when; a new leader gets as long as the one before."""
        replica = self._replica
        if replica.leader not in (None, self._leader):
            self._leader = replica.leader
            self._first.clear()
            self._passed.clear()
        if not (self._held or replica.proposals):  # as nearly always
            self._first.clear()
            self._passed.clear()
            return {}
        queues = {author: self.held(author) for author in self._held} | {replica.me: self._own()}
        queues = {author: queue for author, queue in queues.items() if queue and self._counts(author)}
        self._first = {
            author: known
            if (known := self._first.get(author, (0, 0.0)))[0] == queue[0].count
            else (queue[0].count, replica.now)
            for author, queue in queues.items()
        }
        self._passed = {author: when for author, when in self._passed.items() if author in queues}
        return queues

    def forgive(self) -> None:
        """Begin to wait again after this machine slept, since it could not hear anybody."""
        self._first.clear()

    @property
    def is_ignored(self) -> bool:
        """True if the leader has left out what it was passed for too long; it then counts as silent."""
        replica = self._replica
        for author in self._look():
            patience = replica.timing.relay * (2 if author == replica.me else 1)
            late = replica.now - self._first[author][1] >= patience
            if late and (author != replica.me or len(replica.configuration.voters) > 2):
                return True
        return False

    # Sending

    def flush(self) -> None:
        """Send own proposals to all when they are late, and pass the held ones to the leader."""
        replica = self._replica
        if replica.state not in NOT_LEADING or not (self._held or replica.proposals):
            return
        for author, queue in self._look().items():
            if self._due(author) > replica.now:
                continue
            self._passed[author] = replica.now
            for peer in self._listeners(author):
                for proposal in queue:
                    replica.send(peer, wire.Relay(proposal.lineage, proposal.signed, proposal.signature))

    def _listeners(self, author: PeerId) -> list[PeerId]:
        """Return all other voters for own proposals; for those of others the leader, if there is one."""
        replica = self._replica
        if author != replica.me:
            return [] if replica.leader is None else [replica.leader]
        others = (peer for peer in replica.configuration.peers if self._counts(peer))
        return [peer for peer in others if peer not in (replica.me, replica.leader)]

    def _due(self, author: PeerId) -> float:
        timing, since = self._replica.timing, self._first[author][1]
        if author == self._replica.me:
            return max(since, self._passed.get(author, since)) + timing.relay
        return self._passed.get(author, since - timing.repeat) + timing.repeat

    def due(self) -> float | None:
        """Return when something is sent next."""
        if not (self._held or self._replica.proposals):
            return None
        return min((self._due(author) for author in self._look()), default=None)
