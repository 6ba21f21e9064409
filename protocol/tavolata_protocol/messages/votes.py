"""Votes and transfers of leadership, signed, as bytes. Shapes only; see `votes.py` one level up."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tavolata_protocol.messages.base import U62, Bytes8, Bytes16, Bytes64, Peer32, WireMessage

MAX_SIGNED = 160


class Statement(WireMessage, frozen=True):
    """A `VoteHead` or `TransferHead`, as its author signed it."""

    signed: Annotated[bytes, Meta(max_length=MAX_SIGNED)]
    signature: Bytes64


class VoteHead(WireMessage, frozen=True):
    """The signed part of a vote: the voter's copy, the candidate, and the end of the candidate's log."""

    lineage: Bytes16
    voter: Peer32
    birth: Bytes8
    term: U62
    candidate: Peer32
    last_term: U62
    last_number: U62


class TransferHead(WireMessage, frozen=True):
    """The signed part of a leadership transfer: the leader of `term` hands over to `heir`."""

    lineage: Bytes16
    leader: Peer32
    term: U62
    heir: Peer32
