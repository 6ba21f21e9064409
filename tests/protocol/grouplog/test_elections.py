"""Change of leader: who takes over when, who must not, partitions, lineages, and polite handover."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import pytest
from tests.protocol.grouplog.lying_voter import request, vote
from tests.protocol.grouplog.memory_storage import MemoryStorage
from tests.protocol.grouplog.simulator import TABLE, Peer, Violation, Weather, World

from tavolata_protocol import codec
from tavolata_protocol.entries import first_lineage
from tavolata_protocol.errors import FurtherCopy, UnheardCopy, WrongMoment
from tavolata_protocol.grouplog import State, events, storage
from tavolata_protocol.messages import log as wire
from tavolata_protocol.messages.entries import Role
from tavolata_protocol.votes import sign_transfer


def follows(peer: Peer, leader: Peer) -> bool:
    return peer.alive.leader == leader.id


def roles(world: World, name: int) -> list[Role]:
    return [member.role for member in world.peers[name].alive.configuration.members]


@pytest.mark.parametrize("size", [3, 5, 7])
def test_a_killed_leader_is_replaced_within_two_and_a_half_seconds(size: int) -> None:
    """Of 20 kills, the 95th percentile until another leads is at most 2.5 s; nothing is lost."""
    times = []
    for seed in range(20):
        world = World(seed, size)
        world.gather()
        world.propose(1, b"before")
        world.run(0.3)
        world.propose(2, b"in the air")
        world.kill(0)
        times.append(world.run_until(world.leaders, 10.0))
        world.propose(1, b"after")
        world.settle()
    assert sorted(times)[int(len(times) * 0.95)] <= 2.5


def test_the_old_leader_rolls_back_what_was_not_final() -> None:
    """Rule 11: what it placed alone is dropped, its author proposes it again, and it is delivered once."""
    world = World(1, 3)
    world.gather()
    world.split((0,), (1, 2))
    world.propose(0, b"alone")
    world.run_until(lambda: any(peer.name in (1, 2) for peer in world.leaders()))
    world.propose(1, b"together")
    world.run(1.0)
    world.heal()
    world.settle()
    records = map(codec.reader(storage.Record, 2**24), world.peers[0].disk.load())
    assert any(isinstance(record, storage.Cut) for record in records)
    assert [entry.body for entry in world.peers[2].applied if entry.count] == [b"together", b"alone"]


def test_who_still_hears_the_leader_refuses_a_change() -> None:
    """Rule 5: one peer that hears nothing doesn't branch a leader that the others hear."""
    world = World(2, 4)
    world.gather()
    world.cuts = {(0, 3)}
    world.run(20.0)
    assert world.leaders() == [world.peers[0]]
    assert world.peers[0].alive.term == 1


def test_a_leader_that_nobody_answers_steps_down() -> None:
    """Rule 7: heard by all but hearing nobody, it gives up within 2.5 s, and another takes over."""
    world = World(3, 5)
    world.gather()
    world.cuts = {(other, 0) for other in range(1, 5)}
    assert world.run_until(lambda: not world.peers[0].alive.is_leader) <= 2.6
    world.run_until(world.leaders)
    assert world.leaders() != [world.peers[0]]


def test_of_two_against_two_the_leaders_side_goes_on() -> None:
    """Rule 9: one absent seat stops counting, and two of the other three are a majority."""
    world = World(4, 4)
    world.gather()
    world.split((0, 1), (2, 3))
    world.run(6.0)
    before = world.peers[0].alive.commit_index
    world.propose(1, b"going on")
    world.run(0.5)
    assert world.peers[0].alive.commit_index == before + 1
    assert roles(world, 0).count(Role.ABSENT) == 1
    assert not [peer for peer in world.leaders() if peer.name in (2, 3)]
    world.heal()
    world.settle()
    world.run_until(lambda: roles(world, 3) == [Role.VOTER] * 4, 5.0)
    assert world.peers[0].alive.term == 1


