"""The ways to this machine's table: its addresses, ranked by their reach.

`tt host`, invitations, the links for browsers, announcements and `tt doctor` all read them here.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass

from tavolata._tasks import cancel
from tavolata.messages import N_, Text
from tavolata_protocol.addresses import is_loopback, show
from tavolata_protocol.io.adapters import Kind, kind_of, passing_addresses
from tavolata_protocol.io.interfaces import Interface, default_sources
from tavolata_protocol.io.udp import UdpDriver

LOOK_AGAIN = 2.0
"""Seconds between two looks at the addresses; a change counts once two looks agree."""
JOIN = N_("Others join with: tt join {address}")
OVER = N_("Or through {interface}: tt join {address}")
TUNNEL = N_("Or, for members of the VPN {interface}: tt join {address}")
MOVED = N_("The address has changed. Others join with: tt join {address}")
NO_NETWORK = N_("No network yet. The address will appear once there is one.")
_TUNNEL, _LINK_LOCAL, _VIRTUAL = 5, 6, 7


@dataclass(frozen=True)
class Way:
    """One address of this machine.

    `host` has no zone: an IPv6 link-local address is searched for on all networks of the reader. `networks`
    are those of its interface. Ranks are as in `ways`.
    """

    host: str
    interface: str
    rank: int
    networks: frozenset[str]

    @property
    def is_virtual(self) -> bool:
        """True if only virtual machines on this computer get there."""
        return self.rank == _VIRTUAL

    @property
    def is_tunnel(self) -> bool:
        return self.rank == _TUNNEL

    @property
    def is_link_local(self) -> bool:
        return self.rank == _LINK_LOCAL

    def spoken(self, port: int, usual: int) -> str:
        """Return the address as people type it, without the default port."""
        return self.host if port == usual else show((self.host, port))


def ways(
    found: Sequence[Interface],
    bound: Sequence[str] = (),
    inspect: Callable[[Interface], Kind] = kind_of,
    sources: Callable[[], frozenset[str]] = default_sources,
) -> tuple[Way, ...]:
    """Return the ways through these interfaces, the one for most people first.

    1 cable, 2 Wi-Fi, 3 a network that this machine made, all by IPv4; 4 IPv6 on these; 5 tunnels, for their
    members; 6 link-local addresses; 7 adapters of virtual machines. `bound` are the hosts to listen at: each
    that's named is a way even if it's loopback. The default route only decides between equals.
    """
    passing, default = passing_addresses(), sources()
    ranked = list[tuple[tuple[int, bool, bool, bool], Way]]()
    for one in found:
        kind = inspect(one)
        networks = frozenset(network for network in one.networks if not network.startswith("fe80:"))
        for address in one.addresses:
            rank = _rank(kind, address)
            if rank is not None:
                order = (
                    rank,
                    address.ip in passing,
                    str(address.ip) not in default,
                    not address.ip.is_private,
                )
                ranked.append((order, Way(str(address.ip), one.name, rank, networks)))
    here = [Way(host, "", 0, frozenset()) for host in bound if is_loopback(host)]
    return (*here, *(way for _, way in sorted(ranked, key=lambda each: each[0])))


def _rank(kind: Kind, address: ipaddress.IPv4Interface | ipaddress.IPv6Interface) -> int | None:
    alone = kind in (Kind.TUNNEL, Kind.VIRTUAL)
    if kind is Kind.DOWN or (alone and address.ip.is_link_local):
        return None
    if alone:
        return _TUNNEL if kind is Kind.TUNNEL else _VIRTUAL
    if address.ip.is_link_local:
        return _LINK_LOCAL
    return 4 if address.version == 6 else int(kind)


class Ways:
    """The ways to the table of a driver, kept up to date while `watched`."""

    def __init__(self, driver: UdpDriver, usual: int, inspect: Callable[[Interface], Kind] = kind_of) -> None:
        self._driver = driver
        self._usual = usual
        self._inspect = inspect
        self.on_change: list[Callable[[], object]] = []
        """What is called when the first way has changed; not while there is none."""
        self.now: tuple[Way, ...] = self._look()

    @property
    def bound(self) -> Sequence[str]:
        """The hosts that the table listens at, as they were given."""
        return self._driver.bound

    @property
    def interfaces(self) -> Sequence[Interface]:
        """The interfaces that the table is reached through."""
        return self._driver.interfaces

    @property
    def told(self) -> tuple[Way, ...]:
        """The ways to tell people: the first, and a second one if it is in another network."""
        usable = [way for way in self.now if not way.is_virtual]
        others = (
            way for way in usable if not way.is_link_local and way.networks.isdisjoint(usable[0].networks)
        )
        return (*usable[:1], *[way for way in others if way.interface != usable[0].interface][:1])

    @property
    def address(self) -> str:
        """The first way, as people type it; empty without a network."""
        return self._spoken(self.told[0]) if self.told else ""

    @property
    def page_host(self) -> str:
        """The host for links to pages; empty if no browser takes any of them."""
        return next((way.host for way in self.told if not (way.is_link_local and ":" in way.host)), "")

    @property
    def shown_hosts(self) -> frozenset[str]:
        """The hosts to announce."""
        return frozenset(way.host for way in self.now if not way.is_virtual)

    def lines(self, first: str = JOIN) -> list[Text]:
        """Return the sentences that say how others join; `first` is the one with the first way."""
        if not self.told:
            return [Text(NO_NETWORK)]
        said = [first, *(TUNNEL if way.is_tunnel else OVER for way in self.told[1:])]
        return [
            Text(words, {"address": self._spoken(way), "interface": way.interface})
            for words, way in zip(said, self.told, strict=True)
        ]

    @contextlib.asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Keep the ways up to date while the context is open."""
        watching = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            await cancel(watching)

    async def _watch(self) -> None:
        told, before = self.told, self.now
        while True:
            await asyncio.sleep(LOOK_AGAIN)
            seen = self._look()
            if seen == before:
                self.now = seen
                if self.told and self.told != told:
                    told = self.told
                    for change in self.on_change:
                        change()
            before = seen

    def _look(self) -> tuple[Way, ...]:
        return ways(self._driver.interfaces, self._driver.bound, self._inspect)

    def _spoken(self, way: Way) -> str:
        return way.spoken(self._driver.port, self._usual)
