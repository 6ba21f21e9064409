"""Multicast DNS for tables, over zeroconf: open tables are announced and searched for.

There is one zeroconf for each address family, so that a machine without one family can use the other. It
always gets explicit interfaces, because without them zeroconf fails on a machine that has no default route. A
fault in zeroconf disables only this way of finding tables, never the table.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Callable, Collection, Sequence
from typing import Any

from zeroconf import Error, IPVersion, ServiceStateChange
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from tavolata_protocol.addresses import Address
from tavolata_protocol.announcements import SERVICE, Announcement, read_txt
from tavolata_protocol.errors import MalformedMessage
from tavolata_protocol.io.interfaces import Interface
from tavolata_protocol.sightings import Rung, Sighting

FAULTS = (OSError, RuntimeError, Error, TimeoutError)
_ASK = 1500  # milliseconds to wait for the details of a table
_TTL = 120  # seconds that others may keep what they heard


Choice = list[str] | list[int]


def choices(interfaces: Sequence[Interface]) -> dict[IPVersion, Choice]:
    """Return the interface arguments for zeroconf, for each address family that these interfaces have."""
    four = [str(one.ip) for interface in interfaces for one in interface.ipv4]
    six = [interface.index for interface in interfaces if interface.ipv6]
    found: dict[IPVersion, Choice] = {IPVersion.V4Only: four, IPVersion.V6Only: six}
    return {version: choice for version, choice in found.items() if choice}


def open_one(version: IPVersion, choice: Choice) -> AsyncZeroconf | None:
    """Return a zeroconf for one address family; None if the system refuses it."""
    try:
        return AsyncZeroconf(interfaces=list(choice), ip_version=version)
    except FAULTS:
        return None


async def _close(opened: Sequence[AsyncZeroconf]) -> None:
    """Say goodbye and close the sockets; they are also closed where the goodbye fails or is cut short."""
    try:
        outcomes = await asyncio.gather(*(one.async_close() for one in opened), return_exceptions=True)
    finally:
        # A second close says nothing and ends what is still open. It has new tasks: in a cancelled one
        # zeroconf awaits its own future, which was cancelled with the task, and stops there once more.
        await asyncio.gather(*(one.async_close() for one in opened), return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException) and not isinstance(outcome, FAULTS):
            raise outcome


class MdnsAnnouncer:
    """Announces a table."""

    def __init__(self, announcement: Announcement) -> None:
        self._announcement = announcement
        self._interfaces: list[Interface] = []
        self._shown: Collection[str] = ()
        self._open: dict[IPVersion, AsyncZeroconf] = {}
        self._said: dict[IPVersion, object] = {}

    async def follow(self, interfaces: Sequence[Interface], shown: Collection[str]) -> None:
        """Announce on these interfaces from now on, and no addresses but those shown.

        Only what has changed, or failed at the last call, is announced again.
        """
        self._interfaces, self._shown = list(interfaces), shown
        chosen = choices(interfaces)
        await _close([self._open.pop(version) for version in list(self._open) if version not in chosen])
        for version, choice in chosen.items():
            saying = (self._announcement, self._interfaces, shown)
            if version not in self._open or saying != self._said[version]:
                self._said[version] = saying
                await self._announce(version, choice)

    async def _announce(self, version: IPVersion, choice: Choice) -> None:
        """Announce over one address family; what fails is closed, and so opened again at the next call."""
        try:
            if (one := self._open.get(version)) is not None:
                await one.async_update_interfaces(list(choice), version)
                await (await one.async_update_service(self._info()))
            elif (one := open_one(version, choice)) is not None:
                self._open[version] = one
                # The label holds the table's id, which nobody else can have: no conflict is possible.
                await (await one.async_register_service(self._info(), cooperating_responders=True))
        except FAULTS:
            await _close([self._open.pop(version)])

    async def update(self, announcement: Announcement) -> None:
        """Replace the announcement of the same table."""
        self._announcement = announcement
        await self.follow(self._interfaces, self._shown)

    async def close(self) -> None:
        """Withdraw the announcement."""
        opened, self._open = self._open, {}
        await _close(list(opened.values()))  # says goodbye first

    def _info(self) -> AsyncServiceInfo:
        said = self._announcement
        own = [one.ip for each in self._interfaces for one in each.addresses]
        shown = [ip.packed for ip in own if str(ip) in self._shown]
        return AsyncServiceInfo(
            SERVICE,
            f"{said.label}.{SERVICE}",
            port=said.port,
            properties=said.txt(),
            server=f"tavolata-{said.table.hex()[:12]}.local.",
            addresses=sorted(shown, key=len),
            host_ttl=_TTL,
            other_ttl=_TTL,
        )


class MdnsSearch:
    """Searches for tables: `saw` takes the sightings, `withdrew` the id of a table that is withdrawn."""

    def __init__(self, saw: Callable[[Sighting], None], withdrew: Callable[[bytes], None]) -> None:
        self._saw = saw
        self._withdrew = withdrew
        self._interfaces: list[Interface] = []
        self._open: list[AsyncZeroconf] = []
        self._browsers: list[AsyncServiceBrowser] = []
        self._asking: set[asyncio.Task[None]] = set()
        self._tables: dict[str, bytes] = {}

    async def start(self, interfaces: Sequence[Interface]) -> None:
        """Begin to search on these interfaces."""
        self._interfaces = list(interfaces)
        opened = [open_one(version, choice) for version, choice in choices(interfaces).items()]
        self._open = [one for one in opened if one is not None]
        self._browsers += (
            AsyncServiceBrowser(one.zeroconf, SERVICE, handlers=[self._changed]) for one in self._open
        )

    async def close(self) -> None:
        """Stop the search."""
        for task in self._asking:
            task.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)
        for browser in self._browsers:
            await browser.async_cancel()
        await _close(self._open)

    def _changed(self, zeroconf: Any, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if state_change is ServiceStateChange.Removed:
            if (table := self._tables.pop(name, None)) is not None:
                self._withdrew(table)
            return
        task = asyncio.create_task(self._ask(zeroconf, name))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _ask(self, zeroconf: Any, name: str) -> None:
        info = AsyncServiceInfo(SERVICE, name)
        try:
            if not await info.async_request(zeroconf, _ASK):
                return
            said = read_txt(info.decoded_properties, info.port or 0)
        except (*FAULTS, MalformedMessage):
            return
        self._tables[name] = said.table
        for text in info.parsed_scoped_addresses():
            for address in self._addresses(text, said.port):
                self._saw(Sighting(address, Rung.MDNS, said))

    def _addresses(self, text: str, port: int) -> list[Address]:
        host, _, scope = text.partition("%")
        ip = ipaddress.ip_address(host)
        if ip.version == 4:
            return [(host, port)]
        if not ip.is_link_local:
            return [(host, port, 0, 0)]
        if scope.isdigit():
            return [(host, port, 0, int(scope))]
        # A link-local address heard on an IPv4 socket lacks its interface; the one that answers counts.
        return [(host, port, 0, one.index) for one in self._interfaces if one.ipv6]
