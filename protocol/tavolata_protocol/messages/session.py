"""Frames: the contents of sealed packets.

Shapes only; `session.py` one level up defines what they do. A packet is a msgpack array of frames.
Application messages are opaque bytes here.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, TypeAlias

from msgspec import Meta

from tavolata_protocol.messages.base import U62, Bytes8, Peer32, WireMessage
from tavolata_protocol.messages.packets import MAX_DATAGRAM

MAX_FRAGMENTS = 64
FRAGMENT_SIZE = 1024
MAX_MESSAGE = MAX_FRAGMENTS * FRAGMENT_SIZE
MAX_DATAGRAM_MESSAGE = 1100
MAX_RANGES = 16
MAX_FRAMES = 64
MAX_PIECES = 4
MAX_CUT = 256
"""Frames of which only some pieces have come."""

Chunk = Annotated[bytes, Meta(max_length=FRAGMENT_SIZE)]


class CloseReason(IntEnum):
    """The reason why a session ends, as the other side is told."""

    LEFT = 0
    """The application is done with this peer."""
    REPLACED = 1
    """The same identity connected again."""
    VIOLATION = 2
    """The other side broke the protocol or its limits."""
    SHUTDOWN = 3
    """The whole program ends."""
    SILENT = 4
    """The session is over because nothing was heard from the other side for too long."""
    FULL = 5
    """There is no room for the other side."""
    ELSEWHERE = 6
    """The other side is to ask another peer; the `Referral` names it."""
    LOCKED = 7
    """Nobody new is let in."""
    BANNED = 8
    """The other side is not wanted here."""
    PLAYED_ELSEWHERE = 9
    """Another run of a program with the other side's key has a session here, and answers."""


class Ack(WireMessage, frozen=True, tag=0):
    """An acknowledgement of received packets.

    `largest` is the highest counter received, `delay` the microseconds between its arrival and this frame.
    `runs` are lengths, downwards from `largest`: received, missing, received, ...; an odd count of them.
    """

    largest: U62
    delay: Annotated[int, Meta(ge=0, le=10**7)]
    runs: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=2**62)], ...], Meta(min_length=1, max_length=2 * MAX_RANGES - 1)
    ]


class Whole(WireMessage, frozen=True, tag=1):
    """A reliable message that fits in one packet."""

    number: U62
    body: Chunk


class Part(WireMessage, frozen=True, tag=2):
    """A fragment of a longer reliable message; all but the last are `FRAGMENT_SIZE` bytes long."""

    number: U62
    index: Annotated[int, Meta(ge=0, lt=MAX_FRAGMENTS)]
    count: Annotated[int, Meta(ge=2, le=MAX_FRAGMENTS)]
    body: Chunk


class Loose(WireMessage, frozen=True, tag=3):
    """A message that may be lost and is never retransmitted."""

    body: Annotated[bytes, Meta(max_length=MAX_DATAGRAM_MESSAGE)]


class Ping(WireMessage, frozen=True, tag=4):
    """A request for an acknowledgement."""


class Referral(WireMessage, frozen=True):
    """The peer to ask instead, and its address.

    `host` is a numeric IP address; the receiver checks that it is one. `port` is for UDP.
    """

    peer: Peer32
    host: Annotated[str, Meta(max_length=64)]
    port: Annotated[int, Meta(ge=1, le=65535)]


class Close(WireMessage, frozen=True, tag=5):
    """The last frame of a session; `ELSEWHERE` includes a referral if there's room."""

    reason: CloseReason
    referral: Referral | None = None


class Challenge(WireMessage, frozen=True, tag=6):
    """A check that the peer is at this address; it returns the token from there."""

    token: Bytes8


class Proved(WireMessage, frozen=True, tag=7):
    """The answer to `Challenge`."""

    token: Bytes8


class Slice(WireMessage, frozen=True, tag=8):
    """A piece of a `Whole` or `Part` that's now too long for the path; together, the pieces give its bytes.

    `number` counts the frames that were cut from 0; it is piece `index` of `count`.
    """

    number: U62
    index: Annotated[int, Meta(ge=0, lt=MAX_PIECES)]
    count: Annotated[int, Meta(ge=2, le=MAX_PIECES)]
    body: Chunk


class Pad(WireMessage, frozen=True, tag=9):
    """Padding that makes a packet as long as the path may carry; it requests an acknowledgement."""

    body: Annotated[bytes, Meta(max_length=MAX_DATAGRAM)]


Frame: TypeAlias = Ack | Whole | Part | Loose | Ping | Close | Challenge | Proved | Slice | Pad
Packet: TypeAlias = Annotated[tuple[Frame, ...], Meta(max_length=MAX_FRAMES)]
