"""The world of a rehearsal: its loop, its network and its computers, with every draw from one seed."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import random
import socket
import warnings
from collections.abc import Callable, Iterator
from contextvars import Context, copy_context
from pathlib import Path
from typing import Any

import ifaddr
import pytest
from tests.rehearsals.cheap import cheap_algebra, forget
from tests.rehearsals.disk import Died, MemoryDisk
from tests.rehearsals.laptops import EPOCH, Laptop, Power, here
from tests.rehearsals.loop import Hung, VirtualLoop
from tests.rehearsals.minds import InlineThinkers
from tests.rehearsals.network import Address, Network, VirtualSocket

from tavolata._engine.thinking import thinkers
from tavolata_protocol.io import opening

MOST = 400_000
"""The most callbacks of an evening."""


ROUNDS = 4
"""How often each task is cancelled that doesn't end."""


class Trace:
    """A running hash of all that leaves a program, `count` in all: datagrams, writes and frames."""

    def __init__(self) -> None:
        self._hash = hashlib.blake2b(digest_size=16)
        self.count = 0
        self.kept: list[str] | None = None
        """Each of them as text, if somebody wants to compare two evenings."""

    def add(self, at: float, kind: str, who: str, data: bytes) -> None:
        self._hash.update(f"{at:.9f} {kind} {who} {len(data)} ".encode() + data)
        self.count += 1
        if self.kept is not None:
            self.kept.append(
                f"{at:.9f} {kind} {who} {len(data)} {hashlib.blake2b(data, digest_size=6).hexdigest()}"
            )

    def hexdigest(self) -> str:
        return self._hash.hexdigest()


class World:
    """Computers in one process. `seed` decides everything that is left to chance; use it within `begun`.

    `faults` are errors of callbacks and of tasks that nobody waits for, each with its "machine".
    """

    def __init__(self, seed: int, most: int = MOST) -> None:
        self.seed = seed
        self.context = copy_context()
        self.loop = VirtualLoop(most)
        self.trace = Trace()
        self.network = Network(self.stream, self._later, self._sent)
        self.computers: dict[str, Laptop] = {}
        self.graves: list[Laptop] = []
        self.faults: list[dict[str, Any]] = []
        self._ended = False
        self.loop.set_exception_handler(self._on_fault)

    def stream(self, name: str) -> random.Random:
        """Return a generator of its own for this name, so that what others draw changes nothing here."""
        return random.Random(f"{self.seed} {name}")

    def computer(self, name: str) -> Laptop:
        """Add a computer of this name, or put another in the place of one that died, with its disk."""
        before = self.computers.get(name)
        if before is None:
            host, generation = f"10.0.0.{len(self.computers) + 1}", 0
            disk = MemoryDisk(
                lambda: EPOCH + self.loop.clock, lambda what, path, data: self._wrote(name, what, path, data)
            )
        else:
            assert before.power is Power.OFF
            self.graves.append(before)
            host, generation = (
                f"10.0.0.{[*self.computers].index(name) + 1}",
                sum(one.name == name for one in self.graves),
            )
            disk = before.disk_left()
        chance = self.stream(f"computer {name} {generation}")
        made = Laptop(name, host, chance, disk, lambda: self.loop.clock)
        self.computers[name] = made
        self.network.move(made, made.hosts)
        return made

    def _later(self, delay: float, callback: Callable[..., object], context: Context, *args: Any) -> None:
        self.context.run(self.loop.call_at, self.loop.clock + delay, callback, *args)

    def _sent(self, source: Address, target: Address, data: bytes) -> None:
        self.trace.add(self.loop.clock, "sent", f"{source} {target}", data)

    def _wrote(self, name: str, what: str, path: Path, data: bytes) -> None:
        self.trace.add(self.loop.clock, what, f"{name} {path}", data)

    def _on_fault(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if not self._ended and not isinstance(context.get("exception"), Died):
            self.faults.append(context | {"machine": _machine_of(context)})

    def end(self) -> None:
        """End every task on its machine; nothing of it reaches a disk, the network or the faults."""
        self._ended = True
        for computer in [*self.computers.values(), *self.graves]:
            computer.turn_off(Power.ENDS)
        self.loop.allow(MOST)
        with contextlib.suppress(Hung):
            self.loop.run_until_complete(self._end_tasks())
        self.loop.close()

    async def _end_tasks(self) -> None:
        me = asyncio.current_task()
        for _ in range(ROUNDS):
            left = [task for task in asyncio.all_tasks() if task is not me]
            if not left:
                break
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=1.0)
        nowhere = Laptop("nowhere", "", self.stream(""), MemoryDisk(lambda: EPOCH), lambda: 0.0)
        nowhere.turn_off(Power.ENDS)
        for task in asyncio.all_tasks() - {me}:  # what was to wake it was dropped when its machine died
            with contextlib.suppress(BaseException), warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # it may never have begun
                nowhere.context.run(task.get_coro().close)


def _machine_of(fault: dict[str, Any]) -> str:
    """Return the name of the machine on which a callback or a task failed; "all" if nobody can tell."""
    computer = here()
    handle = fault.get("handle")
    if isinstance(handle, asyncio.Handle):
        computer = handle._context.run(here)  # type: ignore[attr-defined] # asyncio's own way to its context
    return "all" if computer is None else computer.name


@contextlib.contextmanager
def begun(world: World, *, cheap: bool = True) -> Iterator[None]:
    """Have the product live in this world; with cheap algebra, or with its own."""

    def open_here(family: int, address: Any, *_: object) -> VirtualSocket:
        computer = here()
        if family != socket.AF_INET or computer is None:
            raise OSError("there is only IPv4 here")
        return VirtualSocket(computer, world.network, address[0], address[1])

    def adapters() -> list[ifaddr.Adapter]:
        computer = here()
        assert computer is not None
        return [
            ifaddr.Adapter(f"eth{at}", f"eth{at}", [ifaddr.IP(host, 24, f"eth{at}")], index=2 + at)
            for at, host in enumerate(computer.hosts)
        ]

    with pytest.MonkeyPatch.context() as patch:
        for kind in ("CONFIG", "CACHE", "DATA"):
            patch.setenv(f"TT_{kind}_DIR", f"/rehearsal/{kind.lower()}")
        patch.setattr(opening, "_open", open_here)
        patch.setattr(ifaddr, "get_adapters", adapters)
        patch.setattr(thinkers, "THINKERS", InlineThinkers())
        if cheap:
            cheap_algebra(patch)
        asyncio.set_event_loop(world.loop)
        try:
            yield
        finally:
            world.end()
            asyncio.set_event_loop(None)
    if cheap:
        forget()
