"""The base of the frontends that read lines, plain or JSON: showing what happens while lines come in.

No words and no format may live here; those are `plain`'s and `ndjson`'s.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Awaitable, Callable
from typing import Protocol

from tavolata._engine.match.match import Match
from tavolata._engine.match.updates import Ended, Update
from tavolata._engine.sessions.session import TableSession
from tavolata.asks import Ask
from tavolata.errors import MessageError
from tavolata.messages import N_


class InputEnded(MessageError):
    """Nobody can answer any more: the input has ended."""


class Typed(Protocol):
    """Where lines come from; see `lines.Lines`."""

    on_terminal: bool

    async def next(self) -> str | None:
        """The next line; None when there is none any more."""
        ...


def wake_for_signals() -> None:
    """Have Ctrl+C heard at once.

    A signal that comes just before the loop waits wakes nobody, unless some signal has a handler of
    asyncio's: only then is it written to where the loop listens. More threads make it likelier.
    """
    with contextlib.suppress(AttributeError, NotImplementedError, RuntimeError, ValueError):
        asyncio.get_running_loop().add_signal_handler(signal.SIGURG, lambda: None)  # nobody sends this one


class LineFrontend:
    """One session, shown to somebody who answers in lines.

    Args:
        session: where it sits.
        lines: what is typed; None where nobody types (bots play all seats here).
        drained: waits until all that was printed is out; None where printing itself waits for that.
    """

    def __init__(
        self, session: TableSession, lines: Typed | None, drained: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        self._session = session
        self._lines = lines
        self._drained = drained
        self._asks: list[Ask] = []
        self._stirred: asyncio.Event | None = None
        self._ended = lines is None

    @property
    def match(self) -> Match | None:
        """The match on the table."""
        return self._session.match

    def seat(self) -> int | None:
        """The seat that the person at the keyboard speaks for now; None for a spectator."""
        if self._asks:
            return int(self._asks[0].seat)
        return self._session.people[0] if self._session.people else None

    def open_question(self) -> Ask | None:
        """The question that the person at the keyboard owes an answer to."""
        return self._asks[0] if self._asks else None

    # -- what a face does its own way -----------------------------------------------------------

    def greet(self) -> None:
        """Say what comes before everything else, if anything does."""

    def show(self, update: Update) -> None:
        """Show one thing that happened."""
        raise NotImplementedError

    async def hear(self, line: str) -> None:
        """Act on one line; what it says wrong is said, not raised."""
        raise NotImplementedError

    # -- running ------------------------------------------------------------------------------

    async def run(self) -> Ended | None:
        """Show everything until the session is over; the last match's end, if it had one.

        Raises:
            InputEnded: an answer is needed and the input has ended.
        """
        wake_for_signals()
        self.greet()
        reader = asyncio.create_task(self._read())
        shower = asyncio.create_task(self._show_all())
        try:
            await asyncio.wait({reader, shower}, return_when=asyncio.FIRST_COMPLETED)
            if not shower.done():
                reader.result()  # raises if reading broke
                self._ended = True
                if self._lines is not None and not self._session.input_ended():
                    raise InputEnded(N_("The input has ended."))
                self._nobody_answers()
            return await shower
        finally:
            for task in (reader, shower):
                task.cancel()
            await asyncio.gather(reader, shower, return_exceptions=True)

    async def _show_all(self) -> Ended | None:
        ended = None
        # Whichever way this is left, the stream is closed: it says goodbye.
        async with contextlib.aclosing(self._session.updates()) as updates:
            async for update in updates:
                self.show(update)
                if isinstance(update, Ended):
                    ended = update
        return ended

    async def _read(self) -> None:
        while self._lines is not None and (line := await self._lines.next()) is not None:
            await self._all_shown()
            await self.hear(line)

    async def _all_shown(self) -> None:
        """Wait until the question is out: an answer in the match file proves that it was shown."""
        if self._drained is not None:
            await self._drained()

    # -- questions ------------------------------------------------------------------------------

    def _nobody_answers(self) -> None:
        if self._ended and self._asks:
            raise InputEnded(N_("The input has ended."))

    def _owe(self, ask: Ask) -> None:
        """A question waits for the person here."""
        self._asks.append(ask)
        self._stir()

    def _drop(self, ask: Ask) -> None:
        """A question waits no more."""
        self._asks = [one for one in self._asks if one is not ask]

    def _drop_all(self) -> None:
        self._asks.clear()

    def _stir(self) -> None:
        """Something can be answered that could not be before."""
        if self._stirred is not None:
            self._stirred.set()

    async def _something_asked(self) -> None:
        """Wait for that."""
        self._stirred = asyncio.Event()
        await self._stirred.wait()
