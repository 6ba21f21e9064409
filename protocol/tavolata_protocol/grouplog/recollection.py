"""A copy that may have forgotten: it asks the others what they remember of it, before it counts again.

A copy that was restored from a backup lacks what it acknowledged since, and may vote a second time. The store
finds that out by a witness. Where the witness is gone, the copy is doubtful: it follows, and neither votes
nor acknowledges anything, until the others have answered with what they remember. Those are the voters that
it knows, and whoever speaks to it as a leader or a candidate: it may be from before they joined. Only what it
signed itself, a vote or a commit, gives it a new birth. Afterwards it votes for a while as if its log went as
far as theirs. Entries that it lacks come from the leader.
"""

from __future__ import annotations

from typing import Final

from tavolata_protocol.equivocation import read_signed_commit
from tavolata_protocol.grouplog import events, storage
from tavolata_protocol.grouplog.journal import DOUBTFUL
from tavolata_protocol.grouplog.leadership import Leadership
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire
from tavolata_protocol.messages.entries import MAX_MEMBERS
from tavolata_protocol.messages.votes import Statement
from tavolata_protocol.votes import SignedVote, read_vote

NEVER: Final = float("inf")


class Recollection:
    """The doubt about this copy, who has answered, and the answers to doubtful peers."""

    def __init__(self, leadership: Leadership, store: storage.Storage) -> None:
        self._leadership = leadership
        self._store = store
        self._voted = 0
        self._met: set[PeerId] = set()
        self._answered: set[PeerId] = set()
        self._again = 0.0
        # When it counts at the earliest, and at the latest; when it votes by its own log again.
        self._first = self._last = self._until = NEVER
        self._promised = (0, 0)
        self._accuser: PeerId | None = None

    @property
    def _others(self) -> set[PeerId]:
        """The peers that may remember this copy."""
        replica = self._leadership.replica
        return {*replica.configuration.voters, *filter(None, [replica.leader]), *self._met} - {replica.me}

    def begin(self) -> None:
        """Doubt this copy if its store does."""
        replica = self._leadership.replica
        if not self._store.is_doubtful:
            self.end()
            return
        replica.journal.promised = DOUBTFUL
        self._voted = replica.term if replica.voted_for is not None else replica.term - 1
        self._again, self._first = replica.now, replica.now + replica.timing.silence
        if not self._others:
            self._last = replica.now + replica.timing.takeover

    def end(self) -> None:
        """Doubt this copy no more: nobody remembers more than it holds, or its player says so."""
        self._leadership.replica.journal.promised, self._until = (0, 0), NEVER
        self._store.trust()

    def _hold(self, promised: tuple[float, int]) -> None:
        """Doubt this copy no more, though it votes for nobody yet who has less than that."""
        replica = self._leadership.replica
        self.end()
        replica.journal.promised, self._until = promised, replica.now + replica.timing.proof

    @property
    def _counts_at(self) -> float:
        """When this copy counts, if nobody else appears."""
        return self._first if self._answered and self._others <= self._answered else self._last

    def due(self) -> float | None:
        """Return when the others are asked again, or waited for no longer."""
        doubtful = self._leadership.replica.is_doubtful
        at = min(self._again, self._counts_at) if doubtful else self._until
        return None if at == NEVER else at

    def tick(self) -> None:
        """Ask those who haven't answered; wait for the last of them for so long."""
        replica = self._leadership.replica
        if not replica.is_doubtful:
            if replica.now >= self._until:
                self.end()
            elif self._accuser in replica.convicted:
                replica.journal.promised = min(replica.journal.promised, self._promised)
        elif replica.now >= self._counts_at:
            self._hold(self._promised)
        elif replica.now >= self._again:
            self._again = replica.now + replica.timing.repeat
            for peer in sorted(self._others - self._answered):
                replica.send(peer, wire.Recall(replica.lineage, replica.birth), reliable=False)

    def on_forgot(self, number: int) -> None:
        """Vote for nobody who lacks the entry that the leader says this copy has lost, for a while.

        Its word gives no copy a new birth: a leader that lies could take every other copy from the table. It
        counts once in a run, between which a copy forgets, or it could keep all from voting for ever.
        """
        replica = self._leadership.replica
        if not replica.is_doubtful and self._accuser is None:
            self._accuser = replica.leader
            self._hold(max(replica.journal.promised, (replica.term, number)))

    def on_recall(self, peer: PeerId, message: wire.Recall) -> None:
        """Answer with what this peer remembers of that copy."""
        replica = self._leadership.replica
        vote = self._leadership.mandates.last_vote(peer, message.birth)
        statement = None if vote is None else vote.statement
        answer = wire.Remembered(message.lineage, message.birth, statement, *replica.last)
        replica.send(peer, answer, reliable=False)
        self._leadership.signed_commits.give_back(peer)

    def meet(self, peer: PeerId, message: wire.LogMessage) -> None:
        """While this copy is doubtful, note who leads or asks for votes, and take its own commit."""
        if self._again == NEVER:
            return
        if isinstance(message, wire.Append | wire.PreVote | wire.Vote):
            if peer not in self._met and len(self._met) < MAX_MEMBERS:
                self._met.add(peer)
                self._again = min(self._again, self._leadership.replica.now)
        elif isinstance(message, wire.CommitNotice):
            self._compare(message)

    def _compare(self, message: wire.CommitNotice) -> None:
        """Begin again if this copy has signed, as a leader, the place of an entry that it lacks."""
        replica = self._leadership.replica
        commit = read_signed_commit(Statement(message.signed, message.signature))
        known = max(replica.journal.last_number, replica.elsewhere.get(replica.lineage, 0))
        mine = (commit.leader, commit.lineage) == (replica.me, replica.lineage)
        if mine and commit.number > known and commit.is_genuine(replica.verify):
            self._forget()

    def on_remembered(self, peer: PeerId, message: wire.Remembered) -> None:
        """Take what a peer remembers of this copy; raise `MalformedMessage` if a vote doesn't decode."""
        replica = self._leadership.replica
        if not replica.is_doubtful or message.birth != replica.birth or peer not in self._others:
            return
        if message.vote is not None and self._is_forgotten(read_vote(message.vote)):
            self._forget()
            return
        if not self._answered:
            self._last = min(self._last, replica.now + replica.timing.takeover)
        self._answered.add(peer)
        self._promised = max(self._promised, (message.last_term, message.last_number))

    def _is_forgotten(self, vote: SignedVote) -> bool:
        """Return True if this very copy has signed a vote that it knows nothing of."""
        replica = self._leadership.replica
        whose = vote.lineage, vote.voter, vote.birth
        mine = whose == (replica.lineage, replica.me, replica.birth)
        return mine and vote.term > self._voted and vote.is_genuine(replica.verify)

    def _forget(self) -> None:
        """Let the application put this copy aside; it stays doubtful, and asks nobody any more."""
        if self._again != NEVER:
            self._again = self._first = self._last = NEVER
            self._leadership.replica.tell(events.Forgotten())
