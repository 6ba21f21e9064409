"""The agreed log in calm: ordering, finality, counts, restart, membership, and misuse."""

from __future__ import annotations

import dataclasses
import random
from contextlib import nullcontext
from itertools import pairwise

import msgspec
import pytest
from tests.protocol.grouplog.memory_storage import MemoryStorage
from tests.protocol.grouplog.simulator import TABLE, CheapSigner, Peer, Weather, World

from tavolata_protocol.entries import (
    Entry,
    EntryKind,
    configuration_of,
    control_body,
    first_lineage,
    place,
    propose,
)
from tavolata_protocol.errors import BrokenEntry, MalformedMessage, WrongMoment
from tavolata_protocol.grouplog import GroupLog, State, events
from tavolata_protocol.grouplog.timing import QUOTAS
from tavolata_protocol.identity import Identity
from tavolata_protocol.messages import log as wire
from tavolata_protocol.messages.entries import MAX_MEMBERS, Role


def bodies(world: World, name: int) -> list[bytes]:
    return [entry.body for entry in world.peers[name].applied if entry.kind is EntryKind.APPLICATION]


def test_a_founder_alone_orders_and_finalises() -> None:
    """One voter is a majority of one."""
    world = World(1, 1)
    world.found()
    assert [world.propose(0, body) for body in (b"a", b"b")] == [1, 2]
    assert bodies(world, 0) == [b"a", b"b"]
    assert world.peers[0].alive.pending == ()
    assert world.peers[0].alive.seen_by_all == world.peers[0].alive.commit_index


def test_everybody_is_given_the_same_entries_in_the_same_order() -> None:
    """Proposals of all peers come out everywhere, once, in one order."""
    world = World(2, 5)
    world.gather()
    for number in range(40):
        world.propose(number % 5, b"%d" % number)
    world.run(2)
    world.check_converged()
    assert sorted(bodies(world, 3), key=int) == [b"%d" % number for number in range(40)]
    assert all(bodies(world, name) == bodies(world, 0) for name in range(5))


def test_real_signatures_pass_and_forged_ones_do_not() -> None:
    """With real keys a founder and a guest agree; an entry signed by another key is the peer's fault."""
    host, guest = Identity(b"h" * 32), Identity(b"g" * 32)
    logs = {
        signer.peer: GroupLog(signer, MemoryStorage(), table=TABLE, chance=random.Random(1))
        for signer in (host, guest)
    }
    logs[host.peer].create(0.0)
    logs[guest.peer].join(host.peer, 0.0)
    now = 0.0
    for step in range(40):
        now += 0.1
        for peer, log in logs.items():
            log.handle_timer(now)
            for to, message, _ in log.messages_to_send(now):
                logs[to].receive(peer, message, now)
            while (event := log.next_event()) is not None:
                if isinstance(event, events.JoinRequested):
                    log.add_learner(event.peer)
                    log.promote(event.peer)
        if step == 20:
            logs[guest.peer].propose(b"hello")
    assert logs[guest.peer].commit_index == logs[host.peer].commit_index == 4
    entry = logs[guest.peer].entry(4)
    assert entry is not None
    assert entry.body == b"hello"
    forged = propose(guest, first_lineage(TABLE), 2, b"forged")
    message = wire.encode(wire.Propose(forged.lineage, forged.signed, bytes(64)))
    with pytest.raises(BrokenEntry):
        logs[host.peer].receive(guest.peer, message, now)
    with pytest.raises(BrokenEntry):
        logs[host.peer].receive(
            host.peer, wire.encode(wire.Propose(forged.lineage, forged.signed, forged.signature)), now
        )


def test_final_is_what_a_majority_holds() -> None:
    """With two of five cut off entries become final; with three cut off they don't."""
    world = World(3, 5)
    world.gather()
    before = world.peers[0].alive.commit_index
    world.split((0, 1, 2), (3, 4))
    world.propose(0, b"with a majority")
    world.run(0.5)
    assert world.peers[0].alive.commit_index == before + 1
    world.split((0, 1), (2, 3, 4))
    world.propose(0, b"without")
    world.run(0.5)
    assert world.peers[0].alive.commit_index == before + 1
    assert world.peers[0].alive.last_number == before + 2


