"""Voters that lie: what convicts them, and what bounds the harm; see "What a voter that lies can do"."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.protocol.grouplog.lying_voter import (
    LINEAGE,
    Forger,
    LyingVoter,
    append,
    request,
    vote,
)
from tests.protocol.grouplog.simulator import Peer, Violation, Weather, World, cheap_verify
from tests.protocol.grouplog.test_mutants import ForgetsItsVote

from tavolata_protocol.equivocation import Equivocation, read_equivocation, sign_commit
from tavolata_protocol.errors import BrokenEntry, MalformedMessage
from tavolata_protocol.grouplog import Rules, State, events
from tavolata_protocol.grouplog.mandates import AHEAD, MOST
from tavolata_protocol.grouplog.roles import Trigger
from tavolata_protocol.identity import Identity, verify
from tavolata_protocol.messages import log as wire
from tavolata_protocol.messages.votes import Statement
from tavolata_protocol.votes import read_transfer, read_vote, sign_transfer, sign_vote

LIAR, ONE, TWO = (Identity(bytes([number]) * 32) for number in (1, 2, 3))


class AnswersWithoutTransfer(Rules):
    """A vote request counts although the leader is heard, whoever says that it handed over."""

    def may_interrupt(self, *, transferred: bool) -> bool:
        return True


class BelievesAnyMandate(Rules):
    """However few votes prove an election."""

    def is_elected(self, votes: int, voters: int) -> bool:
        return votes > 0


def a_voter_lies(rules: Rules | None) -> None:
    """One of four lies in every way for ten seconds: the leader stays, and everything becomes final."""
    world = World(3, 4, rules=rules)
    world.gather()
    liar = LyingVoter(world, 3)
    world.weather.loss = 0.05
    world.weather.resends = True
    liar.lie_for(10.0)
    if any(peer.alive.leader != world.peers[0].id for peer in world.peers[:3]):
        raise Violation("the leader was deposed")
    for name in (0, 1, 2):
        world.propose(name, b"after")
    world.run(3.0)
    if any(peer.alive.pending for peer in world.peers[:3]):
        raise Violation("the table stands still")
    if world.peers[0].alive.term > 40:
        raise Violation("terms run away")


def test_a_voter_that_lies_deposes_nobody() -> None:
    """Requests, handovers, claims, mandates and terms, made up 240 times a second: the leader stays."""
    a_voter_lies(Rules())


@pytest.mark.parametrize("mutant", [AnswersWithoutTransfer, BelievesAnyMandate])
def test_without_the_check_it_deposes(mutant: type[Rules]) -> None:
    """The check of the transfer, and that of the mandate, are needed: the same lies depose the leader."""
    with pytest.raises(Violation, match=r"deposed|stands still|two peers order"):
        a_voter_lies(mutant())


def test_forged_votes_would_depose_if_nobody_checked_signatures() -> None:
    """A mandate in others' names is refused for its signatures alone: unchecked, it is believed."""
    for checks in (True, False):
        world = World(3, 4)
        world.gather()
        liar = LyingVoter(world, 3)
        victim = world.peers[1].alive
        if not checks:
            victim._replica.verify = lambda *_: True
        births = {one.peer: one.birth for one in victim.configuration.members}
        votes = tuple(
            vote(Forger(peer, world.peers[3].signer), 2, world.peers[3].id, birth=birth)
            for peer, birth in births.items()
        )
        liar.say(wire.Elected(LINEAGE, votes), world.peers[1])
        liar.say(append(2), world.peers[1])
        assert (victim.leader == world.peers[0].id) is checks


def test_an_honest_higher_term_is_taken_by_the_leader_and_deposes_nobody() -> None:
    """Who stood while it was cut off comes back: the leader renews its term, and leads on."""
    world = World(4, 4)
    world.gather()
    world.peers[3].alive._leadership.observe(7)
    world.settle()
    assert world.leaders() == [world.peers[0]]
    assert world.peers[0].alive.term == 8
    assert {peer.alive.leader for peer in world.peers} == {world.peers[0].id}
    assert len(world.led) == 2


