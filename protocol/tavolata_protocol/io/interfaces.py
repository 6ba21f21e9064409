"""The network interfaces of this machine and their addresses, as ifaddr finds them on every system.

By default a table answers sources that are nearby: on this machine's networks, or behind its tunnels.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import ifaddr

from tavolata_protocol.addresses import Address, Predicate, on_link, show
from tavolata_protocol.beacons import GROUP
from tavolata_protocol.io.opening import join_group, open_plain

_WINDOWS: bool = sys.platform.startswith("win")  # names there have blanks, scopes are typed as numbers
_FAR = ("192.0.2.1", "2001:db8::1")  # addresses for documentation: nobody has them
MOST_HOSTS = 64
"""The most addresses of this machine at which a table has a socket."""


@dataclass(frozen=True, slots=True)
class Interface:
    """An interface with its addresses and their networks; `name` and `index` are the system's."""

    name: str
    index: int
    ipv4: tuple[ipaddress.IPv4Interface, ...] = ()
    ipv6: tuple[ipaddress.IPv6Interface, ...] = ()

    @property
    def addresses(self) -> tuple[ipaddress.IPv4Interface | ipaddress.IPv6Interface, ...]:
        """The addresses of both families."""
        return (*self.ipv4, *self.ipv6)

    @property
    def hosts(self) -> list[str]:
        """The addresses as text, link-local ones with their scope."""
        scope = _scope_name(self.index)
        six = [f"{one.ip}%{scope}" if one.ip.is_link_local else str(one.ip) for one in self.ipv6]
        return [*(str(one.ip) for one in self.ipv4), *six]

    @property
    def networks(self) -> list[str]:
        """The networks that are reached through it."""
        return [str(one.network) for one in self.addresses]

    @property
    def has_no_network(self) -> bool:
        """True if each address is alone, as on most tunnels: `/32` or `/128`. Link-local ones don't count."""
        four = [one.network.prefixlen == 32 for one in self.ipv4]
        six = [one.network.prefixlen == 128 for one in self.ipv6 if not one.ip.is_link_local]
        return any([*four, *six]) and all([*four, *six])


def interfaces(bound: Sequence[str] = ()) -> list[Interface]:
    """Return the interfaces that have addresses, except loopback.

    If a table listens at the addresses `bound`, they are only those; an unspecified address means all of its
    family.
    """
    found = []
    for adapter in _adapters():
        texts = [ip.ip if isinstance(ip.ip, str) else ip.ip[0] for ip in adapter.ips]
        given = [
            ipaddress.ip_interface(f"{text.partition('%')[0]}/{ip.network_prefix}")
            for text, ip in zip(texts, adapter.ips, strict=True)
        ]
        usable = [
            one
            for one in given
            if not one.ip.is_loopback and _listens(one, bound) and _is_ready(one, adapter.index or 0)
        ]
        four = tuple(one for one in usable if isinstance(one, ipaddress.IPv4Interface))
        six = tuple(one for one in usable if isinstance(one, ipaddress.IPv6Interface))
        if usable and adapter.index is not None:
            found.append(Interface(adapter.nice_name if _WINDOWS else adapter.name, adapter.index, four, six))
    return found


def own_hosts(bound: Sequence[str], found: Sequence[Interface]) -> list[str]:
    """Return the addresses to have a socket at, for a table that listens at `bound`.

    An unspecified address stands for loopback and all addresses of its family that `found` has. A socket at
    each of them answers from the address that was called; at an unspecified one the system would choose.
    """
    if not _adapters():
        return list(bound)
    hosts = list[str]()
    for one in bound:
        if one not in ("0.0.0.0", "::"):  # noqa: S104 - nothing is bound here
            hosts.append(one)
            continue
        here = [host for each in found for host in each.hosts if (":" in host) == (":" in one)]
        hosts += [*here, "::1" if ":" in one else "127.0.0.1"]
    return list(dict.fromkeys(hosts))[:MOST_HOSTS]


def _adapters() -> list[ifaddr.Adapter]:
    try:
        return list(ifaddr.get_adapters())
    except OSError:  # a system that does not tell: tables are still joined by address
        return []


def _listens(one: ipaddress.IPv4Interface | ipaddress.IPv6Interface, bound: Sequence[str]) -> bool:
    if not bound:
        return True
    hosts = list[ipaddress.IPv4Address | ipaddress.IPv6Address]()
    for host in bound:
        with contextlib.suppress(ValueError):  # opening a socket says what is wrong with it
            hosts.append(ipaddress.ip_address(host.partition("%")[0]))
    return any(host == one.ip or (host.is_unspecified and host.version == one.version) for host in hosts)