def test_both_of_two_players_hold_every_final_entry() -> None:
    """Rule 10: with two voters nothing is final that only one holds."""
    world = World(4, 2)
    world.gather()
    before = world.peers[0].alive.commit_index
    world.split((0,), (1,))
    world.propose(0, b"alone")
    world.run(1.0)
    assert world.peers[0].alive.commit_index == before


def test_seen_by_all_waits_for_the_slowest_voter() -> None:
    """The count for the screen stays behind finality while one voter is cut off."""
    world = World(5, 3)
    world.gather()
    before = world.peers[0].alive.seen_by_all
    world.split((0, 1), (2,))
    world.propose(0, b"x")
    world.run(0.3)
    assert world.peers[0].alive.commit_index == before + 1
    assert world.peers[0].alive.seen_by_all == before
    world.heal()
    world.run(2.2)
    assert world.peers
    assert all(peer.alive.seen_by_all == before + 1 for peer in world.peers)


def test_the_next_heartbeat_corrects_what_one_said_that_all_hold() -> None:
    """A leader may say anything; nothing that it said outlives what the next one says."""
    world = World(5, 3)
    world.gather()
    log, term = world.peers[2].alive, world.peers[0].alive.term
    at = log.last_number, log._replica.journal.last_term, log._replica.journal.chain
    lie = wire.Append(first_lineage(TABLE), term, *at, (), 0, 2**61, 1, 0, 0, 0, b"")
    log.receive(world.peers[0].id, wire.encode(lie), world.now)
    assert log._replica.seen == 2**61
    world.run(1.0)
    assert log._replica.seen == log.commit_index


def test_a_count_is_delivered_once_however_often_it_arrives() -> None:
    """Rule 2: a repeated proposal is answered with its number, not appended again."""
    world = World(6, 2)
    world.gather()
    host, guest = world.peers
    proposal = propose(guest.signer, first_lineage(TABLE), 1, b"once")
    message = wire.encode(wire.Propose(proposal.lineage, proposal.signed, proposal.signature))
    host.alive.receive(guest.id, message, world.now)
    world.pump(host)
    world.run(0.2)
    number = host.alive.last_number
    host.alive.receive(guest.id, message, world.now)
    answers = [wire.decode(data) for to, data, _ in host.alive.messages_to_send(world.now) if to == guest.id]
    assert host.alive.last_number == number
    assert wire.PlacedAt(proposal.lineage, host.alive.term, 1, number) in answers


def test_a_higher_count_waits_for_those_before_it_and_only_16_do() -> None:
    """Rule 2: 2 to 17 wait for 1, and 18 is dropped until it is proposed again."""
    world = World(7, 2)
    world.gather()
    host, guest = world.peers
    before = host.alive.last_number
    for count in [*range(2, 19), 1]:
        proposal = propose(guest.signer, first_lineage(TABLE), count, b"%d" % count)
        message = wire.encode(wire.Propose(proposal.lineage, proposal.signed, proposal.signature))
        host.alive.receive(guest.id, message, world.now)
        assert host.alive.last_number == (before if count != 1 else before + 17)
    world.pump(host)
    world.run(0.5)
    assert bodies(world, 1) == [b"%d" % count for count in range(1, 18)]


def test_proposals_survive_loss_repetition_and_disorder() -> None:
    """Under 30 % loss, 30 % repetition and large jitter all proposals come out, in each author's order."""
    world = World(8, 4, Weather(0.3, 0.3, 0.001, 0.08))
    world.gather()
    for number in range(60):
        world.propose(number % 4, b"%d" % number)
        world.run(0.05)
    world.settle()
    for author in range(4):
        mine = [int(body) for body in bodies(world, 2) if int(body) % 4 == author]
        assert mine == sorted(mine)
        assert len(mine) == 15


