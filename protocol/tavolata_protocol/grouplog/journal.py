"""The journal: the log in memory, with consecutive entries, the commit index and the configurations.

It keeps itself consistent and uses neither clock nor disk. Its users decide which entries are appended.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from itertools import islice
from typing import Final

from tavolata_protocol.entries import (
    Entry,
    EntryKind,
    checked_configuration,
    configuration_of,
    first_lineage,
    genesis,
)
from tavolata_protocol.errors import BrokenEntry
from tavolata_protocol.grouplog.snapshots import LENGTH_PREFIX, Snapshot
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Configuration
from tavolata_protocol.messages.log import MAX_MARKS

DOUBTFUL: Final = (float("inf"), 0)
"""An end of the log that no candidate reaches."""


class Journal:
    """Entries from `base.number` + 1 on; positions count the bytes of the whole log from its beginning.

    `configuration` is the one in force, which is the last one appended, by the entry `configuration_number`.
    All that are stored are in `configurations`, the oldest first, each with the entry that brought it.
    `leaders` has the leader of each term with an opening or a configuration in this log. A snapshot has none
    of the terms before it; a log that is compacted remembers them until it is read again. `verified` is the
    last entry up to which the present leader's log is known to be this one; what is dropped lowers it.
    """

    def __init__(self, table: bytes) -> None:
        self.base = Snapshot(0, 0, genesis(table), first_lineage(table), 0, (), 0, (), b"")
        self._commit_index = 0
        self.promised: tuple[float, int] = (0, 0)
        """The end of the log that this copy may have promised and lost; `DOUBTFUL` if nobody knows."""
        self._reset()

    def _reset(self) -> None:
        base = self.base
        self._entries: list[Entry] = []
        self._ends: list[int] = []
        self.configurations = [(base.configuration_number, checked_configuration(base.configuration))]
        self._look_who_belongs()
        self._counts = dict(base.counts)
        self._places: dict[tuple[PeerId, int], int] = {}
        self.leaders: dict[int, PeerId] = {}
        self.verified = 0
        self.commit_index = base.number

    def install(self, snapshot: Snapshot) -> None:
        """Begin again after a complete snapshot.

        Raise `BrokenEntry` if it doesn't go beyond the commit index; then nothing changes.
        """
        if snapshot.number <= self.commit_index or snapshot.term < (self.term_at(self.commit_index) or 0):
            raise BrokenEntry(f"A snapshot stands for entry {snapshot.number}, and more than that is final.")
        self.base = snapshot
        self._reset()

    @property
    def commit_index(self) -> int:
        """The number of the last final entry; only `roll_back` lowers it."""
        return self._commit_index

    @commit_index.setter
    def commit_index(self, number: int) -> None:
        if not self._commit_index <= number <= self.last_number:
            raise AssertionError("what is final stays final, and is here")
        self._commit_index = number

    # Contents

    @property
    def last_number(self) -> int:
        """The number of the last entry; 0 when there isn't one."""
        return self.base.number + len(self._entries)

    @property
    def last_term(self) -> int:
        """The term of the last entry."""
        return self._entries[-1].term if self._entries else self.base.term

    @property
    def chain(self) -> bytes:
        """The chain hash after the last entry."""
        return self._entries[-1].chain if self._entries else self.base.chain

    @property
    def lineage(self) -> bytes:
        """The lineage of the last entry."""
        return self._entries[-1].lineage if self._entries else self.base.lineage

    def lineage_at(self, number: int) -> bytes:
        """Return the lineage of that entry, or of the base."""
        at = self.entry(number)
        return self.base.lineage if at is None else at.lineage

    @property
    def branch(self) -> Entry | None:
        """The entry with which the last lineage branched off, if it is stored here."""
        begun = (self.entry(number) for number, _ in reversed(self.configurations))
        return next((one for one in begun if one and one.lineage != self.lineage_at(one.number - 1)), None)

    def entry(self, number: int) -> Entry | None:
        """Return the entry of that number, if it is here."""
        index = number - self.base.number - 1
        return self._entries[index] if 0 <= index < len(self._entries) else None

    def term_at(self, number: int) -> int | None:
        """Return the term of that entry, or of the entry of the base."""
        at = self.base if number == self.base.number else self.entry(number)
        return None if at is None else at.term

    def chain_at(self, number: int) -> bytes | None:
        """Return the chain hash after that entry, if it is known here."""
        at = self.base if number == self.base.number else self.entry(number)
        return None if at is None else at.chain

    def position(self, number: int) -> int:
        """Return the position after that entry, in bytes of the log; the entry must be here or the base."""
        index = number - self.base.number
        return self._ends[index - 1] if index else self.base.position

    # Configurations and counts

    def _look_who_belongs(self) -> None:
        self.configuration_number, self.configuration = self.configurations[-1]

    @property
    def possible_configurations(self) -> Iterator[Configuration]:
        """The configuration that is final, and the later ones, which may be in force; the latest first."""
        for number, configuration in reversed(self.configurations):
            yield configuration
            if number <= self.commit_index:
                break

    def may_vote(self, peer: PeerId) -> bool:
        """Return True for a voter of the final configuration, or of a later one that may be dropped."""
        return any(peer in one.voters for one in self.possible_configurations)

    def configuration_at(self, number: int) -> tuple[int, Configuration]:
        """Return the configuration in force after that entry, and the entry that brought it."""
        return next(pair for pair in reversed(self.configurations) if pair[0] <= number)

    def last_count(self, author: PeerId) -> int:
        """Return the author's last count in the log, final or not; 0 for none."""
        return self._counts.get(author, 0)

    def place_of(self, author: PeerId, count: int) -> int | None:
        """Return the entry number of that proposal, if it comes after the base."""
        return self._places.get((author, count))

    # Changes

    def append(self, entry: Entry) -> None:
        """Add the next entry; raise `BrokenEntry` if it doesn't fit there."""
        if entry.number != self.last_number + 1 or entry.term < self.last_term:
            raise BrokenEntry(f"Entry {entry.number} of term {entry.term} doesn't follow the log's last one.")
        if entry.lineage != self.lineage and entry.kind is not EntryKind.CONFIGURATION:
            raise BrokenEntry(f"Entry {entry.number} changes the lineage on the quiet.")
        configuration = configuration_of(entry)
        self._ends.append(self.position(self.last_number) + LENGTH_PREFIX + len(entry.wire))
        self._entries.append(entry)
        if configuration is not None:
            self.configurations.append((entry.number, configuration))
            self._look_who_belongs()
        if entry.kind is EntryKind.APPLICATION:
            self._counts[entry.author] = entry.count
            self._places[entry.author, entry.count] = entry.number
        else:
            self.leaders.setdefault(entry.term, entry.author)

    def cut(self, number: int) -> list[Entry]:
        """Drop and return the entries after `number`, the last first; none of them may be final."""
        if number < self.commit_index:
            raise AssertionError("final entries are never dropped")
        dropped = []
        self.verified = min(self.verified, number)
        while self.last_number > number:
            entry = self._entries.pop()
            self._ends.pop()
            dropped.append(entry)
            if self.configurations[-1][0] == entry.number:
                self.configurations.pop()
                self._look_who_belongs()
            if entry.kind is EntryKind.APPLICATION:
                self._counts[entry.author] = entry.count - 1
                self._places.pop((entry.author, entry.count), None)
        self.leaders = {term: leader for term, leader in self.leaders.items() if term <= self.last_term}
        return dropped

    def roll_back(self, number: int) -> list[Entry]:
        """Drop and return the entries after the final entry `number`; see `Replica.roll_back`."""
        if number > self._commit_index:
            raise AssertionError("a roll-back makes nothing final")
        self._commit_index = number
        return self.cut(number)

    def marks(self) -> dict[int, bytes]:
        """Return final numbers, the highest first, with the chain hashes behind them.

        They are the last 128 that are here, and before them multiples of eight, 256 in all at most.
        """
        last, floor = self.commit_index, max(self.base.number - 1, 0)
        numbers = [*range(last, max(last - 128, floor), -1), *range((last - 128) // 8 * 8, floor, -8)]
        found = ((number, self.chain_at(number)) for number in numbers)
        return dict(islice(((number, chain) for number, chain in found if chain is not None), MAX_MARKS))

    def holds(self, snapshot: Snapshot) -> bool:
        """Return True if a snapshot of this log still fits: it is beyond the base, and wasn't rolled back."""
        number = snapshot.number
        return number > self.base.number and self.chain_at(number) == snapshot.chain

    def compact(self, snapshot: Snapshot) -> None:
        """Drop the entries up to a snapshot of this journal, which stands for them from now on."""
        dropped, number = snapshot.number - self.base.number, snapshot.number
        self.configurations = [
            self.configuration_at(number), *(one for one in self.configurations if one[0] > number)
        ]  # fmt: skip
        del self._entries[:dropped]
        del self._ends[:dropped]
        self._places = {whose: place for whose, place in self._places.items() if place > number}
        self.base = snapshot

    # The final part as a stream of bytes, the same for every peer

    def read(self, position: int, size: int) -> bytes:
        """Return up to `size` bytes of the final entries from `position` on; empty if they are not here."""
        if not self.base.position <= position < self.position(self.commit_index):
            return b""
        index = bisect.bisect_right(self._ends, position)
        start = self._ends[index - 1] if index else self.base.position
        parts = bytearray()
        while len(parts) < position - start + size and index < self.commit_index - self.base.number:
            wire = self._entries[index].wire
            parts += len(wire).to_bytes(LENGTH_PREFIX, "big") + wire
            index += 1
        return bytes(parts[position - start : position - start + size])

    def snapshot(self, data: bytes, number: int) -> Snapshot:
        """Return a snapshot of the log at a final entry of this journal, with the application's `data`."""
        counts = dict(self.base.counts)
        kept = self._entries[: number - self.base.number]
        for entry in kept:
            if entry.kind is EntryKind.APPLICATION:
                counts[entry.author] = entry.count
        last = kept[-1] if kept else self.base
        configuration_number, configuration = self.configuration_at(number)
        return Snapshot(
            number,
            last.term,
            last.chain,
            last.lineage,
            self.position(number),
            configuration.members,
            configuration_number,
            tuple(sorted(counts.items())),
            data,
        )