def test_the_votes_of_a_mandate_are_sent_in_the_order_of_their_voters() -> None:
    """They come from a set, whose order varies by process; no byte on the wire may depend on it."""
    world = World(5, 7)
    world.gather()
    world.kill(0)
    world.run(10.0)
    (leader,) = world.leaders()
    votes = [one.voter for one in leader.alive._leadership.mandates._own]
    assert len(votes) >= 4
    assert votes == sorted(votes)


def test_made_up_terms_cost_one_election_in_five_seconds() -> None:
    """Named twenty times a second for 14 s, they are taken up three times, and the leader is the same."""
    world = World(5, 4)
    world.gather()
    liar = LyingVoter(world, 3)
    for _ in range(280):
        liar.say(wire.Appended(LINEAGE, 2**40, liar._birth, True, 1, 1, 0, 0, b""), world.peers[0])
        world.run(0.05)
    assert set(world.led.values()) == {world.peers[0].id}
    assert len(world.led) == 4
    assert world.peers[0].alive.term <= 4 * 1024


def test_a_leader_that_was_asleep_steps_down_for_a_higher_term() -> None:
    """It can't know whether others elected somebody: it asks nobody to vote for it again."""
    world = World(6, 4)
    world.gather()
    world.stop(0, 6.0)
    world.run(15.0)
    (leader,) = world.leaders()
    assert leader is not world.peers[0]
    assert leader.alive.term == 2
    world.settle()


def test_refusals_with_a_higher_term_end_no_round_of_votes() -> None:
    """The leader is gone; one of five answers each request with a higher term; another leads in time."""
    world = World(7, 5)
    world.gather()
    liar = LyingVoter(world, 4)
    world.kill(0)

    def passes(sender: Peer, receiver: Peer, message: bytes) -> bool:
        if isinstance(wire.decode(message), wire.PreVote | wire.Vote):
            term = sender.alive.term
            liar.say(wire.PreVoted(LINEAGE, term + 3, liar._birth, False, 1, 1), sender)
            liar.say(wire.Voted(LINEAGE, term + 3, None), sender)
        return True

    world.passes = passes
    world.run_until(world.leaders, 5.0)


def test_who_says_that_it_hears_a_dead_leader_delays_an_election_once() -> None:
    """Of three, one says so whenever it is asked: after twice its patience the other asks for votes."""
    world = World(8, 3)
    world.gather()
    liar = world.peers[2]
    world.kill(0)

    def passes(sender: Peer, receiver: Peer, message: bytes) -> bool:
        if isinstance(wire.decode(message), wire.Probe) and receiver is liar:
            lie = wire.Probed(LINEAGE, 1, True)
            world.at(world.now + 0.001, lambda: _tell(world, liar, sender, lie))
        return True

    liar.alive._leadership.elections.deadline = world.now + 1000  # it starts nothing itself
    world.passes = passes
    world.run_until(lambda: world.peers[1].alive.is_leader, 6.0)


def test_a_round_that_was_lost_is_held_again_at_once() -> None:
    """Of four, three are left and all must vote; each time another vote is lost, but not for ever."""
    world = World(11, 4)
    world.gather()
    world.kill(0)
    lost: list[int] = []

    def passes(sender: Peer, receiver: Peer, message: bytes) -> bool:
        decoded = wire.decode(message)
        late = isinstance(decoded, wire.Voted) and decoded.vote is not None and len(lost) < 2
        if late and sender.name not in lost:
            lost.append(sender.name)
            return False
        return True

    world.passes = passes
    world.run_until(world.leaders, 7.0)
    assert len(lost) == 2


def _tell(world: World, sender: Peer, receiver: Peer, message: wire.LogMessage) -> None:
    receiver.alive.receive(sender.id, wire.encode(message), world.now)
    world.pump(receiver)


def test_who_was_just_started_follows_a_liar_until_it_hears_a_mandate() -> None:
    """The hole that is left: a claim alone is believed after a start; the true leader's mandate ends that."""
    world = World(9, 4)
    world.gather()
    liar = LyingVoter(world, 3)
    world.kill(1)
    world.restart(1)
    liar.say(append(2), world.peers[1])
    assert world.peers[1].alive.leader == world.peers[3].id
    world.run(3.0)
    liar.say(append(world.peers[1].alive.term + 1), world.peers[1])
    assert world.peers[1].alive.leader == world.peers[0].id
    assert set(world.led.values()) - {world.peers[3].id} == {world.peers[0].id}