def test_a_restarted_peer_goes_on_where_it_was() -> None:
    """All is delivered again, also to an application that kept it, and what was pending is proposed again."""
    world = World(9, 3)
    world.gather()
    world.propose(1, b"before")
    world.run(0.5)
    world.split((0, 2), (1,))
    world.propose(1, b"pending")
    world.kill(1)
    world.heal()
    world.run(0.5)
    world.restart(1)
    assert world.peers[1].alive.pending == (2,)
    world.run(3)
    world.check_converged()
    assert bodies(world, 0) == bodies(world, 1) == [b"before", b"pending"]


def test_a_proposal_is_on_disk_before_it_leaves() -> None:
    """A proposer that crashes right after sending has it, and nothing in its place, when it is back."""
    world = World(10, 2)
    world.gather()
    guest = world.peers[1]
    guest.alive.propose(b"mine")
    assert guest.alive.messages_to_send(world.now)
    guest.proposed[1] = b"mine"
    world.kill(1)
    world.restart(1)
    assert guest.alive.pending == (1,)
    world.settle()


def test_an_away_peer_is_reported_once_and_when_it_is_back() -> None:
    """Rule of presence: away after 3 s of silence, at every peer, and back when heard."""
    world = World(11, 4)
    world.gather()
    gone = world.peers[3]
    world.split((0, 1, 2), (3,))
    world.run(2.5)
    assert events.PeerAway(gone.id) not in world.peers[0].heard
    world.run(2.0)
    for name in (0, 1, 2):
        assert world.peers[name].heard.count(events.PeerAway(gone.id)) == 1
        assert gone.id in world.peers[name].alive.away
    world.heal()
    world.run(2.0)
    for name in (0, 1, 2):
        assert world.peers[name].heard.count(events.PeerBack(gone.id)) == 1
        assert not world.peers[name].alive.away


def test_a_spectator_learns_and_proposes_but_does_not_count() -> None:
    """A learner receives every final entry and can propose; finality doesn't wait for it."""
    world = World(12, 3)
    world.gather(2)
    world.admits = lambda leader, newcomer: leader.alive.add_learner(newcomer)
    world.join(2)
    world.run(1.0)
    table = world.peers[0].alive.configuration
    assert [member.role for member in table.members] == [Role.VOTER, Role.VOTER, Role.LEARNER]
    world.propose(2, b"from the gallery")
    world.run(0.5)
    world.split((0, 1), (2,))
    world.propose(0, b"without it")
    world.run(0.5)
    assert bodies(world, 0) == [b"from the gallery", b"without it"]
    assert bodies(world, 2) == [b"from the gallery"]


def test_members_come_and_go_one_voter_at_a_time() -> None:
    """Each configuration in the log differs from the one before by one voter at most."""
    world = World(13, 5)
    world.gather()
    host = world.peers[0].alive
    host.remove(world.peers[4].id)
    host.remove(world.peers[3].id)
    world.pump(world.peers[0])
    world.run(1.0)
    assert len(host.configuration.voters) == 3
    for name in (3, 4):
        assert events.LeftTable() in world.peers[name].heard
        assert world.peers[name].alive.state is State.LEFT
    seen = [
        {member for member in configuration.members if member.role is Role.VOTER}
        for configuration in map(configuration_of, world.peers[1].applied)
        if configuration is not None
    ]
    changes = [len(before ^ after) for before, after in pairwise(seen)]
    assert changes.count(1) >= 2, changes  # two voters were taken out
    assert max(changes) == 1


@pytest.mark.parametrize("gap", [0.3, 1.2])
def test_who_is_removed_acts_on_nothing_that_comes_behind(gap: float) -> None:
    """A peer whose removal and the next one reach it together leaves, also when it is started again."""
    world = World(9, 5)
    world.gather(4)
    host, gone = world.peers[0], world.peers[3]
    world.split((0, 1, 2, 4), (3,))
    for name, seconds in ((3, 0.5), (2, gap)):
        host.alive.remove(world.peers[name].id)
        world.pump(host)
        world.run(seconds)
    world.heal()
    world.run(8.0)
    assert gone.alive.state is State.LEFT
    removal = gone.applied[-1]
    assert removal.kind is EntryKind.CONFIGURATION
    assert removal.number < host.alive.commit_index
    world.kill(3)
    world.restart(3)
    assert gone.alive.state is State.LEFT
    assert gone.alive.commit_index == removal.number