def test_the_host_goes_on_when_the_guest_goes_and_takes_it_back() -> None:
    """Rule 10: the guest's seat stops counting after 3 s, and counts again when it is back."""
    world = World(5, 2)
    world.gather()
    world.kill(1)
    world.propose(0, b"waits for the guest's seat")
    world.run(2.0)
    assert world.peers[0].alive.pending
    world.run(3.0)
    assert not world.peers[0].alive.pending
    assert roles(world, 0) == [Role.VOTER, Role.ABSENT]
    world.restart(1)
    world.settle()
    world.run_until(lambda: roles(world, 1) == [Role.VOTER, Role.VOTER], 5.0)


def test_the_guest_waits_when_the_host_goes() -> None:
    """Rule 10: nothing becomes final by itself; when the host is back, the two go on in the same lineage."""
    world = World(6, 2)
    world.gather()
    world.kill(0)
    guest = world.peers[1]
    world.propose(1, b"waiting")
    world.run(30.0)
    assert guest.alive.pending == (1,)
    assert guest.heard.count(events.TakeoverPossible()) == 1
    lineage = guest.alive.lineage
    world.restart(0)
    world.settle()
    assert world.peers[0].alive.lineage == lineage


def test_taking_over_begins_a_lineage_that_is_never_merged() -> None:
    """Rule 10: after 5 s the guest may go on alone; the returning host is told, nothing is mixed."""
    world = World(7, 2)
    world.gather()
    host, guest = world.peers
    old = guest.alive.lineage
    world.propose(1, b"before")
    world.run(0.5)
    final = guest.alive.commit_index
    world.kill(0)
    world.propose(1, b"kept")
    world.run(4.0)
    with pytest.raises(WrongMoment):
        guest.alive.take_over(world.now)
    world.run(2.0)
    guest.alive.take_over(world.now)
    world.pump(guest)
    assert guest.alive.is_leader
    assert guest.alive.lineage != old
    assert not guest.alive.pending
    assert [entry.body for entry in guest.applied if entry.count] == [b"before", b"kept"]
    world.restart(0)
    world.run(5.0)
    assert guest.alive.lineage is not None
    assert events.OtherLineage(guest.id, guest.alive.lineage) in host.heard
    assert host.alive.commit_index == final
    kept = host.disk
    world.lose(0)
    world.join(0, via=1)
    world.settle()
    assert list(kept.load())
    assert host.alive.lineage == guest.alive.lineage
    assert [entry.body for entry in host.applied if entry.count] == [b"before", b"kept"]
    world.run_until(lambda: roles(world, 1) == [Role.VOTER, Role.VOTER], 5.0)


def test_nobody_takes_over_with_a_copy_that_another_knows_more_than() -> None:
    """Two of four are left: the one that lacks an entry reads who has it, and that one may take over."""
    world = World(8, 4)
    world.gather()
    world.split((0, 2, 3), (1,))
    world.propose(0, b"heard by some")
    world.run(0.4)
    world.kill(0)
    world.kill(3)
    world.heal()
    world.run(8.0)
    behind, further = world.peers[1].alive, world.peers[2].alive
    assert behind.last_number < further.last_number
    with pytest.raises(FurtherCopy) as found:
        behind.take_over(world.now)
    assert found.value.peer == world.peers[2].id
    further.take_over(world.now, [world.peers[1].id])
    assert further.is_leader


def test_whoever_takes_over_hears_first_from_all_voters_that_are_here() -> None:
    """One whose answers are lost may know more; one that never answers stops nobody for longer than 10 s."""
    world = World(8, 4)
    world.gather()
    world.split((0, 2, 3), (1,))
    world.propose(0, b"heard by some")
    world.run(0.4)
    world.kill(0)
    world.kill(3)
    world.cuts = {(2, 1)}
    world.run(5.6)
    behind, further = world.peers[1].alive, world.peers[2]
    with pytest.raises(UnheardCopy) as found:
        behind.take_over(world.now, [further.id])
    assert found.value.peer == further.id
    world.run(5.0)
    behind.take_over(world.now, [further.id])
    assert behind.is_leader


