"""A reader of lines from a terminal or a pipe that does not block the match.

A daemon thread reads. This works the same way for terminals, pipes and files on every system, and it
does not keep the process alive.
"""

from __future__ import annotations

import asyncio
import sys
from threading import Thread
from time import monotonic
from typing import TextIO


class Lines:
    """The lines of a text stream, one for each `await`; the first `await` starts the reading.

    The stream is None if the process has none. `on_terminal`: a person types and sees the questions. `loop`
    is the event loop of the reader; None before the first `await`. `at` is when the last line from `next` was
    read, by `time.monotonic`. `ended`: the end of the input was read; lines before it may still wait.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream if stream is not None else sys.stdin
        self.on_terminal = self._stream is not None and self._stream.isatty()
        self.at, self.ended = 0.0, False
        self._queue: asyncio.Queue[tuple[str | None, float]] | None = None
        self.loop: asyncio.AbstractEventLoop | None = None

    def _begin(self) -> asyncio.Queue[tuple[str | None, float]]:
        queue: asyncio.Queue[tuple[str | None, float]] = asyncio.Queue()
        self._queue = queue
        self.loop = loop = asyncio.get_running_loop()
        Thread(target=self._read, args=(loop, queue), name="lines", daemon=True).start()
        return queue

    def _read(self, loop: asyncio.AbstractEventLoop, queue: asyncio.Queue[tuple[str | None, float]]) -> None:
        line: str | None = None
        while line is None or line:
            try:
                line = self._stream.readline() if self._stream is not None else ""
            except (OSError, ValueError):  # the stream is closed or is not text
                line = ""
            self.ended = not line
            try:
                loop.call_soon_threadsafe(queue.put_nowait, (line or None, monotonic()))
            except RuntimeError:  # the loop ended before the stream
                return

    async def next(self) -> str | None:
        queue = self._queue or self._begin()
        line, self.at = await queue.get()
        if line is None:
            queue.put_nowait((None, self.at))
            return None
        return line.rstrip("\r\n")


_here: list[Lines] = []


def typed_here() -> Lines:
    """Return the reader of stdin: one for each event loop, so that no line is lost."""
    if not _here or not _is_of_this_loop(_here[-1]):
        _here[:] = [Lines()]
    return _here[-1]


def _is_of_this_loop(lines: Lines) -> bool:
    if lines.loop is None:
        return False  # an earlier caller made it but never read
    from asyncio import get_running_loop  # noqa: PLC0415 - there is a loop, or was one

    try:
        return lines.loop is get_running_loop()
    except RuntimeError:
        return False
