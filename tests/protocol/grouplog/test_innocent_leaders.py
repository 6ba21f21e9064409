"""An honest leader is never convicted, whatever others keep, forge, repeat and ask it to sign."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from msgspec import structs
from tests.protocol.grouplog.memory_storage import MemoryStorage
from tests.protocol.grouplog.schedules import Crowd
from tests.protocol.grouplog.simulator import TABLE, CheapSigner, Peer, World, cheap_verify
from tests.protocol.grouplog.test_equivocation import LINEAGE, lie, of, told
from tests.protocol.grouplog.two_faced import TwoFaced

from tavolata_protocol.equivocation import SignedCommit, read_signed_commit, sign_commit
from tavolata_protocol.errors import BrokenEntry, RemoteError
from tavolata_protocol.grouplog import GroupLog, State, events
from tavolata_protocol.grouplog.signed_commits import EVERY
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire
from tavolata_protocol.messages.votes import Statement
from tavolata_protocol.votes import sign_transfer


def commit_in(message: bytes) -> SignedCommit | None:
    """The signed commit in a message, if it is one's notice."""
    decoded = wire.decode(message)
    if not isinstance(decoded, wire.CommitNotice):
        return None
    return read_signed_commit(Statement(decoded.signed, decoded.signature))


def tap(world: World) -> list[tuple[Peer, Peer, SignedCommit]]:
    """All signed commits that are sent from here on: from whom, to whom, and what."""
    heard: list[tuple[Peer, Peer, SignedCommit]] = []
    passes = world.passes

    def listens(sender: Peer, receiver: Peer, message: bytes) -> bool:
        if (commit := commit_in(message)) is not None:
            heard.append((sender, receiver, commit))
        return passes(sender, receiver, message)

    world.passes = listens
    return heard


def show(world: World, sender: Peer, receiver: Peer, commit: SignedCommit) -> None:
    """Have somebody show a signed commit to a peer, which may call it forged."""
    if receiver.log is not None and not receiver.asleep:
        with suppress(RemoteError):
            receiver.alive.receive(sender.id, told(commit), world.now)
        world.pump(receiver)


def state_of(peer: Peer) -> State:
    """The state of a peer's log."""
    return peer.alive.state


# --- whom a liar told another history, which then led there ---


class Fooled:
    """A table of three: a liar, whom it shows another log until the two honest ones meet, and the third.

    Whom it fools leads in one history, the third one in the other, in a later term; each of them signs there.
    Then they hear each other, and who was fooled goes on with the other's log.
    """

    def __init__(self, here: int, there: int) -> None:
        self.world = world = World(5, 3)
        world.gather()
        self.liar, self.fooled, self.other = world.peers
        world.digests = False
        self.faces: TwoFaced = lie(world, {1})
        world._agree = lambda peer, entry: None  # type: ignore[method-assign]
        world.cuts = {(1, 2), (2, 1)}
        world.passes = lambda sender, receiver, message: sender is not self.liar or commit_in(message) is None
        self.signed = tap(world)
        for face, words in ((self.faces.two, b"there"), (self.faces.one, b"here")):
            face.propose(words)
        world.pump(self.liar)
        world.run(0.3)
        self.hand_over(self.liar, self.faces.two, self.fooled)
        self.go_on(self.fooled, there)
        self.faces.one._leadership.renew(self.faces.one.term + 3)
        world.pump(self.liar)
        world.run(1.0)
        self.hand_over(self.liar, self.faces.one, self.other)
        self.go_on(self.other, here)

    def hand_over(self, leader: Peer, log: GroupLog, heir: Peer) -> None:
        """Have a leader hand over without leaving."""
        assert log.lineage is not None
        transfer = sign_transfer(leader.signer, log.lineage, log.term, heir.id)
        message = wire.encode(wire.HandOver(log.lineage, transfer.statement))
        heir.alive.receive(leader.id, message, self.world.now)
        self.world.pump(heir)
        self.world.run(0.3)

    def go_on(self, leader: Peer, entries: int) -> None:
        """Let a leader say so much, and sign it."""
        assert leader.alive.is_leader
        for number in range(entries):
            leader.alive.propose(b"%d" % number)
            self.world.pump(leader)
            self.world.run(0.05)
        self.world.run(1.0)

    def meet(self) -> None:
        """Let the honest ones hear each other, so that the one that was fooled rolls back."""
        self.world.cuts = {(0, 1), (1, 0)}  # the liar goes on with the other alone
        self.faces._apart.clear()
        self.world.run_until(lambda: of(self.fooled, events.RolledBack), 5.0)
        self.world.run(2.0)
        self.world.cuts = set()
        self.world.run(4.0)
        assert state_of(self.fooled) is State.FOLLOWER
        assert self.fooled.alive.commit_index == self.other.alive.commit_index

    def show_all(self) -> None:
        """Show everything that honest ones ever signed to all honest ones, again and again."""
        for _ in range(3):
            for _, _, commit in list(self.signed):
                for receiver in (self.fooled, self.other):
                    show(self.world, self.liar, receiver, commit)
            self.world.run(0.5)

    @property
    def convicted(self) -> set[str]:
        """Of the honest ones those that an honest one convicts."""
        names = {self.fooled.id: "fooled", self.other.id: "other"}
        logs = (self.fooled.alive, self.other.alive)
        proofs = [proof.equivocator for log in logs for proof in log.convicted]
        return {names[peer] for peer in proofs if peer in names}


