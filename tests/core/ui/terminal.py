"""A real `tt` on a real pseudo-terminal: keys go in, and what a person would see comes out."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Condition, Event, Thread
from typing import Self

import pyte

from tavolata._ui.tui.input.trigger import GRACE, TRAIN

TT = [sys.executable, "-c", "import sys; from tavolata._cli import main; sys.exit(main())"]
PATIENCE = 60.0
KEYS = {"enter": "\r", "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "esc": "\x1b",
        "backspace": "\x7f", "space": " ", "ctrl+c": "\x03", "ctrl+z": "\x1a"}  # fmt: skip
# Answers and modes that pyte does not know; terminals take them without showing anything.
UNKNOWN = re.compile(rb"\x1b\[[<>=?][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$p|\x1b[P_\]][^\x07\x1b]*(?:\x07|\x1b\\)")


class Terminal:
    """One `tt` on a terminal.

    Args:
        words: its command line.
        home: its folders.
        size: columns and rows.
        environ: what else is in its environment, where the player is called Ada.
        shell: a program in Python that runs the rest of its command line as a job; "" for none.
    """

    def __init__(
        self,
        *words: str,
        home: Path,
        size: tuple[int, int] = (80, 24),
        environ: Mapping[str, str] | None = None,
        shell: str = "",
    ) -> None:
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.code: int | None = None
        folders = {f"TT_{kind}_DIR": str(home / kind.lower()) for kind in ("DATA", "CONFIG", "CACHE")}
        usual = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "TT_NAME": "Ada"}
        settings = {**usual, **folders, **(environ or {})}
        self.pid, self._master = pty.fork()
        if self.pid == 0:  # pragma: no cover - the child becomes `tt`
            above = [sys.executable, "-c", shell] if shell else []
            os.execvpe(sys.executable, [*above, *TT, *words], {**os.environ, **settings})
        self._news = Condition()
        self._unread, self._ended = b"", False
        self._reads = Event()
        self._reads.set()
        self._thread = Thread(target=self._follow, daemon=True)
        self._thread.start()
        self.resize(*size)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        self._reads.set()
        self._thread.join(PATIENCE)
        os.close(self._master)

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size, as a person does with a window."""
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    def text(self) -> str:
        """What can be read now."""
        self.read(0.0)
        return "\n".join(line.rstrip() for line in self.screen.display)

    def read(self, seconds: float) -> bool:
        """Take in what it has written, waiting so long for something; False when it has ended."""
        with self._news:
            if not self._unread and not self._ended:
                self._news.wait(seconds)
            data, self._unread = self._unread, b""
            ended = self._ended
        self.raw += data
        self._stream.feed(UNKNOWN.sub(b"", data))
        return bool(data) or not ended

    def modes(self) -> list[int]:
        """How the terminal treats what goes in and comes out: whether it echoes, and the like."""
        return termios.tcgetattr(self._master)[:4]

    def threads(self) -> int:
        """How many threads the program has (Linux); elsewhere 0."""
        tasks = Path(f"/proc/{self.pid}/task")
        return len(list(tasks.iterdir())) if tasks.exists() else 0

    def stop_reading(self) -> None:
        """Take nothing in any more, as a terminal that was stopped with Ctrl+S."""
        self._reads.clear()

    def go_on_reading(self) -> None:
        """Take in what waits, and what comes."""
        self._reads.set()

    def _follow(self) -> None:
        """Read all the time: a terminal that nobody reads holds its program up."""
        while True:
            self._reads.wait()
            try:
                data = os.read(self._master, 1 << 16)
            except OSError:  # Linux says so when the other side is closed
                data = b""
            with self._news:
                self._unread += data
                self._ended = not data
                self._news.notify_all()
            if not data:
                return

    def expect(self, pattern: str, seconds: float = PATIENCE) -> re.Match[str]:
        """Wait until this stands on the screen."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            found = re.search(pattern, self.text())
            if found:
                return found
            if not self.read(0.05):
                break
        raise AssertionError(f"{pattern!r} was never seen:\n{self.text()}")

    def until(self, holds: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Wait until this holds, and take in what it writes meanwhile."""
        deadline = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < deadline, self.text()
            self.read(0.02)

    def rest(self) -> None:
        """Read what's on view for as long as the trigger demands it."""
        deadline = time.monotonic() + max(GRACE, TRAIN) + 0.05
        while time.monotonic() < deadline and self.read(0.05):
            pass

    def press(self, *keys: str, rested: bool = False) -> None:
        """Press keys by name, or type signs.

        Before Enter and the number of a choice what is on view is read, as the trigger demands.
        """
        for key in keys:
            if (key == "enter" or key.isdecimal()) and not rested:
                self.rest()
            os.write(self._master, KEYS.get(key, key).encode())

    def done(self) -> int:
        """Wait for its end; its exit code."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self.code is None:
            self.read(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
        self._thread.join(PATIENCE if self.code is not None else 0)
        assert self.code is not None, f"Still running:\n{self.text()}"
        while self.read(0.0):
            pass
        return self.code
