"""Textual's driver for browsers, for a screen that outlives the window in which it is shown.

The host's `tt` speaks to it over pipes, as textual-serve does. What is added: the screen can be shown in
another window, and when nobody is at the other end of the pipe any more, the program leaves.
"""

from __future__ import annotations

from typing import Any, ClassVar

from textual import events, messages
from textual.drivers.web_driver import WebDriver
from textual.geometry import Size
from typing_extensions import override

BEGIN = b"__GANGLION__\n"
"""The line after which the host's `tt` takes what comes for packets."""


class SeatDriver(WebDriver):
    """See above; named by TEXTUAL_DRIVER in a process that `seats` starts."""

    began: ClassVar[bool] = False
    """Whether the screen was there: packets can be sent without `BEGIN`."""

    @override
    def start_application_mode(self) -> None:
        type(self).began = True
        super().start_application_mode()

    @override
    def run_input_thread(self) -> None:
        """Its end without ours is that of whoever started this process."""
        super().run_input_thread()
        if not self.exit_event.is_set():
            self._app.post_message(messages.ExitApp())

    @override
    def on_meta(self, packet_type: str, payload: dict[str, Any]) -> None:
        """Draw all of it on "show": that terminal knows nothing yet."""
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
