"""A watchdog for turns that never end: a thread watches the match and stops such a turn."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread, get_ident

from tavolata.testing.recording import Recorded

SECONDS = 10.0
"""Seconds of processor time without an entry or the end of a turn after which a turn counts as endless.

A busy machine condemns nobody, for what others compute is not counted.
"""
LOOKS = 10
"""How often the watchdog looks in that time."""


class _Stuck(BaseException):  # a rule may catch Exception
    """The error that is raised inside an endless rule."""


@contextmanager
def patience(kept: Recorded) -> Iterator[None]:
    """Watch the match played in this context; raise `CheckFailed` if a turn neither waits nor ends."""
    done, thread = Event(), get_ident()

    def watch() -> None:
        before, since = -1, time.process_time()
        while not done.wait(SECONDS / LOOKS):
            now = len(kept.log) + len(kept.turns)
            if now != before:
                before, since = now, time.process_time()
            elif time.process_time() - since >= SECONDS:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(_Stuck))
                return

    watcher = Thread(target=watch, name="patience", daemon=True)
    watcher.start()
    try:
        yield
    except _Stuck:
        raise kept.failure("There is no end: a turn goes round in circles and awaits nothing.") from None
    finally:
        done.set()
        watcher.join()
