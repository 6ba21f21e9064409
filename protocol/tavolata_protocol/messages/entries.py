"""Entries of the agreed log as bytes: on the wire, on disk and under their signatures.

Shapes only; `entries.py` one level up defines their meaning.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from msgspec import Meta

from tavolata_protocol.messages.base import U62, Bytes8, Bytes16, Bytes64, Peer32, WireMessage

MAX_MEMBERS = 62
"""Members of all roles; one bit of a number for each tells which of them are away (`log.Away`)."""
MAX_BODY = 32 * 1024
MAX_SIGNED = MAX_BODY + 256
MAX_ENTRY = MAX_SIGNED + 256


class Role(IntEnum):
    """The rights of a member."""

    VOTER = 1
    """Votes; its copy counts towards finality."""
    LEARNER = 2
    """Receives and proposes, but doesn't count: spectators and newcomers."""
    ABSENT = 3
    """Was a voter, is away, and becomes one again when it is back and has caught up."""


class Member(WireMessage, frozen=True):
    """A member of a configuration, in memory and encoded.

    Its identity is an Ed25519 public key of 32 bytes. `birth` has 8 random bytes drawn when its copy of the
    log began. A peer that lost its copy gets another birth, so neither its vote nor its acknowledgement
    counts for the lost copy.
    """

    peer: Peer32
    birth: Bytes8
    role: Role


Members = Annotated[tuple[Member, ...], Meta(max_length=MAX_MEMBERS)]


class ProposalShape(WireMessage, frozen=True):
    """The signed part of a proposal, before its place in the log is known."""

    kind: Annotated[int, Meta(ge=0, le=2)]
    lineage: Bytes16
    author: Peer32
    count: U62
    body: Annotated[bytes, Meta(max_length=MAX_BODY)]


class Placed(WireMessage, frozen=True):
    """A signed proposal with its place in the log."""

    term: U62
    number: U62
    signed: Annotated[bytes, Meta(max_length=MAX_SIGNED)]
    signature: Bytes64


class ControlBody(WireMessage, frozen=True):
    """The body of an entry by the leader itself, valid only at the place that it names."""

    term: U62
    number: U62
    members: Members | None
