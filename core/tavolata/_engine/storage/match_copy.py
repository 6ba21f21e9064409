"""A peer's own file of a match at a table: the entries that were acted on, digests, the end.

A file is made once, and never removed or written over because of what a peer says. A peer that starts again
follows the agreed log from its beginning; then every record is compared with the file, and new ones are
appended. If the log tells another story than the file, the file stays as it is and a second one is begun.

A full disk ends the file but not the match, because the agreed log has every entry.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from typing_extensions import override

from tavolata._engine.match.entries import MatchEntry
from tavolata._engine.match.header import Header
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.state import pack
from tavolata._engine.match.updates import Ended, Notice, Update
from tavolata._engine.storage.match_file import (
    BASE,
    BOOK,
    END,
    ENTRY,
    EVENT,
    HEADER,
    JUDGED,
    LOG,
    MAGIC,
    SEEN,
    TURN,
    MatchFile,
    StoreError,
    copy_id,
    path_of,
    read,
)
from tavolata._engine.storage.record_framing import framed, records
from tavolata._engine.storage.recorded import plain_end, plain_event
from tavolata._machine import disk
from tavolata.errors import GameError
from tavolata_protocol.admission import Entrance

MOST_AFTER = 1000
"""Entries of the log that are kept after a match, in which it may turn out to be void."""
_OWN = (SEEN, BOOK)
_OWN_BEGINS = tuple(pack([kind, None])[:-1] for kind in _OWN)
"""How the records begin that don't come from the log, but from secrets that are erased in the end."""


class MatchRecords(ABC):
    """The records of a match in the order in which they follow from the agreed log.

    The table's state calls it like this: `logged` for each entry of the log before it is acted on, `entered`
    before the match acts on an entry, `turn` when the log's entry was acted on, `ended` at the end.

    Attributes:
        is_closed: True if the match is over or this process is about to end.
        after: the entries of the agreed log since then, as they were signed; of many, the first.
    """

    def __init__(self) -> None:
        self._told = 0
        self._judged = 0
        self.is_closed = False
        self.after: list[bytes] = []

    @abstractmethod
    def _write(self, kind: int, value: Any) -> None:
        """Take the next record."""

    @abstractmethod
    def _write_seen(self, match: Match[LogSource]) -> None:
        """Take the faces that seats of one machine were shown since the last call."""

    def begin(self, header: Header, head: bytes, table: bytes, wires: list[bytes]) -> None:
        """Take the beginning: the head of the log before START, the entries from there to the begun match."""
        self._write(HEADER, header.plain())
        self._write(BASE, [head, table])
        for wire in wires:
            self.logged(wire)

    def logged(self, wire: bytes) -> None:
        """Take an entry of the agreed log as it was signed; `tt verify` needs nothing else."""
        if not self.is_closed:
            self._write(LOG, wire)
        elif len(self.after) < MOST_AFTER:
            self.after.append(wire)

    def entered(self, match: Match[LogSource], entry: MatchEntry) -> None:
        """Take an entry before it is acted on, and before it what happened since the last one."""
        if not self.is_closed:
            self._note_what_happened(match)
            self._write(ENTRY, entry)

    def _note_what_happened(self, match: Match[LogSource]) -> None:
        """Take the new convictions with their evidence, the new events, and the new faces shown here."""
        judged = match.source.dealing.judged
        new_judged, self._judged = judged[self._judged :], len(judged)
        for one in new_judged:
            self._write(JUDGED, one.plain())
        new, self._told = match.told[self._told :], len(match.told)
        for event in new:
            with suppress(GameError):  # an event that can't be written down is left out
                self._write(EVENT, plain_event(event, match))
        self._write_seen(match)

    def turn(self, digest: bytes, over: int) -> None:
        """Take the digest at a turn's end, and how many turns are over as players count them."""
        if not self.is_closed:
            self._write(TURN, (digest, over))

    def ended(self, match: Match[LogSource], ended: Ended, book: bytes | None = None) -> None:
        """Take the end; it may come once more, if the match is unproven and shares come that judge it.

        `book` is the seed of its own book of a lone dealer.
        """
        if not self.is_closed:
            self._note_what_happened(match)
            if book is not None:
                self._write(BOOK, book)
            self._write(END, plain_end(ended))
            self.is_closed = not ended.unproven


