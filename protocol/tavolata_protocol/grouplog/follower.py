"""The follower: takes over what the sequencer appends, and answers how far its log matches.

Asking for what is missing over a wide gap stands in `catchup.py`, suspecting the sequencer in `elections.py`.
"""

from __future__ import annotations

from tavolata_protocol.entries import Entry, read_entry
from tavolata_protocol.errors import BrokenEntry
from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.digests import DigestWatch
from tavolata_protocol.grouplog.replica import Desk
from tavolata_protocol.grouplog.signed_commits import Vouching
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire


class Following:
    """Keeps the log equal to the sequencer's; answers are gathered, one leaves at each flush."""

    def __init__(self, desk: Desk, digests: DigestWatch, vouching: Vouching) -> None:
        self._desk = desk
        self._digests = digests
        self._vouching = vouching
        self._verified = 0
        self._owed: tuple[PeerId, bool, int, int] | None = None

    def reset(self) -> None:
        """Another sequencer: nothing is known to match yet, nothing is owed."""
        self._verified = 0
        self._owed = None

    def examine(self, message: wire.Append) -> list[Entry]:
        """Look at a message before its sender is followed; returns its entries, none if they can't be placed.

        Nobody's word against what is final here is believed, nor does it stop this peer: a majority held it.

        Raises:
            MalformedMessage: when an entry doesn't decode.
            BrokenEntry: when it contradicts what is final, or its entries don't stand in a row.
        """
        journal, number, chain = self._desk.journal, message.previous_number, message.previous_hash
        if not self._is_known(message):
            if number <= journal.final:
                raise BrokenEntry(f"The sequencer contradicts entry {number}, which is final.")
            return []
        entries: list[Entry] = []
        for data in message.entries:
            entry = read_entry(data, chain)
            number, chain = number + 1, entry.chain
            if entry.number != number or entry.term > message.term:
                raise BrokenEntry(f"Entry {entry.number} stands at {number}, or is of a term to come.")
            if journal.base.number <= number <= journal.final and journal.chain_at(number) != chain:
                raise BrokenEntry(f"The sequencer contradicts entry {number}, which is final.")
            entries.append(entry)
        return entries

    def on_append(self, peer: PeerId, message: wire.Append, entries: list[Entry]) -> None:
        """Take what the sequencer of this term sent; `entries` are those that `examine` found.

        Raises:
            BrokenEntry: when one is forged or against the rules; those before it are kept.
        """
        desk, journal = self._desk, self._desk.journal
        if message.beat:
            self._news(peer, message)
        if not self._is_known(message):
            known = max(journal.final, self._verified)  # what lies behind may be another sequencer's
            self._owe(peer, matches=False, number=known, beat=message.beat)
            return
        number = message.previous_number
        for entry in entries:
            number = entry.number
            if number > journal.last_number:
                desk.append(entry)
            elif number > journal.base.number and journal.chain_at(number) != entry.chain:
                desk.cut(number - 1)
                desk.append(entry)
        self._verified = max(self._verified, min(number, journal.last_number))
        desk.finalise(min(message.final, self._verified))
        if message.beat or message.entries:
            self._owe(peer, matches=True, number=self._verified, beat=message.beat)

    def _is_known(self, message: wire.Append) -> bool:
        journal, number = self._desk.journal, message.previous_number
        if number < journal.base.number:
            return True  # before the snapshot: all of that is final, and the same for everybody
        return (
            journal.chain_at(number) == message.previous_hash
            and journal.term_at(number) == message.previous_term
        )

    def _news(self, peer: PeerId, message: wire.Append) -> None:
        desk = self._desk
        desk.seen = max(desk.seen, message.seen)
        self._digests.heard(peer, message.digest_number, message.digest)
        if message.configuration == desk.journal.configuration_number:
            members = desk.configuration.peers
            away = {member for place, member in enumerate(members) if message.away >> place & 1}
            for member in sorted(away - desk.away - {desk.me}):
                desk.tell(events.PeerAway(member))
            for member in sorted(desk.away - away):
                desk.tell(events.PeerBack(member))
            desk.away = away - {desk.me}

    def caught_up(self, peer: PeerId, number: int) -> None:
        """Catch-up verified the log up to `number` against what the sequencer named."""
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
        desk = self._desk
        peer, matches, number, beat = self._owed
        self._owed = None
        assert desk.lineage is not None
        vouched = self._vouching.covered
        answer = wire.Appended(
            desk.lineage, desk.term, desk.birth, matches, number, beat, vouched, *desk.latest_digest()
        )
        desk.send(peer, answer, reliable=not beat)