def test_who_was_fooled_signs_nothing_twice_when_it_is_asked() -> None:
    """It led in a history that is gone; asked what it signed there, it does not sign the other's hash."""
    table = Fooled(here=30, there=20)
    table.meet()
    asked = {commit.number for sender, _, commit in table.signed if sender is table.fooled}
    assert any(number % EVERY == 0 for number in asked)
    table.show_all()
    assert not table.convicted


def test_who_was_fooled_leads_again_beyond_what_it_may_have_signed() -> None:
    """Before that, it doesn't stand: it would have to sign numbers that it may have signed otherwise."""
    table = Fooled(here=8, there=50)
    world, fooled, other = table.world, table.fooled, table.other
    passes = world.passes
    world.passes = lambda sender, receiver, message: (  # or what it says again would make the log as long
        passes(sender, receiver, message)
        and not (sender is fooled and isinstance(wire.decode(message), wire.Propose | wire.Relay))
    )
    table.meet()
    may_have_signed = fooled.alive._replica.elsewhere[LINEAGE]
    assert may_have_signed > fooled.alive.last_number + EVERY
    table.hand_over(other, other.alive, fooled)
    assert other.alive.is_leader
    for _ in range(2):  # nor after a restart, nor where nobody else leads
        world.kill(1)
        world.restart(1, via=2)
        world.run(1.0)
    fooled.alive._leadership.elections.deadline = world.now
    fooled.alive.handle_timer(world.now)
    world.run(1.0)
    assert other.alive.is_leader
    world.passes = passes
    table.go_on(other, may_have_signed - other.alive.last_number + 2)
    table.hand_over(other, other.alive, fooled)
    assert fooled.alive.is_leader
    table.go_on(fooled, 2 * EVERY)
    table.show_all()
    assert not table.convicted


def test_two_that_contradict_each_other_do_not_ask_without_end() -> None:
    """Whoever was fooled asks the other once a second at most, and is answered nothing that it knows."""
    table = Fooled(here=30, there=30)
    world, fooled, other = table.world, table.fooled, table.other
    (commit, *_) = [
        commit for sender, _, commit in table.signed if sender is other and commit.number % EVERY == 0
    ]
    world.cuts = set()
    before = len(table.signed)
    show(world, table.liar, fooled, commit)
    for _ in range(100):
        show(world, table.liar, fooled, commit)
        world.run(0.01)
    about_it = [
        (sender.name, receiver.name)
        for sender, receiver, shown in table.signed[before:]
        if shown.number == commit.number and table.liar not in (sender, receiver)
    ]
    assert (1, 2) in about_it
    assert len(about_it) <= 3


def blamed_after_two_stories(seed: int) -> set[str]:
    """Histories of random lengths, and whoever was fooled leads again: who is blamed in the end."""
    chance = random.Random(seed)
    table = Fooled(here=chance.randrange(1, 50), there=chance.randrange(1, 50))
    world, fooled, other = table.world, table.fooled, table.other
    table.meet()
    for _ in range(4):
        if (what := chance.randrange(3)) == 0:
            table.show_all()
        else:
            world.compact(what)
        leader = next((peer for peer in (fooled, other) if peer.alive.is_leader), None)
        if leader is not None:
            table.go_on(leader, chance.randrange(30))
            table.hand_over(leader, leader.alive, other if leader is fooled else fooled)
        if chance.random() < 0.5:
            name = chance.choice([1, 2])
            world.kill(name, power=chance.random() < 0.5)
            world.run(chance.choice([0.1, 3.0]))
            world.restart(name)
            world.run(2.0)
        world.run(1.0)
    table.show_all()
    return table.convicted


@pytest.mark.battery
def test_who_was_fooled_is_never_convicted() -> None:
    """Over lengths, restarts, power cuts, compaction and leader changes."""
    blamed = [blamed_after_two_stories(seed) for seed in range(8)]
    assert blamed == [set()] * len(blamed)


# --- whatever is asked of whom was not fooled ---


@pytest.mark.parametrize("name", [1, 2])
def test_a_leader_signs_nothing_for_who_shows_it_its_own_hash(name: int) -> None:
    """Shown what it signed, it answers nothing, and checks nothing; also to who only looks on."""
    world = World(4, 3)
    world.gather(2)
    world.admits = lambda leader, newcomer: leader.alive.add_learner(newcomer)
    world.join(2)
    for number in range(3 * EVERY):
        world.propose(0, b"%d" % number)
        world.run(0.1)
    world.run(1.0)
    leader, asker = world.peers[0], world.peers[name]
    replica = leader.alive._replica
    commit = sign_commit(leader.signer, LINEAGE, 1, EVERY, leader.alive.chain_at(EVERY) or b"")
    checked: list[bytes] = []

    def checks(peer: PeerId, context: bytes, message: bytes, signature: bytes) -> bool:
        checked.append(signature)
        return cheap_verify(peer, context, message, signature)

    replica.verify = checks
    replica.outbox.clear()
    for _ in range(100):
        leader.alive.receive(asker.id, told(commit), world.now)
    assert not replica.outbox
    assert not checked


