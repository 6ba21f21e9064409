"""The follower: takes over what the leader appends, and answers how far its log matches.

Asking for what is missing over a wide gap stands in `catchup.py`, suspecting the leader in `elections.py`.
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
    """Keeps the log equal to the leader's; answers are gathered, one leaves at each flush."""

    def __init__(self, replica: Replica, digests: DigestWatch, signed_commits: SignedCommits) -> None:
        self._replica = replica
        self._digests = digests
        self._signed_commits = signed_commits
        self._verified = 0
        self._owed: tuple[PeerId, bool, int, int] | None = None

    def reset(self) -> None:
        """Another leader: nothing is known to match yet, nothing is owed."""
        self._verified = 0
        self._owed = None

    def examine(self, message: wire.Append) -> list[Entry]:
        """Look at a message before its sender is followed; returns its entries, none if they can't be placed.

        Nobody's word against what is final here is believed, nor does it stop this peer: a majority held it.

        Raises:
            MalformedMessage: when an entry doesn't decode.
            BrokenEntry: when it contradicts what is final, or its entries don't stand in a row.
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
        """Take what the leader of this term sent; `entries` are those that `examine` found.

        Raises:
            BrokenEntry: when one is forged or against the rules; those before it are kept.
        """
        replica, journal = self._replica, self._replica.journal
        if message.beat:
            self._news(peer, message)
        if not self._is_known(message):
            known = max(journal.commit_index, self._verified)  # what lies behind may be another leader's
            self._owe(peer, matches=False, number=known, beat=message.beat)
            return
        number = message.previous_number
        for entry in entries:
            number = entry.number
            if number > journal.last_number:
                replica.append(entry)
            elif number > journal.base.number and journal.chain_at(number) != entry.chain:
                replica.cut(number - 1)
                replica.append(entry)
        self._verified = max(self._verified, min(number, journal.last_number))
        replica.finalise(min(message.final, self._verified))
        if message.beat or message.entries:
            self._owe(peer, matches=True, number=self._verified, beat=message.beat)

    def _is_known(self, message: wire.Append) -> bool:
        journal, number = self._replica.journal, message.previous_number
        if number < journal.base.number:
            return True  # before the snapshot: all of that is final, and the same for everybody
        return (
            journal.chain_at(number) == message.previous_hash
            and journal.term_at(number) == message.previous_term
        )

    def _news(self, peer: PeerId, message: wire.Append) -> None:
        replica = self._replica
        replica.seen = max(replica.seen, message.seen)
        self._digests.heard(peer, message.digest_number, message.digest)
        if message.configuration == replica.journal.configuration_number:
            members = replica.configuration.peers
            away = {member for place, member in enumerate(members) if message.away >> place & 1}
            for member in sorted(away - replica.away - {replica.me}):
                replica.tell(events.PeerAway(member))
            for member in sorted(replica.away - away):
                replica.tell(events.PeerBack(member))
            replica.away = away - {replica.me}

    def caught_up(self, peer: PeerId, number: int) -> None:
        """Catch-up verified the log up to `number` against what the leader named."""
        self._verified = max(self._verified, number)
        self._owe(peer, matches=True, number=self._verified, beat=0)

    def _owe(self, peer: PeerId, *, matches: bool, number: int, beat: int) -> None:
        if self._owed is not None and self._owed[0] == peer:
            beat = max(beat, self._owed[3])
        self._owed = (peer, matches, number, beat)

    def flush(self) -> None:
        """Send the answer that is owed."""
        if self._owed is None:
            return
        replica = self._replica
        peer, matches, number, beat = self._owed
        self._owed = None
        assert replica.lineage is not None
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
