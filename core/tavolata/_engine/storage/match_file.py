"""Match files: the header of a match, its entries as they happen, snapshots, its end.

A record is written in one call, before the match acts on it. So if the process is killed, the file ends with
the last entry that was acted on, or with the next one. Interjections are the exception: they are tried before
they are written, and reading leaves out the events of one that was not written. `sync` makes the file survive
a crash of the machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NotRequired, Self

import msgspec
from typing_extensions import TypedDict

from tavolata import _dirs
from tavolata._engine.match.entries import ANSWER, INTERJECT, NAMES, REACT, SAY, UNDONE, MatchEntry
from tavolata._engine.match.header import OPEN, Header
from tavolata._engine.match.outcomes import LEAST, MOST
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.storage.record_framing import framed, records
from tavolata._machine import disk
from tavolata._trouble import trouble
from tavolata.errors import MessageError
from tavolata.messages import N_
from tavolata_protocol.admission import Entrance

MAGIC = b"tavolata match 2\n"
_ANY = b"tavolata match "
SUFFIX = ".ttm"
HEADER, ENTRY, EVENT, TURN, SNAPSHOT, END, BASE, LOG, SEEN, BOOK, JUDGED, RULES = range(12)
"""Kinds of records: header, entry, event, digest at a turn's end, snapshot, outcome; of a match at a table
also the head of the agreed log before it with the table's id, each entry of that log as it was signed, the
faces that were shown to the seats of this machine, at the end the seed of a trusted dealer's own book, and
each conviction with its evidence. RULES: new terms and a snapshot, with which the match goes on by
other rules."""
PLAYED = N_("The match in {path} is being played in another window.")
UNREAD = N_("Couldn't read {path}: {problem}.")


class StoreError(MessageError):
    """A match file can't be written, read or found; the sentence says which and why."""


class MatchFile:
    """A match file that this process alone writes.

    The file and its folders are made; a new one must not exist yet. `kept` is the content of an existing
    file, which is continued. Raise StoreError if it can't be written, or another process is writing it.
    """

    def __init__(self, path: Path, kept: Kept | None = None) -> None:
        self.path = path
        try:
            disk().make_folder(path.parent)
            self._file = disk().append(path, new=kept is None)
        except FileNotFoundError as error:  # deleted since it was read
            raise StoreError(UNREAD, path=path, problem=trouble(error)) from error
        except OSError as error:
            raise self._trouble(error) from error
        try:
            self._begin(kept)
        except OSError as error:
            self.close()
            raise self._trouble(error) from error
        except StoreError:
            self.close()
            raise

    def _begin(self, kept: Kept | None) -> None:
        alone, size = self._file.lock(), self._file.size
        if not alone or size != (0 if kept is None else kept.size):  # it has grown since it was read
            raise StoreError(PLAYED, path=self.path)
        if kept is None:
            self.append(MAGIC)
            disk().sync_folder(self.path.parent)
        else:
            self._file.truncate(kept.whole)

    def _trouble(self, error: OSError) -> StoreError:
        return StoreError(
            N_("Couldn't save the match in {path}: {problem}. Fix that, or set TT_DATA_DIR."),
            path=self.path, problem=trouble(error),
        )  # fmt: skip

    def write(self, kind: int, value: Any) -> None:
        """Append a record; on StoreError (disk full or gone), the file ends with the previous record."""
        self.append(framed(pack([kind, value])))

    def append(self, record: bytes) -> None:
        """Append a record that is framed already; the errors are those of `write`."""
        try:
            self._file.write(record)
        except OSError as error:
            if self._file.size <= len(MAGIC):  # without a header it would block the next
                self.close()
                with suppress(OSError):
                    disk().remove(self.path)
            raise self._trouble(error) from error

    def entry(self, entry: MatchEntry) -> None:
        self.write(ENTRY, entry)

    def sync(self) -> None:
        try:
            self._file.sync()
        except OSError as error:
            raise self._trouble(error) from error

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass
class Kept:
    """The content of a match file.

    Attributes:
        events: recorded events as plain data, without those behind the last entry: they follow again from
            that entry, or from an entry that was applied but not written.
        turns: the digests at the ends of turns, as the engine counts them, each with how many turns are over
            then, as players count them.
        events_before: by entry, how many events were recorded before it.
        turn_ends: by turn, how many entries and how many events were recorded when it ended.
        snapshot_at: how many entries came before the last snapshot.
        snapshot_turns: how many ends of turns were recorded before it.
        start: the snapshot with which the entries begin, if the match continues by other rules than it began
            with; then everything but the events is that of the new rules.
        end: the outcome as plain data, None while the match runs.
        whole: the size of the complete records in bytes; the rest is cut off when the match continues.
        size: the size of the file in bytes.
        cut: how many bytes at its end are only part of a record, or damaged.
        base: for a match at a table, the head of the agreed log before the match; see `heads`.
        log: the entries of the agreed log from there on, as they were signed.
        logged_before: by entry, how many entries of the agreed log came before it and with it.
        seen: `[entries, seat, card, face]`: a face shown to a seat of this machine after this many entries.
        book: the seed of the trusted dealer's book, if this machine dealt and the match is over.
    """

    path: Path
    header: dict[str, Any]
    entries: list[MatchEntry] = field(default_factory=list)
    events: list[Any] = field(default_factory=list)
    turns: list[tuple[bytes, int]] = field(default_factory=list)
    events_before: list[int] = field(default_factory=list)
    turn_ends: list[tuple[int, int]] = field(default_factory=list)
    snapshot: dict[str, Any] | None = None
    snapshot_at: int = 0
    snapshot_turns: int = 0
    start: dict[str, Any] | None = None
    end: dict[str, Any] | None = None
    whole: int = 0
    size: int = 0
    cut: int = 0
    base: bytes = b""
    table: bytes = b""
    log: list[bytes] = field(default_factory=list)
    logged_before: list[int] = field(default_factory=list)
    seen: list[tuple[int, int, int, int]] = field(default_factory=list)
    book: bytes | None = None

    def count(self) -> None:
        """Note the records before the newest entries: for all since the last call they are the same."""
        new = len(self.entries) - len(self.events_before)
        self.events_before += [len(self.events)] * new
        self.logged_before += [len(self.log)] * new


