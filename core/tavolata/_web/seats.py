"""A seat of a browser: one `tt join` of this machine, and the window in which its screen is shown for now.

The process stays while a page is loaded anew or a telephone sleeps for a moment; after that it leaves as
people leave, and the next window starts it again, with the same keys in the same folder.
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
"""Seconds without a window after which the seat's player counts as gone."""
ENDS_IN = 8.0
"""Seconds that a process has to leave the table; then it is ended."""
STALLED = 5.0
"""Seconds that a window has to take what is drawn; then it is closed: no process may have to wait for it."""
APART = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
"""What Windows has for the sessions of other systems."""
NOT_ITS = ("NO_COLOR", "FORCE_COLOR", "TMUX", "TERM_PROGRAM", "COLUMNS", "LINES")
"""What the environment says of the host's own terminal, beside all of TT_*."""


class _Service(AppService):
    """textual-serve's half of the pipes, with a process of ours."""

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
        process.stderr = (
            asyncio.StreamReader()
        )  # textual-serve prints what comes there over the host's screen
        process.stderr.feed_eof()
        assert process.stdin is not None
        self._process, self._stdin = process, process.stdin
        return process

    async def on_meta(self, data: bytes) -> None:
        """How the process ended; a table opens no addresses and hands out no files."""
        told = json.loads(data)
        if told.get("type") == "ended":
            self._seat.told = str(told.get("text", ""))

    async def serve(self, width: int, height: int) -> None:
        """Run the process to its end."""
        process = await self._open_app_process(width, height)
        try:
            await self.run()
        finally:
            if process.returncode is None:  # nothing comes any more, or nobody waits for it
                await _ended(process, ENDS_IN)

    async def quit(self) -> None:
        """Have the process leave; end it if it does not."""
        process = self._process
        if process is not None and process.returncode is None:
            await self.send_meta({"type": "quit"})
            await _ended(process, ENDS_IN)


async def _ended(process: Process, seconds: float) -> None:
    """Wait so long for the end of a process, then end it."""
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
        socket: the connection to it.
        columns, rows: its size.
        theme: "dark" or "light".
        hang_up: ends the connection at once.
    """

    socket: WebSocketResponse
    columns: int
    rows: int
    theme: str
    hang_up: Callable[[], object]

    async def draw(self, data: bytes) -> bool:
        """Send what is drawn; whether it was taken."""
        return await self._sent(self.socket.send_bytes(data))

    async def part(self, sentence: str, *, for_good: bool = False) -> None:
        """Say why nothing more comes, and whether nothing ever will."""
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
        folder: where its keys and matches lie.
        name: its player's name.
        lang: the language of its screen.
        say: puts a message into words of that language.

    Attributes:
        told: the sentence with which its process ended, "" for none.
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
        """The file in which its process reads where the table is, and the code."""
        return str(self._folder / "invitation")

    @property
    def idle(self) -> bool:
        """Whether no process plays for it."""
        return self._running is None or self._running.done()

    # -- windows ----------------------------------------------------------------------------------

    async def show(self, window: BrowserWindow, invitation: str, address: str = "") -> None:
        """Show the seat in a window, the only one from now on, until that is closed or the seat is left.

        Args:
            window: the page.
            invitation: where the table is, with its code.
            address: where others find it.
        """
        before, self._window = self._window, window
        if before is not None:
            await before.part(self._say(ELSEWHERE))
        async with self._turn:
            if self._window is not window:  # another one came meanwhile
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
        """Take what a window sends: keys and its size; what is anything else says nothing."""
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
        """Send what the process draws to the window; without one, it is drawn when there is one again."""
        window = self._window
        if window is not None and not await window.draw(data) and self._window is window:
            self._lose()

    async def ignore(self, *_: Any) -> None:
        """Nothing but what is drawn goes to a window."""

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
        """Have a process that plays, and have it draw in this window."""
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
        """Run a process to its end, and tell who looks on."""
        await service.serve(window.columns, window.rows)
        if self._window is not None and not self._sent_away:  # a window that comes now waits for the next one
            looking, self._window = self._window, None
            await looking.part(self.told)

    async def _end(self) -> None:
        """Have the process leave, and wait until it has."""
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
