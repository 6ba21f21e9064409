"""Copies that lack what they acknowledged: the leader finds it out, and they join again as new ones."""

from __future__ import annotations

import pytest
from tests.protocol.grouplog.memory_storage import MemoryStorage
from tests.protocol.grouplog.simulator import Peer, Weather, World
from tests.protocol.grouplog.test_equivocation import of

from tavolata_protocol.grouplog import events
from tavolata_protocol.messages import log as wire


def shortened(world: World, name: int, records: int) -> Peer:
    """Kill a peer, take the last records of its log away, and start it again; its leader lives on."""
    peer = world.peers[name]
    world.kill(name)
    kept = list(peer.disk.load())
    peer.disk = MemoryStorage()
    for record in kept[:-records]:
        peer.disk.append(record)
    peer.disk.sync()
    peer.applied, peer.first = [], 1
    world.restart(name, from_start=True)
    return peer


@pytest.mark.parametrize("records", [1, 2, 3, 5, 8, 13, 20])
@pytest.mark.parametrize("seed", range(3))
def test_a_log_that_is_shorter_than_what_it_acknowledged_is_made_whole(seed: int, records: int) -> None:
    """Final again within 5 s, with or without a new birth, whatever it lost."""
    world = World(seed, 3)
    world.gather()
    for number in range(30):
        world.propose(number % 3, b"%d" % number)
        world.run(0.02)
    world.run(1.0)
    peer = shortened(world, 2, records)
    start = world.now
    while peer.alive.commit_index < world.peers[0].alive.commit_index or peer.alive.pending:
        world.run(0.05)
        if of(peer, events.Forgotten):
            peer.heard.clear()
            world.lose(2, aside=True)
            world.restart(2)
        assert world.now - start < 5.0
    world.propose(1, b"afterwards")
    world.run_until(lambda: any(entry.body == b"afterwards" for entry in peer.applied), 5.0)


def test_a_copy_that_forgot_neither_votes_nor_counts() -> None:
    """It stays absent until it comes with a new birth."""
    world = World(1, 3)
    world.gather()
    for number in range(12):
        world.propose(0, b"%d" % number)
        world.run(0.02)
    world.run(1.0)
    peer = shortened(world, 2, 6)
    birth = peer.alive._replica.birth
    world.run(5.0)
    assert of(peer, events.Forgotten)
    assert not world.peers[0].alive.configuration.is_voter(peer.id, birth)


@pytest.mark.parametrize("seed", range(8))
def test_a_copy_that_was_only_restarted_is_not_blamed(seed: int) -> None:
    """With losses and power cuts, amid proposals: whoever has its entries forgot nothing."""
    world = World(seed, 3, Weather(loss=0.2, repeat=0.1, most_delay=0.05, resends=True))
    world.gather()
    for number in range(40):
        world.propose(number % 3, b"%d" % number)
        if number % 5 == 0:
            world.kill(2, power=number % 2 == 0)
            world.restart(2)
        world.run(0.2)
    assert not of(world.peers[2], events.Forgotten)


def test_only_its_leader_says_that_a_copy_forgot() -> None:
    """Another voter's word, or one about another copy, changes nothing."""
    world = World(1, 3)
    world.gather()
    world.honest = False
    peer, log = world.peers[2], world.peers[2].alive
    right = wire.Forgot(log.lineage or b"", log._replica.birth, log.last_number + 1)
    for sender, message in (
        (1, right),
        (0, wire.Forgot(right.lineage, bytes(8), right.number)),
        (0, wire.Forgot(right.lineage, right.birth, log.last_number)),
    ):
        log.receive(world.peers[sender].id, wire.encode(message), world.now)
    world.pump(peer)
    assert not of(peer, events.Forgotten)
