"""A snapshot: the application's state at a final entry, with what the log must know to go on there.

Only the blob and its shape; who sends it to whom stands in `catchup.py`.
"""

from __future__ import annotations

import hashlib
from typing import Annotated

from msgspec import Meta

from tavolata_protocol import codec
from tavolata_protocol.messages.base import U62, Bytes16, Bytes32, Message
from tavolata_protocol.messages.entries import MemberShapes
from tavolata_protocol.messages.log import MAX_SNAPSHOT


class Snapshot(Message, frozen=True):
    """State behind entry `number`.

    Attributes:
        number: the final entry that it stands for.
        term: the term of that entry.
        chain: the chain hash there.
        lineage: the lineage there.
        position: bytes of the whole log up to there.
        configuration: the members in force there.
        configuration_number: the entry that brought them.
        counts: each author's last own count.
        data: the application's state, opaque.
    """

    number: U62
    term: U62
    chain: Bytes32
    lineage: Bytes16
    position: U62
    configuration: MemberShapes
    configuration_number: U62
    counts: Annotated[tuple[tuple[Bytes32, U62], ...], Meta(max_length=4096)]
    data: Annotated[bytes, Meta(max_length=MAX_SNAPSHOT)]


def digest(blob: bytes) -> bytes:
    """The hash by which a snapshot is checked after transfer, 32 bytes."""
    return hashlib.blake2b(blob, digest_size=32, person=b"tavolata snap").digest()


def read_snapshot(blob: bytes) -> Snapshot:
    """Decode a snapshot.

    Raises:
        MalformedMessage: when the bytes are none.
    """
    return codec.decode(blob, Snapshot, MAX_SNAPSHOT)


def write_snapshot(snapshot: Snapshot) -> bytes:
    """Encode a snapshot."""
    return codec.encode(snapshot)
