"""Entries of the agreed log as bytes: on the wire, on disk and under their signatures.

Shapes only; `entries.py` one level up defines their meaning.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tavolata_protocol.messages.base import U62, Bytes8, Bytes16, Bytes32, Bytes64, WireMessage

MAX_MEMBERS = 62
"""Members of all roles; one bit of a number for each tells which of them are away (`log.Away`)."""
MAX_BODY = 32 * 1024
MAX_SIGNED = MAX_BODY + 256
MAX_ENTRY = MAX_SIGNED + 256


class ProposalShape(WireMessage, frozen=True):
    """The part of a proposal that its author signs, before its place in the log is known."""

    kind: Annotated[int, Meta(ge=0, le=2)]
    lineage: Bytes16
    author: Bytes32
    count: U62
    body: Annotated[bytes, Meta(max_length=MAX_BODY)]


class Placed(WireMessage, frozen=True):
    """A signed proposal at its place in the log."""

    term: U62
    number: U62
    signed: Annotated[bytes, Meta(max_length=MAX_SIGNED)]
    signature: Bytes64


class MemberShape(WireMessage, frozen=True):
    """One member in the body of a configuration entry or in a snapshot."""

    peer: Bytes32
    birth: Bytes8
    role: Annotated[int, Meta(ge=1, le=3)]


MemberShapes = Annotated[tuple[MemberShape, ...], Meta(max_length=MAX_MEMBERS)]


class ControlBody(WireMessage, frozen=True):
    """The body of an entry that the leader itself makes; it is bound to its place, and valid in no other."""

    term: U62
    number: U62
    members: MemberShapes | None
