"""The records of a match file against those that follow from its signed log, in place."""

from __future__ import annotations

from typing import Any, Final

from typing_extensions import override

from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.review.findings import Wrong
from tavolata._engine.review.noted_faces import NotedFaces
from tavolata._engine.storage.match_copy import MatchRecords
from tavolata._engine.storage.match_file import (
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
    Kept,
)
from tavolata._engine.storage.record_framing import records
from tavolata._machine import disk
from tavolata.messages import N_
from tavolata_protocol.admission import Entrance

OUT_OF_PLACE: Final = N_(
    "Record {number} of the file doesn't follow from the signed log: it was changed, moved or "
    "duplicated, or one before it is missing."
)
_DIFFERS: Final = {
    HEADER: N_("The match's name in the file differs from the one in START and every IN."),
    EVENT: N_("The events in the file don't follow from the match's entries."),
    JUDGED: N_("The file and the signed log disagree about who cheated, or how."),
    END: N_("The match didn't end as the file says."),
}
_SEEN, _BOOK = (pack([kind, None])[:-1] for kind in (SEEN, BOOK))


class FileRecords(MatchRecords):
    """The records of a file, each compared with the one that follows at its place from the log before it.

    `notes` check the faces that were noted. `wrong` is the first difference, None without one; a file that
    ends before its log has none.
    """

    def __init__(self, kept: Kept) -> None:
        super().__init__()
        self._bodies = [
            body for _, body in records(disk().read(kept.path, Entrance.RECORDS)[: kept.size], len(MAGIC))
        ]
        self.notes = NotedFaces(None, None)
        self._at = 0
        self._entries = self._turns = 0
        self._end: dict[str, Any] | None = None
        self.wrong: Wrong | None = None

    @override
    def _write(self, kind: int, value: Any) -> None:
        self._entries += kind == ENTRY
        self._turns += kind == TURN
        if kind == END:
            self._end = value
        if self.wrong is not None:
            return
        if kind == END:
            self._pass_over(_BOOK)
        if self._at == len(self._bodies):
            return
        if self._bodies[self._at] == pack([kind, value]):
            self._at += 1
        else:
            self.wrong = self._differs(kind)

    def _differs(self, kind: int) -> Wrong:
        if kind == ENTRY:
            return Wrong(N_("Entry {number} of the match isn't what was signed."), number=self._entries)
        if kind == TURN:
            return Wrong(N_("After turn {number}, the table doesn't match the file."), number=self._turns)
        return Wrong(_DIFFERS.get(kind, OUT_OF_PLACE), number=self._at + 1)

    @override
    def _write_seen(self, match: Match[LogSource]) -> None:
        if self._pass_over(_SEEN) and self.wrong is None:
            try:
                self.notes.take(self._at, *unpack(self._bodies[self._at - 1])[1])
            except Wrong as wrong:
                self.wrong = wrong
        self.notes.look()

    def _pass_over(self, begins: bytes) -> bool:
        is_next = self._at < len(self._bodies) and self._bodies[self._at].startswith(begins)
        self._at += is_next
        return is_next

    def annul(self) -> None:
        """Take the outcome back, as `void_match.annul` does in the file of a match that was over."""
        if self.is_closed and self._end is not None and self._end["outcome"] is not None:
            for wire in self.after:
                self._write(LOG, wire)
            self._write(END, {**self._end, "outcome": None, "conviction": None})

    def check(self) -> None:
        """Raise `Wrong` if a record differs from what follows at its place."""
        if self.wrong is not None:
            raise self.wrong

    def check_end(self) -> None:
        """Raise `Wrong` if a record differs, or if there are records behind those that follow."""
        self.check()
        if self._at < len(self._bodies):
            raise Wrong(OUT_OF_PLACE, number=self._at + 1)
