"""Catching up: chunks of the log, snapshots, and what happens to both on bad links and at bad peers."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.protocol.grouplog.simulator import TABLE, Peer, Weather, World

from tavolata_protocol import codec
from tavolata_protocol.entries import first_lineage, place, propose
from tavolata_protocol.errors import BrokenEntry, MalformedMessage, RemoteError, WrongMoment
from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.snapshots import LENGTH_PREFIX, Snapshot, digest, read_snapshot
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire
from tavolata_protocol.messages.entries import MAX_MEMBERS, Member, Role


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
    asks = [message for message in seen if isinstance(message, wire.FetchChunks)]
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
    at = world.peers[0].alive.commit_index
    world.peers[0].alive.compact(at, b"the state" * 500)
    world.pump(world.peers[0])
    filled(world, 30)
    world.join(2)
    world.settle(5.0)
    newcomer = world.peers[2]
    assert newcomer.heard.count(events.SnapshotInstalled(at, b"the state" * 500)) == 1
    assert newcomer.applied[0].number == at + 1
    assert newcomer.first_number == at + 1
    world.propose(2, b"hello")
    world.settle(3.0)
    assert newcomer.alive.configuration == world.peers[0].alive.configuration


def test_a_snapshot_is_offered_only_to_who_lacks_what_it_stands_for() -> None:
    """Who holds all that it stands for is offered the log alone, in every case."""
    world = World(4, 3)
    world.gather()
    filled(world)
    seen = spy(world)
    world.kill(2)
    assert world.compact(0)
    filled(world)
    world.restart(2)
    world.settle(5.0)
    offers = [message.snapshot_number for message in seen if isinstance(message, wire.Offer)]
    assert offers
    assert set(offers) == {0}


def test_a_state_is_handed_over_again_to_who_restarts_without_it() -> None:
    """An application that begins from nothing after a crash needs what lies before its log's first entry."""
    world = World(4, 3)
    world.gather(2)
    filled(world)
    at = world.peers[0].alive.commit_index
    assert world.compact(0)
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
    """What it can't serve from its log it serves from the snapshot, and as the leader, too."""
    world = World(5, 4)
    world.gather(3)
    filled(world)
    assert world.compact(0)
    for name in (1, 2):
        world.lose(name)
        world.restart(name)
        world.run(5.0)
        world.settle()
        assert len(world.peers[name].alive.configuration.voters) == 3
    world.kill(1)
    world.restart(1)
    assert world.peers[1].first_number > 60
    world.settle()
    world.kill(0)
    world.elect(1, 2)
    world.restart(0)
    world.heal()
    world.join(3, via=1)
    world.settle()
    assert world.peers[3].first_number == world.peers[1].first_number


def test_counts_go_on_behind_a_snapshot() -> None:
    """A proposal that is in the snapshot isn't appended again when it arrives late."""
    world = World(6, 3)
    world.gather(2)
    world.propose(1, b"early")
    filled(world)
    assert world.compact(0)
    world.join(2)
    world.settle(5.0)
    assert world.peers[2].alive._replica.journal.last_count(world.peers[1].id) == 1
    assert world.peers[2].alive._replica.journal.last_count(world.peers[0].id) == 60


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
    """Up to 16 KiB the leader simply sends the entries again."""
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
    assert newcomer.log.commit_index == 0
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
            world.peers[0].alive.compact(number, b"")
    world.peers[0].alive.compact(1, b"")


ONE = Member(PeerId(b"1" * 32), bytes(8), Role.VOTER)
GOOD = Snapshot(40, 1, bytes(32), first_lineage(TABLE), 4000, (ONE,), 1, (), b"")


@pytest.mark.parametrize(
    "wrong",
    [
        {"configuration": (ONE, ONE)},
        {"configuration": ()},
        {"configuration": (Member(PeerId(b"1" * 32), bytes(8), Role.LEARNER),)},
        {
            "configuration": tuple(
                Member(PeerId(bytes([n]) * 32), bytes(8), Role.VOTER) for n in range(MAX_MEMBERS + 1)
            )
        },
        {"counts": ((b"1" * 32, 1), (b"1" * 32, 2))},
        {"counts": ((b"1" * 32, 41),)},
        {"configuration_number": 41},
        {"number": 0, "configuration_number": 0, "position": 0},
        {"term": 0},
        {"position": 2**60},
    ],
)
def test_a_snapshot_that_no_log_can_have_come_to_is_refused_when_it_is_read(wrong: dict[str, Any]) -> None:
    """Members, counts and numbers are looked at before anything of it is used."""
    assert read_snapshot(codec.encode(GOOD)) == GOOD
    with pytest.raises(MalformedMessage):
        read_snapshot(codec.encode(msgspec.structs.replace(GOOD, **wrong)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"number": 2, "position": 200},
        {"number": 39},
        {"number": 41},
        {"configuration": (ONE, ONE)},
        {"term": 2},
        {"position": 9001},
    ],
)
def test_what_a_snapshot_says_must_be_what_was_offered(wrong: dict[str, Any]) -> None:
    """Nothing is installed that stands for another place; what is final doesn't go back."""
    world = World(12, 2)
    world.gather()
    host, guest = world.peers
    for number in range(3):
        world.propose(0, b"%d" % number)
    world.run(1.0)
    before = guest.alive.commit_index
    assert before > 2
    blob = codec.encode(msgspec.structs.replace(GOOD, **wrong))
    offer = wire.Offer(GOOD.lineage, 1, 50, bytes(32), 9000, 40, len(blob), digest(blob))
    guest.alive.receive(host.id, wire.encode(offer), world.now)
    with pytest.raises(RemoteError):
        guest.alive.receive(host.id, wire.encode(wire.Chunk(GOOD.lineage, 40, 0, blob)), world.now)
    assert guest.alive.commit_index == before
    world.propose(1, b"on")
    world.settle(3.0)


