"""The driver of one peer's agreed log: it passes received messages to the log, and sends its answers at once.

It only passes on bytes and times. Other modules interpret the entries.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass

from typing_extensions import override

from tavolata._engine.storage.ways_back import WayFile
from tavolata_protocol.errors import LocalError, RemoteError
from tavolata_protocol.events import EndpointEvent, Received
from tavolata_protocol.grouplog import GroupLog, State, events
from tavolata_protocol.identity import PeerId
from tavolata_protocol.io.udp import UdpDriver, User

QUIET = 1.2
"""Seconds of silence after which the leader is pinged: two of its heartbeats."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A time that somebody asked for with `tick_in`."""


DriverEvent = events.LogEvent | EndpointEvent | Tick


class LogDriver(User):
    """The log and the sockets of one peer.

    `code` is for calls to other peers of a private table; `damaged` says that this machine's former copy of
    the log was damaged and kept aside. Once this peer has left, its copy is no longer needed; `apart` means
    that the table continues without that copy, which is then kept aside.
    """

    def __init__(
        self,
        driver: UdpDriver,
        log: GroupLog,
        way: WayFile,
        code: str = "",
        *,
        damaged: bool = False,
    ) -> None:
        self.driver = driver
        self.log = log
        self.way = way
        self.code = code
        self.damaged = damaged
        self.left = False
        self.apart = False
        self._queue: asyncio.Queue[DriverEvent | Exception] = asyncio.Queue()
        self._timer: asyncio.TimerHandle | None = None
        self._rings_at = 0.0
        self._tick: asyncio.TimerHandle | None = None
        driver.endpoint.is_member = lambda peer: peer in log.configuration
        driver.serve(self)

    async def events(self) -> AsyncIterator[DriverEvent]:
        """Yield all events of the log and of the endpoint, for ever; raise the fault that ended both."""
        while True:
            yield _said(await self._queue.get())

    def next_now(self) -> DriverEvent | None:
        """Return the next event that is already here; None if there isn't one. It raises as `events` does."""
        return None if self._queue.empty() else _said(self._queue.get_nowait())

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def round_trip(self, peer: bytes) -> int | None:
        """Return the smoothed round trip to a peer, in milliseconds; None without a session."""
        measured = self.driver.endpoint.round_trip(PeerId(peer))
        return None if measured is None else round(1000 * measured[0])

    def tick_in(self, seconds: float) -> None:
        """Ask for a `Tick` after this many seconds or earlier; at each tick, everybody checks what is due."""
        loop = asyncio.get_running_loop()
        if self._tick is not None:
            if self._tick.when() <= loop.time() + seconds:
                return
            self._tick.cancel()
        self._tick = loop.call_later(seconds, self._on_tick)

    def _on_tick(self) -> None:
        self._tick = None
        self._queue.put_nowait(Tick())

    def propose(self, body: bytes) -> bool:
        """Propose an entry; False if this peer isn't a member (yet), and nothing was proposed."""
        try:
            self.log.propose(body)
        except LocalError:
            return False
        self.pump()
        return True

    def pump(self) -> None:
        """Send everything that is due, and queue all events.

        A proposal that is alone leaves at once, as bytes do by Nagle's rule; others leave a turn later.
        """
        self.act()
        if self.log.is_sync_due or len(self.log.pending) == 1:
            self.driver.send()
        self.rest()
        self.driver.wake()

    # --- a turn of the driver ---

    @override
    def take(self, event: EndpointEvent) -> None:
        if isinstance(event, Received):
            with contextlib.suppress(RemoteError):
                self.log.receive(event.peer, event.message, self.now())
        else:
            self._queue.put_nowait(event)

    @override
    def act(self) -> None:
        for peer, message, reliable in self.log.messages_to_send(self.now()):
            # Without a session, or with a full one, the message is lost like any other datagram.
            with contextlib.suppress(LocalError):
                self.driver.endpoint.send(peer, message, reliable=reliable)

    @override
    def rest(self) -> bool:
        again = self.log.is_sync_due
        if again:
            self.act()
        self._note_round_trip()
        while (event := self.log.next_event()) is not None:
            self._queue.put_nowait(event)
        self._set_timer()
        return again

    def _note_round_trip(self) -> None:
        """Pass the round trip to the leader to the log; on a slow link, the log is more patient."""
        leader = self.log.leader
        measured = None if leader is None else self.driver.endpoint.round_trip(leader)
        if leader is not None and measured is not None:
            self.log.note_round_trip(leader, *measured)

    @override
    def fail(self, fault: Exception) -> None:
        self._queue.put_nowait(fault)

    def _set_timer(self) -> None:
        """Set the log's timer; a timer that comes too early is cheaper than one that is moved each time."""
        due = self.log.next_timer()
        if due is None or (self._timer is not None and self._rings_at <= due):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._rings_at = due
        self._timer = asyncio.get_running_loop().call_later(max(0.0, due - self.now()), self._on_timer)

    def _on_timer(self) -> None:
        try:
            self._ring()
        except Exception as fault:  # noqa: BLE001 - as in a turn of the driver: the reader of events raises it
            self.driver.fail(fault)

    def _ring(self) -> None:
        self._timer = None
        endpoint, now = self.driver.endpoint, self.now()
        leader = self.log.leader
        if (
            leader is not None
            and leader in endpoint.peers()
            and now - endpoint.path(leader).last_heard > QUIET
        ):
            endpoint.ping(leader)  # whichever of the two has moved: this shows it where this side is
        self.log.handle_timer(now)
        self.pump()

    async def leave(self, seconds: float) -> None:
        """Leave the log with a proper goodbye, wait for it at most so many seconds, then close everything."""
        deadline = self.now() + seconds
        with contextlib.suppress(LocalError):
            self.log.leave(self.now())
            self.pump()
            while self.log.state is not State.LEFT and self.now() < deadline and self._heard_members():  # noqa: ASYNC110 - the log is no asyncio object
                await asyncio.sleep(0.02)
        self.left = True
        await self.close()

    async def see_final(self, seconds: float) -> None:
        """Wait until all own proposals are final, at most so many seconds, while another member is heard."""
        deadline = self.now() + seconds
        while self.log.pending and self.now() < deadline and self._heard_members():  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.02)

    def _heard_members(self) -> list[PeerId]:
        endpoint, since = self.driver.endpoint, self.now() - 2 * QUIET
        members = (peer for peer in endpoint.peers() if peer in self.log.configuration)
        return [peer for peer in members if endpoint.path(peer).last_heard >= since]

    def take_over(self) -> None:
        """Take over; raise `LocalError` as `GroupLog.take_over` does."""
        self.log.take_over(self.now(), self._heard_members())
        self.pump()

    async def settle(self, seconds: float) -> None:
        """Wait until all members hold everything that is final here, at most this many seconds."""
        deadline = self.now() + seconds
        while self.now() < deadline and (self.log.pending or self._behind()):  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.02)
        await self.driver.flush(max(0.0, min(1.0, deadline - self.now())))

    def _behind(self) -> bool:
        """Return True if a present member lacks something; nobody waits for members that are away."""
        return self.log.seen_by_all < self.log.commit_index and not self.log.away

    async def close(self) -> None:
        for timer in (self._timer, self._tick):
            if timer is not None:
                timer.cancel()
        self._timer = self._tick = None
        await self.driver.close()


def _said(said: DriverEvent | Exception) -> DriverEvent:
    if isinstance(said, Exception):
        raise said
    return said
