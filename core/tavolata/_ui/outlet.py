"""Text that goes out from a thread of its own: who does not read it holds nobody else up.

A terminal that was stopped (Ctrl+S), a pipe into a program that thinks: a plain `print` waits for
them, and with it the whole table would wait for this peer.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable
from io import RawIOBase
from threading import Condition, Thread
from typing import Any, Final, TextIO

ALL: Final = 1 << 62
"""More bytes than ever wait."""
MOMENT: Final = 0.002
"""Seconds that writing may hold up everything else."""


class Outlet:
    """What is written to a text file, in its order, without ever waiting.

    A file that has no raw bytes below it, as one in memory, is written to at once.

    Args:
        file: where to write.
        limit: bytes that may wait before this counts as behind.
        behind: called when more than `limit` wait; from any thread, and must not wait.
        caught_up: called when nothing waits any more after that; as above.

    Attributes:
        waiting: bytes that are not written yet.
    """

    def __init__(
        self,
        file: TextIO,
        limit: int = ALL,
        behind: Callable[[], object] = lambda: None,
        caught_up: Callable[[], object] = lambda: None,
    ) -> None:
        self._file = file
        # Below the buffer, whose lock a thread that waits here would keep from the end of the program.
        buffer = getattr(file, "buffer", None)
        self._raw: Any = buffer if isinstance(buffer, RawIOBase) else getattr(buffer, "raw", None)
        self._limit, self._tell_behind, self._tell_caught_up = limit, behind, caught_up
        self._queue: deque[bytes] = deque()
        self._news = Condition()
        self._thread: Thread | None = None
        self._is_behind = False
        self._error: OSError | None = None
        self.waiting = 0

    def write(self, text: str) -> None:
        """Have a text written after all that was given before.

        Raises:
            OSError: what was given before can't be written.
        """
        if self._error is not None:
            raise self._error
        if self._raw is None:
            self._file.write(text)
            self._file.flush()
            return
        data = text.replace("\n", os.linesep).encode(self._file.encoding, self._file.errors or "strict")
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
        """Have a line written.

        Raises:
            OSError: see `write`.
        """
        self.write(f"{text}\n")

    def drain(self, seconds: float) -> bool:
        """Wait so long until all is written; whether it is."""
        with self._news:
            return self._news.wait_for(lambda: not self.waiting, seconds)

    async def drained(self) -> None:
        """Wait until all is written, however long that takes.

        Raises:
            OSError: it can't be.
        """
        self.drain(MOMENT)  # as a rule it is a matter of microseconds
        while self.waiting:  # noqa: ASYNC110 - a thread counts it down
            await asyncio.sleep(0.005)
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._queue)
                data = self._queue.popleft()
            self._put(data)
            with self._news:
                self.waiting -= len(data)
                if self._error is not None:
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
            self._error = error if isinstance(error, OSError) else OSError(str(error))
