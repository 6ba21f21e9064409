"""Persistent storage: the records that a peer must find again after a crash, in an append-only file.

This module has the store's interface, the records, and their fold into one state. The application writes the
records to a disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Annotated, Final, Protocol, TypeAlias

from msgspec import Meta

from tavolata_protocol import codec
from tavolata_protocol.grouplog.snapshots import read_snapshot
from tavolata_protocol.messages.base import U62, Bytes8, Bytes16, Bytes32, Bytes64, WireMessage
from tavolata_protocol.messages.entries import MAX_ENTRY, MAX_SIGNED
from tavolata_protocol.messages.log import MAX_SNAPSHOT


class Storage(Protocol):
    """An append-only file of records, one for each copy of a log.

    `load` must omit a record that was cut short by a crash, and everything after it. Afterwards,
    `is_doubtful` says that the records may not be all that were ever synced: nothing shows that the file
    isn't an older one.
    """

    is_doubtful: bool

    def trust(self) -> None:
        """Doubt these records no more, also after the next `load`."""

    def load(self) -> Iterable[bytes]:
        """Return all records in the order of their appending."""

    def append(self, record: bytes) -> None:
        """Add a record; it may stay in memory until `flush` or `sync`."""

    def flush(self) -> None:
        """Hand all appended records to the system: they survive this process, though not a power cut."""

    def sync(self) -> None:
        """Return once all appended records would survive a crash."""

    def replace(self, records: Iterable[bytes]) -> bool:
        """Have these records alone from now on, synced; after a crash all of them are there, or the old ones.

        Return False if it wasn't done (a full disk); then everything that was appended is still there.
        """


class Born(WireMessage, frozen=True, tag=1):
    """The copy of the log begins, with its table and its birth."""

    table: Annotated[bytes, Meta(max_length=64)]
    birth: Bytes8


class InLineage(WireMessage, frozen=True, tag=2):
    """The copy follows this lineage from here on."""

    lineage: Bytes16


class Ballot(WireMessage, frozen=True, tag=3):
    """The term, and the candidate that got this peer's vote in it."""

    term: U62
    voted_for: Bytes32 | None


class EntryKept(WireMessage, frozen=True, tag=4):
    """An entry was appended."""

    wire: Annotated[bytes, Meta(max_length=MAX_ENTRY)]


class Cut(WireMessage, frozen=True, tag=5):
    """The entries after `number` were dropped, and none of them is final."""

    number: U62


class FinalTo(WireMessage, frozen=True, tag=6):
    """Everything up to `number` is final."""

    number: U62


class ProposalKept(WireMessage, frozen=True, tag=7):
    """An own proposal, before it is sent for the first time."""

    count: U62
    signed: Annotated[bytes, Meta(max_length=MAX_SIGNED)]
    signature: Bytes64


class Withdrawn(WireMessage, frozen=True, tag=8):
    """An own proposal was refused and is no longer stored."""

    count: U62


class Snapped(WireMessage, frozen=True, tag=9):
    """The snapshot with which the log begins from here on."""

    blob: Annotated[bytes, Meta(max_length=MAX_SNAPSHOT)]


class Convicted(WireMessage, frozen=True, tag=10):
    """A peer equivocated; the proof (see `equivocation.Equivocation`)."""

    proof: Annotated[bytes, Meta(max_length=1024)]


class SignedElsewhere(WireMessage, frozen=True, tag=11):
    """Another copy of this peer may have signed this lineage up to `number`; this one signs nothing there."""

    lineage: Bytes16
    number: U62


Record: TypeAlias = (
    Born | InLineage | Ballot | EntryKept | Cut | FinalTo | ProposalKept | Withdrawn | Snapped | Convicted
    | SignedElsewhere
)  # fmt: skip
_read: Callable[[bytes], Record] = codec.reader(Record, MAX_SNAPSHOT + 1024)


LAZY: Final = (FinalTo, ProposalKept)
"""Records that are not synced for their own sake, since a power cut that takes them breaks no promise.

How far is final, the next leader says again. An own proposal that is lost was not promised to anybody; should
it have been sent, its count is taken, and what is proposed later under that count gets another one.
"""


class RecordWriter:
    """Writes records, and knows which of them are not synced yet.

    If `is_dirty`, one of them has to be synced before anything is sent; if `is_late`, before its own copy
    counts.
    """

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._waits = False
        self.is_dirty = False
        self.is_late = False

    def write(self, record: Record, *, late: bool = False) -> None:
        """Append a record; `settle` syncs it unless it is lazy. If `late`, messages may leave before."""
        self._storage.append(codec.encode(record))
        self._waits = True
        if not isinstance(record, LAZY):
            self.is_late, self.is_dirty = self.is_late or late, self.is_dirty or not late

    def replace(self, records: Iterable[Record]) -> None:
        """Keep only these records, which make the same state as all before; without room all are stored."""
        if self._storage.replace([codec.encode(record) for record in records]):
            self._waits = self.is_dirty = False  # if late, the next `settle` has its own copy count

    def flush(self) -> None:
        """Hand all records to the system, so that they survive this process."""
        if self._waits:
            self._storage.flush()
        self._waits = False

    def settle(self) -> None:
        """Have the disk keep all records that it has to keep, and the system the rest."""
        if self.is_dirty or self.is_late:
            self._storage.sync()
            self._waits = self.is_dirty = self.is_late = False
        self.flush()


@dataclass(slots=True)
class Recovered:
    """The state from all records; the entries are those after the snapshot, encoded."""

    born: Born | None = None
    lineage: bytes = b""
    term: int = 0
    voted_for: bytes | None = None
    snapshot: bytes | None = None
    entries: list[bytes] = field(default_factory=list)
    first: int = 1
    final: int = 0
    proposals: dict[int, ProposalKept] = field(default_factory=dict)
    convicted: list[bytes] = field(default_factory=list)
    elsewhere: dict[bytes, int] = field(default_factory=dict)


def recover(storage: Storage) -> Recovered:
    """Fold all records; raise `MalformedMessage` if one doesn't decode: the file is damaged in the middle."""
    found = Recovered()
    for data in storage.load():
        record = _read(data)
        match record:
            case Born():
                found.born = record
            case InLineage(lineage=lineage):
                found.lineage = lineage
            case Ballot(term=term, voted_for=voted_for):
                found.term, found.voted_for = term, voted_for
            case EntryKept(wire=wire):
                found.entries.append(wire)
            case Cut(number=number):
                del found.entries[number - found.first + 1 :]
                found.final = min(found.final, number)
            case FinalTo(number=number):
                found.final = number
            case ProposalKept(count=count):
                found.proposals[count] = record
            case Withdrawn(count=count):
                found.proposals.pop(count, None)
            case Snapped(blob=blob):
                from_number = read_snapshot(blob).number
                found.snapshot, found.entries = blob, []
                found.first, found.final = from_number + 1, from_number
            case Convicted(proof=proof):
                found.convicted.append(proof)
            case SignedElsewhere(lineage=lineage, number=number):
                found.elsewhere[lineage] = number
    return found
