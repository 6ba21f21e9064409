"""Signed commits and proofs of equivocation as bytes. Shapes only; see `equivocation.py` one level up."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tavolata_protocol.messages import votes
from tavolata_protocol.messages.base import U62, Bytes16, Bytes32, Bytes64, Peer32, WireMessage

MAX_SIGNED = 128


class Head(WireMessage, frozen=True):
    """The signed part of a commit."""

    lineage: Bytes16
    leader: Peer32
    term: U62
    number: U62
    chain: Bytes32


class EquivocationProof(WireMessage, frozen=True):
    """Two signed statements that can't both be true: two `Head`s, or two `VoteHead`s."""

    first: Annotated[bytes, Meta(max_length=votes.MAX_SIGNED)]
    first_signature: Bytes64
    second: Annotated[bytes, Meta(max_length=votes.MAX_SIGNED)]
    second_signature: Bytes64
