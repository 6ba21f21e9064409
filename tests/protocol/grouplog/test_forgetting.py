"""Copies that lack what they acknowledged: the leader finds it out, and they join again as new ones."""

from __future__ import annotations

import os
from collections import Counter

import pytest
from tests.protocol.grouplog.memory_storage import MemoryStorage
from tests.protocol.grouplog.restoring import restored_schedule
from tests.protocol.grouplog.simulator import Peer, Violation, Weather, World
from tests.protocol.grouplog.test_equivocation import of, tell, told, two_of

from tavolata_protocol.equivocation import sign_commit
from tavolata_protocol.grouplog import State, events
from tavolata_protocol.grouplog.timing import Timing
from tavolata_protocol.messages import log as wire
from tavolata_protocol.votes import sign_vote

FIRST = int(os.environ.get("TAVOLATA_FIRST", "0"))
RESTORED = range(FIRST, FIRST + int(os.environ.get("TAVOLATA_RESTORED", "24")))


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
    """Final again within 5 s, whatever it lost."""
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
        assert world.now - start < 5.0
    world.propose(1, b"afterwards")
    world.run_until(lambda: any(entry.body == b"afterwards" for entry in peer.applied), 5.0)


def test_a_copy_that_forgot_gets_everything_again_and_keeps_its_place() -> None:
    """It votes for nobody who lacks what it forgot, and keeps its birth."""
    world = World(1, 3)
    world.gather()
    for number in range(12):
        world.propose(0, b"%d" % number)
        world.run(0.02)
    world.run(1.0)
    before = world.peers[0].alive.configuration
    peer = shortened(world, 2, 6)
    world.run_until(lambda: peer.alive._replica.journal.promised > (1, 0), 1.0)
    world.run(1.0)
    assert peer.alive.commit_index == world.peers[0].alive.commit_index
    assert world.peers[0].alive.configuration == before
    assert not of(peer, events.Forgotten)


def test_a_leader_that_lies_about_forgotten_entries_takes_no_copy_from_the_table() -> None:
    """Its word keeps a voter from voting for ten seconds, and then others go on without that leader."""
    world = World(1, 3)
    world.gather()
    world.propose(1, b"kept")
    world.run(1.0)
    world.honest = False
    for peer in world.peers[1:]:
        log = peer.alive
        lie = wire.Forgot(log.lineage or b"", log._replica.birth, 2**40)
        log.receive(world.peers[0].id, wire.encode(lie), world.now)
        world.pump(peer)
    world.kill(0)
    world.run_until(world.leaders, 14.0)
    one, other = ({entry.body for entry in peer.applied} for peer in world.peers[1:])
    assert b"kept" in one & other
    assert not any(of(peer, events.Forgotten) for peer in world.peers)


def accused(world: World, *peers: Peer) -> None:
    """Let the first peer, which leads, say that these have forgotten an entry that nobody can have."""
    for peer in peers:
        log = peer.alive
        lie = wire.Forgot(log.lineage or b"", log._replica.birth, 2**61)
        log.receive(world.peers[0].id, wire.encode(lie), world.now)
        world.pump(peer)


def test_a_leader_that_says_again_and_again_that_others_forgot_is_replaced() -> None:
    """Its word counts once while a program runs, or two messages would keep it in office for ever."""
    world = table()
    world.honest = False
    others = world.peers[1:]
    world.peers[0].asleep = True
    for _ in range(4):
        accused(world, *others)
        world.run(5.0)
    assert any(peer.alive.is_leader for peer in others)


def test_what_a_convicted_leader_said_was_forgotten_holds_nobody_up() -> None:
    """Its proof ends the ten seconds that its word is worth."""
    world = table()
    world.honest = False
    liar, *others = world.peers
    accused(world, *others)
    for peer in others:
        tell(world, peer, *two_of(liar))
    world.run_until(lambda: any(peer.alive.is_leader for peer in others), 6.0)


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
    assert log._replica.journal.promised == (0, 0)


def restored(world: World, name: int, backup: list[bytes] | None = None) -> Peer:
    """Start a peer without a witness, from a backup, or from all that it has."""
    peer = world.peers[name]
    kept = list(peer.disk.load()) if backup is None else backup
    world.kill(name)
    peer.disk = MemoryStorage(is_doubtful=True)
    for record in kept:
        peer.disk.append(record)
    peer.disk.sync()
    peer.heard.clear()
    world.restart(name, from_start=True)
    return peer


def table(size: int = 3) -> World:
    world = World(1, size)
    world.gather()
    for number in range(12):
        world.propose(number % size, b"%d" % number)
        world.run(0.02)
    world.run(1.0)
    return world


