"""The follower, which appends the leader's entries and answers how far its log matches.

Large gaps are fetched by `catchup.py`; suspicion of the leader is in `elections.py`.
"""

from __future__ import annotations

from tavolata_protocol.entries import Entry, read_entry
from tavolata_protocol.errors import BrokenEntry
from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.digests import DigestWatch
from tavolata_protocol.grouplog.replica import Replica
from tavolata_protocol.grouplog.signed_commits import SignedCommits
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire


class Follower:
    """Keeps the log equal to the leader's; sends one combined answer at each flush."""

    def __init__(self, replica: Replica, digests: DigestWatch, signed_commits: SignedCommits) -> None:
        self._replica = replica
        self._digests = digests
        self._signed_commits = signed_commits
        self._owed: tuple[PeerId, bool, int, int] | None = None
        self.is_contradicted = False
        """Whether the leader contradicts what is final here, and its log isn't known to match since."""

    def reset(self) -> None:
        """Start with a new leader: no entry is known to match, and no answer is due."""
        self._replica.journal.verified, self.is_contradicted = 0, False
        self._owed = None

    def examine(self, message: wire.Append) -> list[Entry]:
        """Check a message before its sender is followed; return its entries, none if they can't be placed.

        A message that contradicts a final entry is rejected and does not stop this peer: a majority held the
        entry. Raise `MalformedMessage` if an entry doesn't decode, `BrokenEntry` if it contradicts a final
        entry, or its entries aren't consecutive.
        """
        journal, number, chain = self._replica.journal, message.previous_number, message.previous_hash
        if not self._is_known(message):
            if number <= journal.commit_index:
                raise BrokenEntry(f"The leader contradicts entry {number}, which is final.")
            return []
        entries: list[Entry] = []
        for data in message.entries:
            entry = read_entry(data, chain)
            number, chain = number + 1, entry.chain
            if entry.number != number or entry.term > message.term:
                raise BrokenEntry(f"Entry {entry.number} stands at {number}, or is of a term to come.")
            if journal.base.number <= number <= journal.commit_index and journal.chain_at(number) != chain:
                raise BrokenEntry(f"The leader contradicts entry {number}, which is final.")
            entries.append(entry)
        return entries

    def on_append(self, peer: PeerId, message: wire.Append, entries: list[Entry]) -> None:
        """Append the entries of the leader of this term; `entries` come from `examine`.

        Raise `BrokenEntry` if one is forged or breaks a rule; the entries before it are stored.
        """
        replica, journal = self._replica, self._replica.journal
        if message.beat:
            self._news(peer, message)
        if not self._is_known(message):
            known = max(journal.commit_index, journal.verified)  # later entries may be another leader's
            self._owe(peer, matches=False, number=known, beat=message.beat)
            return
        self.is_contradicted, number = False, message.previous_number
        for entry in entries:
            number = entry.number
            if number > journal.last_number:
                replica.append(entry)
            elif number > journal.base.number and journal.chain_at(number) != entry.chain:
                replica.cut(number - 1)
                replica.append(entry)
        journal.verified = max(journal.verified, min(number, journal.last_number))
        replica.finalise(min(message.final, journal.verified))
        if message.beat or message.entries:
            self._owe(peer, matches=True, number=journal.verified, beat=message.beat)

    def _is_known(self, message: wire.Append) -> bool:
        journal, number = self._replica.journal, message.previous_number
        if number < journal.base.number:
            return True  # everything before the snapshot is final and the same at every peer
        return (
            journal.chain_at(number) == message.previous_hash
            and journal.term_at(number) == message.previous_term
        )

    def _news(self, peer: PeerId, message: wire.Append) -> None:
        replica = self._replica
        replica.seen = message.seen
        self._digests.heard(peer, message.digest_number, message.digest)
        if message.configuration == replica.journal.configuration_number:
            members = replica.configuration.peers
            away = {member for place, member in enumerate(members) if message.away >> place & 1}
            away |= replica.away & {peer}  # a leader that counts as silent isn't back by its own word
            for member in sorted(away - replica.away - {replica.me}):
                replica.tell(events.PeerAway(member))
            for member in sorted(replica.away - away):
                replica.tell(events.PeerBack(member))
            replica.away = away - {replica.me}

    def caught_up(self, peer: PeerId, number: int) -> None:
        """Note that catch-up verified the log up to `number` against the leader's offer."""
        journal = self._replica.journal
        journal.verified = max(journal.verified, number)
        self._owe(peer, matches=True, number=journal.verified, beat=0)

    def _owe(self, peer: PeerId, *, matches: bool, number: int, beat: int) -> None:
        if self._owed is not None and self._owed[0] == peer:
            beat = max(beat, self._owed[3])
        self._owed = (peer, matches, number, beat)

    def flush(self) -> None:
        """Send the answer that is due; a doubtful copy acknowledges nothing yet."""
        replica = self._replica
        if self._owed is None or (replica.is_doubtful and self._owed[1]):
            return
        peer, matches, number, beat = self._owed
        self._owed = None
        covered = self._signed_commits.covered
        answer = wire.Appended(
            replica.lineage,
            replica.term,
            replica.birth,
            matches,
            number,
            beat,
            covered,
            *replica.latest_digest(),
        )
        replica.send(peer, answer, reliable=not beat)
