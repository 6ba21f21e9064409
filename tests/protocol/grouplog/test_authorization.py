"""Who may say what: strangers, spectators and a lone voter end no table; who lags behind finds its own again.

A stranger is somebody with nothing but a session, which everybody has at an open table.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.protocol.grouplog.lying_voter import request
from tests.protocol.grouplog.simulator import TABLE, Peer, World
from tests.protocol.grouplog.test_messages import SAMPLES

from tavolata_protocol.entries import EntryKind, branch, control_body, first_lineage, genesis, place, propose
from tavolata_protocol.errors import BrokenEntry, RemoteError
from tavolata_protocol.grouplog import State, events
from tavolata_protocol.grouplog.authorization import AUTHORIZED
from tavolata_protocol.membership import Configuration
from tavolata_protocol.messages import log as wire
from tavolata_protocol.messages.entries import Member, Role

LINEAGE = first_lineage(TABLE)
ABSURD = 2**60 - 1
Who = Literal["stranger", "learner", "voter"]
OUTSIDERS: tuple[Who, ...] = ("stranger", "learner")


def table(who: Who = "stranger") -> tuple[World, Peer]:
    """Voters 0, 1 and 2, where 0 leads; and one more, which says what the test wants."""
    world = World(1, 4)
    if who == "learner":
        world.admits = lambda leader, newcomer: (
            leader.alive.add_learner(newcomer)
            if newcomer == world.peers[3].id
            else world.admit_voter(leader, newcomer)
        )
    world.gather(3 if who == "stranger" else 4)
    world.propose(0, b"before")
    world.run(1.0)
    if who != "stranger":
        world.kill(3)
    return world, world.peers[3]


def say(world: World, sender: Peer, message: wire.LogMessage, *to: int) -> None:
    """Have these peers, or all three, take a message; what it breaks is the sender's fault."""
    for name in to or (0, 1, 2):
        with suppress(RemoteError):
            world.peers[name].alive.receive(sender.id, wire.encode(message), world.now)
        world.pump(world.peers[name])


def append(
    term: int, number: int = 0, chain: bytes = bytes(32), *entries: bytes, final: int = 0
) -> wire.Append:
    before = 1 if number else 0
    return wire.Append(LINEAGE, term, number, before, chain, entries, final, 0, 1, 0, 0, 0, b"")


def untouched(world: World) -> bool:
    """Whether 0 leads in the first term still, and everything proposed becomes final."""
    for name in (0, 1, 2):
        world.propose(name, b"after")
    world.run(3.0)
    logs = [world.peers[name].alive for name in (0, 1, 2)]
    return world.leaders() == [world.peers[0]] and not any(log.pending or log.term != 1 for log in logs)


def test_the_table_of_who_is_heard_names_every_message() -> None:
    """Whoever adds a message says whose it is."""
    assert set(AUTHORIZED) == set(wire.LogMessage.__args__)


@pytest.mark.parametrize("who", OUTSIDERS)
@pytest.mark.parametrize("term", [2, ABSURD])
def test_no_outsider_raises_a_term(who: Who, term: int) -> None:
    """Whatever carries a term, from a stranger or a learner it enters nobody's."""
    world, outsider = table(who)
    birth = world.peers[0].alive.configuration.member(outsider.id)
    for message in (
        wire.PreVoted(LINEAGE, term, bytes(8), False, 1, 1),
        wire.Voted(LINEAGE, term, None),
        wire.Appended(LINEAGE, term, birth.birth if birth else bytes(8), True, 0, 1, 0, 0, b""),
        request(outsider.signer, term),
        append(term),
        wire.Offer(LINEAGE, term, 99, bytes(32), 999, 0, 0, bytes(32)),
    ):
        say(world, outsider, message)
    assert untouched(world)


def test_a_voters_absurd_term_does_not_end_the_table() -> None:
    """It costs an election: terms go up by one step, and those who lag behind come after step by step."""
    world, equivocator = table("voter")
    for message in (
        wire.Appended(LINEAGE, ABSURD, member(world, equivocator).birth, True, 0, 1, 0, 0, b""),
        request(equivocator.signer, ABSURD),
        request(equivocator.signer, ABSURD),
        append(ABSURD),
    ):
        say(world, equivocator, message, 0, 1)
    world.settle()
    assert world.propose(2, b"after")
    world.settle()
    assert max(world.peers[name].alive.term for name in (0, 1, 2)) < 2**14


