"""The machine of a context: whose clock and randomness the code of a task gets."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context
from random import Random

import pytest
from typing_extensions import override

from tavolata import _machine
from tavolata._engine.peer.whispers import Whispers, sealed
from tavolata._machine import MACHINE, Computer, Entropy


class Played(Computer):
    """A machine of a test: its clock stands, its randomness comes from a seed."""

    def __init__(self, now: float, draw: int | bytes = 0) -> None:
        self._now = now
        self._draw = draw if isinstance(draw, bytes) else None
        self._chance = Random(draw if isinstance(draw, int) else 0)

    @override
    def wall(self) -> float:
        return self._now

    @override
    def token(self, size: int) -> bytes:
        return self._chance.randbytes(size) if self._draw is None else self._draw * size


@contextmanager
def on(machine: Computer) -> Iterator[None]:
    """Run on a machine."""
    before = MACHINE.set(machine)
    yield
    MACHINE.reset(before)


def test_the_default_is_this_machine() -> None:
    """The system's own time of day, and bytes that come only once."""
    before = time.time()
    assert before <= _machine.wall() <= time.time()
    assert len({_machine.token(16) for _ in range(100)}) == 100


def test_tasks_and_callbacks_run_on_the_machine_that_made_them() -> None:
    """Two machines take turns on one loop, and each keeps its clock through awaits, tasks and timers."""
    told: list[tuple[str, float]] = []

    async def child(name: str) -> None:
        told.append((name, _machine.wall()))

    async def live(name: str) -> None:
        loop = asyncio.get_running_loop()
        for _ in range(3):
            await asyncio.sleep(0)
            await asyncio.create_task(child(name))
        loop.call_soon(lambda: told.append((name, _machine.wall())))
        timed = loop.create_future()
        loop.call_later(0, lambda: timed.set_result(_machine.wall()))
        told.append((name, await timed))

    async def main() -> None:
        both = []
        for name, now in (("one", 1.0), ("two", 2.0)):
            context = copy_context()
            context.run(MACHINE.set, Played(now))
            both.append(asyncio.create_task(live(name), context=context))
        await asyncio.gather(*both)
        assert _machine.wall() > 2.0

    asyncio.run(main())
    assert sorted(told) == [("one", 1.0)] * 5 + [("two", 2.0)] * 5
    assert told != sorted(told)


@pytest.mark.parametrize("count", [1, 7, 8, 53, 64])
def test_bits_reach_from_nought_to_all(count: int) -> None:
    """A number has the bits that were asked for, whatever the machine draws."""
    with on(Played(0.0, b"\x00")):
        assert (_machine.bits(count), Entropy().random()) == (0, 0.0)
    with on(Played(0.0, b"\xff")):
        assert _machine.bits(count) == 2**count - 1
        assert 1 - 2**-52 < Entropy().random() < 1


def test_a_whisper_is_read_by_whom_it_is_for_as_its_senders_own() -> None:
    """What is drawn for it the machine has drawn; a mailbox that is no point takes nothing."""
    with on(Played(0.0, 1)):
        ear = Whispers()
        first, second = sealed(b"ann", ear.mailbox, "pass"), sealed(b"ann", ear.mailbox, "pass")
    with on(Played(0.0, 1)):
        other = Whispers()
        assert other.mailbox == ear.mailbox
        assert sealed(b"ann", ear.mailbox, "pass") == first
    assert first is not None
    assert second is not None
    assert first != second
    assert [ear.opened(b"ann", one) for one in (first, second)] == ["pass", "pass"]
    assert ear.opened(b"bob", first) is None, "a copy in another's name is nothing"
    assert Whispers().opened(b"ann", first) is None
    for mailbox in (ear.mailbox[1:], bytes(32), b"\1" + bytes(31)):
        assert sealed(b"ann", mailbox, "pass") is None
