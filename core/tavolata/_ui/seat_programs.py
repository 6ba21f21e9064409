"""Programs in seats: each is a process that speaks ndjson on its stdin and stdout.

`ndjson` defines the protocol; this module starts, watches and ends the processes. Any fault of a program
ends the match with one sentence, because only its own match is affected.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any, Final

from typing_extensions import override

from tavolata._engine.match.updates import Asked, Update, WindowOpened
from tavolata._engine.sessions.session import TableSession
from tavolata._engine.sessions.shared import Lead, Share
from tavolata._tasks import cancel
from tavolata._text import one_line
from tavolata._trouble import trouble
from tavolata._ui.i18n import Translator
from tavolata._ui.line_frontend import InputEnded
from tavolata._ui.ndjson import Ndjson
from tavolata.asks import Ask
from tavolata.errors import MessageError, Refused
from tavolata.kinds.one_of import GO
from tavolata.messages import N_, Text
from tavolata.reaction_times import GOES
from tavolata.windows import Window
from tavolata_protocol.admission import LIMITS, Entrance

LONGEST_LINE: Final = LIMITS[Entrance.AHEAD].size
"""The most bytes in one line of a program."""
TO_REACT: Final = 0.25
"""Seconds that a program has to react before the match goes on, if its seat has the next move."""
TO_END: Final = 2.0
"""Seconds that a program has to end after the match."""


class ProgramFault(MessageError):
    """A program in a seat played illegally, too slowly, or not at all (exit code 8)."""


CANT_START = N_("Couldn't start {name}'s program ({command}): {problem}.")
NO_PROGRAM = N_("no command given")
ILLEGAL = N_("{name}'s program ({command}) gave an illegal answer: {problem}")
SLOW = N_("{name}'s program ({command}) didn't answer within {seconds} seconds. Does it flush its output?")
DEAD = N_("{name}'s program ({command}) ended in the middle of the match: {problem}")


def words_of(command: str) -> list[str]:
    """Split a command line as the system's shell does; raise `ValueError` if a quotation mark is open."""
    if os.name == "nt":
        return [word.strip('"') for word in shlex.split(command, posix=False)]
    return shlex.split(command)


def name_of(command: str) -> str:
    """Return the name of this program's player: that of its script, or of the program."""
    try:
        words = words_of(command)
    except ValueError:
        words = []
    scripts = [word for word in words[1:] if not word.startswith("-") and Path(word).is_file()]
    return one_line(Path((scripts or words or ["program"])[0]).name, 24).replace("@", "") or "program"


class _Pipe:
    on_terminal = False

    def __init__(self, stream: asyncio.StreamReader) -> None:
        self._stream = stream

    async def next(self) -> str | None:
        """Return the next line; None at the end, and after a line without a line ending."""
        try:
            line = await self._stream.readline()
        except ValueError:
            raise Refused(N_("a line of more than {n} bytes"), n=LONGEST_LINE) from None
        return line.decode(errors="replace") if line else None


class ProgramFrontend(Ndjson):
    """The frontend of a program in a seat. It is strict and limits the time for an answer.

    `share` is the session of its seat, `seconds` the longest time for an answer. After `think` seconds a key
    that only continues the match is pressed for it, as for a bot. `fault` makes an error from a message with
    its parameters.
    """

    def __init__(
        self, share: Share, translator: Translator, process: Process, fault: Any, seconds: float, think: float
    ) -> None:
        assert process.stdout is not None
        super().__init__(share, translator, self._write, _Pipe(process.stdout))
        self._process = process
        self._fault = fault
        self._seconds = seconds
        self._think = think
        self._clocks: dict[int, asyncio.TimerHandle] = {}
        self._slow: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def _write(self, line: str) -> None:
        stdin = self._process.stdin
        if stdin is not None and not stdin.is_closing():
            stdin.write(f"{line}\n".encode())

    @override
    def show(self, update: Update) -> None:
        """Show an update; press keys for the program that only continue the match."""
        if isinstance(update, Asked) and update.mine and update.ask.question is GO:
            asyncio.get_running_loop().call_later(self._think, self._press, update.ask)
            return
        super().show(update)
        if isinstance(update, WindowOpened) and update.window.go in update.mine:
            wait = self._think + max(TO_REACT, update.window.hurry / 1000)
            asyncio.get_running_loop().call_later(wait, self._go_on, update.window)

    def _go_on(self, window: Window) -> None:
        assert window.go is not None
        with contextlib.suppress(Refused):  # it is over, or the program has reacted
            self._session.react(window.id, int(window.go), GOES, round(1000 * TO_REACT))

    def _press(self, ask: Ask) -> None:
        with contextlib.suppress(Refused):  # the match may be over, or time has run out
            self._session.answer(ask, 0)

    def _owe(self, ask: Ask) -> None:
        super()._owe(ask)
        loop = asyncio.get_running_loop()
        self._clocks[ask.id] = loop.call_later(self._seconds, self._time_out)

    def _drop(self, ask: Ask) -> None:
        super()._drop(ask)
        if clock := self._clocks.pop(ask.id, None):
            clock.cancel()

    def _drop_all(self) -> None:
        super()._drop_all()
        for clock in self._clocks.values():
            clock.cancel()
        self._clocks.clear()

    def _time_out(self) -> None:
        if not self._slow.done():
            self._slow.set_exception(self._fault(SLOW, seconds=f"{self._seconds:g}"))

    @override
    def refused(self, said: Mapping[str, Any], refusal: Refused) -> None:
        """Report a reaction at the wrong moment; treat a wrong answer as a fault."""
        if said.get("type") in ("do", "react", "say", "table"):
            super().refused(said, refusal)
        else:
            raise self._fault(ILLEGAL, problem=self.words().text(refusal.message, refusal.params))

    async def play(self) -> None:
        """Run until the session is over; raise `ProgramFault` if the program did something wrong."""
        running = asyncio.ensure_future(self.run())
        either: list[asyncio.Future[Any]] = [running, self._slow]
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if self._slow.done():
                self._slow.result()
            await running
        except Refused as refusal:
            raise self._fault(ILLEGAL, problem=self.words().text(refusal.message, refusal.params)) from None
        finally:
            self._drop_all()
            await cancel(running)
            self._slow.cancel()