def test_a_peer_with_ever_other_copies_is_heard_of_every_three_seconds() -> None:
    """Its wishes to join come no faster, however often it is born."""
    world = World(10, 2)
    world.found()
    host, newcomer = world.peers
    world.admits = None
    for number in range(65):
        host.alive.receive(newcomer.id, wire.encode(wire.Join(number.to_bytes(8, "big"))), world.now)
        world.pump(host)
        world.run(0.1)
    assert host.heard.count(events.JoinRequested(newcomer.id)) == 3
    host.alive.add_learner(newcomer.id)
    world.pump(host)
    before = host.alive.commit_index
    for number in range(100):
        host.alive.receive(newcomer.id, wire.encode(wire.Join(number.to_bytes(8, "big"))), world.now)
        world.pump(host)
    assert newcomer.id in host.alive.configuration
    assert host.alive.commit_index == before


def test_who_comes_to_a_full_table_waits_for_a_place() -> None:
    """The sixty-third peer that is let in is no fault of anybody, and comes in when another goes."""
    world = World(11, MAX_MEMBERS + 2)
    world.found()
    host = world.peers[0]
    world.admits = lambda leader, newcomer: leader.alive.add_learner(newcomer)
    for peer in world.peers[1:]:
        host.alive.receive(peer.id, wire.encode(wire.Join(bytes(8))), world.now)
        world.pump(host)
    world.run(0.1)
    assert len(host.alive.configuration.members) == MAX_MEMBERS
    assert world.peers[-1].id not in host.alive.configuration
    host.alive.remove(world.peers[1].id)
    host.alive.remove(world.peers[2].id)
    world.pump(host)
    world.run(2.0)
    assert world.peers[-1].id in host.alive.configuration


def test_who_comes_and_goes_leaves_no_proposals_behind() -> None:
    """Early proposals wait for their author while it's a member: with other keys it could send ever more."""
    world = World(12, 8)
    world.found()
    host, lineage = world.peers[0], first_lineage(TABLE)
    world.admits = lambda leader, newcomer: leader.alive.add_learner(newcomer)
    for peer in world.peers[1:]:
        host.alive.receive(peer.id, wire.encode(wire.Join(bytes(8))), world.now)
        world.pump(host)
        world.run(0.1)
        early = propose(peer.signer, lineage, 2, bytes(1000))
        said = wire.encode(wire.Propose(lineage, early.signed, early.signature))
        host.alive.receive(peer.id, said, world.now)
        host.alive.remove(peer.id)
        world.pump(host)
        world.run(0.2)
    leading = host.alive._leadership.leading
    assert leading is not None
    assert set(leading.queue._waiting) == {world.peers[-1].id}


def test_a_newcomer_is_pointed_to_the_leader() -> None:
    """Whoever is asked to let a newcomer in names the peer that can."""
    world = World(14, 3)
    world.gather(2)
    world.join(2, via=1)
    world.run(3.0)
    assert len(world.peers[0].alive.configuration.voters) == 3
    world.check_converged()


def test_state_digests_that_differ_are_found() -> None:
    """Both sides learn of the peer and the entry at which their application's states went apart."""
    world = World(15, 3)
    world.digests = False
    world.gather()
    number = world.peers[0].alive.commit_index
    world._hear = lambda peer, event: peer.heard.append(event)  # type: ignore[method-assign]  # differences are wanted
    for name, digest in ((0, b"same"), (1, b"same"), (2, b"other")):
        world.peers[name].alive.note_digest(number, digest)
    world.run(1.5)
    host, guest = world.peers[0], world.peers[2]
    assert [e for e in host.heard if isinstance(e, events.Desynchronised)] == [
        events.Desynchronised(guest.id, number, b"same", b"other")
    ]
    assert events.Desynchronised(host.id, number, b"other", b"same") in guest.heard
    assert not [e for e in world.peers[1].heard if isinstance(e, events.Desynchronised)]


