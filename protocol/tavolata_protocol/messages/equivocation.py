"""Signed commits and proofs of equivocation as bytes. Shapes only; see `equivocation.py` one level up."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tavolata_protocol.messages.base import U62, Bytes16, Bytes32, Bytes64, Peer32, WireMessage

MAX_SIGNED = 128


class Head(WireMessage, frozen=True):
    """The part of a signed commit that is signed."""

    lineage: Bytes16
    leader: Peer32
    term: U62
    number: U62
    chain: Bytes32


class EquivocationProof(WireMessage, frozen=True):
    """Two signed heads."""

    first: Annotated[bytes, Meta(max_length=MAX_SIGNED)]
    first_signature: Bytes64
    second: Annotated[bytes, Meta(max_length=MAX_SIGNED)]
    second_signature: Bytes64
