"""A Textual driver that drops frames while the terminal does not read, so that nothing waits for it.

Textual's own writer blocks when thirty writes wait. It would also block the event loop, which the peer
needs to stay at the table. And it takes every SIGCONT for the end of a Ctrl+Z: where something else stopped
the process, it would begin to read the keys a second time, and would leave a raw terminal behind.
"""

from __future__ import annotations

import contextlib
from typing import Any, Final

from textual.driver import Driver
from typing_extensions import override

from tavolata._text import Clean
from tavolata._ui.streams import Outlet

BEHIND: Final = 1 << 16
"""The number of unwritten bytes above which no frames are drawn: about a screen of 160x50."""
GRACE: Final = 1.0
"""Seconds to wait for a terminal that does not read when the screen is closed."""


class Patient(Driver):
    """A driver mixin that writes to the terminal from a thread; it comes before Textual's driver."""

    _file: Any
    _key_thread: Any = None
    _resumes = False

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        app: Any = self._app  # every `Frame` can hold its drawing, and let go
        self._outlet = Outlet(
            self._file, BEHIND, lambda: self._later(app.hold), lambda: self._later(app.let_go)
        )

    def _later(self, what: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended before the terminal reads again
            self._loop.call_soon_threadsafe(what)

    def _sigcont_application(self, *signalled: object) -> None:
        """Continue after a stop; leave the terminal first if nothing has done so before it (POSIX only)."""
        if self._resumes:  # a stop in the midst of this, as in the background of a shell
            return
        self._resumes = True
        try:
            if self._key_thread is not None and self._key_thread.is_alive():
                self.suspend_application_mode()
                self._must_signal_resume = True
            super()._sigcont_application(*signalled)  # type: ignore[misc]  # of the drivers that have this signal
        finally:
            self._resumes = False

    @override
    def write(self, data: str) -> None:
        with contextlib.suppress(OSError):  # the terminal is gone; the signal that says so ends the program
            self._outlet.write(Clean(data))  # sequences of Textual, around what `Sheet` has cleaned

    @override
    def close(self) -> None:
        self._outlet.drain(GRACE)
        super().close()


def patient(driver: type[Driver]) -> type[Driver]:
    return type("PatientDriver", (Patient, driver), {})
