"""Sockets, opened and bound: for a table, for a query, for the port that programs share, and for pages."""

from __future__ import annotations

import contextlib
import errno
import socket
import struct
import sys
from typing import Any

from tavolata_protocol.addresses import show
from tavolata_protocol.errors import AddressUnavailable

RECEIVE_BUFFER = 1 << 20
BACKLOG = 64
_REPORTS = (0x9800000C, 0x9800000F)
"""SIO_UDP_CONNRESET and SIO_UDP_NETRESET: whether Windows reports ICMP answers as errors of reading."""


def open_socket(host: str, port: int) -> socket.socket:
    """Return a UDP socket on a local address; port 0 takes any free one.

    Raise `AddressUnavailable` if the port is taken, or the address is not of this machine.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(
            host.encode(), port, type=socket.SOCK_DGRAM, flags=socket.AI_NUMERICHOST | socket.AI_PASSIVE
        )[0]
    except socket.gaierror:
        raise AddressUnavailable(f"{host} is no address of a network interface.") from None
    try:
        return _open(family, address, (socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER))
    except OSError as error:
        where = show((host, port))
        if error.errno == errno.EADDRINUSE:
            raise AddressUnavailable(
                f"Another program uses port {port} already ({where}): close it, or take another with --port."
            ) from error
        raise AddressUnavailable(f"This machine can't listen at {where}: {error.strerror}.") from error


def open_plain(family: socket.AddressFamily, host: str, scope: int = 0) -> socket.socket | None:
    """Return a socket at any free port that may broadcast; None if this machine has no such address.

    An empty host is any address of the family.
    """
    with contextlib.suppress(OSError):
        if family == socket.AF_INET6:
            return _open(family, (host, 0, 0, scope))
        return _open(family, (host, 0), (socket.SOL_SOCKET, socket.SO_BROADCAST, 1))
    return None


def open_shared(family: socket.AddressFamily, host: str, port: int) -> socket.socket | None:
    """Return a socket at a port that several programs of this machine share; None if that is not possible.

    Each of them receives every broadcast and multicast datagram.
    """
    shared = [(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)]
    if hasattr(socket, "SO_REUSEPORT"):
        shared.append((socket.SOL_SOCKET, socket.SO_REUSEPORT, 1))
    for options in (shared, shared[:1]):  # a system may know the second by name only
        with contextlib.suppress(OSError):
            return _open(family, (host, port), *options)
    return None


def open_listener(host: str, port: int) -> socket.socket:
    """Return a TCP socket that listens at a local address; raise `OSError` if that isn't possible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    [(*_, address), *_] = socket.getaddrinfo(host, port, family, socket.SOCK_STREAM, 0, socket.AI_NUMERICHOST)
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)
        if sys.platform != "win32":  # there it would let another program take the port
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.bind(address)
        sock.listen(BACKLOG)
    except OSError:
        sock.close()
        raise
    return sock


def _open(family: int, address: Any, *options: tuple[int, int, int]) -> socket.socket:
    sock = socket.socket(family, socket.SOCK_DGRAM)
    try:
        sock.setblocking(False)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        for option in options:
            sock.setsockopt(*option)
        _refuse_reports(sock)
        sock.bind(address)
    except OSError:
        sock.close()
        raise
    return sock


def _refuse_reports(sock: socket.socket) -> None:
    """Have Windows drop ICMP answers: up to Python 3.12, an event loop never reads again after one.

    A system without this option keeps its reports; that isn't a reason to go without the socket.
    """
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - no other system needs it
        from ctypes import wintypes  # noqa: PLC0415

        control = ctypes.WinDLL("ws2_32").WSAIoctl  # `socket.ioctl` refuses these codes
        no, size = ctypes.c_int(0), wintypes.DWORD()
        for report in _REPORTS:
            control(
                ctypes.c_size_t(sock.fileno()), wintypes.DWORD(report), ctypes.byref(no), ctypes.sizeof(no),
                None, 0, ctypes.byref(size), None, None,
            )  # fmt: skip


def join_group(sock: socket.socket, group: str, index: int) -> None:
    """Join an IPv6 multicast group on an interface; raise `OSError` if the interface has no multicast."""
    member = socket.inet_pton(socket.AF_INET6, group) + struct.pack("@I", index)
    sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, member)
