"""The machine of a context: whose clock and randomness the code of a task gets."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context
from random import Random

import pytest
from nacl.public import PrivateKey, SealedBox
from typing_extensions import override

from tavolata import _machine
from tavolata._engine.dealing.sealing import seal
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


def test_libsodium_opens_our_sealed_box_and_the_machine_alone_has_made_it() -> None:
    """The format is that of `crypto_box_seal`; all that is drawn for a box is drawn by the machine."""
    to = PrivateKey(bytes(range(32)))
    with on(Played(0.0, 1)):
        first, second = seal(to.public_key, b"seven of hearts"), seal(to.public_key, b"seven of hearts")
    with on(Played(0.0, 1)):
        assert seal(to.public_key, b"seven of hearts") == first
    assert len(first) == len(SealedBox(to.public_key).encrypt(b"seven of hearts"))
    assert first != second
    assert [SealedBox(to).decrypt(box) for box in (first, second)] == [b"seven of hearts"] * 2


def test_whispers_open_our_box_and_that_of_libsodium() -> None:
    """A mailbox that is no key takes nothing, be it too short or a point of low order."""
    with on(Played(0.0, 1)):
        ear = Whispers()
    with on(Played(0.0, 1)):
        assert Whispers().mailbox == ear.mailbox
    ours = sealed(ear.mailbox, "pass")
    assert ours is not None
    assert ear.opened(ours) == "pass"
    assert ear.opened(bytes(SealedBox(PrivateKey(bytes(32)).public_key).encrypt(b"pass"))) is None
    theirs = SealedBox(type(PrivateKey(bytes(32)).public_key)(ear.mailbox)).encrypt(b"pass\0\0")
    assert ear.opened(bytes(theirs)) == "pass"
    assert sealed(ear.mailbox[1:], "pass") is None
    assert sealed(bytes(32), "pass") is None
