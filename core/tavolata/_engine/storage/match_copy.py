"""A peer's own file of a match at a table: the entries that were acted on, digests, the end.

A file is made once, and never removed or written over because of what a peer says. A peer that starts again
follows the agreed log from its beginning; then every record is compared with the file, and new ones are
appended. If the log tells another story than the file, the file stays as it is and a second one is begun.

A full disk ends the file but not the match, because the agreed log has every entry.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from tavolata._engine.match.entries import MatchEntry
from tavolata._engine.match.header import Header
from tavolata._engine.match.match import Match
from tavolata._engine.match.offences import ConvictionRecord
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
    path_of,
    read,
)
from tavolata._engine.storage.record_framing import framed, records
from tavolata._engine.storage.recorded import plain_end, plain_event
from tavolata._machine import disk
from tavolata.errors import GameError

MOST_AFTER = 1000
"""Entries of the log that are kept after a match, in which it may turn out to be void."""
_OWN = tuple(pack([kind, None])[:-1] for kind in (SEEN, BOOK))
"""How the records begin that don't come from the log, but from secrets that are erased in the end."""


class MatchCopy:
    """The file of one match, as this peer saw it.

    Each of several peers on one machine has its own file, named by `me`. `tell` is called if it can't be
    written.

    Attributes:
        has_two_stories: True if the log told another story of this match than the file of an earlier run.
        is_closed: True if the match is over or this process is about to end.
        after: the entries of the agreed log since then, as they were signed; of many, the first.
    """

    def __init__(self, header: Header, me: bytes, tell: Callable[[Update], object]) -> None:
        self._tell = tell
        self._file: MatchFile | None = None
        self._told = 0
        self._judged = 0
        self._seen: set[tuple[int, int, int]] = set()
        self._kept: list[bytes] = []
        self._met = 0
        self.has_two_stories = False
        self.is_closed = False
        self.after: list[bytes] = []
        self._name = f"{header.id}-{me.hex()[:8]}"
        path = path_of(self._name)
        try:
            if disk().is_file(path):
                kept = read(path)
                bodies = (body for _, body in records(disk().read(path)[: kept.whole], len(MAGIC)))
                self._kept = [body for body in bodies if not body.startswith(_OWN)]
                self._file = MatchFile(path, kept)
            else:
                self._file = MatchFile(path)
        except OSError:
            self._file = None  # the match goes on without one
        except StoreError as error:
            self._give_up(error)
        self._write(HEADER, header.plain())

    @property
    def path(self) -> Path | None:
        return None if self._file is None else self._file.path

    @property
    def is_behind(self) -> bool:
        """Return True while the file of an earlier run has entries that the log has not repeated."""
        return self._met < len(self._kept)

    def _write(self, kind: int, value: Any) -> None:
        try:
            if not self.is_behind:
                if self._file is not None:
                    self._file.write(kind, value)
            elif kind not in (SEEN, BOOK):  # also where the file can only be read: else it stays behind
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
            self._kept = []
            return
        self._file.close()
        paths = (path_of(f"{self._name}-{number}") for number in count(2))
        self._file = MatchFile(next(path for path in paths if not disk().is_file(path)))
        for one in (*self._kept[: self._met], body):
            self._file.append(framed(one))
        self._kept = []

    def _give_up(self, error: StoreError) -> None:
        self._tell(Notice(error.message, error.params, wrong=True))
        self._close_file()

    def begin(self, head: bytes, table: bytes, wires: list[bytes]) -> None:
        """Append the match's beginning: the head of the log before START, the entries up to the last IN."""
        self._write(BASE, [head, table])
        for wire in wires:
            self.logged(wire)

    def logged(self, wire: bytes) -> None:
        """Append an entry of the agreed log as it was signed; `tt verify` needs nothing else."""
        if not self.is_closed:
            self._write(LOG, wire)
        elif len(self.after) < MOST_AFTER:
            self.after.append(wire)

    def entry(self, entry: MatchEntry) -> None:
        self._write(ENTRY, entry)

    def seen(self, known: dict[int, dict[int, int]]) -> None:
        """Append the faces that were shown to seats of this machine since the last call.

        When the match is over, nothing on this machine can open them again.
        """
        now = {(seat, card, face) for seat, faces in known.items() for card, face in faces.items()}
        if new := sorted(now - self._seen):
            self._write(SEEN, new)
        self._seen = now

    def events(self, match: Match) -> None:
        """Append the new events, so that the match can be replayed even where its rules are not installed."""
        new, self._told = match.told[self._told :], len(match.told)
        for event in new:
            with suppress(GameError):  # an event that can't be written down is left out
                self._write(EVENT, plain_event(event, match))

    def judged(self, judgements: Sequence[ConvictionRecord]) -> None:
        """Append the new ones of these convictions, with their evidence."""
        new, self._judged = judgements[self._judged :], len(judgements)
        for one in new:
            self._write(JUDGED, one.plain())

    def turn(self, digest: bytes, over: int) -> None:
        """Append the digest at a turn's end, and how many turns are over as players count them."""
        self._write(TURN, (digest, over))

    def end(self, ended: Ended, book: bytes | None = None) -> None:
        """Append the end, and sync the file; `book` is the seed of the own book of a lone dealer."""
        if book is not None:
            self._write(BOOK, book)
        self._write(END, plain_end(ended))
        if self._file is not None:
            self._file.sync()

    def close(self) -> None:
        self.is_closed = True
        self._close_file()

    def _close_file(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