def _is_ready(one: ipaddress.IPv4Interface | ipaddress.IPv6Interface, index: int) -> bool:
    """Return True if the address can be used; a new IPv6 address can't for a second or two."""
    family = socket.AF_INET6 if one.version == 6 else socket.AF_INET
    sock = open_plain(family, str(one.ip), index if one.ip.is_link_local else 0)
    if sock is not None:
        sock.close()
    return sock is not None


def default_sources() -> frozenset[str]:
    """Return this machine's addresses on its default routes, at most one of each family."""
    return frozenset(filter(None, (source_to((far, 9)) for far in _FAR)))


def source_to(address: Address) -> str:
    """Return the host from which this machine sends to a numeric address; empty if it has no route there."""
    sock = open_plain(socket.AF_INET6 if ":" in address[0] else socket.AF_INET, "")
    if sock is not None:
        with contextlib.suppress(OSError), sock:
            sock.connect(address)  # sends nothing
            return str(sock.getsockname()[0])
    return ""


def spoken(address: Address, usual: int) -> str:
    """Return an address as people type it, without the default port; a link-local one names its interface."""
    host, port = address[0].partition("%")[0], address[1]
    if len(address) == 4 and address[3] and ipaddress.ip_address(host).is_link_local:
        host = f"{host}%{_scope_name(address[3])}"
    return host if port == usual else show((host, port))


def _scope_name(scope: int) -> str:
    if _WINDOWS:
        return str(scope)
    try:
        return socket.if_indextoname(scope)
    except OSError:
        return str(scope)


LOOK_AGAIN = 2.0
"""Seconds after which the interfaces are read again; a laptop may change networks during a game."""
MOST_TOLD = 3
"""The most distant machines that are reported, so that nobody can fill a screen."""


def near(found: Sequence[Interface]) -> Predicate:
    """Accept who is on the networks of these interfaces, and who is reached through a tunnel.

    A tunnel (WireGuard, Tailscale) often has an address alone. Then no network says who is at the other ends,
    but the routes do. An interface with a default route isn't a tunnel: the whole internet is behind it.
    """
    linked = on_link([network for one in found for network in one.networks])
    out = default_sources()
    tunnels = {
        host for one in found if one.has_no_network and out.isdisjoint(one.hosts) for host in one.hosts
    }

    def judge(address: Address) -> bool:
        return linked(address) or (bool(tunnels) and source_to(address) in tunnels)

    return judge


class Nearby:
    """Decides whether a source is nearby; see `Endpoint`'s `accept`.

    With `everybody`, every source is accepted, wherever it is. `on_far` is called with a machine the first
    time that it is not answered.
    """

    def __init__(self) -> None:
        self.everybody = False
        self.on_far: Callable[[str], None] = lambda _: None
        self._near: Predicate = on_link(())
        self._seen_at = float("-inf")
        self._told: set[str] = set()

    def __call__(self, address: Address) -> bool:
        """Return True for a source to answer."""
        if self.everybody or self._is_near(address):
            return True
        if address[0] not in self._told and len(self._told) < MOST_TOLD:
            self._told.add(address[0])
            self.on_far(address[0])
        return False

    def _is_near(self, address: Address) -> bool:
        now = asyncio.get_running_loop().time()
        if now - self._seen_at >= LOOK_AGAIN:
            self._seen_at = now
            self._near = near(interfaces())
        return self._near(address)


_GROUP_4 = "239.255.84.86"  # administratively scoped: no router passes it on
_PATIENCE = 0.3


def takes_multicast(interface: Interface) -> bool:
    """Return True if a multicast datagram comes back here; this says nothing about the network."""
    four = any(_comes_back_4(one.ip.packed) for one in interface.ipv4)
    return four or bool(interface.ipv6 and _comes_back_6(interface.index))


def _comes_back_4(address: bytes) -> bool:
    sock = open_plain(socket.AF_INET, "")
    if sock is not None:
        with contextlib.suppress(OSError), sock:
            sock.settimeout(_PATIENCE)
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(_GROUP_4) + address)
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, address)
            sock.sendto(b"echo", (_GROUP_4, sock.getsockname()[1]))
            return bool(sock.recv(64))
    return False


def _comes_back_6(index: int) -> bool:
    sock = open_plain(socket.AF_INET6, "")
    if sock is not None:
        with contextlib.suppress(OSError), sock:
            sock.settimeout(_PATIENCE)
            join_group(sock, GROUP, index)
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
            sock.sendto(b"echo", (GROUP, sock.getsockname()[1], 0, index))
            return bool(sock.recv(64))
    return False