def test_a_leader_signs_nothing_for_a_forged_hash() -> None:
    """Shown what it never signed, it blames who shows it; what isn't final yet is left alone."""
    world = World(4, 3)
    world.gather()
    leader, forger = world.peers[:2]
    for number, is_refused in ((1, True), (leader.alive.commit_index + 1, False)):
        honest = sign_commit(leader.signer, LINEAGE, 1, number, b"1" * 32)
        forged = structs.replace(honest, statement=Statement(honest.statement.signed, bytes(64)))
        leader.alive._replica.outbox.clear()
        if is_refused:
            with pytest.raises(BrokenEntry):
                leader.alive.receive(forger.id, told(forged), world.now)
        else:
            leader.alive.receive(forger.id, told(honest), world.now)
        assert not leader.alive._replica.outbox


def test_what_other_copies_signed_outlives_compaction_and_a_lineage() -> None:
    """A snapshot keeps it, the next store gets it, and a lineage that was left is added."""
    world = World(3, 3)
    world.gather()
    peer = world.peers[1]
    peer.alive._replica.elsewhere = {LINEAGE: 500, b"x" * 16: 7}
    world.propose(1, b"something")
    world.run(2.0)
    assert world.compact(1)
    world.run(1.0)
    assert peer.alive._replica.journal.base.number
    world.kill(1)
    world.restart(1)
    assert peer.alive._replica.elsewhere == {LINEAGE: 500, b"x" * 16: 7}
    world.kill(0)
    world.kill(2)
    world.run(8.0)
    peer.alive.take_over(world.now)
    world.pump(peer)
    last, lineage = peer.alive.last_number, peer.alive.lineage
    assert peer.alive.is_leader
    assert lineage not in (None, LINEAGE)
    disk = MemoryStorage()
    for record in peer.alive.heritage:
        disk.append(record)
    heir = GroupLog(CheapSigner(1), disk, table=TABLE, chance=random.Random(1))
    assert heir.is_blank
    assert heir._replica.elsewhere == {LINEAGE: 500, b"x" * 16: 7, lineage: last}


class Adversary:
    """Shows signed commits to everybody: real ones again, changed ones, and an outsider's."""

    def __init__(self, world: World, seed: int) -> None:
        self.chance = random.Random(seed)
        self.world = world
        self.heard = tap(world)
        self.shown = 0

    def act(self) -> None:
        """Show one signed commit, as anybody, to anybody."""
        chance, world = self.chance, self.world
        if not self.heard:
            return
        sender, receiver = chance.sample(world.peers, 2)
        _, _, commit = chance.choice(self.heard)
        kind = chance.randrange(4)
        if kind == 1:  # to who signed it
            receiver = next(peer for peer in world.peers if peer.id == commit.leader)
        elif kind == 2:  # with another hash or number, under the old signature
            again = sign_commit(
                next(peer for peer in world.peers if peer.id == commit.leader).signer, commit.lineage,
                commit.term, commit.number + chance.randrange(2), chance.randbytes(32),
            )  # fmt: skip
            commit = read_signed_commit(Statement(again.statement.signed, commit.statement.signature))
        elif kind == 3:  # an outsider's own, about this log
            commit = sign_commit(
                CheapSigner(99), commit.lineage, commit.term, commit.number, chance.randbytes(32)
            )
        if sender is not receiver:
            self.shown += 1
            show(world, sender, receiver, commit)


def who_is_blamed(seed: int) -> tuple[int, int]:
    """A crowded schedule with an adversary: how often it showed something, and how many proofs there are."""
    crowd = Crowd(seed, None)
    world, chance = crowd.world, crowd.chance
    adversary = Adversary(world, seed)
    for _ in range(chance.randint(6, 12)):
        for number in range(chance.choice((1, 4, 10))):
            world.propose(crowd.someone().name, b"%d" % number)
        for _ in range(chance.choice((1, 1, 2, 3))):
            crowd.mishap()
            adversary.act()
            world.run(chance.choice((0.0, 0.001, 0.006)))
        for _ in range(8):
            adversary.act()
            world.run(chance.choice((0.002, 0.05, 0.1, 0.3)))
    for peer in world.peers:  # in the end everybody is shown everything
        for _, _, commit in list(adversary.heard)[-400:]:
            show(world, world.peers[0], peer, commit)
    world.run(2.0)
    convicted = [proof for peer in world.peers if peer.log is not None for proof in peer.alive.convicted]
    return adversary.shown, len(convicted)


@pytest.mark.battery
def test_nobody_honest_is_convicted_whatever_is_asked() -> None:
    """Over leader changes, cuts, deaths, lost disks, compaction, leaves and removals, in any order."""
    ends = [who_is_blamed(seed) for seed in range(40)]
    assert sum(shown for shown, _ in ends) > 1000
    assert sum(convicted for _, convicted in ends) == 0
