"""The kinds of interfaces: cables, Wi-Fi, own hotspots and bridges, tunnels, adapters of virtual machines.

Linux says it in `/sys`. On other systems the name has to do.
"""

from __future__ import annotations

import contextlib
import ipaddress
import re
from enum import IntEnum
from pathlib import Path

from tavolata_protocol.io.interfaces import Interface

_SYSTEM = Path("/sys/class/net")
_TEMPORARY = 0x01 | 0x20  # IFA_F_TEMPORARY, IFA_F_DEPRECATED
_POINT_TO_POINT = 0x10
_TUNNELS = {"512", "65534", "768", "769", "776", "778"}  # ppp, none (WireGuard, tun), ipip, ip6tnl, sit, gre

_VIRTUAL = re.compile(
    r"docker\d|br-[0-9a-f]{12}$|virbr|vboxnet|vmnet|veth[0-9a-f]|vnet\d|lxcbr|lxdbr|incusbr|podman|cni\d|cali|"
    r"flannel|dummy|bridge1\d\d$|vethernet|virtualbox|vmware|hyper-v|wsl|loopback",
    re.IGNORECASE,
)
_TUNNEL = re.compile(
    r"tun\d|tun$|tap\d|tap-|utun|wg|ppp|ipsec|tailscale|zt|nordlynx|proton|mullvad|openvpn|wireguard|wintun|vpn",
    re.IGNORECASE,
)
_WIRELESS = re.compile(r"wl|wi-?fi|ath\d|wireless", re.IGNORECASE)


class Kind(IntEnum):
    """The kinds of interfaces, the likeliest way for the others first."""

    CABLE = 1
    WIRELESS = 2
    SHARED = 3
    """A hotspot or bridge that this machine made."""
    TUNNEL = 4
    VIRTUAL = 5
    """For virtual machines and containers on this machine."""
    DOWN = 6
    """Has an address, and no network."""


def kind_of(interface: Interface) -> Kind:
    """Return what an interface is, as far as this system says it."""
    name, folder = interface.name, _SYSTEM / interface.name
    known = folder.is_dir()
    if known and _said(folder / "operstate") in ("down", "lowerlayerdown") and not _is_tunnel(folder):
        return Kind.DOWN
    if _VIRTUAL.match(name):
        return Kind.VIRTUAL
    if _TUNNEL.match(name) or (_is_tunnel(folder) if known else interface.has_no_network):
        return Kind.TUNNEL
    if (folder / "wireless").is_dir() or (folder / "phy80211").exists() or _WIRELESS.match(name):
        return Kind.WIRELESS
    if (folder / "bridge").is_dir() and not any((one / "device").exists() for one in folder.glob("lower_*")):
        return Kind.SHARED
    return Kind.CABLE


def passing_addresses() -> frozenset[ipaddress.IPv6Address]:
    """Return the IPv6 addresses that this machine will soon give up for others, where the system says it."""
    found = set[ipaddress.IPv6Address]()
    with contextlib.suppress(ValueError):
        for line in _said(Path("/proc/net/if_inet6")).splitlines():
            address, _, _, _, flags, _ = line.split()
            if int(flags, 16) & _TEMPORARY:
                found.add(ipaddress.IPv6Address(bytes.fromhex(address)))
    return frozenset(found)


def _is_tunnel(folder: Path) -> bool:
    with contextlib.suppress(ValueError):
        return (
            _said(folder / "type") in _TUNNELS
            or (folder / "tun_flags").exists()
            or bool(int(_said(folder / "flags") or "0", 16) & _POINT_TO_POINT)
        )
    return False


def _said(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:  # another system, or an interface that has just gone
        return ""