class _Seated:
    def __init__(self, name: str, command: str) -> None:
        self.name = name
        self.command = command
        self._complaints: deque[bytes] = deque(maxlen=LIMITS[Entrance.COMPLAINTS].whole)

    def fault(self, message: str, **params: Any) -> ProgramFault:
        return ProgramFault(message, name=self.name, command=one_line(self.command, 80), **params)

    async def start(self) -> None:
        """Start the process; raise `ProgramFault` if that fails."""
        try:
            words = words_of(self.command)
            if not words:
                raise self.fault(CANT_START, problem=Text(NO_PROGRAM))
            self.process = await asyncio.create_subprocess_exec(
                *words, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=LONGEST_LINE
            )
        except (OSError, ValueError, IndexError, TypeError) as error:
            raise self.fault(CANT_START, problem=trouble(error)) from error
        self._listener = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        """Keep the last lines of its stderr, which explain why it died; read on whatever it writes."""
        assert self.process.stderr is not None
        begun, longest = b"", LIMITS[Entrance.COMPLAINTS].size
        while chunk := await self.process.stderr.read(longest):
            *lines, begun = (begun + chunk).split(b"\n")
            self._complaints.extend(line[:longest] for line in lines if line.strip())
            begun = begun[:longest]
        if begun.strip():
            self._complaints.append(begun)

    async def dead(self) -> ProgramFault:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(TO_END):
                await self._listener
                await self.process.wait()
        last = self._complaints[-1].decode(errors="replace") if self._complaints else ""
        code = self.process.returncode
        problem = one_line(last, 200) or (f"exit code {code}" if code is not None else "stdout")
        return self.fault(DEAD, problem=problem)

    async def end(self, *, patiently: bool) -> None:
        """Let the process end, and kill it if it does not end or has made a fault."""
        if not hasattr(self, "process"):
            return
        process = self.process
        assert process.stdin is not None
        with contextlib.suppress(OSError, RuntimeError):
            process.stdin.close()
        ways = [process.terminate, process.kill]
        for insist in [lambda: None, *ways] if patiently else ways:
            with contextlib.suppress(ProcessLookupError):
                insist()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TO_END):
                    await process.wait()
                    break
        await cancel(self._listener)


@contextlib.asynccontextmanager
async def programs_seated(
    sit_down: Callable[[], TableSession],
    programs: Mapping[int, tuple[str, str]],
    translator: Translator,
    seconds: float,
    think: float,
) -> AsyncIterator[TableSession]:
    """Let programs play seats of a session; yield the session with the other seats.

    `sit_down` starts the match, in which these seats wait for answers; called when all programs run.
    `programs` has names and command lines by seat. For `seconds` and `think` see `ProgramFrontend`. Raise
    `ProgramFault` if a program can't be started or did something wrong.
    """
    trouble: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    seated = [_Seated(name, command) for name, command in programs.values()]
    tasks: list[asyncio.Task[None]] = []

    async def play(one: _Seated, frontend: ProgramFrontend) -> None:
        try:
            await frontend.play()
        except InputEnded:
            stop(await one.dead())
        except Exception as error:  # noqa: BLE001 - whatever it is, it must not leave the others waiting
            stop(error)

    def stop(error: Exception) -> None:
        if not trouble.done():
            trouble.set_exception(error)

    try:
        for one in seated:
            await one.start()
        session = sit_down()
        shares = tuple(Share(session, (seat,)) for seat in programs)
        for one, share in zip(seated, shares, strict=True):
            frontend = ProgramFrontend(share, translator, one.process, one.fault, seconds, think)
            tasks.append(asyncio.create_task(play(one, frontend)))
        yield Lead(session, shares, trouble)
        await asyncio.gather(*tasks)
    finally:
        await cancel(*tasks)
        await asyncio.gather(*(one.end(patiently=not trouble.done()) for one in seated))
        if not trouble.cancel():
            trouble.exception()  # already reported, or too late to matter
