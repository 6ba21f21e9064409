"""Compaction: a snapshot stands for the entries before it, for who joins, who returns and who restarts."""

from __future__ import annotations

import pytest
from msgspec import structs
from tests.protocol.grouplog.simulator import Peer, Weather, World

from tavolata_protocol.errors import WrongMoment
from tavolata_protocol.grouplog import State, events
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire


def _table(size: int = 3, members: int | None = None, *, entries: int = 40) -> World:
    """A table with some entries, all of which are final."""
    world = World(1, size)
    world.gather(members)
    for number in range(entries):
        world.propose(0, b"entry %d" % number)
    world.run(1.0)
    return world


def _installed(peer: Peer) -> list[events.SnapshotInstalled]:
    return [event for event in peer.heard if isinstance(event, events.SnapshotInstalled)]


def test_a_newcomer_joins_from_the_snapshot_and_gets_every_entry_behind_it() -> None:
    """It is given the application's state once, then each later entry, and none of those before."""
    world = _table(4, 3)
    for name in range(3):
        assert world.compact(name, 30)
    world.propose(1, b"later")
    world.join(3)
    world.settle()
    newcomer = world.peers[3]
    assert _installed(newcomer) == [events.SnapshotInstalled(30, b"the state")]
    assert [entry.number for entry in newcomer.applied] == list(range(31, newcomer.alive.commit_index + 1))
    assert [peer.first_number for peer in world.peers] == [31] * 4


def test_what_is_compacted_is_neither_in_memory_nor_on_disk() -> None:
    """The entries are gone; the log has as many bytes as those that are left, and the same hash."""
    world = _table()
    leader = world.peers[0].alive
    before, chain, last = leader.size, leader.chain_at(leader.last_number), leader.last_number
    records = sum(map(len, world.peers[0].disk.load()))
    world.compact(0)
    assert leader.entry(last) is None
    assert (world.peers[0].first_number, leader.size) == (last + 1, 0)
    assert leader.chain_at(last) == chain
    assert sum(map(len, world.peers[0].disk.load())) < records - before / 2


@pytest.mark.parametrize("from_start", [True, False])
def test_who_compacted_restarts_from_the_snapshot(*, from_start: bool) -> None:
    """An application that begins again gets the state; one that kept its own needs the later entries."""
    world = _table()
    world.compact(1, 20)
    world.kill(1)
    world.propose(0, b"meanwhile")
    world.restart(1, from_start=from_start)
    world.settle()
    peer = world.peers[1]
    assert _installed(peer) == ([events.SnapshotInstalled(20, b"the state")] if from_start else [])
    assert peer.first + len(peer.applied) - 1 == peer.alive.commit_index


def test_who_was_away_while_the_others_compacted_gets_the_snapshot() -> None:
    """Its own copy is older than all that the others still have; it goes on with their state."""
    world = _table()
    world.split((0, 1), (2,))
    world.run(4.0)
    for number in range(20):
        world.propose(0, b"without it %d" % number)
    world.run(1.0)
    for name in (0, 1):
        world.compact(name)
    number = world.peers[0].first_number - 1
    world.heal()
    world.settle()
    assert _installed(world.peers[2]) == [events.SnapshotInstalled(number, b"the state")]
    log, early = world.peers[2].alive, world.peers[2].alive.chain_at(number)
    assert early is not None
    for number_of, digest in ((number - 5, b"what it leapt over"), (number, early[:8])):
        log._leadership.digests.heard(world.peers[0].id, number_of, digest)
    assert not any(isinstance(event, events.Desynchronised) for event in world.peers[2].heard)
    world.pump(world.peers[2])


def test_who_fetches_the_log_while_it_is_compacted_goes_on_with_the_snapshot() -> None:
    """The chunks that it asks for are gone; the leader offers it what there is."""
    world = _table(4, 3, entries=0)
    for _ in range(30):
        world.propose(0, bytes(4000))
        world.run(0.1)
    fetched: list[bytes] = []

    def passes(sender: Peer, receiver: Peer, message: bytes) -> bool:
        if isinstance(wire.decode(message), wire.Chunk):
            fetched.append(message)
        return len(fetched) < 20

    world.passes = passes
    world.join(3)
    world.run_until(lambda: len(fetched) >= 20)
    for name in range(3):
        world.compact(name)
    world.passes = lambda sender, receiver, message: True
    world.settle()
    assert len(_installed(world.peers[3])) == 1


