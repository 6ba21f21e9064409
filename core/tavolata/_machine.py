"""The machine that the program runs on: its wall clock, its randomness and its disk.

The engine asks the system for nothing but through here, through the sockets of `tavolata_protocol.io`, and
through the clock of the running event loop. A test that plays several machines in one process gives each one
its own, and the context carries it: a task, and every callback, runs on the machine of whoever made it.
"""

from __future__ import annotations

import os
import time
from contextvars import ContextVar

from tavolata._disk import Disk


class Computer:
    """A machine: by default this one."""

    disk = Disk()

    def wall(self) -> float:
        """Return the time of day, in seconds since 1970."""
        return time.time()

    def token(self, size: int) -> bytes:
        """Return `size` bytes that nobody can predict."""
        return os.urandom(size)


MACHINE: ContextVar[Computer] = ContextVar("machine", default=Computer())  # noqa: B039 - it has no state
"""The machine of the code that runs now."""


def wall() -> float:
    """Return the time of day on this machine, in seconds since 1970."""
    return MACHINE.get().wall()


def token(size: int) -> bytes:
    """Return `size` bytes that nobody can predict."""
    return MACHINE.get().token(size)


def bits(count: int) -> int:
    """Return a number of `count` bits that nobody can predict."""
    return int.from_bytes(token(-(-count // 8))) >> -count % 8


class Entropy:
    """The machine's randomness as an agreed log takes it."""

    def random(self) -> float:
        """Return a number from 0 (included) to 1 (excluded), as `random.SystemRandom` makes it."""
        return bits(53) * 2**-53

    def randbytes(self, n: int, /) -> bytes:
        """Return `n` bytes that nobody can predict."""
        return token(n)


def disk() -> Disk:
    """Return the disk of this machine."""
    return MACHINE.get().disk