def read(path: Path) -> Kept:
    """Read a match file; an incomplete record at its end is left out.

    Raise StoreError if there is no such file, or it is not a match file.
    """
    try:
        data = disk().read(path, Entrance.RECORDS)
    except OSError as error:
        raise StoreError(UNREAD, path=path, problem=trouble(error)) from error
    if data.startswith(_ANY) and not data.startswith(MAGIC):
        raise StoreError(N_("{path} is a match file from another version of Tavolata."), path=path)
    found = records(data, len(MAGIC) if data.startswith(MAGIC) else len(data))
    try:
        whole, body = next(found)
        kind, header = unpack(body)
        if kind != HEADER:
            raise StopIteration  # noqa: TRY301 - the same end as a file without records
        Header.of(header)
    except (StopIteration, *_WRONG):
        raise StoreError(N_("{path} isn't a match file."), path=path) from None
    kept = Kept(path, header, size=len(data))
    entries, events, settled, end = kept.entries, kept.events, 0, whole
    try:
        for end, body in found:
            if body.startswith(_ENTRY_BEGINS):  # as nearly all do
                entry = _entry(body)
                if entry[0] == UNDONE:
                    _forget_snapshot(kept, entry)
                entries.append(entry)
            else:
                kept.count()
                kind, value = unpack(body)
                # A ValidationError is a ValueError; no text is read as bytes.
                msgspec.convert(value, _SHAPES[kind], builtin_types=(bytes,))
                _add(kept, kind, value)
                if kind == EVENT:
                    continue
            whole, settled = end, len(events)
    except _WRONG:
        raise StoreError(
            N_("{path} contains data after byte {byte} that isn't part of a match."),
            path=path, byte=whole,
        ) from None  # fmt: skip
    kept.whole, kept.cut = whole, len(data) - end
    kept.count()
    del events[settled:]
    return kept


_WRONG = (ValueError, TypeError, KeyError, LookupError)
"""What a record with a right checksum and a wrong body may lead to."""


_Number = Annotated[int, msgspec.Meta(ge=LEAST, le=MOST)]


class _Outcome(TypedDict):
    winners: list[int]
    scores: list[_Number] | None
    ranks: list[_Number] | None
    team_scores: NotRequired[list[_Number] | None]
    statistics: dict[str, list[_Number | None]]
    series: dict[str, list[list[_Number]]]
    awards: list[tuple[int, str, str, dict[str, Any]]]
    why: tuple[str, dict[str, Any]] | None


class _End(TypedDict):
    outcome: _Outcome | None
    conviction: dict[str, Any] | None
    digest: Any
    turns: _Number
    suspended: NotRequired[bool]
    unproven: NotRequired[list[int]]


_Slot = tuple[int, int, int, bytes | list[int], bytes]
_Seen = tuple[list[tuple[int, int, int, int]], list[_Slot], list[tuple[int, list[int], bytes]]]

_SHAPES: dict[int, Any] = {
    EVENT: tuple[str, str | None, dict[str, Any], list[int] | None],
    TURN: tuple[bytes, int],
    SNAPSHOT: dict[str, Any],
    END: _End,
    BASE: tuple[bytes, bytes],
    LOG: bytes,
    SEEN: _Seen,
    BOOK: bytes,
    RULES: tuple[dict[str, Any], dict[str, Any]],
    JUDGED: tuple[bytes, dict[str, Any], list[bytes], bytes],
}


_ENTRY_BEGINS = pack([ENTRY, None])[:-1]
_quickly = msgspec.msgpack.Decoder(tuple[int, tuple[int | float | bool | str | None, ...]]).decode