def test_an_entry_stays_until_the_leader_has_signed_what_is_due_for_it() -> None:
    """Without its own copy a follower could not compare what the leader signs later."""
    world = _table(entries=0)
    world.passes = lambda sender, receiver, message: not isinstance(wire.decode(message), wire.CommitNotice)
    for number in range(12):
        world.propose(0, b"%d" % number)
    world.run(1.0)
    assert world.compact(1, 10)
    world.run(0.5)
    assert world.peers[1].first_number == 1
    world.passes = lambda sender, receiver, message: True
    world.run(2.0)
    assert world.peers[1].first_number == 11


def test_an_entry_proposed_with_a_compaction_becomes_final() -> None:
    """The compacted file holds it, so the leader's own copy counts without a later entry."""
    world = _table(2)
    world.peers[0].alive.compact(30, b"the state")
    world.propose(0, b"meanwhile")
    assert world.peers[0].first_number == 31
    world.run(0.1)
    assert [peer.applied[-1].body for peer in world.peers] == [b"meanwhile"] * 2


def test_only_what_is_final_is_compacted() -> None:
    """Entries that may still be dropped, and those that are gone already, are refused."""
    world = _table()
    world.split((0,), (1, 2))
    world.propose(0, b"not final")
    log = world.peers[0].alive
    assert log.commit_index < log.last_number
    for number in (0, log.last_number):
        with pytest.raises(WrongMoment):
            log.compact(number, b"")


def test_a_snapshot_that_nobody_could_read_replaces_nothing() -> None:
    """A leader can take in entries of more authors than a snapshot may name; the log stays readable."""
    log = _table().peers[0].alive
    journal = log._replica.journal
    many = tuple((PeerId(number.to_bytes(32, "big")), 0) for number in range(4097))
    journal.base = structs.replace(journal.base, counts=many)
    with pytest.raises(WrongMoment):
        log.compact(30, b"the state")


def test_who_was_taken_out_while_it_was_down_knows_so_after_a_snapshot_of_its_own() -> None:
    """Its log begins with the snapshot in which it was a voter; the removal behind it is its own."""
    world = _table()
    world.compact(2)
    world.kill(2)
    world.peers[0].alive.remove(world.peers[2].id)
    world.pump(world.peers[0])
    world.run(2.0)
    world.restart(2)
    world.run_until(lambda: world.peers[2].alive.state is State.LEFT)


def test_who_was_shown_out_while_it_asked_is_announced_again() -> None:
    """The application at the leader decides anew; before, the leader never answered that copy again."""
    world = World(1, 3)
    world.gather(2)
    asked: list[object] = []
    world.admits = lambda leader, newcomer: asked.append(newcomer)
    world.join(2)
    world.run(1.5)
    assert asked == [world.peers[2].id]
    world.peers[0].alive.remove(world.peers[2].id)
    world.pump(world.peers[0])
    world.run(2.0)
    assert len(asked) == 2


def test_a_chatting_spectator_fills_nobodys_log() -> None:
    """Two thousand entries, compacted now and then, leave less than a hundred of them in memory."""
    world = World(1, 2)
    world.gather()
    world.weather = Weather(least_delay=0.001, most_delay=0.001)
    for number in range(2000):
        world.propose(1, b"%d" % number)
        world.run(0.005)
        if number % 64 == 0:
            for name in (0, 1):
                world.compact(name)
    world.run(1.0)
    assert world.peers[0].alive.last_number > 2000
    for peer in world.peers:
        assert peer.alive.last_number - peer.first_number < 100


def test_a_signature_that_comes_after_the_snapshot_is_no_longer_owed() -> None:
    """Whoever lost it and then took a snapshot for its entry still follows, and does not stand for ever."""
    world = _table(entries=0)
    notices = wire.CommitNotice
    world.passes = lambda sender, receiver, message: not isinstance(wire.decode(message), notices)
    for number in range(20):
        world.propose(0, b"unsigned %d" % number)
    world.run_until(lambda: world.peers[2].alive.commit_index >= 16)
    world.split((0, 1), (2,))
    world.passes = lambda sender, receiver, message: True
    for number in range(40):
        world.propose(0, b"without it %d" % number)
    world.run(4.0)
    for name in (0, 1):
        world.compact(name)
    assert world.peers[0].first_number > 24
    world.heal()
    world.run(3.0)
    asked: list[bytes] = []

    def passes(sender: Peer, receiver: Peer, message: bytes) -> bool:
        if isinstance(wire.decode(message), wire.PreVote):
            asked.append(message)
        return True

    world.passes = passes
    world.run(6.0)
    assert not asked