def member(world: World, peer: Peer) -> Member:
    found = world.peers[0].alive.configuration.member(peer.id)
    assert found is not None
    return found


@pytest.mark.parametrize("who", [*OUTSIDERS, "voter"])
def test_nobodys_word_against_what_is_final_stops_anybody(who: Who) -> None:
    """A made-up hash, in the next term: it is not believed, its sender is not followed, and nobody halts."""
    world, equivocator = table(who)
    say(world, equivocator, append(2, 1))
    assert untouched(world)


def test_entries_stand_in_a_row_behind_the_known_one() -> None:
    """Not even the leader can leave one out: the chain in memory is that of the entries."""
    world, _ = table()
    host, journal = world.peers[0], world.peers[1].alive._replica.journal
    number, at = journal.last_number + 1, journal.chain_at(3)
    assert at is not None
    hole = place(propose(host.signer, LINEAGE, 2, b"hole"), 1, number, at)
    message = wire.Append(LINEAGE, 1, 3, 1, at, (hole.wire,), number, 0, 0, 0, 0, 0, b"")
    with pytest.raises(BrokenEntry):
        world.peers[1].alive.receive(host.id, wire.encode(message), world.now)
    assert journal.last_number < number


@pytest.mark.parametrize("who", OUTSIDERS)
def test_no_outsider_brings_its_own_configuration(who: Who) -> None:
    """Neither when it says that it leads, nor in an entry that the leader passes on."""
    world, outsider = table(who)
    log = world.peers[1].alive
    number, chain = log.last_number + 1, log._replica.journal.chain
    for term in (1, 2):
        body = control_body(term, number, Configuration((Member(outsider.id, b"birthday", Role.VOTER),)))
        entry = place(
            propose(outsider.signer, LINEAGE, 0, body, EntryKind.CONFIGURATION), term, number, chain
        )
        say(world, outsider, append(term, 0, genesis(TABLE), entry.wire, final=number), 1)
        say(world, world.peers[0], append(term, number - 1, chain, entry.wire, final=number), 1)
    assert world.peers[0].id in log.configuration.voters
    assert log.last_number < number


def test_strangers_hold_no_election_up() -> None:
    """Said twenty times a second: the leader is heard, and vote for me; another leads all the same."""
    world, stranger = table()
    world.kill(0)
    for _ in range(100):
        for name in (1, 2):
            term = world.peers[name].alive.term + 1
            say(world, stranger, wire.Probed(LINEAGE, 0, True), name)
            say(world, stranger, request(stranger.signer, term), name)
        world.run(0.05)
    assert world.leaders()


def test_only_the_leader_says_that_a_proposal_is_placed() -> None:
    """A stranger that says so keeps nothing from being sent."""
    world, stranger = table()
    muted = world.peers[1].alive
    first = muted.propose(b"one of many")
    for _ in range(19):
        muted.propose(b"one of many")
    for count in range(first + 16, first + 20):
        say(world, stranger, wire.PlacedAt(LINEAGE, 1, count, 1), 1)
    world.run(10.0)
    assert not muted.pending


def test_a_newcomer_takes_the_log_from_whom_it_asked_alone() -> None:
    """What a stranger sends first, of any lineage and term, isn't kept; the newcomer gets in."""
    world, newcomer = table()
    stranger = Peer(9, type(newcomer.signer)(9), newcomer.disk)
    newcomer.log = world._make(newcomer)
    newcomer.log.join(world.peers[1].id, world.now)
    for term in (1, ABSURD):
        say(world, stranger, msgspec.structs.replace(append(term), lineage=b"L" * 16), 3)
        say(world, stranger, append(term), 3)
    assert newcomer.log.lineage is None
    world.settle(5.0)
    assert newcomer.alive.lineage == LINEAGE


def test_a_lineage_is_believed_only_with_the_entry_that_began_it() -> None:
    """Whoever makes one up is asked where it began, and nothing else happens."""
    world, stranger = table()
    peer, member = world.peers[1], world.peers[0]
    for number in range(100):
        say(world, stranger, msgspec.structs.replace(append(9), lineage=b"%016d" % number), 1)
        say(world, member, msgspec.structs.replace(append(9), lineage=b"R%015d" % number), 1)
        say(world, member, wire.Leave(b"R%015d" % number), 1)
    assert not [event for event in peer.heard if isinstance(event, events.OtherLineage)]
    shown = branched(peer, member)
    say(world, member, shown, 1)
    told = [event for event in peer.heard if isinstance(event, events.OtherLineage)]
    assert told == [events.OtherLineage(member.id, shown.lineage)]


