"""Sockets and clock for an `Endpoint`: everything that a datagram causes happens in the turn that reads it.

Only moving bytes between sockets, endpoint and whoever uses it lives here; every decision is the endpoint's.
A turn begins when a stream hands over what has come, when a timer rings, and after `wake`. Each of them tells
what happened, lets the user act on it, and sends what follows from all of it at once.
"""

from __future__ import annotations

import asyncio
import functools
import math
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Concatenate, ParamSpec, Protocol, Self

from tavolata_protocol.addresses import Address
from tavolata_protocol.endpoint import Endpoint
from tavolata_protocol.errors import AddressUnavailable
from tavolata_protocol.events import Event
from tavolata_protocol.io.sockets import Datagrams, Sockets, resolve

MAX_EVENTS = 4096
"""Events that may wait for a slow reader of `events`: what comes beyond is lost, and sent again."""

P = ParamSpec("P")


class User(Protocol):
    """Who acts on what happens in the very turn in which it does."""

    def take(self, event: Event) -> None:
        """Something happened."""

    def act(self) -> None:
        """All that happened in this turn was told: ask the endpoint for what follows from it."""

    def rest(self) -> None:
        """What followed has left: see to what no other peer waits for."""

    def fail(self, fault: Exception) -> None:
        """There was a fault in this program: nothing comes any more."""


def _turn(
    step: Callable[Concatenate[UdpDriver, P], None],
) -> Callable[Concatenate[UdpDriver, P], None]:
    """What the event loop calls: a step, and what follows; a fault on the way reaches the user."""

    @functools.wraps(step)
    def turn(driver: UdpDriver, /, *words: P.args, **names: P.kwargs) -> None:
        if driver.is_closed:
            return
        try:
            step(driver, *words, **names)
            driver.tell_and_send()
        except Exception as fault:  # noqa: BLE001 - a fault in this program: the user is told, and raises it
            driver.fail(fault)

    return turn


