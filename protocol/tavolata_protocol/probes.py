"""Probes of an address for a table: the first two packets of a handshake, and nothing more.

HELLO has 1200 bytes and RETRY at most 64, and a host keeps nothing of either: so asking can neither amplify
nor fill anything, and needs no packet of its own.
"""

from __future__ import annotations

from tavolata_protocol import codec
from tavolata_protocol.errors import RemoteError
from tavolata_protocol.handshake import hello
from tavolata_protocol.messages.handshake import Retry
from tavolata_protocol.messages.packets import HEADER_SIZE, OtherWireVersion, PacketKind, parse_header


def probe(nonce: bytes) -> bytes:
    """The datagram that asks, with 8 random bytes that the answer brings back."""
    return hello(nonce)


def answered(datagram: bytes) -> bytes | None:
    """The nonce of the question that this answers, None if it answers none.

    A host of another wire version lives, too: joining it says what to do.
    """
    try:
        header = parse_header(datagram)
        if header.kind is not PacketKind.RETRY:
            return None
        return codec.decode(datagram[HEADER_SIZE:], Retry).nonce
    except OtherWireVersion as other:
        return other.header.counter.to_bytes(8, "big") if other.header.kind is PacketKind.RETRY else None
    except RemoteError:
        return None
