"""Messages of the handshake: the bytes after the header, and the payloads inside Noise's messages.

Shapes only; `handshake.py` one level up defines the sender and the order of each.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from msgspec import Meta

from tavolata_protocol.messages.base import U32, Bytes8, Bytes16, Bytes64, Peer32, WireMessage

MAX_PROFILE = 512
"""Bytes that a peer may say about itself (a name, what it plays); opaque to this package."""

MAX_TABLE_ID = 32
"""Bytes of the id of an open table."""

MIN_HELLO = 300
"""Bytes that a HELLO has at least, so that no answer is longer than it."""

Versions = Annotated[bytes, Meta(min_length=1, max_length=8)]
NoiseMessage = Annotated[bytes, Meta(min_length=48, max_length=1100)]
Profile = Annotated[bytes, Meta(max_length=MAX_PROFILE)]
TableId = Annotated[bytes, Meta(max_length=MAX_TABLE_ID)]


Point = Annotated[bytes, Meta(max_length=32)]
"""A point of CPace; empty if no code is used."""


class Refusal(IntEnum):
    """The reason why a responder ended a handshake."""

    PROOF = 1
    """The keys did not match: another code, or another table."""
    WAIT = 2
    """Too many wrong codes came, so this one was not checked."""


class Hello(WireMessage, frozen=True, tag=1):
    """The first packet of a handshake, padded to 1200 bytes, or to fewer if those get no answer."""

    nonce: Bytes8
    padding: bytes


class Retry(WireMessage, frozen=True, tag=2):
    """The answer to HELLO, with the cookie for INIT; at most 64 bytes. The host keeps no state."""

    nonce: Bytes8
    cookie: Bytes16
    versions: Versions


class Init(WireMessage, frozen=True, tag=3):
    """Cookie, versions and Noise's first message; its payload is CPace's first point, or empty."""

    nonce: Bytes8
    cookie: Bytes16
    connection: U32
    offered: Versions
    chosen: Annotated[int, Meta(ge=0, le=255)]
    noise: NoiseMessage


class Resp(WireMessage, frozen=True, tag=4):
    """Noise's second message; its payload is a `Welcome`."""

    noise: NoiseMessage


class Fin(WireMessage, frozen=True, tag=5):
    """Noise's third message; its payload is an `InitiatorProof`."""

    noise: NoiseMessage


class Refuse(WireMessage, frozen=True, tag=6):
    """The responder's refusal; only these two sides can compute `tag`."""

    reason: Refusal
    tag: Bytes16


class InitiatorProof(WireMessage, frozen=True, tag=7):
    """The initiator's authenticated identity, encrypted by Noise.

    `identity` is the Ed25519 public key, and the signature is over the Noise static key and the transcript so
    far. `instance` is random for each run of the program; it distinguishes a restart from a second call.
    `profile` has opaque bytes that the peer sends about itself.
    """

    identity: Peer32
    signature: Bytes64
    instance: Bytes8
    profile: Profile


class Welcome(WireMessage, frozen=True, tag=8):
    """The responder's authenticated identity and its table.

    The first four fields are as in `InitiatorProof`. `connection` is its connection id, `table` the table's
    id, empty if there isn't one. If `private`, joining takes a code, or the table's own key. `share` is
    CPace's second point, if the first one came and the table is private.
    """

    identity: Peer32
    signature: Bytes64
    instance: Bytes8
    profile: Profile
    connection: U32
    table: TableId
    private: bool
    share: Point
