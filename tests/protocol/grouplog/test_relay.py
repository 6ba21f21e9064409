"""The relay: what a leader leaves out reaches the log all the same, or the leader is replaced."""

from __future__ import annotations

from contextlib import suppress

import pytest
from tests.protocol.grouplog.simulator import TABLE, Peer, World

from tavolata_protocol.entries import Proposal, first_lineage, propose, read_proposal
from tavolata_protocol.errors import BrokenEntry
from tavolata_protocol.grouplog import timing
from tavolata_protocol.grouplog.timing import BATCH, WAITING_PROPOSALS, Timing
from tavolata_protocol.messages import log as wire
from tavolata_protocol.messages.entries import Role

LINEAGE = first_lineage(TABLE)
LIAR, VICTIM = 0, 2
RELAY = Timing().relay


def table(size: int = 4) -> World:
    """Voters of which 0 leads."""
    world = World(1, size)
    world.gather()
    assert world.leaders() == [world.peers[LIAR]]
    return world


def author_of(message: bytes) -> bytes | None:
    """The author of the proposal in a message; None if there is none."""
    decoded = wire.decode(message)
    if not isinstance(decoded, wire.Propose | wire.Relay):
        return None
    return read_proposal(decoded.signed, decoded.signature).author


def starve(world: World, *, deaf_to: tuple[type[wire.LogMessage], ...] = (wire.Propose, wire.Relay)) -> None:
    """Have the leader leave out what the victim says, if it comes in one of these messages."""
    liar, victim = world.peers[LIAR], world.peers[VICTIM]

    def passes(sender: Peer, receiver: Peer, message: bytes) -> bool:
        starved = author_of(message) == victim.id and isinstance(wire.decode(message), deaf_to)
        return receiver is not liar or not starved or not liar.alive.is_leader

    world.passes = passes


def is_final(world: World, name: int, body: bytes) -> bool:
    return any(entry.body == body for entry in world.peers[name].applied)


def relays(world: World) -> list[tuple[int, int]]:
    """Note who sends a relay to whom, in the list that is returned."""
    found, before = list[tuple[int, int]](), world.passes

    def passes(sender: Peer, receiver: Peer, message: bytes) -> bool:
        if isinstance(wire.decode(message), wire.Relay):
            found.append((sender.name, receiver.name))
        return before(sender, receiver, message)

    world.passes = passes
    return found


def relayed(proposal: Proposal, lineage: bytes = LINEAGE) -> bytes:
    return wire.encode(wire.Relay(lineage, proposal.signed, proposal.signature))


def test_who_is_cut_off_from_the_leader_is_heard_through_the_others() -> None:
    """An entry that does not reach the leader is in the log after five seconds, and the leader stays."""
    world = table()
    starve(world, deaf_to=(wire.Propose,))
    world.propose(VICTIM, b"hear me")
    took = world.run_until(lambda: is_final(world, 1, b"hear me"), 12.0)
    assert RELAY <= took < RELAY + 1
    assert world.leaders() == [world.peers[LIAR]]
    assert [peer.alive.relayed(world.peers[VICTIM].id) for peer in world.peers] == [()] * 4


@pytest.mark.parametrize("size", [3, 4, 5])
def test_a_leader_that_leaves_out_what_is_passed_to_it_is_replaced(size: int) -> None:
    """Whoever leads and starves one is voted out; then everything is in the log, in order and once."""
    world = table(size)
    starve(world)
    for number in range(20):
        world.propose(VICTIM, b"%d" % number)
        world.propose(1, b"of another %d" % number)
        world.run(0.1)
    world.run_until(lambda: is_final(world, 1, b"19"), 20.0)
    assert world.leaders() != [world.peers[LIAR]]
    world.settle()


def test_the_others_know_what_is_being_left_out() -> None:
    """Until it is in the log, everybody but the leader has in hand what the victim has signed."""
    world = table()
    starve(world)
    victim = world.peers[VICTIM]
    world.propose(VICTIM, b"one")
    world.propose(VICTIM, b"two")
    world.run(RELAY + 0.5)
    for name in (1, 3):
        assert world.peers[name].alive.relayed(victim.id) == (b"one", b"two")
    world.passes = lambda sender, receiver, message: True
    world.run(2.0)
    assert is_final(world, 1, b"two")
    assert world.peers[1].alive.relayed(victim.id) == ()