def test_a_takeover_survives_a_crash() -> None:
    """The new lineage is on disk with the entry that begins it."""
    world = World(8, 2)
    world.gather()
    world.kill(0)
    world.run(6.0)
    guest = world.peers[1]
    guest.alive.take_over(world.now)
    world.pump(guest)
    lineage = guest.alive.lineage
    world.propose(1, b"alone")
    world.kill(1)
    world.restart(1)
    world.run(5.0)
    assert guest.alive.lineage == lineage
    world.propose(1, b"again")
    assert not guest.alive.pending


def test_a_crash_in_the_middle_of_a_takeover_ends_in_the_new_lineage() -> None:
    """The entry that begins the new lineage is on disk, the record of the lineage is not: it counts."""
    world = World(8, 2)
    world.gather()
    world.kill(0)
    world.run(6.0)
    guest = world.peers[1]
    guest.alive.take_over(world.now)
    world.pump(guest)
    lineage = guest.alive.lineage
    assert lineage is not None
    records = list(guest.disk.load())
    world.kill(1)
    guest.disk = MemoryStorage()
    for record in records[: records.index(codec.encode(storage.InLineage(lineage)))]:
        guest.disk.append(record)
    guest.disk.sync()
    world.restart(1)
    assert guest.alive.lineage == lineage


def test_a_proposal_outlives_a_crash_in_the_middle_of_a_takeover() -> None:
    """Whichever of the takeover's records the crash leaves, an earlier proposal becomes final after it."""
    lost = 0
    while True:
        world = World(8, 2)
        world.gather()
        world.kill(0)
        world.propose(1, b"before")
        world.run(6.0)
        guest = world.peers[1]
        before = len(list(guest.disk.load()))
        guest.alive.take_over(world.now)
        guest.alive.messages_to_send(world.now)
        records = list(guest.disk.load())
        lost += 1
        if len(records) - lost < before:
            break
        world.kill(1)
        guest.disk = MemoryStorage()
        for record in records[:-lost]:
            guest.disk.append(record)
        guest.disk.sync()
        world.restart(1)
        world.run(6.0)
        if not guest.alive.is_leader:
            guest.alive.take_over(world.now)
            world.pump(guest)
        assert not guest.alive.pending
    assert lost > 4


def test_leaving_politely_hands_over_first() -> None:
    """Rule 13: when the leader leaves, another leads within a second; the leaver is told it is out."""
    world = World(9, 3)
    world.gather()
    world.propose(0, b"last words")
    world.peers[0].alive.leave(world.now)
    world.pump(world.peers[0])
    assert world.run_until(lambda: any(peer.name for peer in world.leaders())) <= 1.0
    world.run(2.0)
    assert world.peers[0].alive.state is State.LEFT
    assert events.LeftTable() in world.peers[0].heard
    assert roles(world, 1) == [Role.VOTER, Role.VOTER]
    world.settle()


def test_a_leader_that_leaves_asks_an_heir_twice_a_second_until_one_takes_over() -> None:
    """Rule 13: a transfer that is lost is sent again after half a second, so that a table waits no longer."""
    world = World(9, 3)
    world.gather()
    sent: list[float] = []

    def passes(sender: Peer, receiver: Peer, message: bytes) -> bool:
        if not isinstance(wire.decode(message), wire.HandOver):
            return True
        sent.append(world.now)
        return False

    world.passes = passes
    world.peers[0].alive.leave(world.now)
    world.pump(world.peers[0])
    world.run(1.8)
    assert [round(later - before, 3) for before, later in pairwise(sent)] == [0.5, 0.5, 0.5]


def test_a_host_of_two_that_leaves_politely_lets_the_guest_go_on() -> None:
    """The guest leads in the same lineage, alone."""
    world = World(10, 2)
    world.gather()
    lineage = world.peers[1].alive.lineage
    world.peers[0].alive.leave(world.now)
    world.pump(world.peers[0])
    world.run(3.0)
    assert world.peers[1].alive.is_leader
    world.propose(1, b"alone")
    assert not world.peers[1].alive.pending
    assert world.peers[1].alive.lineage == lineage