def test_a_leader_takes_nobody_to_another_lineage() -> None:
    """A configuration that leaves the present lineage is refused: nobody could lead behind it."""
    world = World(1, 3)
    world.gather()
    world.honest = False
    liar, *others = world.peers
    for peer in others:
        log = peer.alive
        last, lineage = log.last_number, log.lineage or b""
        body = control_body(log.term, last + 1, log.configuration)
        proposal = propose(liar.signer, bytes(16), 0, body, EntryKind.CONFIGURATION)
        chain = log.chain_at(last) or b""
        entry = place(proposal, log.term, last + 1, chain)
        at = last, log._replica.journal.last_term, chain
        append = wire.Append(lineage, log.term, *at, (entry.wire,), last + 1, 0, 1, 0, 0, 0, b"")
        with pytest.raises(BrokenEntry):
            log.receive(liar.id, wire.encode(append), world.now)
        world.pump(peer)
        assert log.last_number == last
    world.kill(0)
    world.propose(1, b"without the liar")
    world.run_until(lambda: all(bodies(world, name) == [b"without the liar"] for name in (1, 2)))


def test_misuse_is_told_in_a_sentence() -> None:
    """What the present role doesn't allow raises a local error and changes nothing."""
    log = GroupLog(CheapSigner(0), MemoryStorage(), table=TABLE, chance=random.Random(0))
    for misuse in (
        lambda: log.propose(b"x"),
        lambda: log.resume(0.0),
        lambda: log.add_learner(CheapSigner(1).peer),
        lambda: log.take_over(0.0),
        lambda: log.compact(1, b""),
        lambda: log.note_digest(1, bytes(33)),
    ):
        with pytest.raises(WrongMoment):
            misuse()
    log.create(0.0)
    for misuse in (
        lambda: log.create(0.0),
        lambda: log.join(CheapSigner(1).peer, 0.0),
        lambda: log.remove(CheapSigner(0).peer),
    ):
        with pytest.raises(WrongMoment):
            misuse()


def test_another_tables_store_is_refused() -> None:
    """A stored log isn't mistaken for that of another table."""
    store = MemoryStorage()
    GroupLog(CheapSigner(0), store, table=TABLE, chance=random.Random(0)).create(0.0)
    with pytest.raises(WrongMoment):
        GroupLog(CheapSigner(0), store, table=b"another", chance=random.Random(0))


def test_noise_is_the_peers_fault_and_harms_nothing() -> None:
    """Bytes that are no message raise a remote error; the log goes on."""
    world = World(16, 2)
    world.gather()
    for noise in (b"", b"\xc1", b"\x91\x63", bytes(70_000), b"\x92" * 500):
        with pytest.raises(MalformedMessage):
            world.peers[0].alive.receive(world.peers[1].id, noise, world.now)
    world.propose(1, b"still here")
    world.run(0.5)
    world.check_converged()


@pytest.mark.parametrize("forged", [False, True])
def test_a_leader_that_replaces_what_it_sent_makes_nothing_final_that_is_gone(*, forged: bool) -> None:
    """A cut ends the match with the entries behind it, even if the entry in their place is forged."""
    world = World(7, 3)
    world.gather()
    (liar, guest, stranger), lineage = world.peers, first_lineage(TABLE)
    journal = guest.alive._replica.journal
    start, count = journal.last_number, journal.last_count(liar.id)

    def say(previous: int, *bodies: bytes, final: int, signed: bool = True) -> None:
        chain, term = journal.chain_at(previous), journal.term_at(previous)
        entries: list[Entry] = []
        assert chain is not None
        assert term is not None
        head = wire.Append(lineage, 1, previous, term, chain, (), final, 0, 1, 0, 0, 0, b"")
        for number, body in enumerate(bodies, previous + 1):
            proposal = propose(liar.signer, lineage, count + number - start, body)
            if not signed:
                other = stranger.signer.sign(b"", body)
                proposal = dataclasses.replace(proposal, signature=other)
            entries.append(place(proposal, 1, number, chain))
            chain = entries[-1].chain
        message = msgspec.structs.replace(head, entries=tuple(entry.wire for entry in entries))
        guest.alive.receive(liar.id, wire.encode(message), world.now)

    say(start, *(b"%d" % number for number in range(10)), final=start)
    assert journal.last_number == start + 10
    with pytest.raises(BrokenEntry) if forged else nullcontext():
        say(start + 2, b"another", final=start + 10, signed=not forged)
    say(start + 2, final=start + 10)
    assert guest.alive.commit_index == guest.alive.last_number == start + 3 - forged


