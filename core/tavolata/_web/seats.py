"""The seat of a browser: a `tt join` process on this machine, and the window that shows its screen.

The process stays while a page is reloaded or a phone sleeps for a short time. After that it leaves the
table as a person does. The next window starts it again, with the same keys in the same folder.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType
from aiohttp.web import WebSocketResponse
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from tavolata._web.gate import size_of
from tavolata._web.pages import CLOSED, ELSEWHERE

COMMAND = (sys.executable, "-P", "-m", "tavolata._cli.served", "join", "--code-file")
DRIVER = "tavolata._web.driver:SeatDriver"
AWAY = 30.0
"""Seconds without a window after which the seat's player has left."""
ENDS_IN = 8.0
"""Seconds that a process has to leave the table before it is killed."""
STALLED = 5.0
"""Seconds that a window has to receive a frame before it is closed, so that no process waits for it."""
APART = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
"""The Windows flag that corresponds to a new session on other systems."""
NOT_ITS = ("NO_COLOR", "FORCE_COLOR", "TMUX", "TERM_PROGRAM", "COLUMNS", "LINES")
"""The environment variables that describe the host's own terminal, in addition to all TT_*."""


class _Service(AppService):
    """textual-serve's end of the pipes, with our own process."""

    def __init__(self, seat: BrowserSeat, settings: Mapping[str, str]) -> None:
        super().__init__(
            "",
            write_bytes=seat.draw,
            write_str=seat.ignore,
            close=seat.ignore,
            download_manager=DownloadManager(),
        )
        self._seat = seat
        self._settings = settings

    def _build_environment(self, width: int = 80, height: int = 24) -> dict[str, str]:
        whole = super()._build_environment(width, height)
        kept = {
            name: value
            for name, value in whole.items()
            if name not in NOT_ITS and (name == "TT_CACHE_DIR" or not name.startswith("TT_"))
        }
        size = {"COLUMNS": str(width), "ROWS": str(height)}
        return {**kept, **size, "TEXTUAL_DRIVER": DRIVER, **self._settings}

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        process = await asyncio.create_subprocess_exec(
            *COMMAND, self._seat.file, stdin=PIPE, stdout=PIPE, stderr=DEVNULL,
            env=self._build_environment(width, height),
            start_new_session=True, creationflags=APART,  # Ctrl+C in the host's terminal is for the host
        )  # fmt: skip
        process.stderr = asyncio.StreamReader()  # textual-serve would print its stderr over the host's screen
        process.stderr.feed_eof()
        assert process.stdin is not None
        self._process, self._stdin = process, process.stdin
        return process

    async def on_meta(self, data: bytes) -> None:
        """Read how the process ended; other packets, such as links and files, are ignored."""
        told = json.loads(data)
        if told.get("type") == "ended":
            self._seat.told = str(told.get("text", ""))

    async def serve(self, width: int, height: int) -> None:
        """Run the process to its end."""
        process = await self._open_app_process(width, height)
        try:
            await self.run()
        finally:
            if process.returncode is None:  # its output has ended, or this task was cancelled
                await _ended(process, ENDS_IN)

    async def quit(self) -> None:
        """Ask the process to leave; kill it if it does not."""
        process = self._process
        if process is not None and process.returncode is None:
            await self.send_meta({"type": "quit"})
            await _ended(process, ENDS_IN)


async def _ended(process: Process, seconds: float) -> None:
    """Wait for the end of a process, then kill it."""
    try:
        async with asyncio.timeout(seconds):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
    except asyncio.CancelledError:
        process.kill()
        raise


@dataclass(frozen=True)
class BrowserWindow:
    """A page that shows a seat.

    Attributes:
        socket: the websocket of the page.
        columns, rows: the size of the terminal.
        theme: "dark" or "light".
        hang_up: closes the connection at once.
    """

    socket: WebSocketResponse
    columns: int
    rows: int
    theme: str
    hang_up: Callable[[], object]

    async def draw(self, data: bytes) -> bool:
        """Send a frame; return whether it was received."""
        return await self._sent(self.socket.send_bytes(data))

    async def part(self, sentence: str, *, for_good: bool = False) -> None:
        """Tell the page why the screen ends, and whether it ends for good."""
        await self._sent(self.socket.send_json(["ended", sentence, for_good]))
        await self._sent(self.socket.close())

    async def _sent(self, sending: Awaitable[object]) -> bool:
        try:
            async with asyncio.timeout(STALLED):
                await sending
        except (TimeoutError, OSError, RuntimeError):
            self.hang_up()
            return False
        return True


