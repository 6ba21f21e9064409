"""The queue of updates that are not shown yet; they are shown one by one at a pace, or all at once.

The match never waits for this: `add` takes every update at once, and it is shown when its turn comes.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable

from tavolata._engine.match.updates import Asked, Ended, Told, Update, WindowOpened
from tavolata._ui.tui.model import pacer
from tavolata._ui.tui.model.table_model import Glance


class Story:
    """A queue of updates.

    Args:
        step: seconds for which one event is shown while others wait; 0 shows everything at once.

    Attributes:
        waiting: the waiting updates, the next one first.
        ended: whether no more updates will come.
    """

    def __init__(self, step: float) -> None:
        self.waiting: deque[Update] = deque()
        self.ended = False
        self._step = step
        self._wake = asyncio.Event()
        self._skip = asyncio.Event()
        self._pausing = False

    def add(self, update: Update) -> None:
        """Add an update to the queue."""
        self.waiting.append(update)
        self._wake.set()

    def end(self, *, ended: bool) -> None:
        """Note that no more updates come; with `ended`, `tell` ends after the last one."""
        self.ended = ended
        self._wake.set()

    @property
    def has_end(self) -> bool:
        """Whether the end of a match waits to be shown."""
        return any(isinstance(one, Ended) for one in self.waiting)

    def step(self) -> float:
        """The pace; 0 if somebody here answers against time or has to react quickly."""
        for one in self.waiting:
            if isinstance(one, WindowOpened) or (isinstance(one, Asked) and one.mine and one.ask.seconds):
                return 0.0
        return self._step

    def seen(self, update: Update, now: Glance | None) -> Glance | None:
        """The table to show with this update; None for the current table.

        Args:
            update: the next update to show; it has left the queue.
            now: the table that is shown before it.
        """
        if not self.step():
            return None
        if isinstance(update, Told):
            return update.seen if self.waiting else None
        # Until the next update is shown, the table stays as it was.
        return now if any(isinstance(one, Told) for one in self.waiting) else None

    def skip(self) -> bool:
        """Show all waiting updates at once; return whether there were any."""
        if self._pausing and self.waiting:
            self._skip.set()
            return True
        return False

    async def tell(self, show: Callable[[Update], Awaitable[None]]) -> None:
        """Show one update after the other until the story has ended."""
        while True:
            while self.waiting:
                update = self.waiting.popleft()
                await show(update)
                seconds = pacer.pause(update, len(self.waiting), self.step())
                if seconds and not self._skip.is_set():
                    await self._pause(seconds)
            self._skip.clear()
            if self.ended:
                return
            self._wake.clear()
            await self._wake.wait()

    async def _pause(self, seconds: float) -> None:
        self._pausing = True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._skip.wait()
        self._pausing = False