class MatchCopy(MatchRecords):
    """The file of a single match, as this peer saw it.

    Each of several peers on one machine has its own file, named by `me`. `tell` is called if it can't be
    written.

    Attributes:
        has_two_stories: True if the log told another story of this match than the file of an earlier run.
        look: returns the faces that seats of this machine were shown since the last call; None without any.
            When the match is over, nothing on this machine can open them again.
    """

    def __init__(self, header: Header, me: bytes, tell: Callable[[Update], object]) -> None:
        super().__init__()
        self._tell = tell
        self._file: MatchFile | None = None
        self.look: Callable[[Match[LogSource]], Any] = lambda _: None
        self._kept: list[bytes] = []
        self._met = self._to_meet = 0
        self.has_two_stories = False
        self._name = copy_id(header.id, me)
        path = path_of(self._name)
        try:
            if disk().is_file(path):
                kept = read(path)
                data = disk().read(path, Entrance.RECORDS)[: kept.whole]
                self._kept = [body for _, body in records(data, len(MAGIC))]
                theirs = [at for at, body in enumerate(self._kept, 1) if not body.startswith(_OWN_BEGINS)]
                self._to_meet = theirs[-1]
                self._file = MatchFile(path, kept)
            else:
                self._file = MatchFile(path)
        except OSError:
            self._file = None  # the match continues without one
        except StoreError as error:
            self._give_up(error)

    @override
    def begin(self, header: Header, head: bytes, table: bytes, wires: list[bytes]) -> None:
        """Take the beginning, and wait until the disk has it: without it, nothing is there to resume."""
        super().begin(header, head, table, wires)
        if not self._kept:
            self._sync()

    def _sync(self) -> None:
        try:
            if self._file is not None:
                self._file.sync()
        except StoreError as error:
            self._give_up(error)

    @property
    def path(self) -> Path | None:
        return None if self._file is None else self._file.path

    @property
    def is_behind(self) -> bool:
        """Return True while the file of an earlier run has entries that the log has not repeated."""
        return self._met < self._to_meet

    @override
    def _write(self, kind: int, value: Any) -> None:
        is_own = kind in _OWN
        try:
            while self._met < len(self._kept) and self._kept[self._met].startswith(_OWN_BEGINS):
                self._met += 1  # the log doesn't lead to it, and what it came from may be erased
                if is_own:
                    return
            if not self.is_behind:
                if self._file is not None:
                    self._file.write(kind, value)
            elif not is_own:  # also where the file can only be read: otherwise it stays behind
                self._compare(pack([kind, value]))
        except StoreError as error:
            self._give_up(error)

    def _compare(self, body: bytes) -> None:
        """Compare a record with that of the earlier run; begin a second file where the two part."""
        if self._kept[self._met] == body:
            self._met += 1
            return
        self.has_two_stories = True
        if self._file is None:
            self._kept, self._to_meet = [], 0
            return
        self._file.close()
        paths = (path_of(f"{self._name}-{number}") for number in count(2))
        self._file = MatchFile(next(path for path in paths if not disk().is_file(path)))
        for one in (*self._kept[: self._met], body):
            self._file.append(framed(one))
        self._kept, self._to_meet = [], 0

    def _give_up(self, error: StoreError) -> None:
        self._tell(Notice(error.message, error.params, wrong=True))
        self._close_file()

    @override
    def _write_seen(self, match: Match[LogSource]) -> None:
        if (seen := self.look(match)) is not None:
            self._write(SEEN, seen)

    @override
    def ended(self, match: Match[LogSource], ended: Ended, book: bytes | None = None) -> None:
        super().ended(match, ended, book)
        self._sync()
        if self.is_closed:
            self._close_file()

    def close(self) -> None:
        self.is_closed = True
        self._close_file()

    def _close_file(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