def test_a_voter_that_names_itself_the_leader_is_believed_no_lineage() -> None:
    """A copy without a leader takes one unseen only from the peer that its player asked for admission."""
    world, _ = table()
    asked, peer, liar = world.peers[:3]
    for name in (0, 2):
        world.kill(name)
    world.run(6.0)
    other = msgspec.structs.replace(append(9), lineage=b"R" * 16)
    say(world, liar, wire.Redirect(LINEAGE, liar.id), 1)
    say(world, liar, other, 1)
    assert not [event for event in peer.heard if isinstance(event, events.OtherLineage)]
    say(world, asked, other, 1)
    assert events.OtherLineage(asked.id, other.lineage) in peer.heard


def branched(peer: Peer, founder: Peer, *, author: Peer | None = None) -> wire.Append:
    """The first entry of a lineage in which this founder goes on alone from another peer's log."""
    journal = peer.alive._replica.journal
    number, chain = journal.last_number, journal.chain
    lineage = branch(LINEAGE, chain, founder.id)
    body = control_body(9, number + 1, peer.alive.configuration)
    proposal = propose((author or founder).signer, lineage, 0, body, EntryKind.CONFIGURATION)
    entry = place(proposal, 9, number + 1, chain)
    last = journal.last_term
    return wire.Append(lineage, 9, number, last, chain, (entry.wire,), 0, 0, 0, 0, 0, 0, b"")


def test_no_other_peer_begins_a_lineage_for_its_founder() -> None:
    """The entry is its founder's, and the founder votes."""
    world, _ = table()
    peer, member = world.peers[1], world.peers[0]
    for shown in (
        branched(peer, member, author=world.peers[2]),
        msgspec.structs.replace(branched(peer, member), lineage=b"R" * 16),
        msgspec.structs.replace(branched(peer, member), previous_hash=b"h" * 32),
    ):
        say(world, member, shown, 1)
    assert not [event for event in peer.heard if isinstance(event, events.OtherLineage)]


def test_a_newcomer_that_catches_up_minds_no_made_up_lineage() -> None:
    """It arrives, whoever speaks of another table meanwhile."""
    world = World(4, 4)
    world.gather(3)
    for number in range(200):
        world.propose(1, b"%d" % number * 200)
        world.run(0.02)
    world.join(3)
    late = world.peers[3]
    for _ in range(100):
        say(world, world.peers[2], msgspec.structs.replace(append(9), lineage=world.random.randbytes(16)), 3)
        world.run(0.05)
    assert late.id in late.alive.configuration
    assert late.alive.commit_index == world.peers[0].alive.commit_index
    assert not [event for event in late.heard if isinstance(event, events.OtherLineage)]


@pytest.mark.parametrize("when", ["first", "while it catches up"])
def test_a_newcomer_whose_guide_makes_up_a_lineage_still_arrives(when: str) -> None:
    """Without an entry it has promised nothing, so it follows the next one that it asks, in any lineage."""
    world = World(4, 4)
    world.gather(3)
    world.honest = False
    for number in range(200):
        world.propose(1, b"%d" % number * 200)
        world.run(0.02)
    guide, newcomer = world.peers[1], world.peers[3]
    world.passes = lambda sender, receiver, message: sender is not guide or receiver is not newcomer
    world.join(3, via=1 if when == "first" else 0)
    other = bytes(range(16))
    for _ in range(20):
        say(world, guide, msgspec.structs.replace(append(1, 0, genesis(TABLE)), lineage=other), 3)
        world.run(0.0 if when == "first" else 0.01)
    assert (newcomer.alive.lineage == other) is (when == "first")
    newcomer.alive.ask(world.peers[0].id)
    world.pump(newcomer)
    world.run_until(lambda: newcomer.alive.commit_index == world.peers[0].alive.commit_index > 0, 5.0)
    assert newcomer.alive.lineage == LINEAGE


