"""The header of every datagram, 14 bytes, and the kinds of packets.

Layout only: no keys, no state. `packets.py` one level up seals and opens packets.
"""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import NamedTuple

from tavolata_protocol.errors import MalformedMessage

WIRE_MAJOR = 2
"""It changes if packets of two versions can't be told apart, or what all deal by; the rest is negotiated."""

MAX_DATAGRAM = 1200
HEADER_SIZE = 14
_HEADER = struct.Struct(">BBIQ")
_PHASE_BIT = 0x01


class PacketKind(IntEnum):
    """The upper seven bits of a datagram's first byte; the lowest is the key phase."""

    HELLO = 0x10
    RETRY = 0x20
    INIT = 0x30
    RESP = 0x40
    FIN = 0x50
    REFUSE = 0x60
    SEALED = 0x70


_KINDS = {int(kind): kind for kind in PacketKind}


class PacketHeader(NamedTuple):
    """The header of one datagram.

    `phase` is the lowest bit of the number of the key that sealed it, `counter` the number of the packet in
    its direction; both are 0 in handshake packets. `connection` is the receiver's id; 0 where the receiver
    has none yet.
    """

    kind: PacketKind
    phase: int
    connection: int
    counter: int


def pack_header(kind: PacketKind, connection: int = 0, counter: int = 0, phase: int = 0) -> bytes:
    """Return the 14 bytes that start a datagram."""
    return _HEADER.pack(kind | phase, WIRE_MAJOR, connection, counter)


def parse_header(datagram: bytes) -> PacketHeader:
    """Read the header of a datagram from anyone.

    Raise `OtherWireVersion` if all but the version is in order, `MalformedMessage` for a wrong length or kind
    of packet.
    """
    if not HEADER_SIZE <= len(datagram) <= MAX_DATAGRAM:
        raise MalformedMessage("A datagram of a length that no packet has.")
    first, major, connection, counter = _HEADER.unpack_from(datagram)
    phase = first & _PHASE_BIT
    kind = _KINDS.get(first ^ phase)
    if kind is None or (phase and kind is not PacketKind.SEALED):
        raise MalformedMessage("A packet of no known kind.")
    header = PacketHeader(kind, phase, connection, counter)
    if major != WIRE_MAJOR:
        raise OtherWireVersion(header, major)
    return header


class OtherWireVersion(MalformedMessage):
    """A packet of another wire version; all versions share the layout of the header, and nothing else."""

    def __init__(self, header: PacketHeader, major: int) -> None:
        super().__init__(f"A packet of wire version {major}; this program speaks version {WIRE_MAJOR}.")
        self.header = header
