"""Join requests: who was taken out finds the leader again, and asks nobody more than once a second."""

from __future__ import annotations

from tests.protocol.grouplog.schedules import random_schedule
from tests.protocol.grouplog.simulator import World

from tavolata_protocol.grouplog import State
from tavolata_protocol.messages import log as wire


def _forsaken() -> World:
    """Four voters, of which 3 has heard no leader for so long that it asks everybody."""
    world = World(1, 4)
    world.gather()
    world.split((0, 1, 2), (3,))
    world.run(6.0)
    return world


def test_voters_that_name_different_leaders_cause_no_storm() -> None:
    """A thousand answers that name now one leader, now another, cause one question to each voter."""
    world = _forsaken()
    lost = world.peers[3].alive
    lost.messages_to_send(world.now)
    asked = 0
    for turn in range(1000):
        guide, named = world.peers[1 + turn % 2], world.peers[turn % 2]
        redirect = wire.Redirect(lost.lineage or b"", named.id)
        lost.receive(guide.id, wire.encode(redirect), world.now)
        lost.handle_timer(world.now)
        messages = [wire.decode(message) for _, message, _ in lost.messages_to_send(world.now)]
        asked += sum(isinstance(message, wire.Join) for message in messages)
    assert asked <= 3


def test_whom_the_application_names_is_asked_at_once() -> None:
    """A session that was just opened is worth a question, though the one before it was a moment ago."""
    world = _forsaken()
    lost, other = world.peers[3].alive, world.peers[1].id
    for _ in range(2):
        lost.messages_to_send(world.now)
        lost.ask(other)
        lost.handle_timer(world.now)
        sent = [(peer, wire.decode(message)) for peer, message, _ in lost.messages_to_send(world.now)]
        assert [peer for peer, message in sent if isinstance(message, wire.Join)].count(other) == 1


def test_a_schedule_with_two_named_leaders_sends_a_few_thousand_messages() -> None:
    """Seed 122 once grew without end: each answer had five peers asked again, which all answered."""
    assert random_schedule(122).sent < 20_000


def test_who_leaves_and_was_taken_out_unheard_finds_a_leader_that_it_never_met() -> None:
    """The voters that it still knows name the leader of today, and that one lets it go."""
    world = World(1, 4)
    world.gather(3)
    world.split((0, 1, 3), (2,))
    world.join(3)
    world.run(3.0)
    world.peers[0].alive.remove(world.peers[2].id)
    world.pump(world.peers[0])
    world.run(3.0)
    world.passes = lambda sender, receiver, message: (
        not (receiver.name == 1 and isinstance(wire.decode(message), wire.HandOver))
    )
    world.peers[0].alive.leave(world.now)
    world.peers[2].alive.leave(world.now)
    world.run_until(lambda: world.peers[3].alive.is_leader)
    world.heal()
    world.run_until(lambda: world.peers[2].alive.state is State.LEFT)
    assert world.peers[3].id not in world.peers[2].alive.configuration


def test_only_a_voter_and_the_peer_that_was_asked_may_refuse_a_machine() -> None:
    """The application asks the log before it believes that it isn't wanted."""
    world = World(1, 4)
    world.gather(3)
    voters = [peer.id for peer in world.peers[:3]]
    stranger = world.peers[3]
    assert [world.peers[1].alive.listens_to(peer) for peer in (*voters, stranger.id)] == [True] * 3 + [False]
    stranger.log = world._make(stranger)
    stranger.log.join(voters[1], world.now)
    assert [stranger.log.listens_to(peer) for peer in voters] == [False, True, False]
