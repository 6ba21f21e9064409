"""Compaction of the table's log: a snapshot replaces the entries before the running match.

Nothing from the START of a match on is removed while the match is on the table: its file, the signed log in
it and returning peers need all of it. A match whose rules broke stays there: everyone may go back. Every peer
does this for its own copy.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from tavolata._engine.network.log_driver import LogDriver
from tavolata._engine.table import log_bodies, table_snapshot
from tavolata._engine.table.heads import Heads
from tavolata._engine.table.table_state import TableState
from tavolata_protocol.entries import Entry
from tavolata_protocol.errors import WrongMoment

WORTH: Final = 32 * 1024
"""The bytes of entries from which on they are replaced when a match begins."""
MUCH: Final = 64 * 1024
"""The bytes from which on they are replaced between matches as well, with those of the last match."""
OFTEN: Final = 64
"""The number of entries after which that is looked at again."""


class Compaction:
    """Decides at each entry whether the entries before it are still needed."""

    def __init__(self, log_driver: LogDriver, state: TableState, heads: Heads) -> None:
        self._log = log_driver.log
        self._state = state
        self._heads = heads
        self._before_start: tuple[int, bytes] | None = None

    def before(self, entry: Entry) -> None:
        """Keep the state before an entry that is about to be acted on, if that is the START of a match."""
        read = log_bodies.read(entry.body) if self._is_free else None
        if read is not None and read[0] == log_bodies.START and self._log.size >= WORTH:
            self._before_start = self._snapshot()

    @property
    def _is_free(self) -> bool:
        matches = self._state.matches
        return not matches.is_busy and matches.standing is None

    def after(self) -> None:
        matches = self._state.matches
        if matches.running is not None and self._before_start is not None:
            self._compact(self._before_start)
        elif self._is_free and self._log.size >= MUCH and self._heads.number % OFTEN == 0:
            self._compact(self._snapshot())
        if matches.barrier is None:
            self._before_start = None

    def _compact(self, snapshot: tuple[int, bytes]) -> None:
        with suppress(WrongMoment):  # the log begins later by now, with a snapshot of another peer
            self._log.compact(*snapshot)

    def _snapshot(self) -> tuple[int, bytes]:
        return self._heads.number, table_snapshot.take(self._state, self._heads.last)