def test_who_lags_behind_finds_a_leader_that_it_does_not_know() -> None:
    """It became a voter, and was elected, behind the end of this log: the other voters name it."""
    world = World(2, 5)
    world.gather(4)
    world.split((0, 1, 2, 4), (3,))
    world.join(4)
    world.run(3.0)
    late = world.peers[3].alive
    assert world.peers[4].id not in late.configuration
    world.kill(0)
    world.elect(4, 1, 2)
    world.run(1.0)
    world.heal()
    world.settle(6.0)
    assert late.leader == world.peers[4].id


def test_who_lags_behind_votes_for_the_only_one_who_can_win() -> None:
    """Of two, 0 makes 2 a voter, and dies before 1 hears of it: after 5 s, 1 votes for what was a learner."""
    world = World(3, 3)
    world.gather(2)
    world.admits = lambda leader, newcomer: leader.alive.add_learner(newcomer)
    world.join(2)
    world.run(2.0)
    world.cuts = {(0, 1)}
    host, late = world.peers[0].alive, world.peers[1].alive
    host.promote(world.peers[2].id)
    world.pump(world.peers[0])
    world.run(0.2)
    assert (len(host.configuration.voters), len(late.configuration.voters)) == (3, 2)
    world.kill(0)
    world.run_until(world.leaders, 15.0)
    world.propose(1, b"after")
    world.run(2.0)
    assert not late.pending
    assert late.leader == world.peers[2].id


def test_who_knows_no_candidate_votes_for_whom_its_player_names() -> None:
    """Two of three die: of two who came unheard, neither gets the vote of the third until it is named."""
    world = World(6, 5)
    world.gather(3)
    world.split((0, 1, 3, 4), (2,))
    world.join(3)
    world.join(4)
    world.run(2.5)
    late, newcomer = world.peers[2].alive, world.peers[3].alive
    assert (len(newcomer.configuration.voters), len(late.configuration.voters)) == (5, 3)
    world.kill(0)
    world.kill(1)
    world.heal()
    world.run(60.0)
    assert world.leaders() == []
    late.ask(world.peers[3].id)
    world.pump(world.peers[2])
    world.run_until(world.leaders, 30.0)
    world.run(5.0)
    assert late.last_number == newcomer.last_number


def test_a_former_voters_higher_term_is_heard() -> None:
    """It stood alone before it stopped counting: were its term not heard, it could follow nobody again."""
    world = World(4, 4)
    world.gather()
    world.split((0, 1), (2, 3))
    world.run(6.0)
    (absent,) = (one.peer for one in world.peers[0].alive.configuration.members if one.role is Role.ABSENT)
    alone = next(peer for peer in world.peers if peer.id == absent)
    alone.alive._leadership.observe(5)
    world.heal()
    world.settle()
    assert alone.alive.state in (State.FOLLOWER, State.LEADER)
    assert world.peers[0].alive.term >= 5


@pytest.mark.battery
@given(st.data())
@settings(max_examples=40, deadline=None)
def test_nothing_that_an_outsider_says_harms_a_healthy_table(data: st.DataObject) -> None:
    """Well-formed messages of every kind with any fields, from a stranger or a learner, to anybody."""
    world, outsider = table(data.draw(st.sampled_from(OUTSIDERS)))
    world.digests = False
    world.admits = None  # who is let in is no outsider
    number = st.one_of(st.integers(0, 12), st.integers(0, 2**62))
    chains = st.sampled_from([genesis(TABLE), *(world.peers[0].alive.chain_at(n) or b"" for n in (1, 5, 7))])
    for _ in range(data.draw(st.integers(5, 30))):
        sample = data.draw(st.sampled_from(SAMPLES))
        changes: dict[str, object] = {}
        for name in sample.__struct_fields__:
            value = getattr(sample, name)
            if isinstance(value, bool):
                changes[name] = data.draw(st.booleans())
            elif name in ("reason", "beat"):
                changes[name] = data.draw(st.integers(0, 255))
            elif isinstance(value, int) and name != "snapshot_size":
                changes[name] = data.draw(number)
            elif name in ("previous_hash", "chain"):
                changes[name] = data.draw(chains)
        say(world, outsider, msgspec.structs.replace(sample, **changes), data.draw(st.integers(0, 2)))
        world.run(data.draw(st.sampled_from((0.0, 0.1, 0.6))))
    assert untouched(world)
