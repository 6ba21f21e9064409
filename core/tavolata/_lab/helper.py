"""Another process of this machine that plays shares of an experiment, and the pipe to it.

The pipe belongs to these two processes alone. So it ends when the other one dies, also in the middle of what
it is sending: a pool of the standard library would wait for the rest for ever.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from traceback import format_exc
from typing import Any, Generic, TypeVar

from tavolata.errors import MessageError

Work = TypeVar("Work")
Found = TypeVar("Found")


class HelperLost(Exception):
    """Another process has died."""


class Helper(Generic[Work, Found]):
    """Another process, which does what it is sent, one after the other.

    `open` counts its pieces of work. `do` does one; both can be sent to a process that has imported its
    module. For `way` see `way_to_start`.
    """

    def __init__(self, do: Callable[[Work], Found], way: str) -> None:
        context: Any = get_context(way)
        self.pipe, theirs = context.Pipe()
        self.open = 0
        self._process = context.Process(target=_serve, args=(do, theirs, self.pipe), daemon=True)
        with _held_back(way):
            self._process.start()
        theirs.close()  # else its death would not end the pipe

    def send(self, work: Work) -> None:
        """Send it a piece of work; raise `HelperLost` if it has died."""
        try:
            self.pipe.send(work)
        except OSError:
            raise HelperLost from None
        self.open += 1

    def take(self) -> Found:
        """Wait for its result; call it once for each piece of work.

        Raise `HelperLost` if it has died, and any exception that the work has raised there.
        """
        try:
            found, error = self.pipe.recv()
        except (EOFError, OSError):
            raise HelperLost from None
        self.open -= 1
        if error is not None:
            raise error
        result: Found = found
        return result

    def end(self) -> None:
        """End it at once, whatever it is doing; as a copy that has just begun it may still catch SIGTERM."""
        self._process.kill()
        self._process.join()
        self.pipe.close()


def ready(helpers: Sequence[Helper[Work, Found]], *, patient: bool) -> list[Helper[Work, Found]]:
    """Return those that have found something; if patient, wait until one has, unless none has work."""
    working = [one.pipe for one in helpers if one.open]
    found = wait(working, None if patient else 0) if working else []  # for nobody it would wait for ever
    return [one for one in helpers if one.pipe in found]


def way_to_start() -> str:
    """Choose how other processes are started.

    A copy of this process plays after some milliseconds, a new one has to import everything first. But a copy
    has only one of the threads, so anything locked by another one stays locked in it; and only Linux promises
    that its own libraries can be copied.
    """
    return "fork" if sys.platform == "linux" and _threads() == 1 else "spawn"


def _threads() -> int:
    """Count the threads of this process, those of libraries included; 0 if the system doesn't say."""
    try:
        return len(list(Path("/proc/self/task").iterdir()))
    except OSError:
        return 0


@contextmanager
def _held_back(way: str) -> Iterator[None]:
    """Hold Ctrl+C back; a process that starts now inherits that, and isn't hit before `_serve` ignores it."""
    if sys.platform == "win32":
        yield
    else:
        if way == "spawn":
            resource_tracker.ensure_running()  # started in between, it would let Ctrl+C through
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(do: Callable[[Any], Any], pipe: Connection, theirs: Connection) -> None:
    """Do the work of the other process until the first one is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches all; the first one acts on it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a copy has what the first one does then
    theirs.close()  # else the end of the first process would not end the pipe
    try:
        while True:
            work = pipe.recv()
            try:
                found, error = do(work), None
            except Exception as fault:  # noqa: BLE001 - whatever it is, it is raised in the first process
                found, error = None, fault
                if not isinstance(fault, MessageError):
                    fault.add_note(format_exc())  # where it came from does not travel
            pipe.send((found, error))
    except (EOFError, OSError):
        return
