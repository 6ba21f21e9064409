"""A peer's own file of a match at a table: the entries that were acted on, digests, the end.

A full disk ends the file but not the match, because the agreed log has every entry.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from tavolata._engine.match.entries import Entry
from tavolata._engine.match.header import Header
from tavolata._engine.match.match import Match
from tavolata._engine.match.updates import Ended, Notice, Update
from tavolata._engine.storage.match_file import (
    BASE,
    END,
    ENTRY,
    EVENT,
    HEADER,
    LOG,
    TURN,
    MatchFile,
    StoreError,
    path_of,
)
from tavolata._engine.storage.recorded import plain_end, plain_event
from tavolata.errors import GameError


class MatchCopy:
    """The file of one match, as this peer saw it.

    Args:
        header: the match.
        me: the own identity; each of several peers on one machine has its own file.
        tell: told if the file can't be written.
    """

    def __init__(self, header: Header, me: bytes, tell: Callable[[Update], object]) -> None:
        self._tell = tell
        self._file: MatchFile | None = None
        self._told = 0
        path = path_of(f"{header.id}-{me.hex()[:8]}")
        try:
            path.unlink(missing_ok=True)  # the agreed log brings every entry again
            self._file = MatchFile(path)
        except OSError:
            return
        except StoreError as error:
            self._give_up(error)
        self._write(HEADER, header.plain())

    def _write(self, kind: int, value: Any) -> None:
        if self._file is not None:
            try:
                self._file.write(kind, value)
            except StoreError as error:
                self._give_up(error)

    def _give_up(self, error: StoreError) -> None:
        self._tell(Notice(error.message, error.params, wrong=True))
        self.close()

    def begin(self, head: bytes, wire: bytes) -> None:
        """Append the head of the agreed log before the match, and the entry that began it."""
        self._write(BASE, head)
        self.logged(wire)

    def logged(self, wire: bytes) -> None:
        """Append an entry of the agreed log as it was signed; `tt verify` needs nothing else."""
        self._write(LOG, wire)

    def entry(self, entry: Entry) -> None:
        """Append an entry."""
        self._write(ENTRY, entry)

    def events(self, match: Match) -> None:
        """Append the new events, so that the match can be told even where its rules are not installed."""
        new, self._told = match.events[self._told :], len(match.events)
        for event in new:
            with suppress(GameError):  # an event that can't be written down is left out
                self._write(EVENT, plain_event(event, match))

    def turn(self, digest: bytes) -> None:
        """Append the digest at a turn's end."""
        self._write(TURN, digest)

    def end(self, ended: Ended) -> None:
        """Append the end, and sync the file to disk."""
        self._write(END, plain_end(ended))
        if self._file is not None:
            self._file.sync()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
