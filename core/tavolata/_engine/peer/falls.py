"""A fault in acting on an entry of the agreed log, which the machine's copy of the log leads to again.

The first time the machine starts again may help. A note beside the way back says where it was; after a second
fault there, `tt resume --back` leaves that entry out and wishes that everyone goes back.
"""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import Final

from tavolata import __version__
from tavolata._blame import short
from tavolata._engine.match.updates import Notice
from tavolata._engine.network.log_driver import LogDriver
from tavolata._engine.peer.machine import Machine
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.storage.fault_report import write_fault
from tavolata._engine.storage.ways_back import FallNote
from tavolata._engine.table import log_bodies
from tavolata._text import one_line
from tavolata.errors import MessageError
from tavolata.messages import N_
from tavolata_protocol.entries import Entry

TRY_AGAIN: Final = N_(
    "Something broke here: {problem}. The match is saved; try again with `tt resume`. Report: {report}"
)
GO_BACK: Final = N_(
    "It broke again: {problem}. To go back to turn {turn}, everyone must run `tt resume --back`. Report: "
    "{report}"
)
ONE_DEALS: Final = N_(
    "It broke again: {problem}. With a single dealer you can't go back. Start a new match. Report: {report}"
)
LOST: Final = N_(
    "Something broke here: {problem}. With a single dealer the match can't be resumed. Report: {report}"
)
NO_WAY_BACK: Final = N_(
    "With a single dealer you can't go back a turn. Start a new match, or try again with `tt resume`."
)
HELD_HERE: Final = N_(
    "Something broke on this computer: {problem}. It can't show the rest of this match. Report: {report}"
)
PLAYED_ON: Final = N_("The others have begun a match that this computer can't show. Run `tt join` again.")
STOPS_HERE: Final = N_(
    "It broke again: {problem}. There's no turn to go back to. Start a new match. Report: {report}"
)


class Fell(MessageError):
    """Acting on an entry of the agreed log failed; this machine's copy of the log stays."""


class Falls:
    """Where acting on the log failed on this machine, and whether that entry is left out now.

    A machine without a seat in the match doesn't fall: it holds the match there, like those that go back.
    """

    def __init__(self, log_driver: LogDriver, machine: Machine, settings: PeerSettings) -> None:
        self._log_driver = log_driver
        self._machine = machine
        self._note = note = log_driver.way.fall()
        self._left_out: tuple[int, ...] = ()
        self._watched: Notice | None = None
        if note is not None:
            way = log_driver.way.read()
            goes_back = settings.goes_back or (way is not None and not way.match.startswith(note.match))
            self._left_out = (*note.left_out, note.entry) if goes_back else note.left_out

    def leaves_out(self, number: int) -> bool:
        """Return True for an entry at which the match is to be held; raise `Fell` if one machine deals it."""
        running = self._machine.state.matches.running
        if number not in self._left_out or running is None:
            return number in self._left_out
        if not running.match.source.dealing.is_fair:
            raise Fell(NO_WAY_BACK)
        return True

    @property
    def held(self) -> Notice | None:
        """Why this machine watches the running match no further; None if it does."""
        return self._watched if self._machine.state.matches.is_held else None

    def check(self, entry: Entry) -> None:
        """Raise `Fell` if a match begins that this machine can't follow, for it has held the one before."""
        matches = self._machine.state.matches
        if self.held is None or matches.barrier is not None:
            return
        said = log_bodies.read(entry.body)
        if said is not None and said[0] == log_bodies.START:
            raise Fell(PLAYED_ON)

    @contextlib.contextmanager
    def noted(self, number: int) -> Iterator[None]:
        """Note a fault in acting on the entry with this number; raise `Fell` for it.

        Errors that have a sentence of their own come through, and so do those of the disk.
        """
        matches = self._machine.state.matches
        continuation = copy(matches.continuation)
        try:
            yield
        except Exception as error:
            running, path = self._machine.state.matches.running, self._machine.match_file
            if isinstance(error, (MessageError, OSError)) or running is None or path is None:
                raise
            if self._machine.state.me in running.header.numbers:  # the narrator, too
                raise self._fell(number, running.header.id, path, error) from error
            matches.continuation = continuation  # others have never acted on this entry
            self._watched = Notice(HELD_HERE, _told(_place(error), path, error), wrong=True)
            self._machine.hold()
            self._machine.state.out.append(self._watched)

    def _fell(self, number: int, match: str, path: Path, error: Exception) -> Fell:
        place, dealing = _place(error), self._machine.state.matches.dealing
        if not (dealing.is_fair or self._machine.has_part):
            return Fell(LOST, **_told(place, path, error))
        note = FallNote(match, number, place, __version__, self._left_out)
        again = note == self._note
        self._log_driver.way.keep_fall(note)
        told = _told(place, path, error)
        if not again:
            return Fell(TRY_AGAIN, **told)
        if not dealing.is_fair:
            return Fell(ONE_DEALS, **told)
        snapshot = self._machine.state.matches.continuation.snapshot
        return Fell(STOPS_HERE, **told) if snapshot is None else Fell(GO_BACK, **told, turn=snapshot.turns)


def _place(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{short(frame.filename)}:{frame.lineno}"


def _told(place: str, path: Path, error: Exception) -> dict[str, str]:
    report = write_fault(path, error)
    return {"problem": one_line(f"{type(error).__name__}: {error}"), "report": str(report or place)}
