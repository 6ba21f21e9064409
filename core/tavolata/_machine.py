"""The machine that the program runs on: its wall clock, its randomness and its disk.

The engine asks the system for nothing but through here, through the sockets of `tavolata_protocol.io`, and
through the clock of the running event loop. A test that plays several machines in one process gives each one
its own, and the context carries it: a task, and every callback, runs on the machine of whoever made it.
"""

from __future__ import annotations

import secrets
import time
from contextvars import ContextVar


class Machine:
    """This machine."""

    def wall(self) -> float:
        """Return the time of day, in seconds since 1970."""
        return time.time()

    def token(self, size: int) -> bytes:
        """Return so many bytes that nobody can predict."""
        return secrets.token_bytes(size)


MACHINE: ContextVar[Machine] = ContextVar("machine", default=Machine())  # noqa: B039 - it has no state
"""The machine of the code that runs now."""


def wall() -> float:
    """Return the time of day on this machine, in seconds since 1970."""
    return MACHINE.get().wall()


def token(size: int) -> bytes:
    """Return so many bytes that nobody can predict."""
    return MACHINE.get().token(size)