def test_a_copy_without_a_witness_counts_once_all_others_have_answered() -> None:
    """A cache that was cleared costs three beats of a leader that it may not know, and nothing else."""
    world = table()
    birth = world.peers[2].alive._replica.birth
    peer = restored(world, 2)
    assert peer.disk.is_doubtful
    waited = world.run_until(lambda: not peer.alive._replica.is_doubtful, 2.0)
    assert waited >= Timing().silence - 0.1
    assert not of(peer, events.Forgotten)
    assert peer.alive.configuration.is_voter(peer.id, birth)


def test_machines_that_are_all_without_a_witness_trust_one_another() -> None:
    """Whoever clears all caches has a table again within seconds."""
    world = table()
    for name in range(3):
        restored(world, name)
    world.run_until(lambda: len(world.leaders()) == 1, 8.0)
    world.settle()


def test_a_voter_that_does_not_answer_is_waited_for_five_seconds() -> None:
    """From the first answer of another one on; who hears nobody waits."""
    world = table()
    world.split((0, 1), (2,))
    peer = restored(world, 2)
    world.run(20.0)
    assert peer.alive._replica.is_doubtful
    world.kill(1)
    world.heal()
    waited = world.run_until(lambda: not peer.alive._replica.is_doubtful, 10.0)
    assert waited > Timing().takeover - 0.1


def test_who_does_not_know_a_message_is_like_one_that_does_not_answer() -> None:
    """What can't be read is dropped, so a program without `Recall` costs a doubtful copy five seconds."""
    unknown = wire.Tip | wire.Recall | wire.Remembered | wire.Forgot
    world = table()
    world.passes = lambda sender, receiver, message: (
        1 not in {sender.name, receiver.name} or not isinstance(wire.decode(message), unknown)
    )
    peer = restored(world, 2)
    waited = world.run_until(lambda: not peer.alive._replica.is_doubtful, 8.0)
    assert waited > Timing().takeover - 0.1
    world.propose(2, b"afterwards")
    world.settle()


def test_a_doubtful_copy_neither_votes_nor_acknowledges_anything() -> None:
    """With one voter of three dead, nothing becomes final by it, and nobody is elected by it."""
    world = table()
    usual = world.passes
    world.passes = lambda sender, receiver, message: not isinstance(wire.decode(message), wire.Remembered)
    world.kill(1)
    final = world.peers[0].alive.commit_index
    peer = restored(world, 2)
    world.propose(0, b"not yet")
    world.run(1.5)
    assert world.peers[0].alive.commit_index == final
    world.kill(0)
    world.restart(1)
    world.run(10.0)
    assert peer.alive._replica.is_doubtful
    assert not world.leaders()
    world.passes = usual
    world.run_until(world.leaders, 10.0)


def without_its_last_vote(world: World) -> Peer:
    """The third peer votes for the second, which leads, and then comes back from before that vote."""
    before = list(world.peers[2].disk.load())
    world.elect(1, 2)
    return restored(world, 2, before)


def test_a_copy_that_has_signed_a_vote_and_knows_nothing_of_it_forgot() -> None:
    """Another voter has that vote."""
    world = table()
    peer = without_its_last_vote(world)
    world.run_until(lambda: of(peer, events.Forgotten), 1.0)
    assert peer.alive._replica.is_doubtful
    assert peer.disk.is_doubtful


@pytest.mark.parametrize("birth", [bytes(8), None], ids=["another's", "nobody asked"])
def test_an_answer_that_was_not_asked_for_is_about_nothing(birth: bytes | None) -> None:
    """A copy that isn't doubtful lets nobody say how far it has to be."""
    world = table()
    peer, much = world.peers[2], 2**40
    log = peer.alive
    answer = wire.Remembered(log.lineage or b"", birth or log._replica.birth, None, much, much)
    log.receive(world.peers[1].id, wire.encode(answer), world.now)
    assert log._replica.journal.promised == (0, 0)


def test_another_copys_vote_makes_none_begin_anew() -> None:
    """Nor does one that somebody else has signed."""
    world = table()
    world.honest = False
    peer, other = restored(world, 2), world.peers[1]
    log = peer.alive
    for signer, copy in ((other.signer, log._replica.birth), (peer.signer, bytes(8))):
        vote = sign_vote(signer, log.lineage or b"", copy, 99, other.id, (1, 1)).statement
        answer = wire.Remembered(log.lineage or b"", log._replica.birth, vote, 1, 1)
        log.receive(other.id, wire.encode(answer), world.now)
    world.pump(peer)
    assert not of(peer, events.Forgotten)


def test_whoever_plays_alone_is_doubted_by_nobody() -> None:
    """A person's word ends the doubt, and a copy without other voters is sound."""
    world = table()
    world.split((0, 1), (2,))
    peer = restored(world, 2)
    world.run(6.0)
    peer.alive.take_over(world.now)
    assert not peer.alive._replica.is_doubtful
    single = World(1, 2)
    single.gather(1)
    peer = restored(single, 0)
    single.run_until(lambda: peer.alive.state is State.LEADER, 8.0)