def test_the_last_one_simply_leaves() -> None:
    """Nobody is left to hand over to."""
    world = World(11, 1)
    world.found()
    world.peers[0].alive.leave(world.now)
    world.pump(world.peers[0])
    assert world.peers[0].alive.state is State.LEFT


def test_a_stopped_leader_is_replaced_and_accuses_nobody_on_return() -> None:
    """Stopped for 10 s, it finds another one ordering, follows it, and reports nobody as away."""
    world = World(12, 4)
    world.gather()
    world.stop(0, 10.0)
    world.propose(1, b"meanwhile")
    world.run(9.0)
    assert len(world.leaders()) == 2  # the stopped one doesn't know yet
    world.run(3.0)
    assert len(world.leaders()) == 1
    world.settle()
    assert not [event for event in world.peers[0].heard if isinstance(event, events.PeerAway)]


def test_a_stopped_follower_starts_no_election_on_return() -> None:
    """Its own late tick shows that it slept: it waits one period before it suspects anybody."""
    world = World(13, 3)
    world.gather()
    world.stop(2, 20.0)
    world.run(30.0)
    assert world.peers[0].alive.term == 1
    world.settle()


def test_a_peer_that_lost_its_log_never_votes_for_the_old_copy() -> None:
    """Rule 12: its vote, which would elect a peer without a final entry, doesn't count."""
    world = World(14, 3)
    world.gather()
    world.split((0, 1), (2,))
    world.propose(0, b"final with 0 and 1")
    world.run(0.3)
    world.kill(0)
    world.lose(1)
    world.restart(1)
    world.split((1, 2), (0,))
    world.run(20.0)
    assert not world.leaders()
    world.restart(0)
    world.heal()
    world.settle()
    world.run_until(lambda: roles(world, 2) == [Role.VOTER] * 3, 5.0)


@pytest.mark.battery
def test_a_partition_of_a_minute_heals_within_five_seconds() -> None:
    """Twenty partitions in random halves: one lineage, everybody together 5 s after healing."""
    for seed in range(20):
        world = World(seed, 5, Weather(0.05, 0.05, 0.001, 0.02))
        world.gather()
        names = world.random.sample(range(5), 5)
        world.split(tuple(names[:2]), tuple(names[2:]))
        for number in range(12):
            world.propose(number % 5, b"%d" % number)
            world.run(5.0)
        world.heal()
        world.settle(5.0)


def test_a_spectator_deposes_nobody() -> None:
    """It neither leads nor gets votes nor raises a term while the leader is heard, whatever it claims."""
    world = World(17, 4)
    world.gather(3)
    world.admits = lambda leader, newcomer: leader.alive.add_learner(newcomer)
    world.join(3)
    world.run(2.0)
    lineage, log = first_lineage(TABLE), world.peers[0].alive
    birth = world.peers[3].alive._replica.birth
    claims = (
        wire.Append(lineage, 9, 0, 0, bytes(32), (), 0, 0, 1, 0, 0, 0, b""),
        request(world.peers[3].signer, 9),
        wire.PreVote(lineage, 9, 9, 999),
        wire.PreVoted(lineage, 9, birth, False, 1, 1),
        wire.PreVoted(lineage, 9, birth, True, 1, 1),
        wire.Voted(lineage, 9, vote(world.peers[3].signer, 9, world.peers[0].id, birth=birth)),
        wire.Elected(lineage, (vote(world.peers[3].signer, 9, world.peers[3].id, birth=birth),)),
        wire.Appended(lineage, 9, birth, False, 0, 1, 0, 0, b""),
        wire.Offer(lineage, 9, 999, bytes(32), 9999, 0, 0, bytes(32)),
        wire.Redirect(lineage, world.peers[3].id),
        wire.Rejected(lineage, 0, 1),
        wire.HandOver(lineage, sign_transfer(world.peers[3].signer, lineage, 1, world.peers[1].id).statement),
    )
    for claim in claims:
        for name in (0, 1, 2):
            world.peers[name].alive.receive(world.peers[3].id, wire.encode(claim), world.now)
            world.pump(world.peers[name])
    world.run(3.0)
    assert log.is_leader
    assert log.term == 1


