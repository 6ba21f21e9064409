"""The log's messages: what decodes, what doesn't, and what arbitrary peers can do with them."""

from __future__ import annotations

import random
from contextlib import suppress

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.protocol.grouplog.simulator import TABLE, World

from tavolata_protocol.entries import first_lineage
from tavolata_protocol.errors import MalformedMessage, RemoteError
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire
from tavolata_protocol.messages.votes import Statement

LINEAGE = first_lineage(TABLE)
H = bytes(32)
SIGNED = Statement(b"signed", bytes(64))
SAMPLES: tuple[wire.LogMessage, ...] = (
    wire.Join(bytes(8)),
    wire.Redirect(LINEAGE, PeerId(H)),
    wire.Propose(LINEAGE, b"signed", bytes(64)),
    wire.PlacedAt(LINEAGE, 1, 3, 5),
    wire.Rejected(LINEAGE, 3, 1),
    wire.Append(LINEAGE, 1, 2, 1, H, (b"entry",), 2, 2, 7, 1, 0, 2, b"digest"),
    wire.Appended(LINEAGE, 1, bytes(8), True, 3, 7, 0, 2, b"digest"),
    wire.Offer(LINEAGE, 1, 3, H, 4000, 2, 500, H),
    wire.FetchChunks(LINEAGE, 0, (0, 1024)),
    wire.Chunk(LINEAGE, 0, 1024, b"data"),
    wire.Probe(LINEAGE, 1, PeerId(H)),
    wire.Probed(LINEAGE, 1, True),
    wire.PreVote(LINEAGE, 2, 1, 3),
    wire.PreVoted(LINEAGE, 2, bytes(8), True, 1, 3),
    wire.Vote(LINEAGE, SIGNED, SIGNED),
    wire.Voted(LINEAGE, 2, SIGNED),
    wire.HandOver(LINEAGE, SIGNED),
    wire.Leave(LINEAGE),
    wire.CommitNotice(LINEAGE, b"signed", bytes(64)),
    wire.Relay(LINEAGE, b"signed", bytes(64)),
    wire.ShowVotes(LINEAGE, 2),
    wire.Elected(LINEAGE, (SIGNED,)),
    wire.Tip(LINEAGE, (3, 2), (H, H)),
    wire.Recall(LINEAGE, bytes(8)),
    wire.Remembered(LINEAGE, bytes(8), SIGNED, 1, 3),
    wire.Forgot(LINEAGE, bytes(8), 3),
)


@pytest.mark.parametrize("message", SAMPLES, ids=lambda message: type(message).__name__)
def test_each_message_survives_its_encoding(message: wire.LogMessage) -> None:
    """Encoding and decoding are inverse for every type."""
    assert wire.decode(wire.encode(message)) == message


@pytest.mark.parametrize("message", SAMPLES, ids=lambda message: type(message).__name__)
def test_a_message_never_changes(message: wire.LogMessage) -> None:
    """What is queued for several peers, or was checked, can't become something else afterwards."""
    for field in message.__struct_fields__:
        with pytest.raises(AttributeError):
            setattr(message, field, getattr(message, field))


def test_every_type_of_message_has_a_sample() -> None:
    """The list above is whole."""
    assert {type(sample) for sample in SAMPLES} == set(wire.LogMessage.__args__)


@pytest.mark.parametrize("message", SAMPLES, ids=lambda message: type(message).__name__)
def test_a_field_too_many_or_too_few_is_malformed(message: wire.LogMessage) -> None:
    """Messages have exactly their fields."""
    fields = msgspec.msgpack.decode(wire.encode(message))
    for wrong in (fields[:-1], [*fields, 0]):
        with pytest.raises(MalformedMessage):
            wire.decode(msgspec.msgpack.encode(wrong))


def test_a_heartbeat_fits_an_unreliable_datagram() -> None:
    """Whatever is sent unreliably stays below 1,100 bytes, with 62 members and a digest too."""
    top = 2**62
    beat = wire.Append(LINEAGE, top, top, top, H, (), top, top, 2**32 - 1, top, top - 1, top, H)
    assert len(wire.encode(beat)) < 1100
    assert wire.decode(wire.encode(beat)) == beat


@pytest.mark.battery
@given(st.data())
@settings(max_examples=200, deadline=None)
def test_no_message_of_a_member_raises_anything_but_a_remote_error(data: st.DataObject) -> None:
    """Well-formed nonsense from a voter is refused or ignored, in every state; nothing local is raised."""
    world = World(data.draw(st.integers(0, 3)), 3)
    world.gather()
    victim = world.peers[data.draw(st.integers(0, 1))]
    number = st.one_of(st.integers(0, 12), st.integers(0, 2**62))
    for _ in range(data.draw(st.integers(1, 4))):
        sample = data.draw(st.sampled_from(SAMPLES))
        changes = {
            field: data.draw(number)
            for field in ("term", "number", "previous_number", "final", "position", "end", "last_number")
            if hasattr(sample, field)
        }
        with suppress(RemoteError):
            victim.alive.receive(
                world.peers[2].id, wire.encode(msgspec.structs.replace(sample, **changes)), world.now
            )
        victim.alive.messages_to_send(world.now)
        victim.alive.handle_timer(world.now + 1)
        while victim.alive.next_event() is not None:
            pass


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_noise_decodes_to_a_message_or_is_malformed(noise: bytes) -> None:
    """Nothing but `MalformedMessage` comes out of bytes."""
    with suppress(MalformedMessage):
        wire.decode(noise)


def test_a_hundred_thousand_terms_ahead_is_not_entered() -> None:
    """A nonsensical term neither deposes the leader nor stays on its disk."""
    world = World(1, 2)
    world.gather()
    answer = wire.Appended(LINEAGE, 2**61, bytes(8), False, 0, 0, 0, 0, b"")
    world.peers[0].alive.receive(world.peers[1].id, wire.encode(answer), world.now)
    assert world.peers[0].alive.is_leader
    assert world.peers[0].alive.term == 1


def test_the_same_seed_gives_the_same_story() -> None:
    """A failing seed can be run again, message by message."""
    proof = []
    for _ in range(2):
        world = World(5, 4)
        world.gather()
        for number in range(20):
            world.propose(random.Random(number).randrange(4), b"%d" % number)
        world.kill(0)
        world.run(5.0)
        proof.append((world.sent, world.agreed))
    assert proof[0] == proof[1]