def test_a_snapshot_of_the_last_final_entry_has_its_hash() -> None:
    """Where nothing is left to fetch behind it, the snapshot itself has to fit what the leader named."""
    world = World(13, 2)
    world.gather()
    host, guest = world.peers
    blob = codec.encode(GOOD)
    offer = wire.Offer(GOOD.lineage, 1, 40, b"h" * 32, 9000, 40, len(blob), digest(blob))
    guest.alive.receive(host.id, wire.encode(offer), world.now)
    with pytest.raises(BrokenEntry):
        guest.alive.receive(host.id, wire.encode(wire.Chunk(GOOD.lineage, 40, 0, blob)), world.now)
    assert guest.alive.commit_index < 40


def test_a_snapshot_of_entries_that_are_here_drops_none_behind_it() -> None:
    """This copy acknowledged those; the entries for which the snapshot stands become final."""
    world = World(15, 2)
    world.gather()
    host, guest = world.peers
    world.cuts = {(1, 0)}
    for number in range(6):
        world.propose(0, b"%d" % number)
        world.run(0.1)
    journal = guest.alive._replica.journal
    final, last = journal.commit_index, journal.last_number
    assert last == final + 6
    snapshot = journal.snapshot(b"the state", final + 3)
    blob, number = codec.encode(snapshot), snapshot.number
    offer = wire.Offer(
        snapshot.lineage, 1, number, snapshot.chain, snapshot.position, number, len(blob), digest(blob)
    )
    for message in (offer, wire.Chunk(snapshot.lineage, number, 0, blob)):
        guest.alive.receive(host.id, wire.encode(message), world.now)
    assert (guest.alive.commit_index, guest.alive.last_number) == (number, last)
    world.heal()
    world.settle(3.0)


def test_a_log_never_begins_anew_behind_its_own_end() -> None:
    """Whoever asks for it: a journal takes no snapshot that doesn't go beyond what is final."""
    world = World(14, 1)
    world.found()
    filled(world, 41, 10)
    journal = world.peers[0].alive._replica.journal
    before = journal.commit_index
    with pytest.raises(BrokenEntry):
        journal.install(GOOD)
    assert (journal.commit_index, journal.base.number) == (before, 0)
    with pytest.raises(AssertionError):
        journal.commit_index = before - 1


def test_an_entry_of_a_term_to_come_is_refused_in_chunks_as_well() -> None:
    """No later leader could add to it, and its holder would win every election."""
    world = World(16, 3)
    world.gather()
    world.honest = False
    liar, *others = world.peers
    for peer in others:
        log, journal = peer.alive, peer.alive._replica.journal
        number, at, lineage = log.commit_index + 1, journal.position(log.commit_index), log.lineage or b""
        proposal = propose(liar.signer, lineage, journal.last_count(liar.id) + 1, b"a lie")
        entry = place(proposal, 2**40, number, journal.chain)
        data = len(entry.wire).to_bytes(LENGTH_PREFIX, "big") + entry.wire
        offer = wire.Offer(lineage, log.term, number, entry.chain, at + len(data), 0, 0, bytes(32))
        log.receive(liar.id, wire.encode(offer), world.now)
        with pytest.raises(BrokenEntry):
            log.receive(liar.id, wire.encode(wire.Chunk(lineage, 0, at, data)), world.now)
        world.pump(peer)
        assert journal.last_number < number
    world.kill(0)
    world.propose(1, b"without the liar")
    world.run_until(lambda: all(peer.applied[-1].body == b"without the liar" for peer in others))


def test_a_copy_that_begins_in_another_lineage_does_not_lead() -> None:
    """A liar's snapshot may name any; the copy behind it goes further than all, and could append nothing."""
    world = World(17, 3)
    world.gather()
    world.honest = False
    host, guest, _ = world.peers
    log, lineage = guest.alive, guest.alive.lineage or b""
    blob = codec.encode(Snapshot(40, 1, bytes(32), bytes(16), 4000, log.configuration.members, 1, (), b""))
    offer = wire.Offer(lineage, log.term, 50, bytes(32), 9000, 40, len(blob), digest(blob))
    for message in (offer, wire.Chunk(lineage, 40, 0, blob)):
        log.receive(host.id, wire.encode(message), world.now)
    world.pump(guest)
    assert log.commit_index == 40
    assert log._replica.is_voter
    world.kill(0)
    world.propose(1, b"something")
    world.run(10.0)
    assert not log.is_leader
