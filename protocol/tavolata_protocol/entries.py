"""Entries of the agreed log: signed by their author, placed by the leader, chained by hash.

This module defines an entry. The rules on who may append one are in `grouplog/`. Hashes and signatures are
always checked over the received bytes, never over a new encoding of the decoded entry.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from tavolata_protocol import codec
from tavolata_protocol.errors import BrokenEntry, MalformedMessage, ProposalTooLarge
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Configuration
from tavolata_protocol.messages import entries as shapes
from tavolata_protocol.messages.entries import MAX_BODY, MAX_ENTRY, MAX_SIGNED, Member

CONTEXT = b"tavolata entry 1"
HASH_SIZE = 32
LINEAGE_SIZE = 16
_read_proposal: Callable[[bytes], shapes.ProposalShape] = codec.reader(shapes.ProposalShape, MAX_SIGNED)
_read_placed: Callable[[bytes], shapes.Placed] = codec.reader(shapes.Placed, MAX_ENTRY)

Verify = Callable[[PeerId, bytes, bytes, bytes], bool]
"""A function of peer, context, message and signature; `identity.verify` is the real one."""


class Signer(Protocol):
    """The signer of proposals; `identity.Identity` is the real one."""

    @property
    def peer(self) -> PeerId:
        """The public key that the signatures are checked against."""

    def sign(self, context: bytes, message: bytes) -> bytes:
        """Return a signature of 64 bytes over `message`, for the purpose `context`."""


class EntryKind(IntEnum):
    """The purpose of an entry."""

    APPLICATION = 0
    """Carries an application's body; has the author's next count."""
    OPENING = 1
    """The empty entry with which a term begins; count 0."""
    CONFIGURATION = 2
    """The members of the log from here on; count 0."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A signed proposal without a place in the log.

    It is valid in no other lineage (16 bytes). `count` is the author's own, from 1; 0 for the entries that
    the leader itself makes. `body` is opaque to the log, or a control body. `signed` has the bytes under the
    signature (64 bytes), as made or as received.
    """

    kind: EntryKind
    lineage: bytes
    author: PeerId
    count: int
    body: bytes
    signed: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """A proposal at its place in the log: `number` counts from 1 without gaps.

    `wire` is the whole entry's bytes, as made or as received. `chain` is the hash over all entries up to and
    including this one, 32 bytes.
    """

    term: int
    number: int
    proposal: Proposal
    wire: bytes
    chain: bytes

    @property
    def kind(self) -> EntryKind:
        """Its purpose; an application acts on `EntryKind.APPLICATION` only."""
        return self.proposal.kind

    @property
    def author(self) -> PeerId:
        """The peer that proposed and signed it."""
        return self.proposal.author

    @property
    def count(self) -> int:
        """The author's own count; 0 for control entries."""
        return self.proposal.count

    @property
    def lineage(self) -> bytes:
        """The lineage that it belongs to."""
        return self.proposal.lineage

    @property
    def body(self) -> bytes:
        """The application's bytes, as proposed."""
        return self.proposal.body


def genesis(table: bytes) -> bytes:
    """Return the chain hash before the first entry of a table, 32 bytes."""
    return hashlib.blake2b(table, digest_size=HASH_SIZE, person=b"tavolata genesis").digest()


def first_lineage(table: bytes) -> bytes:
    """Return the lineage in which a table begins, 16 bytes."""
    return hashlib.blake2b(table, digest_size=LINEAGE_SIZE, person=b"tavolata lineage").digest()


def branch(lineage: bytes, chain: bytes, peer: PeerId) -> bytes:
    """Return the lineage that begins where `peer` takes over after the entry whose chain hash is `chain`."""
    return hashlib.blake2b(
        lineage + chain + peer, digest_size=LINEAGE_SIZE, person=b"tavolata lineage"
    ).digest()


def propose(
    signer: Signer, lineage: bytes, count: int, body: bytes, kind: EntryKind = EntryKind.APPLICATION
) -> Proposal:
    """Sign a body; raise `ProposalTooLarge` if it has more than 32 KiB."""
    if len(body) > MAX_BODY:
        raise ProposalTooLarge(f"An entry carries {MAX_BODY} bytes at most, not {len(body)}.")
    signed = codec.encode(shapes.ProposalShape(int(kind), lineage, signer.peer, count, body))
    return Proposal(kind, lineage, signer.peer, count, body, signed, signer.sign(CONTEXT, signed))


def read_proposal(signed: bytes, signature: bytes) -> Proposal:
    """Decode a proposal; its signature is not checked yet (see `is_authentic`).

    Raise `MalformedMessage` if the bytes aren't a proposal.
    """
    shape = _read_proposal(signed)
    if (shape.kind == EntryKind.APPLICATION) != (shape.count > 0):
        raise MalformedMessage("A proposal's count doesn't fit its kind.")
    return Proposal(
        EntryKind(shape.kind), shape.lineage, shape.author, shape.count, shape.body, signed, signature
    )


def is_authentic(proposal: Proposal, verify: Verify) -> bool:
    """Return True if its author signed exactly these bytes."""
    return verify(proposal.author, CONTEXT, proposal.signed, proposal.signature)


def place(proposal: Proposal, term: int, number: int, previous: bytes) -> Entry:
    """Put a proposal at a place, after the entry whose chain hash is `previous`."""
    wire = codec.encode(shapes.Placed(term, number, proposal.signed, proposal.signature))
    return Entry(term, number, proposal, wire, link(previous, wire))


def read_entry(wire: bytes, previous: bytes) -> Entry:
    """Decode an entry that follows the entry whose chain hash is `previous`; no signature is checked.

    Raise `MalformedMessage` if they aren't an entry, `BrokenEntry` if a control entry was made for another
    place.
    """
    shape = _read_placed(wire)
    entry = Entry(
        shape.term, shape.number, read_proposal(shape.signed, shape.signature), wire, link(previous, wire)
    )
    if entry.kind is not EntryKind.APPLICATION:
        control = codec.decode(entry.body, shapes.ControlBody, MAX_BODY)
        if (control.term, control.number) != (entry.term, entry.number):
            raise BrokenEntry(f"Entry {entry.number} was made for another place in the log.")
        if (control.members is None) != (entry.kind is EntryKind.OPENING):
            raise BrokenEntry(f"Entry {entry.number} doesn't hold what its kind says.")
    return entry


def link(previous: bytes, wire: bytes) -> bytes:
    """Return the chain hash after an entry of these bytes."""
    return hashlib.blake2b(previous + wire, digest_size=HASH_SIZE, person=b"tavolata chain").digest()


def control_body(term: int, number: int, configuration: Configuration | None) -> bytes:
    """Return the body of an opening (no configuration) or of a configuration entry."""
    members = None if configuration is None else configuration.members
    return codec.encode(shapes.ControlBody(term, number, members))


def configuration_of(entry: Entry) -> Configuration | None:
    """Return the configuration that an entry brings into force, if it brings one.

    Raise `MalformedMessage` if its members don't decode.
    """
    if entry.kind is not EntryKind.CONFIGURATION:
        return None
    members = codec.decode(entry.body, shapes.ControlBody, MAX_BODY).members
    return None if members is None else checked_configuration(members)


def checked_configuration(members: tuple[Member, ...]) -> Configuration:
    """Return the configuration of the members in an entry or a snapshot.

    Raise `MalformedMessage` if it names a peer twice.
    """
    if len({member.peer for member in members}) != len(members):
        raise MalformedMessage("A configuration names a peer twice.")
    return Configuration(members)