def grown(first: int, name: int, size: int = 4) -> tuple[World, list[bytes]]:
    """Return a table that some began and the others joined, and a peer's backup from before that."""
    world = World(1, size)
    world.gather(first)
    world.propose(0, b"early")
    world.run(1.0)
    backup = list(world.peers[name].disk.load())
    for newcomer in range(first, size):
        world.join(newcomer)
        world.run(1.5)
    return world, backup


@pytest.mark.parametrize("goes_on", [False, True], ids=["they wait for it", "they have another leader"])
def test_a_founders_copy_from_before_anybody_joined_does_not_play_on_alone(goes_on: bool) -> None:
    """The others speak to it, and show what it has signed as their leader since."""
    world, backup = grown(1, 0)
    world.propose(1, b"late")
    world.run(1.0)
    if goes_on:
        world.kill(0)
        world.run_until(world.leaders)
        world.propose(1, b"without it")
        world.run(1.0)
        world.peers[0].log = world._make(world.peers[0])
    peer = restored(world, 0, backup)
    world.run_until(lambda: of(peer, events.Forgotten), 5.0)
    assert peer.alive.commit_index < 5
    assert peer.disk.is_doubtful
    world.run(20.0)
    assert not peer.alive.is_leader


def test_a_copy_is_not_sound_because_those_it_knows_were_away() -> None:
    """Whoever joined meanwhile asks for votes, so it is asked, too; and the copy has what that one has."""
    world = World(1, 3)
    world.gather(2)
    backup = list(world.peers[0].disk.load())
    world.kill(1)
    world.run(6.0)
    world.join(2)
    world.run(2.0)
    for _ in range(3):
        world.propose(2, b"without the second")
        world.run(0.5)
    assert world.peers[1].id not in world.peers[0].alive.configuration.voters
    world.kill(0)
    world.run(2.0)
    world.restart(1)
    world.peers[0].log = world._make(world.peers[0])
    peer = restored(world, 0, backup)
    assert set(peer.alive.configuration.voters) == {one.id for one in world.peers[:2]}
    world.run_until(lambda: not peer.alive._replica.is_doubtful or of(peer, events.Forgotten), 6.0)
    assert of(peer, events.Forgotten)


def test_a_stranger_that_speaks_to_a_doubtful_copy_holds_it_up_for_fifteen_seconds_at_most() -> None:
    """Whoever says that it leads is asked; it may be silent, or say that it has all entries there can be."""
    for answers in (True, False):
        world = World(1, 4)
        world.gather(3)
        world.honest = False
        world.kill(1)
        peer, stranger = restored(world, 2), world.peers[3]
        lineage, birth = peer.alive.lineage or b"", peer.alive._replica.birth
        lies: list[wire.LogMessage] = [wire.PreVote(lineage, 2**40, 2**40, 2**40)]
        lies += [wire.Remembered(lineage, birth, None, 2**40, 2**40)] * answers
        for lie in lies:
            peer.alive.receive(stranger.id, wire.encode(lie), world.now)
            world.pump(peer)
        world.kill(0)
        world.restart(0)
        assert world.run_until(world.leaders, 30.0) < Timing().takeover + Timing().proof + 3.0
        assert not of(peer, events.Forgotten)


def test_a_commit_that_another_signed_makes_no_copy_begin_anew() -> None:
    """Nor one of its own for an entry that it has, or that a copy before it may have signed."""
    world, backup = grown(1, 0)
    peer = restored(world, 0, backup)
    world.honest = False
    log, other = peer.alive, world.peers[1]
    lineage = log.lineage or b""
    far = log.last_number + 8
    log._replica.elsewhere[lineage] = far
    for signer, number in ((other.signer, far + 8), (peer.signer, far), (peer.signer, log.last_number)):
        commit = sign_commit(signer, lineage, 1, number, bytes(32))
        log.receive(other.id, told(commit), world.now)
    assert not of(peer, events.Forgotten)
    log.receive(other.id, told(sign_commit(peer.signer, lineage, 1, far + 8, bytes(32))), world.now)
    world.pump(peer)
    assert of(peer, events.Forgotten)


def broken(witness: str) -> Counter[str]:
    """Count the schedules with restored disks in which two copies differ, and what happened in the others."""
    faults = Counter[str]()
    for seed in RESTORED:
        try:
            faults += restored_schedule(seed, witness).faults
        except Violation:
            faults["differ"] += 1
    return faults


@pytest.mark.battery
def test_no_restored_disk_makes_copies_differ_while_its_witness_is_there() -> None:
    """Whatever was restored and cut off; and everybody is together in the end who still has a majority."""
    faults = broken("whole")
    assert faults["restored"] > 4
    assert not faults["differ"]
    assert not faults["not together in the end"]
