"""Entries: signed bytes, places, and the chain of hashes."""

from __future__ import annotations

from contextlib import nullcontext, suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata_protocol import codec, entries, identity
from tavolata_protocol.entries import EntryKind
from tavolata_protocol.errors import BrokenEntry, MalformedMessage, ProposalTooLarge, RemoteError
from tavolata_protocol.identity import Identity, PeerId
from tavolata_protocol.membership import Configuration
from tavolata_protocol.messages import entries as shapes
from tavolata_protocol.messages import log
from tavolata_protocol.messages.entries import Member, Role

ME = Identity(bytes(range(32)))
LINEAGE = entries.first_lineage(b"table")
START = entries.genesis(b"table")


def test_an_entry_read_from_its_bytes_is_the_one_that_was_placed() -> None:
    """Placing and reading are inverse, chain hash included."""
    placed = entries.place(entries.propose(ME, LINEAGE, 1, b"hello"), 3, 7, START)
    read = entries.read_entry(placed.wire, START)
    assert read == placed
    assert (read.term, read.number, read.count, read.body, read.author) == (3, 7, 1, b"hello", ME.peer)


def test_only_the_bytes_that_were_signed_are_authentic() -> None:
    """A changed bit of the signed bytes or of the signature, or another author, is found."""
    proposal = entries.propose(ME, LINEAGE, 1, b"hello")
    assert entries.is_authentic(proposal, identity.verify)
    signed = proposal.signed.replace(b"hello", b"hullo")
    assert not entries.is_authentic(entries.read_proposal(signed, proposal.signature), identity.verify)
    signature = bytes((proposal.signature[0] ^ 1, *proposal.signature[1:]))
    assert not entries.is_authentic(entries.read_proposal(proposal.signed, signature), identity.verify)
    other = codec.encode(shapes.ProposalShape(0, LINEAGE, PeerId(bytes(32)), 1, b"hello"))
    assert not entries.is_authentic(entries.read_proposal(other, proposal.signature), identity.verify)


def test_what_is_hashed_and_verified_are_the_received_bytes() -> None:
    """An encoding that msgpack allows but this program wouldn't choose keeps its own hash and signature."""
    usual = codec.encode(shapes.ProposalShape(0, LINEAGE, ME.peer, 1, b"hi"))
    odd = usual.replace(b"\xc4\x02hi", b"\xc5\x00\x02hi")
    assert odd != usual
    proposal = entries.read_proposal(odd, ME.sign(entries.CONTEXT, odd))
    assert entries.is_authentic(proposal, identity.verify)
    placed = entries.place(proposal, 1, 1, START)
    assert entries.read_entry(placed.wire, START).proposal.signed == odd
    assert placed.chain == entries.link(START, placed.wire)


def test_each_chain_hash_stands_for_everything_before() -> None:
    """The same entry after another history has another hash."""
    proposal = entries.propose(ME, LINEAGE, 1, b"hello")
    first, other = entries.genesis(b"table"), entries.genesis(b"another table")
    assert entries.place(proposal, 1, 1, first).chain != entries.place(proposal, 1, 1, other).chain


def test_too_long_a_body_is_the_callers_mistake() -> None:
    """32 KiB fit; one byte more raises a local error."""
    assert len(entries.propose(ME, LINEAGE, 1, bytes(shapes.MAX_BODY)).body) == shapes.MAX_BODY
    with pytest.raises(ProposalTooLarge):
        entries.propose(ME, LINEAGE, 1, bytes(shapes.MAX_BODY + 1))


def test_a_control_entry_fits_only_its_own_place() -> None:
    """A configuration that was signed for one place is refused at another."""
    configuration = Configuration((Member(ME.peer, bytes(8), Role.VOTER),))
    body = entries.control_body(2, 5, configuration)
    proposal = entries.propose(ME, LINEAGE, 0, body, EntryKind.CONFIGURATION)
    good = entries.read_entry(entries.place(proposal, 2, 5, START).wire, START)
    assert entries.configuration_of(good) == configuration
    with pytest.raises(BrokenEntry):
        entries.read_entry(entries.place(proposal, 2, 6, START).wire, START)
    with pytest.raises(BrokenEntry):
        entries.read_entry(entries.place(proposal, 3, 5, START).wire, START)


def test_counts_belong_to_applications_bodies_alone() -> None:
    """A body without a count, and a control entry with one, are malformed."""
    for kind, count in ((EntryKind.APPLICATION, 0), (EntryKind.OPENING, 1)):
        proposal = entries.propose(ME, LINEAGE, count, b"", kind)
        with pytest.raises(MalformedMessage):
            entries.read_proposal(proposal.signed, proposal.signature)


def test_a_configuration_names_nobody_twice() -> None:
    """Members that repeat a peer are malformed."""
    shape = Member(ME.peer, bytes(8), Role.VOTER)
    with pytest.raises(MalformedMessage):
        entries.checked_configuration((shape, shape))


def test_a_configuration_has_no_more_members_than_can_be_said_to_be_away() -> None:
    """Sixty-two members are read, one more is malformed, whoever signed it; a heartbeat names as many."""
    everybody = tuple(Member(PeerId(bytes([n]) * 32), bytes(8), Role.LEARNER) for n in range(63))
    for many in (62, 63):
        body = entries.control_body(1, 1, Configuration(everybody[:many]))
        placed = entries.place(entries.propose(ME, LINEAGE, 0, body, EntryKind.CONFIGURATION), 1, 1, START)
        with nullcontext() if many == 62 else pytest.raises(MalformedMessage):
            assert entries.configuration_of(entries.read_entry(placed.wire, START)) is not None
        beat = log.Append(LINEAGE, 1, 0, 0, START, (), 0, 0, 1, 1, sum(1 << n for n in range(many)), 0, b"")
        with nullcontext() if many == 62 else pytest.raises(MalformedMessage):
            assert log.decode(log.encode(beat)) == beat


@given(st.binary(max_size=300))
def test_any_bytes_give_an_entry_or_a_remote_error(data: bytes) -> None:
    """Nothing from the network raises anything but the typed remote errors."""
    with suppress(RemoteError):
        entries.read_entry(data, START)


@given(st.data())
def test_a_damaged_entry_gives_another_entry_or_a_remote_error(data: st.DataObject) -> None:
    """One changed byte in a real entry never passes as the same entry, and never raises anything else."""
    placed = entries.place(entries.propose(ME, LINEAGE, 1, b"hello"), 3, 7, START)
    place = data.draw(st.integers(0, len(placed.wire) - 1))
    value = data.draw(st.integers(0, 255).filter(lambda new: new != placed.wire[place]))
    damaged = placed.wire[:place] + bytes((value,)) + placed.wire[place + 1 :]
    with suppress(RemoteError):
        assert entries.read_entry(damaged, START).chain != placed.chain
