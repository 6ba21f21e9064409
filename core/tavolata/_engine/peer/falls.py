"""A fault in acting on an entry of the agreed log, which the machine's copy of the log leads to again.

The first time the machine starts again may help. A note beside the way back says where it was; after a second
fault there, `tt resume --back` leaves that entry out and wishes that everyone goes back.
"""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tavolata import __version__
from tavolata._blame import short
from tavolata._engine.network.log_driver import LogDriver
from tavolata._engine.peer.machine import Machine
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.storage.fault_report import write_fault
from tavolata._engine.storage.ways_back import FallNote
from tavolata._text import one_line
from tavolata.errors import MessageError
from tavolata.messages import N_

TRY_AGAIN: Final = N_(
    "Something broke on this computer: {problem}. The match is saved; `tt resume` tries again. "
    "Report: {report}"
)
GO_BACK: Final = N_(
    "It broke at the same place again: {problem}. The match is saved; `tt resume --back` on every computer "
    "continues from the end of turn {turn}. Report: {report}"
)
STOPS_HERE: Final = N_(
    "It broke at the same place again: {problem}. No turn has ended yet that you could go back to. "
    "Start a new match. Report: {report}"
)


class Fell(MessageError):
    """Acting on an entry of the agreed log failed; this machine's copy of the log stays."""


class Falls:
    """Where acting on the log failed on this machine, and whether that entry is left out now."""

    def __init__(self, log_driver: LogDriver, machine: Machine, settings: PeerSettings) -> None:
        self._log_driver = log_driver
        self._machine = machine
        self._note = note = log_driver.way.fall()
        self._left_out: tuple[int, ...] = ()
        if note is not None:
            way = log_driver.way.read()
            goes_back = settings.goes_back or (way is not None and not way.match.startswith(note.match))
            self._left_out = (*note.left_out, note.entry) if goes_back else note.left_out

    def leaves_out(self, number: int) -> bool:
        """Return True for an entry at which the match is to be held."""
        return number in self._left_out

    @contextlib.contextmanager
    def noted(self, number: int) -> Iterator[None]:
        """Note a fault in acting on the entry with this number; raise `Fell` for it.

        Errors that have a sentence of their own come through, and so do those of the disk.
        """
        try:
            yield
        except Exception as error:
            running, path = self._machine.state.matches.running, self._machine.match_file
            if isinstance(error, (MessageError, OSError)) or running is None or path is None:
                raise
            raise self._fell(number, running.header.id, path, error) from error

    def _fell(self, number: int, match: str, path: Path, error: Exception) -> Fell:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{short(frame.filename)}:{frame.lineno}"
        note = FallNote(match, number, place, __version__, self._left_out)
        again = note == self._note
        self._log_driver.way.keep_fall(note)
        report = write_fault(path, error)
        told = {"problem": one_line(f"{type(error).__name__}: {error}"), "report": str(report or place)}
        if not again:
            return Fell(TRY_AGAIN, **told)
        snapshot = self._machine.state.matches.continuation.snapshot
        return Fell(STOPS_HERE, **told) if snapshot is None else Fell(GO_BACK, **told, turn=snapshot.turns)
