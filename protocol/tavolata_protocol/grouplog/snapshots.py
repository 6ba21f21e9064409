"""Snapshots: the application's state at a final entry, with the log's own state there.

This module has only the format; the transfer is in `catchup.py`.
"""

from __future__ import annotations

import hashlib
from typing import Annotated

from msgspec import Meta

from tavolata_protocol import codec
from tavolata_protocol.errors import MalformedMessage
from tavolata_protocol.messages.base import U62, Bytes16, Bytes32, Peer32, WireMessage
from tavolata_protocol.messages.entries import MAX_ENTRY, Members, Role
from tavolata_protocol.messages.log import MAX_SNAPSHOT

LENGTH_PREFIX = 4
"""The length before each entry in the byte stream of catch-up, big endian."""


class Snapshot(WireMessage, frozen=True):
    """The state after entry `number`.

    `chain`, `lineage` and `configuration` (which the entry `configuration_number` brought) are those in force
    there. `position` counts the bytes of the whole log up to there, `counts` has each author's last own
    count, `data` the application's state, opaque.
    """

    number: U62
    term: U62
    chain: Bytes32
    lineage: Bytes16
    position: U62
    configuration: Members
    configuration_number: U62
    counts: Annotated[tuple[tuple[Peer32, U62], ...], Meta(max_length=4096)]
    data: Annotated[bytes, Meta(max_length=MAX_SNAPSHOT)]


def digest(blob: bytes) -> bytes:
    """Return the hash of a snapshot, checked after its transfer, 32 bytes."""
    return hashlib.blake2b(blob, digest_size=32, person=b"tavolata snap").digest()


def read_snapshot(blob: bytes) -> Snapshot:
    """Decode a snapshot, and check that a log can begin after it.

    Raise `MalformedMessage` if it doesn't decode, or no honest log can have this state.
    """
    snapshot = codec.decode(blob, Snapshot, MAX_SNAPSHOT)
    peers = {member.peer for member in snapshot.configuration}
    authors = {author for author, _ in snapshot.counts}
    if (
        len(peers) != len(snapshot.configuration)
        or len(authors) != len(snapshot.counts)
        or not any(member.role == Role.VOTER for member in snapshot.configuration)
    ):
        raise MalformedMessage("A snapshot names a peer twice, or nobody whose copy counts.")
    if not (
        1 <= snapshot.configuration_number <= snapshot.number
        and snapshot.term >= 1
        and snapshot.number <= snapshot.position <= snapshot.number * (MAX_ENTRY + LENGTH_PREFIX)
        and sum(count for _, count in snapshot.counts) <= snapshot.number
    ):
        raise MalformedMessage("A snapshot's numbers don't fit each other.")
    return snapshot