def test_only_one_peer_orders_in_a_term() -> None:
    """A follower that claims to order in the leader's own term is not followed."""
    world = World(17, 3)
    world.gather()
    log = world.peers[0].alive
    claim = wire.Append(first_lineage(TABLE), log.term, 0, 0, bytes(32), (), 0, 0, 1, 0, 0, 0, b"")
    for victim in (0, 1):
        world.peers[victim].alive.receive(world.peers[2].id, wire.encode(claim), world.now)
        assert world.peers[victim].alive.leader == world.peers[0].id


@pytest.mark.parametrize("told", [True, False], ids=["that heard of it", "that is cut off"])
def test_a_removed_peer_is_told_until_it_knows_or_ten_seconds_have_passed(*, told: bool) -> None:
    """The leader goes on sending to a peer that was removed, but not for ever."""
    world = World(41, 3)
    world.gather()
    sent: list[float] = []

    def passes(sender: Peer, receiver: Peer, message: bytes) -> bool:
        if receiver.name == 2 and isinstance(wire.decode(message), wire.Append):
            sent.append(world.now)
        return told or 2 not in (sender.name, receiver.name)

    world.passes = passes
    removed = world.now
    world.peers[0].alive.remove(world.peers[2].id)
    world.pump(world.peers[0])
    world.run(20.0)
    assert sent
    if told:
        assert world.peers[2].alive.state is State.LEFT
        assert sent[-1] - removed < 1.0
    else:
        assert 9.0 < sent[-1] - removed < 11.0


@pytest.mark.battery
def test_the_places_of_learners_that_went_are_free_again() -> None:
    """A learner that vanished is taken out after a minute; one that is away for less keeps its place."""
    world = World(42, MAX_MEMBERS + 1)
    world.gather(2)
    world.admits = lambda leader, newcomer: leader.alive.add_learner(newcomer)
    for name in range(2, MAX_MEMBERS):
        world.join(name)
    world.run(5.0)
    host = world.peers[0].alive
    assert len(host.configuration.members) == MAX_MEMBERS
    for name in range(3, MAX_MEMBERS):
        world.kill(name)
    world.stop(2, 30.0)
    world.join(MAX_MEMBERS)
    world.run(50.0)
    assert len(host.configuration.members) == MAX_MEMBERS
    world.run(40.0)
    assert len(host.configuration.members) == 4
    assert world.peers[2].id in host.configuration
    assert world.peers[MAX_MEMBERS].id in host.configuration


def test_a_talkative_learner_fills_nobodys_disk() -> None:
    """What a learner proposes beyond its quota waits, and it is told so; players go on, nothing is lost."""
    world = World(43, 3)
    world.gather(2)
    world.admits = lambda leader, newcomer: leader.alive.add_learner(newcomer)
    world.join(2)
    world.run(2.0)
    for number in range(16):
        world.propose(2, b"%2d" % number + bytes(10_000))
    world.run(5.0)
    host = world.peers[0].alive
    said = [body for body in bodies(world, 0) if len(body) > 9000]
    rate, burst = QUOTAS[Role.LEARNER]
    assert 1 <= len(said) * 10_000 <= burst + 6 * rate
    assert any(isinstance(event, events.ProposalsDelayed) for event in world.peers[2].heard)
    final = host.commit_index
    world.propose(1, b"a move")
    world.run(0.1)
    assert host.commit_index == final + 1
    world.run(150.0)
    assert [body[:2] for body in bodies(world, 0) if len(body) > 9000] == [b"%2d" % n for n in range(16)]
