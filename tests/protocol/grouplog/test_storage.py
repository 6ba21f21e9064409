"""What is synced and when: one sync an action and peer, and what a power cut may take."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.protocol.grouplog.memory_storage import MemoryStorage
from tests.protocol.grouplog.schedules import crowded_schedule
from tests.protocol.grouplog.simulator import Violation, Weather, World

from tavolata_protocol.grouplog import storage
from tavolata_protocol.messages import log as wire


def _counted(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """How often each store is synced from now on."""
    syncs: Counter[int] = Counter()
    sync = MemoryStorage.sync

    def counted(disk: MemoryStorage) -> None:
        syncs[id(disk)] += 1
        sync(disk)

    monkeypatch.setattr(MemoryStorage, "sync", counted)
    return syncs


@pytest.mark.parametrize(("peers", "author"), [(2, 0), (2, 1), (4, 1), (8, 3)])
def test_an_action_takes_one_sync_at_each_peer(
    monkeypatch: pytest.MonkeyPatch, peers: int, author: int
) -> None:
    """Whoever proposes, and whoever leads: an action between two others is one sync at every machine."""
    world = World(1, peers)
    world.gather()
    world.weather = Weather(least_delay=0.001, most_delay=0.001)
    world.run(1.0)
    syncs = _counted(monkeypatch)
    for number in range(20):
        world.propose(author, b"%d" % number)
        world.run(0.03)
    assert [syncs[id(peer.disk)] for peer in world.peers] == [20] * peers


def _entries_sent(world: World) -> list[int]:
    """How many entries the leader's next messages carry, each of them."""
    sent = [wire.decode(data) for _, data, _ in world.peers[0].alive.messages_to_send(world.now)]
    return [len(message.entries) for message in sent if isinstance(message, wire.Append) and message.entries]


def test_a_leader_sends_what_people_say_before_its_own_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others sync it meanwhile; the leader syncs at the next call, which it is told to make at once."""
    world = World(1, 3)
    world.gather()
    leader = world.peers[0].alive
    syncs = _counted(monkeypatch)
    leader.propose(b"mine")
    assert _entries_sent(world) == [1, 1]
    assert leader.is_sync_due
    assert leader.next_timer() == world.now
    assert not syncs
    assert _entries_sent(world) == []
    assert syncs.total() == 1
    assert leader.next_timer() != world.now


def test_a_leader_syncs_a_configuration_before_it_sends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof of the two exceptions needs it: who appended a configuration has it if anybody does."""
    world = World(1, 3)
    world.gather()
    leader = world.peers[0].alive
    syncs = _counted(monkeypatch)
    leader.remove(world.peers[2].id)
    assert _entries_sent(world) == [1, 1]
    assert not leader.is_sync_due
    assert syncs.total() == 1


def test_a_leader_that_loses_power_between_sending_and_syncing_loses_nothing_final() -> None:
    """The others have the entry and finalise it; the leader gets it from them, and nobody gets it twice."""
    world = World(1, 3)
    world.gather()
    leader = world.peers[0]
    before = leader.alive.last_number
    leader.alive.propose(b"mine")
    leader.proposed[1] = b"mine"
    for to, data, reliable in leader.alive.messages_to_send(world.now):
        world._carry(leader, world._by_id[to], data, reliable)
    world.kill(0, power=True)
    world.run(10.0)
    world.restart(0)
    assert leader.alive.last_number == before
    world.settle()
    assert [entry.body for entry in leader.applied].count(b"mine") == 1


def test_a_killed_process_forgets_no_proposal_that_it_sent() -> None:
    """Only a power cut can take what was handed to the system."""
    world = World(1, 3)
    world.gather()
    world.split((0, 2), (1,))
    world.propose(1, b"mine")
    world.kill(1)
    world.restart(1)
    world.heal()
    world.settle()
    assert [entry.body for entry in world.peers[0].applied].count(b"mine") == 1


def test_who_used_a_count_before_a_power_cut_says_the_next_thing_under_another() -> None:
    """The old proposal and the new one, both of the same count, are both delivered, once each."""
    world = World(1, 3, Weather(least_delay=0.01, most_delay=0.01))
    world.gather()
    world.weather = Weather(least_delay=0.01, most_delay=0.01)
    first = world.propose(1, b"before")
    world.run(0.015)  # it is on its way to the others, and not back yet
    world.kill(1, power=True)
    world.run(1.0)
    world.split((0, 2), (1,))
    world.restart(1)
    assert world.propose(1, b"after") == first
    world.heal()
    world.settle()
    bodies = [entry.body for entry in world.peers[0].applied]
    assert (bodies.count(b"before"), bodies.count(b"after")) == (1, 1)


def _a_vote_meets_a_power_cut() -> World:
    """2 votes for 1, loses power before it hears more, and is asked for its vote by 0."""
    world = World(1, 3)
    world.gather()
    world.passes = lambda sender, receiver, message: (
        receiver.name != 2 or not isinstance(wire.decode(message), wire.Append)
    )
    world.elect(1, 2)
    world.kill(2, power=True)
    world.restart(2)
    world.elect(0, 2)
    return world


def test_a_vote_has_to_be_synced(monkeypatch: pytest.MonkeyPatch) -> None:
    """If it were left to the system, a power cut would make two leaders in one term."""
    second, first, _ = _a_vote_meets_a_power_cut().peers
    assert first.alive.term < second.alive.term
    monkeypatch.setattr(storage, "LAZY", (*storage.LAZY, storage.Ballot))
    with pytest.raises(Violation, match="two peers order in term"):
        _a_vote_meets_a_power_cut()


def _sixty_schedules() -> None:
    for seed in range(60):
        crowded_schedule(seed)


def test_entries_have_to_be_synced(monkeypatch: pytest.MonkeyPatch) -> None:
    """If they were left to the system, power cuts would take what is final."""
    monkeypatch.setattr(storage, "LAZY", (*storage.LAZY, storage.EntryKept))
    with pytest.raises(Violation):
        _sixty_schedules()