def test_a_mandate_of_an_earlier_term_makes_nobody_forget_the_present_one() -> None:
    """A former leader repeats its own before the new one's first entries come: these are believed at once."""
    world = World(12, 4)
    world.gather()
    world.elect(1, 2, 3)
    world.run(1.0)
    former, follower = world.peers[1], world.peers[3]
    votes = tuple(one.statement for one in former.alive._leadership.mandates._own)
    said: list[type[wire.LogMessage]] = []

    def passes(sender: Peer, receiver: Peer, message: bytes) -> bool:
        kind = type(wire.decode(message))
        said.extend([kind] if sender is follower else [])
        return receiver is not follower or kind is not wire.Append

    world.passes = passes
    world.elect(2, 0, 3)
    leader = world.peers[2]
    assert not follower.alive._leadership.elections.is_forsaken
    said.clear()
    _tell(world, former, follower, wire.Elected(LINEAGE, votes))
    world.passes = lambda sender, receiver, message: passes(sender, receiver, message) or sender is leader
    world.run(0.6)
    assert follower.alive.leader == leader.id
    assert wire.ShowVotes not in said


def two_candidates(liar_rules: Rules, *, heal: bool = True) -> World:
    """The leader of five is gone; 1 and 2 stand in the same term, and both reach 4; 3 votes for 1."""
    world = World(10, 5, Weather(least_delay=0.01, most_delay=0.01))
    world.gather()
    world.kill(0)
    world.peers[4].alive._replica.rules = liar_rules
    world.run(0.1)
    world._postpone_elections(1000.0)
    world.run(2.0)
    world.cuts = {(1, 2), (2, 1), (2, 3), (3, 2), (3, 4), (4, 3)}
    for name in (1, 2):
        leadership = world.peers[name].alive._leadership
        for trigger in (Trigger.SILENCE, Trigger.NOBODY_HEARS_IT, Trigger.WOULD_WIN):
            leadership.replica.turn(trigger)
        leadership.elections.stand()
        world.pump(world.peers[name])
    world.run(0.1)
    if heal:
        world.heal()
        world.run(0.4)
    return world


def test_a_vote_for_two_in_one_term_convicts_the_voter() -> None:
    """The winner's mandate meets the other candidate's vote: all who are honest have the same proof."""
    world = two_candidates(ForgetsItsVote())
    liar, honest = world.peers[4], world.peers[1:4]
    world.run(3.0)
    for peer in honest:
        (proof,) = peer.alive.convicted
        assert proof.is_of_votes
        assert proof.equivocator == liar.id
        assert proof.is_genuine(cheap_verify)
        assert sum(isinstance(event, events.EquivocationProved) for event in peer.heard) == 1
    world.run(3.0)
    (leader,) = [peer for peer in honest if peer.alive.is_leader]
    assert leader.alive.lineage == LINEAGE
    assert liar.id not in leader.alive.configuration
    assert {peer.alive.leader for peer in honest} == {leader.id}


def test_a_leader_elected_with_a_double_vote_steps_down() -> None:
    """The proof deposes whoever leads in that term, also where it leads itself."""
    world = two_candidates(ForgetsItsVote(), heal=False)
    led = [peer for peer in world.peers[1:4] if peer.alive.is_leader]
    assert led
    term = led[0].alive.term
    world.heal()
    world.run(4.0)
    (leader,) = [peer for peer in world.peers[1:4] if peer.alive.is_leader]
    assert leader.alive.term > term


def test_who_has_no_vote_cannot_vote_twice() -> None:
    """Two votes of a spectator are evidence against nobody."""
    world = World(10, 4)
    world.gather(3)
    world.admits = lambda leader, newcomer: leader.alive.add_learner(newcomer)
    world.join(3)
    world.run(2.0)
    liar = world.peers[3]
    votes = tuple(vote(liar.signer, 1, world.peers[name].id) for name in (0, 1))
    for peer in world.peers[:3]:
        peer.alive.receive(liar.id, wire.encode(wire.Elected(LINEAGE, votes)), world.now)
        world.pump(peer)
    world.run(2.0)
    assert not any(peer.alive.convicted for peer in world.peers[:3])
    assert [peer.name for peer in world.leaders()] == [0]


