"""Discovery of tables: announcing one's own and searching for others, by all methods at once.

To wait until one method fails would cost people seconds. Announcements are only hints: a table is listed once
it has answered itself. Network faults are not raised; a method that does not work finds nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Coroutine, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from tavolata_protocol.addresses import Address, on_link
from tavolata_protocol.announcements import Announcement
from tavolata_protocol.io.beacon import BeaconAnswerer, BeaconSearch
from tavolata_protocol.io.interfaces import Interface, interfaces
from tavolata_protocol.io.probing import Prober
from tavolata_protocol.limits import HostLimits, RateLimit
from tavolata_protocol.sightings import Directory, Rung, SightedTable, Sighting

if TYPE_CHECKING:
    from tavolata_protocol.io.mdns import MdnsAnnouncer, MdnsSearch

LOOK_AGAIN = 2.0
"""Seconds after which an announcer looks at its interfaces again."""
RESCAN = 5.0
"""Seconds after which known tables are asked again."""
CLOSING = 1.0
"""Seconds that a host takes to close its port after it withdrew its announcement."""
ASKED_AT_ONCE = 4
"""Addresses of one machine that are asked at once if only an announcement names them."""
ASKED_AGAIN = 10.0
"""Seconds after which one more such address is asked, as long as none has answered."""
ASKED_IN_ALL = 128
"""Such addresses of all machines that are asked at once; half are kept for machines not asked lately.

Four more follow each second. So lies from 64 addresses don't keep a true table from being asked.
"""


def _mdns() -> tuple[type[MdnsAnnouncer], type[MdnsSearch]]:
    """Import zeroconf, which takes a while; call it in a thread, and the table answers in the meantime."""
    from tavolata_protocol.io.mdns import MdnsAnnouncer, MdnsSearch  # noqa: PLC0415 - see above

    return MdnsAnnouncer, MdnsSearch


class Announcer:
    """Announces a table while it is open; use it as `async with Announcer(...) as announcer`.

    `look` returns the interfaces that it listens at; it is announced on no other networks. `shown` returns
    the addresses to announce there.
    """

    def __init__(
        self,
        announcement: Announcement,
        look: Callable[[], Sequence[Interface]],
        shown: Callable[[], Collection[str]],
    ) -> None:
        self._announcement = announcement
        self._look = look
        self._shown = shown
        self._beacon = BeaconAnswerer(announcement)
        self._mdns: MdnsAnnouncer | None = None
        self._task: asyncio.Task[None] | None = None
        self._news = asyncio.Event()

    async def __aenter__(self) -> Self:
        """Begin to announce; the table need not wait for this."""
        await self._beacon.start()
        self._task = asyncio.create_task(self._keep_up())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._beacon.close()
        try:
            if self._task is not None:
                self._task.cancel()
                await asyncio.gather(self._task, return_exceptions=True)
        finally:  # whoever leaves in the middle of this leaves no socket open
            if self._mdns is not None:
                await self._mdns.close()

    def update(self, free: int) -> None:
        """Announce the number of free seats."""
        if free != self._announcement.free:
            self._announcement = self._beacon.announcement = replace(self._announcement, free=free)
            self._news.set()

    async def _keep_up(self) -> None:
        make, _ = await asyncio.to_thread(_mdns)
        self._mdns = announcer = make(self._announcement)
        while True:
            found = self._look()
            self._beacon.follow(found)
            await announcer.follow(found, self._shown())
            try:
                await asyncio.wait_for(self._news.wait(), LOOK_AGAIN)
            except TimeoutError:
                continue
            self._news.clear()
            await announcer.update(self._announcement)


class Search:
    """Searches for tables; use it as `async with Search(...) as search`.

    `random_bytes` returns that many unpredictable bytes. `remembered` are addresses that worked before. It
    searches on all interfaces but loopback; tables that are announced on other networks are ignored.
    `directory` has the tables found so far.
    """

    def __init__(self, random_bytes: Callable[[int], bytes], remembered: Sequence[Address] = ()) -> None:
        self.directory = Directory()
        self._interfaces = interfaces()
        self._remembered = remembered
        self._near = on_link([network for one in self._interfaces for network in one.networks])
        self._of_host = HostLimits(1 / ASKED_AGAIN, ASKED_AT_ONCE)
        self._in_all = RateLimit(4.0, burst=ASKED_IN_ALL)
        self._asking: set[Address] = set()
        self._prober = Prober(random_bytes)
        self.beacon = BeaconSearch(random_bytes, self._saw)
        self._mdns: MdnsSearch | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._news = asyncio.Event()

    async def __aenter__(self) -> Self:
        await self._prober.__aenter__()
        for address in self._remembered:
            self._saw(Sighting(address, Rung.REMEMBERED))
        await self.beacon.start(self._interfaces, self._remembered)
        self._begin(self._look_in_mdns())
        self._begin(self._ask_again())
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._mdns is not None:
            await self._mdns.close()
        await self.beacon.close()
        await self._prober.__aexit__()

    async def changes(self, seconds: float | None) -> AsyncGenerator[Sequence[SightedTable], None]:
        """Yield the tables that answer whenever they change, for this many seconds (None: for ever)."""
        now = asyncio.get_running_loop().time
        until = None if seconds is None else now() + seconds
        while True:
            try:
                left = None if until is None else max(0.0, until - now())
                await asyncio.wait_for(self._news.wait(), left)
            except TimeoutError:
                return
            self._news.clear()
            yield self.directory.tables()

    async def _look_in_mdns(self) -> None:
        if not self._interfaces:
            return
        _, make = await asyncio.to_thread(_mdns)
        self._mdns = search = make(self._saw, self._withdrew)
        await search.start(self._interfaces)

    async def _ask_again(self) -> None:
        while True:
            await asyncio.sleep(RESCAN)
            for address in self.directory.addresses():
                self._begin(self._check(address))

    def _saw(self, sighting: Sighting) -> None:
        if sighting.rung is not Rung.REMEMBERED and not self._is_near(sighting.address):
            return
        address = sighting.address
        if not self.directory.knows(address) and not self._may_ask(address):
            return  # what can't be asked isn't listed, and takes no room
        if self.directory.saw(sighting):
            self._begin(self._check(address, is_new=True))
        else:
            self._news.set()

    def _withdrew(self, table: bytes) -> None:
        """Ask a table whose announcement was withdrawn, after it had time to close."""
        for address in self.directory.addresses_of(table):
            self._begin(self._check(address, after=CLOSING))

    async def _check(self, address: Address, after: float = 0.0, *, is_new: bool = False) -> None:
        if address in self._asking or not (is_new or self._may_ask(address)):
            return
        self._asking.add(address)
        try:
            await asyncio.sleep(after)
            alive = await self._prober.is_alive(address)
        finally:
            self._asking.discard(address)
        self.directory.answered(address, alive=alive)
        self._news.set()

    def _may_ask(self, address: Address) -> bool:
        """Return True if HELLO may be sent; an announcement may name a machine only to have it flooded."""
        if self.directory.has_answered(address) or address in self._remembered:
            return True
        now = asyncio.get_running_loop().time()
        return self._of_host.take_of(self._in_all, address[0], now, ASKED_AT_ONCE)

    def _is_near(self, address: Address) -> bool:
        """Return True if the address is on one of this machine's networks, or had a table before."""
        return self._near(address) or any(known[0] == address[0] for known in self._remembered)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
