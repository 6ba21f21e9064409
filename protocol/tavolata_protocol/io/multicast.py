"""A test of an interface for multicast: this machine sends a datagram to itself."""

from __future__ import annotations

import contextlib
import socket

from tavolata_protocol.beacons import GROUP
from tavolata_protocol.io.interfaces import Interface
from tavolata_protocol.io.opening import join_group

_GROUP_4 = "239.255.84.86"  # administratively scoped: no router passes it on
_PATIENCE = 0.3


def takes_multicast(interface: Interface) -> bool:
    """Whether a multicast datagram on this interface comes back; this says nothing about the network."""
    four = any(_comes_back_4(one.ip.packed) for one in interface.ipv4)
    return four or bool(interface.ipv6 and _comes_back_6(interface.index))


def _comes_back_4(address: bytes) -> bool:
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.settimeout(_PATIENCE)
        sock.bind(("", 0))
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(_GROUP_4) + address)
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, address)
        sock.sendto(b"echo", (_GROUP_4, sock.getsockname()[1]))
        return bool(sock.recv(64))
    return False


def _comes_back_6(index: int) -> bool:
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as sock:
        sock.settimeout(_PATIENCE)
        sock.bind(("::", 0))
        join_group(sock, GROUP, index)
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
        sock.sendto(b"echo", (GROUP, sock.getsockname()[1], 0, index))
        return bool(sock.recv(64))
    return False
