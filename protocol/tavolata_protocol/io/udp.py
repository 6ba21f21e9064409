"""The UDP driver of an `Endpoint`: its sockets and its timer.

The driver only moves bytes between the sockets, the endpoint and the user. The endpoint makes all decisions.
A turn begins when a stream hands over datagrams, when a timer is due, and after `wake`. In a turn, the driver
reports events, lets the user act on them, and then sends all resulting datagrams together. So everything that
a datagram causes happens in the turn that reads it.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Any, Protocol, Self

from tavolata_protocol.addresses import Address
from tavolata_protocol.endpoint import Endpoint
from tavolata_protocol.events import EndpointEvent
from tavolata_protocol.io.interfaces import Interface
from tavolata_protocol.io.sockets import Datagrams, Sockets

MAX_EVENTS = 4096
"""The most events that wait for a slow reader of `events`; datagrams beyond that are lost, and sent again."""


class User(Protocol):
    """The user of a driver, which acts on events in the turn in which they happen."""

    def take(self, event: EndpointEvent) -> None:
        """Take an event."""

    def act(self) -> None:
        """Act on the events of this turn, after the last of them was passed to `take`."""

    def rest(self) -> bool:
        """Do the work that the turn's datagrams need not wait for; return whether there is more to send."""

    def fail(self, fault: Exception) -> None:
        """Take a fault in this program, which ended the driver; no event follows."""


def _now() -> float:
    return asyncio.get_running_loop().time()


class UdpDriver:
    """Runs an endpoint, made with the event loop's time, over UDP sockets of this machine.

    Use it as `async with UdpDriver(endpoint, ["0.0.0.0"], port) as driver`; have it `serve` a user, or read
    `async for event in driver.events()`; after every direct call to `driver.endpoint` call `driver.wake()`.
    It has one socket at each local address; port 0 takes any free one. An unspecified host stands for all
    addresses of this machine, as they come and go.
    """

    def __init__(self, endpoint: Endpoint, hosts: Sequence[str] = ("127.0.0.1",), port: int = 0) -> None:
        self.endpoint = endpoint
        self.is_closed = False
        """Whether it was closed, or failed."""
        self._sockets = Sockets(
            hosts, port, partial(self._turn, self._receive), self.fail, partial(self._turn, self._on_move)
        )
        self._loop: asyncio.AbstractEventLoop | None = None
        self._user: User | None = None
        self._events: asyncio.Queue[EndpointEvent | None] = asyncio.Queue()
        self._woken = False
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_at = math.inf
        self._fault: Exception | None = None

    @property
    def addresses(self) -> list[Address]:
        """The addresses at which the sockets listen."""
        return self._sockets.addresses

    @property
    def bound(self) -> Sequence[str]:
        """The hosts to listen at, as they were given."""
        return self._sockets.bound

    @property
    def port(self) -> int:
        """The port of all sockets."""
        return self._sockets.port

    @property
    def interfaces(self) -> Sequence[Interface]:
        """The interfaces with the addresses at which the sockets listen, as they were seen last."""
        return self._sockets.interfaces

    async def __aenter__(self) -> Self:
        """Open the sockets and start; raise `AddressUnavailable`."""
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def start(self) -> None:
        """Open the sockets and begin; if this raises `AddressUnavailable`, none stays open."""
        self._loop = asyncio.get_running_loop()
        await self._sockets.open()
        self.wake()

    def serve(self, user: User) -> None:
        """Pass events to this user from now on, beginning with those that nobody has read."""
        self._user = user
        self.wake()

    async def events(self) -> AsyncIterator[EndpointEvent]:
        """Yield events until the driver is closed or serves a user; only one task may read them.

        Raise the fault in this program that ended the driver, if one did.
        """
        while not (self.is_closed and self._events.empty()):
            event = await self._events.get()
            if event is None:
                break
            yield event
        if self._fault is not None:
            raise self._fault

    def wake(self) -> None:
        """Begin a turn; call this after direct calls to the endpoint, such as `connect` and `send`."""
        if not self._woken and self._loop is not None:
            self._woken = True
            self._loop.call_soon(self._turn, self._on_wake)

    async def flush(self, seconds: float) -> bool:
        """Wait until every peer has acknowledged everything; return whether that happened in time."""
        deadline = _now() + seconds
        while any(self.endpoint.path(peer).unacknowledged for peer in self.endpoint.peers()):
            if _now() >= deadline:
                return False
            self.wake()
            await asyncio.sleep(0.005)
        return True

    async def close(self) -> None:
        """End all sessions and close the sockets; may be called twice."""
        if not self.is_closed:
            self.endpoint.close(_now())
            self.send()
            self._queue_events()
            self._end()
        await self._sockets.close()

    def fail(self, fault: Exception) -> None:
        """End because of a fault in this program; the user gets it, or the reader of events."""
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

    def _turn(self, step: Callable[..., None], *arguments: Any) -> None:
        """Make a step, and all that follows from it; a fault in it is passed to the user."""
        if self.is_closed:
            return
        try:
            step(*arguments)
            self._tell_and_send()
        except Exception as fault:  # noqa: BLE001 - a fault in this program: the user is told, and raises it
            self.fail(fault)

    def _on_wake(self) -> None:
        self._woken = False

    def _on_move(self) -> None:
        """Write to all peers from the addresses that this machine has now."""
        for peer in self.endpoint.peers():
            self.endpoint.ping(peer)

    def _on_alarm(self) -> None:
        # After a pause, acknowledgements count before timers; a stream holds what it read for a turn.
        assert self._loop is not None
        self._loop.call_soon(self._loop.call_soon, self._turn, self._ring)

    def _ring(self) -> None:
        self._alarm_at = math.inf
        self._receive(self._sockets.waiting())
        timer = self.endpoint.next_timer()
        if timer is not None and timer <= _now():
            self.endpoint.handle_timer(_now())

    def _receive(self, datagrams: Datagrams) -> None:
        for data, address in datagrams:
            if self._events.qsize() < MAX_EVENTS:
                self.endpoint.receive_datagram(data, address, _now())

    def _tell_and_send(self) -> None:
        """Report events, send what is due, and set the timer for the rest."""
        user = self._user
        if user is None:
            self._queue_events()
        told = user is not None and self._tell(user)
        self.send()
        if user is not None and told and user.rest():
            self.send()
        timer = self.endpoint.next_timer()
        if timer is not None and timer < self._alarm_at:
            self._set_alarm(timer)

    def send(self) -> None:
        """Send what is due, without waiting for a turn."""
        if self.is_closed:
            return
        for data, address in self.endpoint.datagrams_to_send(_now()):
            self._sockets.send(data, address)

    def _queue_events(self) -> None:
        while (event := self.endpoint.next_event()) is not None:
            self._events.put_nowait(event)

    def _tell(self, user: User) -> bool:
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
        """Set the timer; a timer that comes too early is cheaper than one that is moved each time."""
        assert self._loop is not None
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm_at = when
        self._alarm = self._loop.call_at(when, self._on_alarm)