def test_election_patience_grows_with_the_link() -> None:
    """A slow link is suspected after 8 (srtt + 4 rttvar), a fast one after 1.5 s, and any after 5 s."""
    world = World(15, 2)
    world.gather()
    elections = world.peers[1].alive._leadership.elections
    assert elections.patience == 1.5
    world.peers[1].alive.note_round_trip(world.peers[0].id, 0.2, 0.05)
    assert elections.patience == pytest.approx(3.2)
    world.peers[1].alive.note_round_trip(world.peers[0].id, 10.0, 5.0)  # it acknowledges late on purpose
    assert elections.patience == 5.0


def test_the_simulator_notices_a_divergence() -> None:
    """The checks themselves work: two founders of one table are a violation."""
    world = World(16, 2)
    world.found(0)
    with pytest.raises(Violation):
        world.found(1)


def promoted_and_gone(size: int, dead: tuple[int, ...]) -> World:
    """The last peer is made a voter, and dies with others before it could say that it holds that entry."""
    world = World(size, size)
    world.gather(size - 1)
    world.admits = lambda leader, newcomer: leader.alive.add_learner(newcomer)
    world.join(size - 1)
    world.run(2.0)
    for name in dead:
        world.kill(name)
    world.peers[0].alive.promote(world.peers[size - 1].id)
    world.pump(world.peers[0])
    return world


@pytest.mark.parametrize(("size", "dead"), [(2, (1,)), (4, (2, 3))])
def test_a_voter_that_dies_as_it_is_made_one_holds_nobody_up(size: int, dead: tuple[int, ...]) -> None:
    """Rules 6 and 9 together: its promotion never becomes final, so it is taken back, and all goes on."""
    world = promoted_and_gone(size, dead)
    host = world.peers[0].alive
    assert len(host.configuration.voters) == size
    final = host.commit_index
    world.propose(0, b"going on")
    world.run_until(lambda: host.commit_index > final + 2, 8.0)
    assert not host.pending
    assert world.leaders() == [world.peers[0]]
    for name in dead:
        world.restart(name)
    world.settle()


def test_a_handover_whose_heir_is_left_alone_at_once_goes_on() -> None:
    """Of two, the one that was handed to drops the other before its term held anything: still one line."""
    world = World(7, 2)
    world.gather()
    heir = world.peers[1].alive
    world.peers[0].alive.leave(world.now)
    world.pump(world.peers[0])
    world.run_until(lambda: heir.is_leader, 5.0)
    world.kill(0)
    assert heir.commit_index < heir.last_number
    world.propose(1, b"alone now")
    world.run_until(lambda: not heir.pending, 8.0)
    world.restart(0)
    world.settle()
    assert [entry.body for entry in world.peers[0].applied if entry.count][-1] == b"alone now"


def test_an_answer_is_never_given_in_a_later_term_than_it_was_owed_in() -> None:
    """What matched the leader of one term may not match it in the next: nothing is said about it then."""
    world = World(8, 3)
    world.gather()
    follower, leader, rival = world.peers[1], world.peers[0], world.peers[2]
    lineage, chain = follower.alive.lineage, follower.alive.chain_at(follower.alive.last_number)
    assert lineage is not None
    assert chain is not None
    place = (follower.alive.last_number, follower.alive.term, chain)
    beat = wire.Append(lineage, follower.alive.term, *place, (), 0, 0, 7, 0, 0, 0, b"")
    term = follower.alive.term
    transfer = sign_transfer(leader.signer, lineage, term, rival.id).statement
    asks = request(rival.signer, term + 1, follower.alive._replica.last, transfer)
    follower.alive.receive(leader.id, wire.encode(beat), world.now)
    follower.alive.receive(rival.id, wire.encode(asks), world.now)
    said = [(to, wire.decode(message)) for to, message, _ in follower.alive.messages_to_send(world.now)]
    assert [(to, type(message)) for to, message in said] == [(rival.id, wire.Voted)]


