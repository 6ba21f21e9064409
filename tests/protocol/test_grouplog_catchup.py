"""Catching up: chunks of the log, snapshots, and what happens to both on bad links and at bad peers."""

from __future__ import annotations

import pytest
from tests.protocol.simulator import TABLE, Peer, Weather, World

from tavolata_protocol.entries import first_lineage
from tavolata_protocol.errors import BrokenEntry, WrongMoment
from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.snapshots import digest
from tavolata_protocol.messages import log as wire


def filled(world: World, bodies: int = 60, size: int = 900) -> None:
    """Fill the log with more than is ever pushed."""
    for _ in range(bodies):
        world.propose(0, bytes(size))
    world.run_until(lambda: not world.peers[0].alive.pending)
    world.run(0.5)


def spy(world: World) -> list[wire.LogMessage]:
    """Everything that is sent from now on."""
    seen: list[wire.LogMessage] = []

    def passes(sender: Peer, receiver: Peer, message: bytes) -> bool:
        seen.append(wire.decode(message))
        return True

    world.passes = passes
    return seen


def test_a_newcomer_fetches_the_whole_log_in_chunks() -> None:
    """Without a snapshot it gets every entry from the first, by chunks of 1 KiB, 16 asked for at a time."""
    world = World(1, 2)
    world.found()
    filled(world)
    seen = spy(world)
    world.join(1)
    world.settle(3.0)
    assert [entry.number for entry in world.peers[1].applied] == list(range(1, len(world.agreed) + 1))
    chunks = [message for message in seen if isinstance(message, wire.Chunk)]
    asks = [message for message in seen if isinstance(message, wire.Ask)]
    assert len(chunks) > 50
    assert max(len(chunk.data) for chunk in chunks) == 1024
    assert max(len(ask.positions) for ask in asks) == 16
    assert len({chunk.position for chunk in chunks}) == len(chunks)


def test_chunks_that_are_lost_are_asked_for_again() -> None:
    """On a link that loses 30 % and repeats 30 %, a newcomer still gets everything."""
    world = World(2, 2, Weather(0.3, 0.3, 0.001, 0.05))
    world.found()
    filled(world)
    world.join(1)
    world.settle()


def test_a_lost_offer_is_repeated() -> None:
    """A peer that never heard of the chunks is told again."""
    world = World(3, 2)
    world.found()
    filled(world)
    offers: list[wire.Offer] = []

    def passes(sender: Peer, receiver: Peer, message: bytes) -> bool:
        decoded = wire.decode(message)
        if isinstance(decoded, wire.Offer):
            offers.append(decoded)
            return len(offers) > 1
        return True

    world.passes = passes
    world.join(1)
    world.settle(6.0)
    assert len(offers) == 2


def test_a_newcomer_gets_a_snapshot_and_the_entries_since() -> None:
    """The application's state is handed over once, and delivery goes on behind it."""
    world = World(4, 3)
    world.gather(2)
    filled(world)
    at = world.peers[0].alive.final_number
    world.peers[0].alive.offer_snapshot(at, b"the state" * 500)
    filled(world, 30)
    world.join(2)
    world.settle(5.0)
    newcomer = world.peers[2]
    assert newcomer.heard.count(events.SnapshotInstalled(at, b"the state" * 500)) == 1
    assert newcomer.applied[0].number == at + 1
    assert newcomer.alive.first_number == at + 1
    world.propose(2, b"hello")
    world.settle(3.0)
    assert newcomer.alive.configuration == world.peers[0].alive.configuration


def test_a_state_is_handed_over_again_to_who_restarts_without_it() -> None:
    """An application that begins from nothing after a crash needs what lies before its log's first entry."""
    world = World(4, 3)
    world.gather(2)
    filled(world)
    at = world.peers[0].alive.final_number
    world.peers[0].alive.offer_snapshot(at, b"the state")
    world.join(2)
    world.settle(5.0)
    newcomer = world.peers[2]
    for from_start in (True, False):
        newcomer.heard.clear()
        world.kill(2)
        world.restart(2, from_start=from_start)
        told = [
            event for event in newcomer.heard if isinstance(event, events.SnapshotInstalled | events.Final)
        ]
        assert told[:1] == ([events.SnapshotInstalled(at, b"the state")] if from_start else [])
    world.settle(5.0)
    assert newcomer.applied[0].number == at + 1