def _entry(body: bytes) -> MatchEntry:
    """Return the entry in the body of a record, with its lists as tuples.

    Raise ValueError, TypeError or LookupError if there isn't one in it.
    """
    # Nearly every record is an entry, and most entries have neither lists nor bytes in them. A decoder of
    # nothing else reads those in half the time.
    entry: MatchEntry
    try:
        _, entry = _quickly(body)
    except msgspec.DecodeError:
        _, entry = unpack(body, lists=False)
        if type(entry) is not tuple:
            raise ValueError(ENTRY) from None
    if entry[0] not in NAMES:
        raise ValueError(ENTRY)
    return entry


def _forget_snapshot(kept: Kept, undone: MatchEntry) -> None:
    """Forget the last snapshot if it holds the answer that is taken back here."""
    places = [at for at, entry in enumerate(kept.entries) if entry[:3] == (ANSWER, *undone[1:3])]
    if places and places[-1] < kept.snapshot_at:
        kept.snapshot, kept.snapshot_at, kept.snapshot_turns = kept.start, 0, 0


def _add(kept: Kept, kind: int, value: Any) -> None:
    if kind == EVENT:
        kept.events.append(value)
    elif kind == TURN:
        kept.turns.append((value[0], value[1]))
        kept.turn_ends.append((len(kept.entries), len(kept.events)))
    elif kind == SNAPSHOT:
        kept.snapshot, kept.snapshot_at = value, min(value["entries"], len(kept.entries))
        kept.snapshot_turns = len(kept.turns)
    elif kind == END:
        kept.end = value
    elif kind == BASE:
        kept.base, kept.table = value
    elif kind == LOG:
        kept.log.append(value)
    elif kind == SEEN:
        kept.seen += [(len(kept.entries), seat, card, face) for seat, card, face, _ in value[0]]
    elif kind == BOOK:
        kept.book = value
    elif kind == RULES:
        _go_on(kept, *value)


def _go_on(kept: Kept, header: dict[str, Any], snapshot: dict[str, Any]) -> None:
    Header.of(header)
    kept.header, kept.start = header, {**snapshot, "entries": 0}
    kept.snapshot, kept.snapshot_at = kept.start, 0
    del kept.events[snapshot["events"] :]
    for entries in (kept.entries, kept.turns, kept.events_before, kept.turn_ends, kept.logged_before):
        entries.clear()


def folder() -> Path:
    return Path(_dirs.data_dir()) / "matches"


def path_of(match_id: str) -> Path:
    return folder() / f"{match_id}{SUFFIX}"


def copy_id(match_id: str, machine: bytes) -> str:
    """Return the id of a machine's own copy of a match at a table: a computer may have several machines."""
    return f"{match_id}-{machine.hex()[:8]}"


def is_copy(path: Path, match_id: str, machine: bytes) -> bool:
    """Return True if a file is that copy, or another story of it: those have a number behind the id."""
    return f"{path.stem}-".startswith(f"{copy_id(match_id, machine)}-")


def match_files() -> list[Path]:
    """Return all match files, the latest first; none if the folder can't be read."""
    try:
        return disk().latest(folder(), f"*{SUFFIX}")
    except OSError:
        return []


def unfinished() -> Iterator[Kept]:
    """Yield the unfinished matches of one process, the latest first, without files that can't be read."""
    for path in match_files():
        try:
            kept = read(path)
        except StoreError:
            continue
        if kept.end is None and kept.header.get("dealer") == OPEN:
            yield kept


def waiting() -> list[Kept]:
    """Return the matches of one process that wait to be resumed, the latest first.

    Matches that are being played are left out, and so are those in which the people have done nothing yet.
    If no other match waits, the latest of these is there.
    """
    found = [kept for kept in unfinished() if not is_played(kept.path)]
    return [kept for kept in found if _is_begun(kept)] or found[:1]


def _is_begun(kept: Kept) -> bool:
    """Return True if a person has done something in a match; in one without people, if a turn has ended."""
    people = {seat for seat, bot in enumerate(kept.header.get("bots", ())) if bot is None}
    done = any(entry[0] in (ANSWER, INTERJECT, REACT, SAY) and entry[1] in people for entry in kept.entries)
    return done or (not people and bool(kept.turns))


def is_played(path: Path) -> bool:
    try:
        with closing(disk().append(path, new=False)) as file:
            return not file.lock()
    except OSError:
        return False


def delete(kept: Kept) -> None:
    """Delete a match file; raise StoreError if it's being played, has been since, or can't be deleted."""
    with suppress(OSError):  # it may be gone already
        if is_played(kept.path) or disk().state(kept.path).size != kept.size:
            raise StoreError(PLAYED, path=kept.path)
    try:
        disk().remove(kept.path)
    except OSError as error:
        raise StoreError(
            N_("Couldn't delete {path}: {problem}."), path=kept.path, problem=trouble(error)
        ) from error
