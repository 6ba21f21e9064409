"""Messages of the handshake: what stands after the header, and inside Noise's payloads.

Shapes only; `handshake.py` one level up says who sends which, and when.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from msgspec import Meta

from tavolata_protocol.messages.base import U32, Bytes8, Bytes16, Bytes32, Bytes64, WireMessage

MAX_PROFILE = 512
"""Bytes that a peer may say about itself (a name, what it plays); opaque to this package."""

MAX_TABLE_ID = 32
"""Bytes of the id of an open table."""

Versions = Annotated[bytes, Meta(min_length=1, max_length=8)]
NoiseMessage = Annotated[bytes, Meta(min_length=48, max_length=1100)]
Profile = Annotated[bytes, Meta(max_length=MAX_PROFILE)]
TableId = Annotated[bytes, Meta(max_length=MAX_TABLE_ID)]


Point = Annotated[bytes, Meta(max_length=32)]
"""A point of CPace; empty where no code is in play."""


class Refusal(IntEnum):
    """Why a responder ended a handshake."""

    PROOF = 1
    """The keys did not match: another code, or another table."""
    WAIT = 2
    """Too many wrong codes came: this one was not even looked at."""


class Hello(WireMessage, frozen=True, tag=1):
    """First packet of all, padded to 1200 bytes so that nobody gets back more than was sent."""

    nonce: Bytes8
    padding: bytes


class Retry(WireMessage, frozen=True, tag=2):
    """Answer to HELLO: come again with this cookie. At most 64 bytes, and nothing is remembered."""

    nonce: Bytes8
    cookie: Bytes16
    versions: Versions


class Init(WireMessage, frozen=True, tag=3):
    """Cookie, versions, and Noise's first message; its payload is CPace's first point, or empty."""

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
    """Noise's third message; its payload is a `InitiatorProof`."""

    noise: NoiseMessage


class Refuse(WireMessage, frozen=True, tag=6):
    """The responder says no; `tag` is made with a key that only these two sides know."""

    reason: Refusal
    tag: Bytes16


class InitiatorProof(WireMessage, frozen=True, tag=7):
    """Who the initiator is, under Noise's encryption.

    Attributes:
        identity: the Ed25519 public key.
        signature: over the Noise static key and the transcript so far.
        instance: random for each start of the program; tells a restart from a second call.
        profile: what the peer says about itself.
    """

    identity: Bytes32
    signature: Bytes64
    instance: Bytes8
    profile: Profile


class Welcome(WireMessage, frozen=True, tag=8):
    """Who the responder is, and what table it is at.

    Attributes:
        identity, signature, instance, profile: as in `InitiatorProof`.
        connection: its connection id.
        table: the table's id; empty where there is none.
        private: whether joining takes a code, or the table's own key.
        share: CPace's second point, if the first one came and the table is private.
    """

    identity: Bytes32
    signature: Bytes64
    instance: Bytes8
    profile: Profile
    connection: U32
    table: TableId
    private: bool
    share: Point
