"""Text streams that hold nobody up: one thread reads lines, another writes text.

Reading works the same way for terminals, pipes and files on every system, and does not keep the process
alive. A terminal may be stopped (Ctrl+S), or a program may not read its pipe. A plain `print` would wait
for them, and the whole table would wait for this peer.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from io import RawIOBase
from threading import Condition, Semaphore, Thread
from typing import Any, Final, TextIO

from tavolata._text import Clean, cleaned
from tavolata_protocol.admission import LIMITS, Entrance

AHEAD: Final = LIMITS[Entrance.AHEAD]
ALL: Final = 1 << 62
"""A limit in bytes that is never reached."""
MOMENT: Final = 0.002
"""Seconds for which writing may block everything else."""


class Outlet:
    """A queue of text for a file, written in order without blocking the caller.

    Text for a file without raw bytes, such as one in memory, is written at once. Above `limit` waiting bytes
    the outlet is behind. `behind` is called then, `caught_up` after that when no bytes wait any longer,
    `failed` with the error when nothing can be written any more; all from any thread, and they must not
    block. `failure` is this error; None as far as is known.
    """

    def __init__(
        self,
        file: TextIO,
        limit: int = ALL,
        behind: Callable[[], object] = lambda: None,
        caught_up: Callable[[], object] = lambda: None,
        failed: Callable[[OSError], object] = lambda _: None,
    ) -> None:
        self._file = file
        # Below the buffer, whose lock a thread that waits here would keep from the end of the program.
        buffer = getattr(file, "buffer", None)
        self._raw: Any = buffer if isinstance(buffer, RawIOBase) else getattr(buffer, "raw", None)
        errors = getattr(file, "errors", None) or "strict"
        self._errors = "replace" if errors == "strict" else errors  # what can't be written ends no match
        self._limit, self._tell_behind, self._tell_caught_up = limit, behind, caught_up
        self._tell_failed = failed
        self._queue: deque[bytes] = deque()
        self._news = Condition()
        self._thread: Thread | None = None
        self._is_behind = False
        self.failure: OSError | None = None
        self.waiting = 0

    def write(self, text: Clean) -> None:
        """Add a text to the queue; raise `OSError` if an earlier text could not be written."""
        if self.failure is not None:
            raise self.failure
        if self._raw is None:
            self._file.write(text)
            self._file.flush()
            return
        data = text.replace("\n", os.linesep).encode(self._file.encoding, self._errors)
        with self._news:
            if self._thread is None:
                self._file.flush()
                self._thread = Thread(target=self._run, name="outlet", daemon=True)
                self._thread.start()
            self._queue.append(data)
            self.waiting += len(data)
            if self.waiting > self._limit and not self._is_behind:
                self._is_behind = True
                self._tell_behind()
            self._news.notify_all()

    def line(self, text: str) -> None:
        """Add a line to the queue, cleaned; raise `OSError` as `write` does."""
        self.write(cleaned(f"{text}\n"))

    def drain(self, seconds: float) -> bool:
        """Wait at most `seconds` until everything is written; return True if it is."""
        with self._news:
            return self._news.wait_for(lambda: not self.waiting, seconds)

    async def drained(self) -> None:
        """Wait until everything is written, without a time limit; raise `OSError` if it can't be."""
        self.drain(MOMENT)  # this usually takes microseconds
        while self.waiting:  # noqa: ASYNC110 - a thread counts it down
            await asyncio.sleep(0.005)
        if self.failure is not None:
            raise self.failure

    def _run(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._queue)
                data = self._queue.popleft()
            self._put(data)
            with self._news:
                self.waiting -= len(data)
                if self.failure is not None:
                    self._queue.clear()
                    self.waiting = 0
                if not self.waiting and self._is_behind:
                    self._is_behind = False
                    self._tell_caught_up()
                self._news.notify_all()

    def _put(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            while left:
                left = left[self._raw.write(left) or 0 :]
        except (OSError, ValueError) as error:  # hung up, or closed
            self.failure = error if isinstance(error, OSError) else OSError(str(error))
            self._tell_failed(self.failure)


class Lines:
    """The lines of a text stream, one for each `await`; the first `await` starts the reading.

    It reads a few lines ahead, and what's longer than a line may be as several lines. The stream is None if
    the process has none. `on_terminal`: a person types and sees the questions. `loop` is the last event loop
    that asked; None before the first `await`. `at` is when the last line from `next` was read, by its clock.
    `ended`: the end of the input was read; lines before it may still wait. `over`: `next` returned None.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self.stream = stream
        self.on_terminal = stream is not None and stream.isatty()
        self.at, self.ended, self.over = 0.0, False, False
        self._ahead: deque[tuple[str, float]] = deque()
        self._news = asyncio.Event()
        self._room = Semaphore(AHEAD.whole)
        self.loop: asyncio.AbstractEventLoop | None = None

    def _read(self) -> None:
        line: str | None = None
        while line is None or line:
            self._room.acquire()
            try:
                line = self.stream.readline(AHEAD.size) if self.stream is not None else ""
            except (OSError, ValueError):  # the stream is closed or is not text
                line = ""
            self.ended = not line
            assert self.loop is not None
            self._ahead.append((line, self.loop.time()))
            with suppress(RuntimeError):  # the loop has ended; the next one finds the line
                self.loop.call_soon_threadsafe(self._news.set)

    async def next(self) -> str | None:
        begins, self.loop, self._news = self.loop is None, asyncio.get_running_loop(), asyncio.Event()
        if begins:
            Thread(target=self._read, name="lines", daemon=True).start()
        while begins or not self._ahead:  # lines that were typed ahead of a match wait for its beginning
            await self._news.wait()
            self._news.clear()
            begins = False
        line, self.at = self._ahead[0]
        if not line:
            self.over = True
            return None
        self._ahead.popleft()
        self._room.release()
        return line.rstrip("\r\n")

    def readline(self) -> str:
        """Return the next line outside an event loop, as the stream would."""
        line = asyncio.run(self.next())
        return "" if line is None else f"{line}\n"


_here: list[Lines] = []


def typed_here(stream: TextIO | None) -> Lines:
    """Return the reader of stdin: the same for all event loops, so that no line is lost."""
    if held(stream) is None and not (_here and _here[-1].loop is asyncio.get_running_loop()):
        _here[:] = [Lines(stream)]  # a terminal can be read again after Ctrl+D
    return _here[-1]


def held(stream: TextIO | None) -> Lines | None:
    """Return the reader that has the next line of a stream; None if the stream itself has it."""
    return next((one for one in _here if one.stream is stream and not one.over), None)
