"""A watchdog for turns that never end: a thread watches the match and stops such a turn."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread, get_ident

from tavolata.testing.recording import Recorded

SECONDS = 20.0
"""Seconds without an entry or the end of a turn after which a turn counts as endless."""


class _Stuck(BaseException):  # a rule may catch Exception
    """The error that is raised inside an endless rule."""


@contextmanager
def patience(kept: Recorded) -> Iterator[None]:
    """Watch the match that is played inside this context.

    Raises:
        CheckFailed: a turn neither waits for anything nor ends.
    """
    done, thread = Event(), get_ident()

    def watch() -> None:
        before = -1
        while not done.wait(SECONDS):
            now = len(kept.log) + len(kept.turns)
            if now == before:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(_Stuck))
                return
            before = now

    watcher = Thread(target=watch, name="patience", daemon=True)
    watcher.start()
    try:
        yield
    except _Stuck:
        raise kept.failure("There is no end: a turn goes round in circles and awaits nothing.") from None
    finally:
        done.set()
        watcher.join()
