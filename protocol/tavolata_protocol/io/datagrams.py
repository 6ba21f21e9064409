"""UDP sockets whose datagrams go to a function; their faults are kept, not raised."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import struct
from collections.abc import Callable
from typing import Any, Self, cast

from tavolata_protocol.addresses import Address, is_sendable

Take = Callable[[bytes, Any], None]


class Receiver(asyncio.DatagramProtocol):
    """A socket whose datagrams go to a function.

    Attributes:
        fault: what the system said when sending failed last; None if it never did.
    """

    def __init__(self, take: Take) -> None:
        self._take = take
        self._transport: asyncio.DatagramTransport | None = None
        self._is_full = False
        self.fault: OSError | None = None

    @classmethod
    async def of(cls, sock: socket.socket, take: Take) -> Self:
        """Begin to read a socket, which belongs to this object from now on."""
        loop = asyncio.get_running_loop()
        _, protocol = await loop.create_datagram_endpoint(lambda: cls(take), sock=sock)
        return protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.DatagramProtocol`."""
        self._transport = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, addr: Any) -> None:
        """See `asyncio.DatagramProtocol`."""
        self._take(data, addr)

    def error_received(self, exc: Exception) -> None:
        """See `asyncio.DatagramProtocol`: the answer of the system to an earlier sending."""
        if isinstance(exc, OSError):
            self.fault = exc

    def pause_writing(self) -> None:
        """See `asyncio.BaseProtocol`: the system takes no more at present."""
        self._is_full = True

    def resume_writing(self) -> None:
        """See `asyncio.BaseProtocol`."""
        self._is_full = False

    def send(self, data: bytes, address: Address) -> None:
        """Send if that can be; `fault` says why it could not. What the system has no room for is lost."""
        if not is_sendable(address):  # asyncio would close the socket
            self.fault = OSError(errno.EINVAL, "no address that can be sent to")
        elif self._transport is not None and not (self._is_full or self._transport.is_closing()):
            try:
                self._transport.sendto(data, address)
            except OSError as error:
                self.fault = error

    def close(self) -> None:
        """Close the socket."""
        if self._transport is not None:
            self._transport.close()


def open_plain(family: socket.AddressFamily, host: str, scope: int = 0) -> socket.socket | None:
    """A socket at any free port that may broadcast; None where this machine has no such address."""
    sock = None
    try:
        sock = socket.socket(family, socket.SOCK_DGRAM)
        sock.setblocking(False)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            sock.bind((host, 0, 0, scope))
        else:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            sock.bind((host, 0))
    except OSError:
        if sock is not None:
            sock.close()
        return None
    return sock


def open_shared(family: socket.AddressFamily, host: str, port: int) -> socket.socket | None:
    """A socket at a port that several programs of this machine share; None where that can't be.

    Every one of them gets what is broadcast or multicast.
    """
    sock = None
    try:
        sock = socket.socket(family, socket.SOCK_DGRAM)
        sock.setblocking(False)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            with contextlib.suppress(OSError):
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.bind((host, port))
    except OSError:
        if sock is not None:
            sock.close()
        return None
    return sock


def join_group(sock: socket.socket, group: str, index: int) -> None:
    """Receive an IPv6 group on an interface; raises `OSError` where it has no multicast."""
    member = socket.inet_pton(socket.AF_INET6, group) + struct.pack("@I", index)
    sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, member)
