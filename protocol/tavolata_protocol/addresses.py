"""Addresses as the event loop gives them, and checks on them. Pure: no name is looked up."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterable
from typing import TypeAlias

Address: TypeAlias = tuple[str, int] | tuple[str, int, int, int]
"""(host, port) for IPv4; (host, port, flow, scope) for IPv6. The host is numeric."""

Predicate: TypeAlias = Callable[[Address], bool]


def anyone(_address: Address) -> bool:
    """Accept every source (`--any`)."""
    return True


def on_link(networks: Iterable[str]) -> Predicate:
    """Accept loopback, link-local, and the given networks (`192.168.1.0/24`) of this machine's interfaces."""
    known = [ipaddress.ip_network(network, strict=False) for network in networks]

    def judge(address: Address) -> bool:
        try:
            host = ipaddress.ip_address(address[0].partition("%")[0])
        except ValueError:
            return False
        host = getattr(host, "ipv4_mapped", None) or host
        return host.is_loopback or host.is_link_local or any(host in network for network in known)

    return judge


def is_loopback(host: str) -> bool:
    """Return True if a numeric host is this very machine; False for what isn't an address."""
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


def is_sendable(address: Address) -> bool:
    """Return True if a datagram can be sent to this address, with a numeric host and a port from 1 to 65535.

    For any other address, a socket raises an exception, or looks a name up while everybody waits.
    """
    try:
        ipaddress.ip_address(address[0])
    except ValueError:
        return False
    return 0 < address[1] < 65536


def machine(address: Address) -> str:
    """Return the key of limits by machine: an IPv4 address, or an IPv6 /64, which a machine may own.

    A link-local IPv6 address counts on its own, because all machines of a link share that /64.
    """
    host = address[0].partition("%")[0]
    if ":" not in host:
        return host
    number = ipaddress.IPv6Address(host)
    if number.is_link_local:
        return host
    return str(number.ipv4_mapped or ipaddress.IPv6Address(int(number) >> 64 << 64))


def show(address: Address) -> str:
    """Return an address as people write it: `192.168.1.5:4711`, `[fe80::1%eth0]:4711`."""
    host, port = address[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
