"""Lines that a person or a pipe types, without blocking the match.

A daemon thread reads: it works alike for terminals, pipes and files on every system, and it does
not keep the process alive.
"""

from __future__ import annotations

import asyncio
import sys
from threading import Thread
from time import monotonic
from typing import TextIO


class Lines:
    """The lines of a text stream, one `await` each.

    Args:
        stream: where to read, stdin as a rule; None if the process has none.

    Attributes:
        on_terminal: whether a person types, who sees the questions.
        loop: the event loop that it is read in.
        at: when the line that `next` gave last came in, as `time.monotonic` has it.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream if stream is not None else sys.stdin
        self.on_terminal = self._stream is not None and self._stream.isatty()
        self.at = 0.0
        self._queue: asyncio.Queue[tuple[str | None, float]] = asyncio.Queue()
        self.loop = asyncio.get_running_loop()
        Thread(target=self._read, name="lines", daemon=True).start()

    def _read(self) -> None:
        line: str | None = None
        while line is None or line:
            try:
                line = self._stream.readline() if self._stream is not None else ""
            except (OSError, ValueError):  # closed, or not text
                line = ""
            try:
                self.loop.call_soon_threadsafe(self._queue.put_nowait, (line or None, monotonic()))
            except RuntimeError:  # the loop has ended before the stream
                return

    async def next(self) -> str | None:
        """The next line without its end; None when there is none any more."""
        line, self.at = await self._queue.get()
        if line is None:
            self._queue.put_nowait((None, self.at))
            return None
        return line.rstrip("\r\n")


_here: list[Lines] = []


def typed_here() -> Lines:
    """What is typed at this process: one reader for an event loop, so that no line is lost."""
    if not _here or _here[-1].loop is not asyncio.get_running_loop():
        _here[:] = [Lines()]
    return _here[-1]
