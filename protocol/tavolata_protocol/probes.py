"""Probes of an address for a table, made of the first two packets of a handshake.

HELLO has at least 300 bytes, RETRY has at most 64, and a host stores nothing for either. So a probe can't
amplify traffic or fill memory, and needs no packets of its own.
"""

from __future__ import annotations

from tavolata_protocol import codec
from tavolata_protocol.errors import RemoteError
from tavolata_protocol.handshake import hello
from tavolata_protocol.messages.handshake import Retry
from tavolata_protocol.messages.packets import (
    HEADER_SIZE,
    MAX_DATAGRAM,
    OtherWireVersion,
    PacketKind,
    parse_header,
)


def probe(nonce: bytes, size: int = MAX_DATAGRAM) -> bytes:
    """Return the probe datagram of this size, with 8 random bytes that the answer returns."""
    return hello(nonce, size)


def answered(datagram: bytes) -> bytes | None:
    """Return the nonce of the probe that this datagram answers; None if it answers none.

    The answer of a host with another wire version counts too: an attempt to join says what to do.
    """
    try:
        if parse_header(datagram).kind is not PacketKind.RETRY:
            return None
        return codec.decode(datagram[HEADER_SIZE:], Retry).nonce
    except OtherWireVersion as other:
        return other.header.counter.to_bytes(8, "big") if other.header.kind is PacketKind.RETRY else None
    except RemoteError:
        return None