def test_a_peer_that_began_with_a_snapshot_restarts_and_serves_others() -> None:
    """What it can't serve from its log it serves from the snapshot, and as the sequencer, too."""
    world = World(5, 4)
    world.gather(3)
    filled(world)
    world.peers[0].alive.offer_snapshot(world.peers[0].alive.final_number, b"state")
    for name in (1, 2):
        world.lose(name)
        world.restart(name)
        world.run(5.0)
        world.settle()
        assert len(world.peers[name].alive.configuration.voters) == 3
    world.kill(1)
    world.restart(1)
    assert world.peers[1].alive.first_number > 60
    world.settle()
    world.kill(0)
    world.elect(1, 2)
    world.restart(0)
    world.heal()
    world.join(3, via=1)
    world.settle()
    assert world.peers[3].alive.first_number == world.peers[1].alive.first_number


def test_counts_go_on_behind_a_snapshot() -> None:
    """A proposal that is in the snapshot isn't appended again when it arrives late."""
    world = World(6, 3)
    world.gather(2)
    world.propose(1, b"early")
    filled(world)
    world.peers[0].alive.offer_snapshot(world.peers[0].alive.final_number, b"state")
    world.join(2)
    world.settle(5.0)
    assert world.peers[2].alive._desk.journal.last_count(world.peers[1].id) == 1
    assert world.peers[2].alive._desk.journal.last_count(world.peers[0].id) == 60


def test_a_voter_that_was_cut_off_for_long_fetches_what_it_missed() -> None:
    """It keeps its log, drops what isn't final of it, and fetches the rest by chunks."""
    world = World(7, 3)
    world.gather()
    world.split((0, 1), (2,))
    world.propose(2, b"unheard")
    filled(world)
    seen = spy(world)
    world.heal()
    world.settle(6.0)
    assert any(isinstance(message, wire.Chunk) for message in seen)
    assert world.peers[2].applied[-1].body == b"unheard"


def test_a_small_gap_is_pushed_not_fetched() -> None:
    """Up to 16 KiB the sequencer simply sends the entries again."""
    world = World(8, 3)
    world.gather()
    world.split((0, 1), (2,))
    world.propose(0, bytes(2000))
    world.run(1.0)
    seen = spy(world)
    world.heal()
    world.settle(3.0)
    assert not any(isinstance(message, wire.Offer | wire.Chunk) for message in seen)


def test_a_snapshot_with_another_hash_is_refused() -> None:
    """What was announced isn't what came: the peer is at fault, and nothing is installed."""
    world = World(9, 2)
    world.found()
    newcomer, host = world.peers[1], world.peers[0]
    newcomer.log = world._make(newcomer)
    newcomer.log.join(host.id, world.now)
    lineage = first_lineage(TABLE)
    blob = b"not what was announced"
    offer = wire.Offer(lineage, 1, 50, bytes(32), 9000, 40, len(blob), digest(b"something else"))
    newcomer.log.receive(host.id, wire.encode(offer), world.now)
    with pytest.raises(BrokenEntry):
        newcomer.log.receive(host.id, wire.encode(wire.Chunk(lineage, 40, 0, blob)), world.now)
    assert newcomer.log.final_number == 0
    assert newcomer.log.next_timer() is not None


def test_chunks_nobody_asked_for_are_ignored() -> None:
    """Unrequested bytes change nothing and fill no memory."""
    world = World(10, 2)
    world.gather()
    before = world.peers[1].alive.last_number
    chunk = wire.encode(wire.Chunk(first_lineage(TABLE), 0, 0, bytes(1024)))
    world.peers[1].alive.receive(world.peers[0].id, chunk, world.now)
    assert world.peers[1].alive.last_number == before


def test_only_final_entries_that_are_kept_can_be_in_a_snapshot() -> None:
    """An entry of the future and number 0 are refused."""
    world = World(11, 1)
    world.found()
    for number in (0, 2):
        with pytest.raises(WrongMoment):
            world.peers[0].alive.offer_snapshot(number, b"")
    world.peers[0].alive.offer_snapshot(1, b"")