def test_who_votes_once_is_convicted_by_no_contest() -> None:
    """The same two candidates with an honest voter: one leads, and nobody is convicted."""
    world = two_candidates(Rules())
    world.run(3.0)
    assert len(world.leaders()) == 1
    assert not any(peer.alive.convicted for peer in world.peers[1:])


def test_a_double_vote_outlives_a_restart() -> None:
    """The proof is on disk: whoever knew it before it was restarted knows it afterwards."""
    world = two_candidates(ForgetsItsVote())
    world.run(0.5)
    world.kill(2)
    world.restart(2)
    (proof,) = world.peers[2].alive.convicted
    assert proof.equivocator == world.peers[4].id
    assert world.peers[2].alive.state is State.FOLLOWER


def test_two_votes_prove_a_lie_to_anybody() -> None:
    """The proof survives its encoding and is checked with nothing else but the voter's key."""
    votes = [sign_vote(LIAR, LINEAGE, bytes(8), 3, one.peer, (1, 4)) for one in (ONE, TWO)]
    again = read_equivocation(Equivocation(*votes).pack())
    assert again == Equivocation(*votes)
    assert again.equivocator == LIAR.peer
    assert again.is_of_votes
    assert again.is_genuine(verify)


@pytest.mark.parametrize(
    "other",
    [
        sign_vote(LIAR, LINEAGE, bytes(8), 3, ONE.peer, (1, 9)),
        sign_vote(LIAR, LINEAGE, bytes(8), 4, TWO.peer, (1, 4)),
        sign_vote(LIAR, LINEAGE, b"newbirth", 3, TWO.peer, (1, 4)),
        sign_vote(LIAR, bytes(16), bytes(8), 3, TWO.peer, (1, 4)),
        sign_vote(ONE, LINEAGE, bytes(8), 3, TWO.peer, (1, 4)),
        sign_commit(LIAR, LINEAGE, 3, 4, bytes(32)),
    ],
    ids=[
        "the same candidate",
        "another term",
        "another copy",
        "another lineage",
        "another voter",
        "a commit",
    ],
)
def test_statements_that_can_both_be_true_prove_nothing(other: object) -> None:
    """Only one copy's two votes for two candidates in one term of one lineage are a lie."""
    first = sign_vote(LIAR, LINEAGE, bytes(8), 3, ONE.peer, (1, 4))
    with pytest.raises(MalformedMessage):
        Equivocation(first, other)  # type: ignore[arg-type]  # any signed statement


@given(st.integers(0, 10_000), st.integers(0, 255))
def test_nobody_can_be_framed_as_a_double_voter(place: int, change: int) -> None:
    """A proof with any byte changed is none, or is not genuine."""
    good = Equivocation(
        *(sign_vote(LIAR, LINEAGE, bytes(8), 3, one.peer, (1, 4)) for one in (ONE, TWO))
    ).pack()
    at = place % len(good)
    changed = good[:at] + bytes([change]) + good[at + 1 :]
    if changed != good:
        with suppress(MalformedMessage):
            assert not read_equivocation(changed).is_genuine(verify)


@given(st.binary(max_size=200), st.sampled_from([read_vote, read_transfer]))
def test_statements_of_any_bytes_are_read_or_malformed(
    noise: bytes, read: Callable[[Statement], object]
) -> None:
    """Nothing but `MalformedMessage` comes out of the readers of votes and transfers."""
    with suppress(MalformedMessage):
        read(Statement(noise, bytes(64)))


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_no_statement_of_a_voter_raises_anything_but_blame(data: st.DataObject) -> None:
    """Votes, transfers and mandates with any field, signed by whom they say or not, whatever the state."""
    world = World(1, 3)
    world.gather()
    sender, victim = world.peers[2], world.peers[data.draw(st.integers(0, 1))]
    if data.draw(st.booleans()):
        world.kill(1 - victim.name)
        world.run(data.draw(st.sampled_from((0.5, 1.8, 6.0))))
    peers = st.sampled_from([peer.id for peer in world.peers])
    number = st.one_of(st.integers(0, 4), st.integers(0, 2**62))

    def statement() -> Statement:
        signer = Forger(data.draw(peers), data.draw(st.sampled_from([one.signer for one in world.peers])))
        if data.draw(st.booleans()):
            return sign_transfer(signer, LINEAGE, data.draw(number), data.draw(peers)).statement
        last = (data.draw(number), data.draw(number))
        births = [one.alive._replica.birth for one in world.peers if one.log is not None]
        birth = data.draw(st.sampled_from([*births, bytes(8)]))
        return sign_vote(signer, LINEAGE, birth, data.draw(number), data.draw(peers), last).statement

    for _ in range(data.draw(st.integers(1, 6))):
        kind = data.draw(st.integers(0, 4))
        messages: tuple[wire.LogMessage, ...] = (
            wire.Vote(LINEAGE, statement(), statement()),
            wire.Voted(LINEAGE, data.draw(number), statement()),
            wire.HandOver(LINEAGE, statement()),
            wire.Elected(LINEAGE, (statement(), statement())),
            wire.ShowVotes(LINEAGE, data.draw(number)),
        )
        with suppress(MalformedMessage, BrokenEntry):
            victim.alive.receive(sender.id, wire.encode(messages[kind]), world.now)
        world.pump(victim)


