"""An event loop in which waiting moves the clock, and in which every callback runs on its own machine."""

from __future__ import annotations

import asyncio
import selectors
import socket
from collections import Counter, deque
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Any

from tests.rehearsals.laptops import Laptop, Power, here
from tests.rehearsals.network import Transport, VirtualSocket
from typing_extensions import override

from tavolata._machine import MACHINE

TURN = 1e-6
"""Seconds that a turn takes at least: else a deadline that a rounding error missed spins for ever."""
REMEMBERED = 2000
"""How many of the last callbacks a hang reports."""


class Hung(AssertionError):
    """The world stands still, or goes round in a circle."""


class _NothingReady(selectors.SelectSelector):
    """Nothing is ever ready: to wait is to move the clock."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = 0.0
        self.circle = ""
        """What goes round in a circle, if something does."""

    @override
    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if self.circle:
            raise Hung(self.circle)
        if timeout is None:
            raise Hung("no timer is set and nothing is ready: the world stands still")
        self.clock += max(timeout, TURN)
        return []


class _Gate:
    """A callback that looks at the power of its machine first."""

    __slots__ = ("args", "callback", "handle", "loop")

    def __init__(self, loop: VirtualLoop, callback: Callable[..., object], args: Any) -> None:
        self.loop = loop
        self.callback = callback
        self.args = args
        self.handle: asyncio.Handle | None = None

    def __call__(self) -> None:
        computer = here()
        if computer is not None and computer.power in (Power.ASLEEP, Power.OFF):
            if computer.power is Power.ASLEEP:
                computer.held.append((self, copy_context()))
            return
        self.loop.count(self.callback)
        self.callback(*self.args)

    def __repr__(self) -> str:
        return f"{getattr(self.callback, '__qualname__', self.callback)}"


class _Timer(asyncio.TimerHandle):
    """A timer that says when it's due by the clock of its own machine, as `time` does there."""

    __slots__ = ()

    @override
    def when(self) -> float:
        computer = self._context.get(MACHINE)  # type: ignore[attr-defined] # every handle has its context
        return computer.monotonic(self._when) if isinstance(computer, Laptop) else self._when  # type: ignore[attr-defined] # likewise


class VirtualLoop(asyncio.SelectorEventLoop):
    """The loop of a whole world; its `time` is that of the machine that asks.

    A callback of a sleeping machine waits until the lid opens, and one of a dead machine never runs. An
    evening has at most `most` callbacks.
    """

    def __init__(self, most: int) -> None:
        self._nothing = _NothingReady()
        self.steps = 0
        self.inline: Counter[str] = Counter()
        """By name, what a real machine would run in a thread."""
        self._most = most
        self._last: deque[tuple[float, str, str]] = deque(maxlen=REMEMBERED)
        super().__init__(self._nothing)

    def __del__(self) -> None:
        self.close()  # of a world in which nothing was played

    @property
    def clock(self) -> float:
        """The time of the world, in seconds since it began."""
        return self._nothing.clock

    def allow(self, more: int) -> None:
        """Allow so many more callbacks."""
        self._most, self._nothing.circle = self.steps + more, ""

    def count(self, callback: Callable[..., object]) -> None:
        """Count a callback; the next turn raises `Hung` when there were too many."""
        self.steps += 1
        if self.steps > self._most - REMEMBERED:
            computer = here()
            name = str(getattr(callback, "__qualname__", callback))[:60]
            self._last.append((self.clock, "-" if computer is None else computer.name, name))
            if self.steps > self._most:
                often = Counter((who, what) for _, who, what in self._last).most_common(6)
                self._nothing.circle = f"{self.steps} callbacks at {self.clock:.3f} s, most of them {often}"

    @override
    def time(self) -> float:
        computer, clock = here(), self._nothing.clock
        return clock if computer is None else computer.offset + clock * computer.rate  # asked most of all

    @override
    def call_at(  # type: ignore[override] # a gate takes any callback
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        computer = here()
        at = when if computer is None else computer.in_world(when, self.clock)
        gate = _Gate(self, callback, args)
        handle = super().call_at(at, gate, context=context)
        handle.__class__ = _Timer
        gate.handle = handle
        return handle

    @override
    def call_soon(  # type: ignore[override] # a gate takes any callback
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        gate = _Gate(self, callback, args)
        handle = super().call_soon(gate, context=context)
        gate.handle = handle
        return handle

    @override
    def call_soon_threadsafe(  # type: ignore[override] # a gate takes any callback
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        return self.call_soon(callback, *args, context=context)  # there is but one thread

    def wake(self, computer: Laptop) -> None:
        """Open the lid: what was held back runs now, in its order."""
        computer.power = Power.ON
        held, computer.held = computer.held, []
        for gate, context in held:
            assert isinstance(gate, _Gate)
            if gate.handle is None or not gate.handle.cancelled():
                context.run(self.call_soon, gate.callback, *gate.args)

    @override
    def add_signal_handler(self, *_: object) -> None:
        raise NotImplementedError  # whoever plays here hears no signals

    @override
    def run_in_executor(  # type: ignore[override] # everything is done at once, so any awaitable will do
        self, executor: object, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        self.inline[getattr(func, "__qualname__", str(func))] += 1
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 - as an executor does
            future.set_exception(error)
        return future

    @override
    async def getaddrinfo(
        self,
        host: str | bytes | None,
        port: str | bytes | int | None,
        *,
        family: int = 0,
        type: int = 0,
        proto: int = 0,
        flags: int = 0,
    ) -> Any:
        return socket.getaddrinfo(host, port, family, type, proto, flags | socket.AI_NUMERICHOST)

    @override
    async def create_datagram_endpoint(  # type: ignore[override] # sockets come from `VirtualSocket` alone
        self, protocol_factory: Callable[[], asyncio.DatagramProtocol], *, sock: VirtualSocket, **_: object
    ) -> tuple[Transport, asyncio.DatagramProtocol]:
        protocol = protocol_factory()
        transport = Transport(self, protocol, sock)
        self.call_soon(protocol.connection_made, transport)
        await asyncio.sleep(0)
        return transport, protocol
