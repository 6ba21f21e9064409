"""A terminal that does not read: frames are left out until it does, and nothing waits for it.

Textual's own writer blocks when thirty writes wait, and with it the event loop, on which the peer
keeps its place at the table.
"""

from __future__ import annotations

import contextlib
from typing import Any, Final, Protocol

from textual.driver import Driver
from typing_extensions import override

from tavolata._ui.outlet import Outlet

BEHIND: Final = 1 << 16
"""Bytes on their way from which on no more frames are drawn: about a screen of 160x50."""
GRACE: Final = 1.0
"""Seconds that a terminal which does not read has when the screen is left."""


class Held(Protocol):
    """A program that can be kept from drawing."""

    def hold(self) -> None:
        """Draw nothing."""
        ...

    def let_go(self) -> None:
        """Draw all that has changed."""
        ...


class Patient(Driver):
    """Writes to the terminal from a thread that may wait for it; comes before Textual's driver."""

    _file: Any

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        app: Held = self._app  # type: ignore[assignment]  # every `Frame`
        self._outlet = Outlet(
            self._file, BEHIND, lambda: self._later(app.hold), lambda: self._later(app.let_go)
        )

    def _later(self, what: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended before the terminal reads again
            self._loop.call_soon_threadsafe(what)

    @override
    def write(self, data: str) -> None:
        with contextlib.suppress(OSError):  # the terminal is gone; the signal that says so ends the program
            self._outlet.write(data)

    @override
    def close(self) -> None:
        self._outlet.drain(GRACE)
        super().close()


def patient(driver: type[Driver]) -> type[Driver]:
    """The driver of this system, with patience."""
    return type("PatientDriver", (Patient, driver), {})