def test_a_forged_vote_is_its_senders_fault() -> None:
    """A vote in another's name convicts nobody, and blames who sent it."""
    world = World(2, 3)
    world.gather()
    _, forger, victim = world.peers
    forged = vote(Forger(world.peers[0].id, forger.signer), 2, forger.id)
    for message in (
        wire.Elected(LINEAGE, (forged,)),
        wire.Vote(LINEAGE, forged, None),
        wire.Voted(LINEAGE, 2, forged),
    ):
        with pytest.raises(BrokenEntry):
            victim.alive.receive(forger.id, wire.encode(message), world.now)
    assert not victim.alive.convicted


def test_a_liars_votes_fill_no_memory() -> None:
    """However many it signs, a bounded number is kept, for terms nearby alone; the first of a term stays."""
    world = World(2, 3)
    world.gather()
    liar, victim = world.peers[2], world.peers[1].alive
    mandates = victim._leadership.mandates
    for term in range(1, 4 * MOST):
        mandates.check(read_vote(vote(liar.signer, term, liar.id)))
    assert sorted(term for _, _, term in mandates._seen) == list(range(1, MOST + 1))
    birth = liar.alive._replica.birth
    for term in range(1, AHEAD + 10):
        mandates.check(read_vote(vote(liar.signer, term, liar.id, birth=birth)))
    mine = sorted(term for _, one, term in mandates._seen if one == birth)
    assert mine == list(range(1, victim.term + AHEAD + 1))
    mandates.check(read_vote(vote(liar.signer, 5, world.peers[0].id)))
    assert [proof.equivocator for proof in victim.convicted] == [liar.id]


@pytest.mark.parametrize("counts", [False, True])
def test_no_junk_hides_two_votes_in_one_term(*, counts: bool) -> None:
    """A store full of a voter's votes, of its copy or another, for far terms, leaves room for two more."""
    world = World(2, 3)
    world.gather()
    liar, victim = world.peers[2], world.peers[1].alive
    birth = liar.alive._replica.birth
    mandates = victim._leadership.mandates
    for term in range(900, 900 + MOST):
        mandates.check(read_vote(vote(liar.signer, term, liar.id, birth=birth if counts else bytes(8))))
    for candidate in (liar, world.peers[0]):
        mandates.check(read_vote(vote(liar.signer, victim.term + 1, candidate.id, birth=birth)))
    assert [proof.equivocator for proof in victim.convicted] == [liar.id]


def test_a_transfer_is_good_for_one_heir_and_the_next_term_alone() -> None:
    """Used by another, for a later term, or after its own term, it interrupts nobody."""
    world = World(3, 4)
    world.gather()
    leader, heir, other, voter = world.peers
    transfer = sign_transfer(leader.signer, LINEAGE, 1, heir.id).statement
    last = voter.alive._replica.last
    for peer, term in ((other, 2), (heir, 3)):
        voter.alive.receive(peer.id, wire.encode(request(peer.signer, term, last, transfer)), world.now)
        assert voter.alive.term == 1
    voter.alive.receive(heir.id, wire.encode(request(heir.signer, 2, last, transfer)), world.now)
    assert voter.alive.term == 2