def test_a_leader_that_takes_everything_is_passed_nothing() -> None:
    """In calm nothing is sent twice."""
    world = table()
    found = relays(world)
    for number in range(100):
        world.propose(number % 4, b"%d" % number)
        world.run(0.2)
    assert found == []
    assert world.leaders() == [world.peers[LIAR]]


def test_two_are_not_helped_by_a_third() -> None:
    """Between two, a guest that is not heard suspects nobody: there is no third who could pass it on."""
    world = World(1, 2)
    world.gather()
    world.passes = lambda sender, receiver, message: author_of(message) is None
    found = relays(world)
    world.propose(1, b"hear me")
    world.run(30.0)
    assert found == []
    assert world.leaders() == [world.peers[0]]
    assert not world.peers[1].alive.may_take_over(world.now)


def test_who_floods_the_table_deposes_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """An author that is beyond its quota waits, but for less than it takes to suspect the leader."""
    monkeypatch.setitem(timing.QUOTAS, Role.VOTER, (128 * 1024, 256 * 1024))
    world = table()
    found = relays(world)
    for _ in range(100):
        world.propose(VICTIM, bytes(31 * 1024))
        world.run(0.02)
    assert world.peers[VICTIM].alive.pending
    world.run_until(lambda: not world.peers[VICTIM].alive.pending, 60.0)
    assert found == []
    assert world.peers[LIAR].alive.is_leader
    assert world.peers[LIAR].alive.term == 1


def hand_in(world: World, receiver: int, sender: int, message: bytes) -> None:
    with suppress(BrokenEntry):
        world.peers[receiver].alive.receive(world.peers[sender].id, message, world.now)


def test_nobody_is_relayed_but_by_its_own_word() -> None:
    """A follower holds an author's next bodies alone, from the author itself, signed, and only so many."""
    world = table()
    starve(world)
    victim, follower = world.peers[VICTIM], world.peers[1].alive

    def made(count: int, size: int = 1, lineage: bytes = LINEAGE) -> Proposal:
        return propose(victim.signer, lineage, count, bytes(size))

    first, forged = made(1), made(1)
    hand_in(world, 1, 3, relayed(first))  # by another
    hand_in(world, 1, VICTIM, relayed(made(2)))  # out of turn
    hand_in(world, 1, VICTIM, relayed(made(1, lineage=bytes(16)), bytes(16)))
    hand_in(world, 1, VICTIM, relayed(made(1, lineage=bytes(16))))
    hand_in(world, 1, VICTIM, wire.encode(wire.Relay(LINEAGE, forged.signed, bytes(64))))
    assert follower.relayed(victim.id) == ()
    for count in range(1, 2 * WAITING_PROPOSALS):
        hand_in(world, 1, VICTIM, relayed(made(count)))
        hand_in(world, 1, VICTIM, relayed(made(count)))
    assert len(follower.relayed(victim.id)) == WAITING_PROPOSALS
    hand_in(world, 3, VICTIM, relayed(made(1, BATCH)))
    hand_in(world, 3, VICTIM, relayed(made(2)))
    assert len(world.peers[3].alive.relayed(victim.id)) == 1


def test_a_forged_relay_is_refused_by_the_leader() -> None:
    """What another member passes on counts only with its author's signature."""
    world = table()
    forged = propose(world.peers[VICTIM].signer, LINEAGE, 1, b"never said")
    message = wire.encode(wire.Relay(LINEAGE, forged.signed, bytes(64)))
    with pytest.raises(BrokenEntry):
        world.peers[LIAR].alive.receive(world.peers[1].id, message, world.now)


def test_a_spectator_is_not_relayed() -> None:
    """Who has no vote in the log makes nobody suspect its leader."""
    world = World(1, 4)
    world.admits = lambda leader, newcomer: (
        leader.alive.add_learner(newcomer)
        if newcomer == world.peers[VICTIM].id
        else world.admit_voter(leader, newcomer)
    )
    world.gather()
    starve(world)
    found = relays(world)
    world.propose(VICTIM, b"hear me")
    world.run(30.0)
    assert found == []
    assert world.leaders() == [world.peers[LIAR]]