class UdpDriver:
    """Runs an endpoint over UDP sockets of this machine.

    Use it as `async with UdpDriver(endpoint, ["0.0.0.0"], port) as driver`; have it `serve` a user, or read
    `async for event in driver.events()`; after every direct call to `driver.endpoint` call `driver.wake()`.

    Args:
        endpoint: what to run; made with `clock()` as its time.
        hosts: local addresses to listen at, one socket each.
        port: the port, the same for all; 0 takes any free one.
    """

    clock: Callable[[], float] = staticmethod(time.monotonic)

    def __init__(self, endpoint: Endpoint, hosts: Sequence[str] = ("127.0.0.1",), port: int = 0) -> None:
        self.endpoint = endpoint
        self.is_closed = False
        """Whether it was closed, or failed."""
        self._sockets = Sockets(hosts, port, self._on_datagrams, self.fail)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._user: User | None = None
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._woken = False
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_at = math.inf
        self._fault: Exception | None = None

    @property
    def addresses(self) -> list[Address]:
        """Where the sockets listen."""
        return self._sockets.addresses

    async def __aenter__(self) -> Self:
        """Open the sockets and start; raises `AddressUnavailable`."""
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Say goodbye to all peers and close."""
        await self.close()

    async def start(self) -> None:
        """Open the sockets and begin; raises `AddressUnavailable`, and nothing is left open then."""
        self._loop = asyncio.get_running_loop()
        await self._sockets.open()
        self.wake()

    def serve(self, user: User) -> None:
        """From now on tell this user what happens, and first what nobody has read."""
        self._user = user
        self.wake()

    async def events(self) -> AsyncIterator[Event]:
        """Everything that happens, until the driver is closed or serves a user; to be read by one task.

        Raises:
            Exception: a fault in this program that ended the driver.
        """
        while not (self.is_closed and self._events.empty()):
            event = await self._events.get()
            if event is None:
                break
            yield event
        if self._fault is not None:
            raise self._fault

    async def connect(self, host: str, port: int, psk: bytes | None = None) -> list[Address]:
        """Call a host by name or address: all its addresses, of which the first to answer wins.

        Returns:
            The addresses called; an event follows for each.

        Raises:
            AddressUnavailable: there is no such host.
        """
        addresses = await resolve(host, port)
        if not addresses:
            raise AddressUnavailable(f"There is no host {host}: check the name, or give its address.")
        for address in addresses:
            self.endpoint.connect(address, self.clock(), psk)
        self.wake()
        return addresses

    def wake(self) -> None:
        """Let what was asked of the endpoint happen: call it after `connect`, `send` and the like."""
        if not self._woken and self._loop is not None:
            self._woken = True
            self._loop.call_soon(self._on_wake)

    async def flush(self, seconds: float) -> bool:
        """Wait until every peer has acknowledged everything; returns whether that came in time."""
        deadline = self.clock() + seconds
        while any(self.endpoint.path(peer).unacknowledged for peer in self.endpoint.peers()):
            if self.clock() >= deadline:
                return False
            self.wake()
            await asyncio.sleep(0.005)
        return True

    async def close(self) -> None:
        """End all sessions and close the sockets; may be called twice."""
        if not self.is_closed:
            self.endpoint.close(self.clock())
            for data, address in self.endpoint.datagrams_to_send(self.clock()):
                self._sockets.send(data, address)
            self._queue_events()
            self._end()
        await self._sockets.close()

    def fail(self, fault: Exception) -> None:
        """End because of a fault in this program: it is raised where events are read, or told the user."""
        self._fault = fault
        self._end()
        if self._user is not None:
            self._user.fail(fault)

    def _end(self) -> None:
        self.is_closed = True
        if self._alarm is not None:
            self._alarm.cancel()
        self._events.put_nowait(None)

    # --- turns ---

    @_turn
    def _on_datagrams(self, datagrams: Datagrams) -> None:
        self._receive(datagrams)

    @_turn
    def _on_wake(self) -> None:
        self._woken = False

    def _on_alarm(self) -> None:
        # After a pause acknowledgements count before timers; what was read stands in a stream for a turn.
        assert self._loop is not None
        self._loop.call_soon(self._loop.call_soon, self._ring)

    @_turn
    def _ring(self) -> None:
        self._alarm_at = math.inf
        self._receive(self._sockets.waiting())
        timer = self.endpoint.next_timer()
        if timer is not None and timer <= self.clock():
            self.endpoint.handle_timer(self.clock())

    def _receive(self, datagrams: Datagrams) -> None:
        for data, address in datagrams:
            if self._events.qsize() < MAX_EVENTS:
                self.endpoint.receive_datagram(data, address, self.clock())

    def tell_and_send(self) -> None:
        """Tell what happened, send what is due, and have the clock ring for the rest."""
        user = self._user
        if user is None:
            self._queue_events()
        told = user is not None and self._tell(user)
        for data, address in self.endpoint.datagrams_to_send(self.clock()):
            self._sockets.send(data, address)
        if user is not None and told:
            user.rest()
        timer = self.endpoint.next_timer()
        if timer is not None and timer < self._alarm_at:
            self._set_alarm(timer)

    def _queue_events(self) -> None:
        while (event := self.endpoint.next_event()) is not None:
            self._events.put_nowait(event)

    def _tell(self, user: User) -> bool:
        """Tell a user everything, and let it act on it; returns whether there was anything."""
        told = False
        while not self._events.empty():
            early = self._events.get_nowait()
            if early is not None:
                user.take(early)
                told = True
        while (event := self.endpoint.next_event()) is not None:
            user.take(event)
            told = True
        if told:
            user.act()
        return told

    def _set_alarm(self, when: float) -> None:
        """Ring at a time; an alarm that comes too early is cheaper than moving it each time."""
        assert self._loop is not None
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm_at = when
        self._alarm = self._loop.call_later(max(when - self.clock(), 0.0), self._on_alarm)
