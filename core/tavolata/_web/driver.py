"""The Textual driver for a screen in a browser, which outlives the window that shows it.

The host's `tt` speaks to it over pipes, as textual-serve does. This driver adds two things: the screen
can move to another window, and the program leaves when the other end of the pipe is closed.
"""

from __future__ import annotations

from typing import Any, ClassVar

from textual import events, messages
from textual.drivers.web_driver import WebDriver
from textual.geometry import Size
from typing_extensions import override

BEGIN = b"__GANGLION__\n"
"""The line after which the host's `tt` reads packets."""


class SeatDriver(WebDriver):
    """The driver that TEXTUAL_DRIVER names in a process started by `seats`."""

    began: ClassVar[bool] = False
    """Whether the screen has started before, so that packets need no `BEGIN`."""

    @override
    def start_application_mode(self) -> None:
        type(self).began = True
        super().start_application_mode()

    @override
    def run_input_thread(self) -> None:
        """Read packets; if the input ends before we do, the parent process has ended, so leave."""
        super().run_input_thread()
        if not self.exit_event.is_set():
            self._app.post_message(messages.ExitApp())

    @override
    def on_meta(self, packet_type: str, payload: dict[str, Any]) -> None:
        """Draw the whole screen on "show", because the new window is still empty."""
        if packet_type != "show":
            super().on_meta(packet_type, payload)
            return
        self._app.call_from_thread(self._show, Size(payload["width"], payload["height"]))

    def _show(self, size: Size) -> None:
        self.write("\x1b[?1049h\x1b[?25h")
        self._enable_mouse_support()
        self._enable_bracketed_paste()
        self._size = (size.width, size.height)
        self._app.post_message(events.Resize(size, size))
        self._app.refresh(layout=True)
