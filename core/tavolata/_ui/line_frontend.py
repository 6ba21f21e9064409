"""The base class of the line frontends, plain and JSON: it shows a session while it reads lines.

It contains no texts and no format; those are in `plain` and `ndjson`.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import NoReturn, Protocol

from tavolata._engine.match.match import Match
from tavolata._engine.match.updates import Ended, Update
from tavolata._engine.sessions.next_step import NextStep, next_step
from tavolata._engine.sessions.session import TableSession
from tavolata._tasks import cancel
from tavolata._ui.i18n import Translator
from tavolata._ui.words import Words
from tavolata.asks import Ask
from tavolata.errors import MessageError
from tavolata.messages import N_, Event
from tavolata.view import View


class InputEnded(MessageError):
    """The input has ended, so nobody can answer."""


class Typed(Protocol):
    on_terminal: bool

    async def next(self) -> str | None:
        """Return the next line; None at the end of the input."""


def wake_for_signals() -> None:
    """Make the event loop react to Ctrl+C at once.

    A signal that arrives just before the loop waits does not wake it, unless some signal has an asyncio
    handler: only then are signals written to the loop's wake-up socket. More threads make this likelier.
    """
    if sys.platform != "win32":
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            asyncio.get_running_loop().add_signal_handler(signal.SIGURG, lambda: None)  # never sent


def _is_news(before: NextStep | None, step: NextStep | None) -> bool:
    """Return True if the step differs in more than its count, or if there's more time than before."""
    if before is None or step is None:
        return step is not before
    is_longer = before.left is not None and step.left is not None and step.left > before.left
    return is_longer or (before.text, [*before.acts]) != (step.text, [*step.acts])


class LineFrontend:
    """A frontend that shows one session and reads answers as lines.

    `lines` is None if no one types (bots play all seats here). `drained` waits until all output is written;
    None if printing itself waits.
    """

    def __init__(
        self,
        session: TableSession,
        translator: Translator,
        out: Callable[[str], object],
        lines: Typed | None,
        drained: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._session = session
        self._translator = translator
        self._print = out
        self._lines = lines
        self._drained = drained
        self._asks: list[Ask] = []
        self._stirred = asyncio.Event()
        self._shown = asyncio.Event()
        self._ended = lines is None
        self._stepped: NextStep | None = None

    @property
    def match(self) -> Match | None:
        return self._session.match

    def words(self) -> Words:
        match, package = self._session.match, self._session.package
        if match is None:
            return Words(self._translator, package, ())
        hidden = match.texts_of(self._session.hidden)
        return Words(self._translator, package, match.terms.names, hidden)

    def seat(self) -> int | None:
        if self._asks:
            return int(self._asks[0].seat)
        return self._session.people[0] if self._session.people else None

    def seat_for(self, event: Event) -> int | None:
        """Return the seat whose view shows an event; a secret may be for another person here alone."""
        seat = self.seat()
        if event.to is None or seat in event.to:
            return seat
        return next((one for one in self._session.people if one in event.to), seat)

    def view_of(self, seat: int | None) -> View:
        """Return a seat's view, once there is a match: for where a question or a window is open."""
        match = self._session.match
        assert match is not None
        return match.view(seat)

    def open_question(self) -> Ask | None:
        return self._asks[0] if self._asks else None

    # -- overridden by each frontend ----------------------------------------------------------------

    def greet(self) -> None:
        """Print the first lines, if there are any."""

    def show(self, update: Update) -> None:
        raise NotImplementedError

    def caught_up(self) -> None:
        """Note that everything so far is shown, until more happens."""

    def step(self, step: NextStep | None, *, changed: bool) -> None:
        """Show the next step while somebody isn't there; None while everyone is."""

    async def hear(self, line: str) -> None:
        """Act on one line; report an error in it instead of raising it."""
        raise NotImplementedError

    # -- running ------------------------------------------------------------------------------

    async def run(self) -> Ended | None:
        """Show everything until the session is over; return the result of the last match, if it has one.

        Raise `InputEnded` if an answer is needed, but the input has ended.
        """
        wake_for_signals()
        self.greet()
        reader = asyncio.create_task(self._read())
        shower = asyncio.create_task(self._show_all())
        watcher = asyncio.create_task(self._watch())
        follower = asyncio.create_task(self._follow())
        try:
            await asyncio.wait({reader, shower, follower}, return_when=asyncio.FIRST_COMPLETED)
            if follower.done():
                follower.result()  # it only ends with an error
            if not shower.done():
                reader.result()  # raises if reading failed
                self._ended = True
                if self._lines is not None and not self._session.input_ended():
                    self.end_input()
                self._nobody_answers()
            return await shower
        finally:
            await cancel(reader, shower, watcher, follower)

    async def _watch(self) -> None:
        """Say each second what's urgent, if that has changed; only a table of peers has such steps."""
        while self._session.commands is not None:
            await asyncio.sleep(1.0)
            facts = self._session.table()
            step = None if facts is None else next_step(facts, asked=bool(self._asks))
            step = step if step is not None and step.urgent else None
            before, self._stepped = self._stepped, step
            self.step(step, changed=_is_news(before, step))

    async def _show_all(self) -> Ended | None:
        ended = None
        # The stream is closed however this ends, because closing it leaves the table.
        async with contextlib.aclosing(self._session.updates()) as updates:
            async for update in updates:
                self.show(update)
                self._shown.set()
                if isinstance(update, Ended):
                    ended = update
        return ended

    async def _follow(self) -> None:
        """Call `caught_up` once after updates that belong together: those come without a wait."""
        while True:
            self.caught_up()
            self._shown.clear()
            await self._shown.wait()

    async def _read(self) -> None:
        while self._lines is not None and (line := await self._lines.next()) is not None:
            self._session.stirred()
            await self._all_shown()
            await self.hear(line)

    async def _all_shown(self) -> None:
        """Wait until the question is written, so that an answer in the match file proves it was shown."""
        if self._drained is not None:
            await self._drained()

    # -- questions ------------------------------------------------------------------------------

    def _nobody_answers(self) -> None:
        if self._ended and self._asks:
            self.end_input()

    def end_input(self) -> NoReturn:
        """Leave the table: an answer is needed, and nobody can type it."""
        self._session.step_away()
        raise InputEnded(N_("The input has ended."))

    def _owe(self, ask: Ask) -> None:
        self._asks.append(ask)
        self._stir()

    def _drop(self, ask: Ask) -> None:
        self._asks = [one for one in self._asks if one is not ask]

    def _drop_all(self) -> None:
        self._asks.clear()

    def _stir(self) -> None:
        self._stirred.set()

    async def _something_asked(self, seconds: float | None = None) -> bool:
        """Wait until there is something new to answer, at most this long; return True if there is."""
        self._stirred.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stirred.wait(), seconds)
        return self._stirred.is_set()
