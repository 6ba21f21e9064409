"""A copy that may have forgotten: it asks the other voters what they remember of it, before it counts again.

A copy that was restored from a backup lacks what it acknowledged since, and may vote a second time. The store
finds that out by a witness. Where the witness is gone, the copy is doubtful: it follows, and neither votes
nor acknowledges anything, until the others have answered with what they remember. Only
a vote of its own, which nobody else can sign, gives it a new birth. Afterwards it votes for a while as if its
log went as far as theirs. Entries that it lacks come from the leader.
"""

from __future__ import annotations

from tavolata_protocol.grouplog import events, storage
from tavolata_protocol.grouplog.journal import DOUBTFUL
from tavolata_protocol.grouplog.leadership import Leadership
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire
from tavolata_protocol.votes import SignedVote, read_vote


class Recollection:
    """The doubt about this copy, the voters that have answered, and the answers to doubtful peers."""

    def __init__(self, leadership: Leadership, store: storage.Storage) -> None:
        self._leadership = leadership
        self._store = store
        self._voted = 0
        self._answered: set[PeerId] = set()
        self._again = 0.0
        self._ends: float | None = None
        self._promised = (0, 0)

    @property
    def _others(self) -> set[PeerId]:
        """The voters that may remember this copy."""
        replica = self._leadership.replica
        return {*replica.configuration.voters} - {replica.me}

    def begin(self) -> None:
        """Doubt this copy if its store does, unless nobody else has a vote."""
        replica = self._leadership.replica
        if not self._store.is_doubtful or not self._others:
            self.end()
            return
        replica.journal.promised = DOUBTFUL
        self._voted = replica.term if replica.voted_for is not None else replica.term - 1
        self._again = replica.now

    def end(self) -> None:
        """Doubt this copy no more: nobody remembers more than it holds, or its player says so."""
        replica = self._leadership.replica
        replica.journal.promised, self._ends = (0, 0), None
        self._store.trust()

    def _hold(self) -> None:
        """Doubt this copy no more, though it votes for nobody yet who has less than the others."""
        replica = self._leadership.replica
        self.end()
        replica.journal.promised, self._ends = self._promised, replica.now + replica.timing.proof

    def due(self) -> float | None:
        """Return when the others are asked again, or waited for no longer."""
        if not self._leadership.replica.is_doubtful:
            return self._ends
        return self._again if self._ends is None else min(self._again, self._ends)

    def tick(self) -> None:
        """Ask those who haven't answered; wait for the last of them for so long."""
        replica = self._leadership.replica
        if not replica.is_doubtful:
            if self._ends is not None and replica.now >= self._ends:
                self.end()
        elif self._ends is not None and replica.now >= self._ends:
            self._hold()
        elif replica.now >= self._again:
            self._again = replica.now + replica.timing.repeat
            for peer in sorted({*self._others, *filter(None, [replica.leader])} - self._answered):
                replica.send(peer, wire.Recall(replica.lineage, replica.birth), reliable=False)

    def on_forgot(self, number: int) -> None:
        """Vote for nobody who lacks the entry that the leader says this copy has lost, for a while.

        Its word gives no copy a new birth: a leader that lies could take every other copy from the table.
        """
        replica = self._leadership.replica
        if not replica.is_doubtful:
            self._promised = replica.term, number
            self._hold()

    def on_recall(self, peer: PeerId, message: wire.Recall) -> None:
        """Answer with what this peer remembers of that copy."""
        replica = self._leadership.replica
        vote = self._leadership.mandates.last_vote(peer, message.birth)
        statement = None if vote is None else vote.statement
        answer = wire.Remembered(message.lineage, message.birth, statement, *replica.last)
        replica.send(peer, answer, reliable=False)

    def on_remembered(self, peer: PeerId, message: wire.Remembered) -> None:
        """Take what a peer remembers of this copy; raise `MalformedMessage` if a vote doesn't decode."""
        replica = self._leadership.replica
        if not replica.is_doubtful or message.birth != replica.birth or self._ends == float("inf"):
            return
        if message.vote is not None and self._is_forgotten(read_vote(message.vote)):
            self._again = self._ends = float("inf")
            replica.tell(events.Forgotten())
            return
        self._answered.add(peer)
        self._promised = max(self._promised, (message.last_term, message.last_number))
        if self._others <= self._answered:
            self._hold()
        elif self._ends is None:
            self._ends = replica.now + replica.timing.takeover

    def _is_forgotten(self, vote: SignedVote) -> bool:
        """Return True if this very copy has signed a vote that it knows nothing of."""
        replica = self._leadership.replica
        whose = vote.lineage, vote.voter, vote.birth
        mine = whose == (replica.lineage, replica.me, replica.birth)
        return mine and vote.term > self._voted and vote.is_genuine(replica.verify)
