"""A copy that may have forgotten: it asks the other voters what they remember of it, before it counts again.

A copy that was restored from a backup lacks what it acknowledged since, and may vote a second time. The store
finds that out by a witness. Where the witness is gone, the copy is doubtful: it follows, and neither votes
nor acknowledges anything, until the others have answered with what they remember. Afterwards it votes for a
while as if its log went as far as theirs. An answer binds only a doubtful copy, and costs it no more than a
new birth.
"""

from __future__ import annotations

from tavolata_protocol.grouplog import events, storage
from tavolata_protocol.grouplog.journal import DOUBTFUL
from tavolata_protocol.grouplog.leadership import Leadership
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire


class Recollection:
    """The doubt about this copy, the voters that have answered, and the answers to doubtful peers."""

    def __init__(self, leadership: Leadership, store: storage.Storage) -> None:
        self._leadership = leadership
        self._store = store
        self._held = (0, 0, 0)
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
        voted = replica.term if replica.voted_for is not None else max(replica.term - 1, 0)
        self._held = voted, replica.term, replica.journal.last_number
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

    def on_recall(self, peer: PeerId, message: wire.Recall) -> None:
        """Answer with what this peer remembers of that copy: its last vote, and what it acknowledged."""
        replica, leading = self._leadership.replica, self._leadership.leading
        voted = self._leadership.mandates.last_vote(peer, message.birth)
        number = 0 if leading is None else leading.leader.acknowledged(peer, message.birth)
        term = replica.term if number else 0
        told = wire.Remembered(message.lineage, message.birth, voted, term, number, *replica.last)
        replica.send(peer, told, reliable=False)

    def on_remembered(self, peer: PeerId, message: wire.Remembered) -> None:
        """Take what a peer remembers of this copy."""
        replica = self._leadership.replica
        if not replica.is_doubtful or message.birth != replica.birth or self._ends == float("inf"):
            return
        voted, *held = self._held
        if message.voted > voted or [message.term, message.number] > held:
            self._again = self._ends = float("inf")
            replica.tell(events.Forgotten())
            return
        self._answered.add(peer)
        self._promised = max(self._promised, (message.last_term, message.last_number))
        if self._others <= self._answered:
            self._hold()
        elif self._ends is None:
            self._ends = replica.now + replica.timing.takeover