def test_a_host_whose_promotion_may_have_voters_elsewhere_steps_down() -> None:
    """Of two, one can't drop the other while a third may count: it says that its player may take over."""
    world = World(5, 3, Weather(least_delay=0.002, most_delay=0.002))
    world.gather(2)
    world.admits = lambda leader, newcomer: leader.alive.add_learner(newcomer)
    world.join(2)
    world.run(2.0)
    host = world.peers[0]
    world.peers[2].alive.leave(world.now)
    world.pump(world.peers[2])
    host.alive.promote(world.peers[2].id)
    world.pump(host)
    world.run(0.003)
    for name in (1, 2):
        world.kill(name)
    world.run(12.0)
    assert not host.alive.is_leader
    assert any(isinstance(event, events.TakeoverPossible) for event in host.heard)
    host.alive.take_over(world.now)
    assert host.alive.is_leader


def test_of_two_that_leave_at_once_none_hands_over_for_ever() -> None:
    """Leaders that leave take out first whoever leaves too; then the last one goes."""
    world = World(9, 3)
    world.gather()
    for name in (0, 1):
        world.peers[name].alive.leave(world.now)
        world.pump(world.peers[name])
    world.run(8.0)
    assert [peer.alive.state for peer in world.peers] == [State.LEFT, State.LEFT, State.LEADER]
    assert world.peers[2].alive.term < 6


def test_who_was_taken_out_and_is_in_a_higher_term_learns_it() -> None:
    """It stood alone before others took it out: the leader renews its term to tell it, and leads on."""
    world = World(10, 3)
    world.gather()
    gone = world.peers[2]
    world.split((2,), (0, 1))
    world.peers[0].alive.remove(gone.id)
    world.pump(world.peers[0])
    world.run(3.0)
    gone.alive._leadership.observe(5)
    world.heal()
    world.run_until(lambda: gone.alive.state is State.LEFT, 15.0)
    assert world.leaders() == [world.peers[0]]
    assert world.peers[0].alive.term == 6


@pytest.mark.parametrize("voter", [True, False])
def test_who_was_taken_out_while_it_was_away_asks_to_be_let_in_again(*, voter: bool) -> None:
    """A member that hears no leader for long may have been removed: it asks, and learns it."""
    world = World(10, 4)
    world.gather(3)
    world.admits = lambda leader, newcomer: leader.alive.add_learner(newcomer)
    world.join(3)
    world.run(2.0)
    name = 2 if voter else 3
    gone = world.peers[name]
    world.split((name,), tuple(one.name for one in world.peers if one is not gone))
    world.peers[0].alive.remove(gone.id)
    world.pump(world.peers[0])
    world.run(15.0)
    assert gone.alive.state is not State.LEFT
    world.heal()
    world.run(10.0)
    assert any(isinstance(event, events.LeftTable) for event in gone.heard)


def test_who_could_not_hear_the_new_leader_often_follows_it_from_the_first_heartbeat() -> None:
    """Its link comes up after the handover: it asks for the mandate, and often one beat is enough."""
    times = []
    for seed in range(40):
        world = World(seed, 3)
        world.gather()
        world.cuts = {(1, 2), (2, 1)}
        world.peers[0].alive.leave(world.now)
        world.pump(world.peers[0])
        world.run(0.6)
        (heir,) = (peer for peer in world.leaders() if peer.name)
        (other,) = (peer for peer in world.peers[1:] if peer is not heir)
        world.cuts = set()
        times.append(world.run_until(partial(follows, other, heir)))
    assert sorted(times)[12] < 0.5 < max(times) < 1.0