class BrowserSeat:
    """A seat of a browser.

    Args:
        folder: the folder of its keys and matches.
        name: the player's name.
        lang: the language of its screen.
        say: translates a message into that language.

    Attributes:
        told: the last sentence of its process, or "".
    """

    def __init__(self, folder: Path, name: str, lang: str, say: Callable[[str], str]) -> None:
        self.name = name
        self.lang = lang
        self.told = ""
        self._say = say
        self._folder = folder
        self._window: BrowserWindow | None = None
        self._service: _Service | None = None
        self._running: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()
        self._gone: asyncio.Task[None] | None = None
        self._closed = False
        self._sent_away = False

    @property
    def file(self) -> str:
        """The file from which its process reads the address and the code of the table."""
        return str(self._folder / "invitation")

    @property
    def idle(self) -> bool:
        """Whether it has no running process."""
        return self._running is None or self._running.done()

    # -- windows ----------------------------------------------------------------------------------

    async def show(self, window: BrowserWindow, invitation: str, address: str = "") -> None:
        """Show the seat in a window until the window is closed or the seat is left; close any other window.

        Args:
            window: the page.
            invitation: the address of the table with its code.
            address: the address of the table for others.
        """
        before, self._window = self._window, window
        if before is not None:
            await before.part(self._say(ELSEWHERE))
        async with self._turn:
            if self._window is not window:  # another window has replaced it
                return
            await self._run(window, invitation, address)
        try:
            async for message in window.socket:
                if message.type is WSMsgType.TEXT and self._window is window:
                    await self._hear(message.data)
        finally:
            if self._window is window:
                self._lose()

    async def _hear(self, text: str) -> None:
        """Handle a message of a window: keys or its size; anything else is ignored."""
        service = self._service
        if service is None or self.idle:
            return
        try:
            what, *rest = json.loads(text)
            if what == "stdin":
                await service.send_bytes(str(rest[0]).encode("utf-8", "replace"))
            elif what == "resize":
                await service.set_terminal_size(*size_of(rest[0]["width"], rest[0]["height"]))
            elif what == "focus":
                await service.focus()
            elif what == "blur":
                await service.blur()
        except (ValueError, TypeError, LookupError, RecursionError):
            return

    async def draw(self, data: bytes) -> None:
        """Send a frame of the process to the window; without a window, the next one gets a full frame."""
        window = self._window
        if window is not None and not await window.draw(data) and self._window is window:
            self._lose()

    async def ignore(self, *_: Any) -> None:
        """Ignore packets that are not frames."""

    def _lose(self) -> None:
        """No window shows the seat any more."""
        self._window = None
        if not self.idle and self._gone is None and not self._closed:
            self._gone = asyncio.create_task(self._leave_soon())

    async def _leave_soon(self) -> None:
        await asyncio.sleep(AWAY)
        async with self._turn:
            if self._window is None:
                await self._end()

    # -- the process ------------------------------------------------------------------------------

    async def _run(self, window: BrowserWindow, invitation: str, address: str) -> None:
        """Start the process if it does not run, and make it draw in this window."""
        if self._gone is not None:
            self._gone.cancel()
            self._gone = None
        if self._closed:
            await window.part(self._say(CLOSED), for_good=True)
        elif self._service is not None and not self.idle:
            await self._service.send_meta({"type": "show", "width": window.columns, "height": window.rows})
        else:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(invitation)
            settings = {
                "TT_DATA_DIR": str(self._folder / "data"),
                "TT_CONFIG_DIR": str(self._folder / "config"),
                "TT_NAME": self.name,
                "TT_LANG": self.lang,
                "TT_THEME": window.theme,
                "TT_COLOR": "yes",
                "TT_SERVED_ADDRESS": address,
            }
            self.told, self._sent_away = "", False
            self._service = _Service(self, settings)
            self._running = asyncio.create_task(self._play(self._service, window))

    async def _play(self, service: _Service, window: BrowserWindow) -> None:
        """Run a process to its end, and tell the window why it ended."""
        await service.serve(window.columns, window.rows)
        if self._window is not None and not self._sent_away:  # a new window waits for the next process
            looking, self._window = self._window, None
            await looking.part(self.told)

    async def _end(self) -> None:
        """Make the process leave, and wait for its end."""
        if self._service is not None and self._running is not None:
            self._sent_away = True
            await self._service.quit()
            await asyncio.wait([self._running])

    async def close(self) -> None:
        """Leave the table for good."""
        self._closed = True
        if self._gone is not None:
            self._gone.cancel()
        async with self._turn:
            await self._end()
        if self._window is not None:
            window, self._window = self._window, None
            await window.part(self._say(CLOSED), for_good=True)
