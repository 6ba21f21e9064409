"""Each rule of agreement is needed: broken on purpose, the same schedule ends in a violation.

A schedule that only a mutant fails proves that the rule works; one that nobody fails would prove nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from tests.protocol.grouplog.memory_storage import MemoryStorage
from tests.protocol.grouplog.schedules import random_schedule
from tests.protocol.grouplog.simulator import Peer, Violation, Weather, World

from tavolata_protocol.entries import read_entry
from tavolata_protocol.grouplog import Rules
from tavolata_protocol.messages import log as wire


class TakesRepeats(Rules):
    """No dedup: a count that was appended is appended again."""

    def is_next(self, last: int, count: int) -> bool:
        return count <= last + 1


class VotesForAnyLog(Rules):
    """No check of how far a candidate's log goes."""

    def is_up_to_date(self, candidate: tuple[int, int], own: tuple[float, int]) -> bool:
        return True


class HalfIsEnough(Rules):
    """Half of the voters make a majority."""

    def quorum(self, voters: int) -> int:
        return (voters + 1) // 2


class ForgetsItsVote(Rules):
    """A second vote in the same term."""

    def may_vote(self, voted_for: bytes | None, candidate: bytes) -> bool:
        return True


class OverlapsChanges(Rules):
    """The next change of configuration doesn't wait for the one before."""

    def may_reconfigure(self, *, configuration_final: bool, term_has_final: bool) -> bool:
        return term_has_final


class ChangesBeforeItsTermHolds(Rules):
    """A change of configuration doesn't wait for the term's empty entry."""

    def may_reconfigure(self, *, configuration_final: bool, term_has_final: bool) -> bool:
        return configuration_final


class ForgetsThePromotionBetween(Rules):
    """Of two, the other is taken out although a promotion that was taken back may still have voters."""

    def may_shrink_early(
        self, since: Sequence[frozenset[bytes]], wanted: frozenset[bytes], me: bytes, *, own: bool
    ) -> bool:
        return super().may_shrink_early((since[0], since[-1]), wanted, me, own=own)


class FinalisesOldTerms(Rules):
    """What a majority holds is final, of whichever term it is."""

    def may_finalise(self, entry_term: int, present_term: int) -> bool:
        return True


class CompactsWhatMayBeDropped(Rules):
    """A snapshot stands for entries that are not final."""

    def may_compact(self, number: int, commit_index: int) -> bool:
        return True


def some_schedules(rules: Rules) -> None:
    for seed in range(40):
        random_schedule(seed, rules)


def two_candidates_at_once(rules: Rules) -> None:
    """Peer 0 is asked for its vote by 1 and by 2 in the same term."""
    world = World(1, 3, rules=rules)
    world.gather()
    world.split((0,), (1,), (2,))
    world.kill(0)
    world.restart(0)
    world._postpone_elections(1000.0)
    world.run(2.0)
    world.split((1,), (2,))  # both reach 0, but not each other
    world.weather = Weather(least_delay=0.01, most_delay=0.01)
    for name in (1, 2):
        world.peers[name].alive._leadership.elections.deadline = world.now
        world.pump(world.peers[name])
    world.run(0.5)
    assert world.leaders()
    world.heal()
    world.settle()


def changes_in_a_minority(rules: Rules) -> None:
    """A leader that is cut off from the other voters promotes two learners that it still reaches."""
    world = World(2, 5, rules=rules)
    world.gather(3)
    world.admits = lambda leader, newcomer: leader.alive.add_learner(newcomer)
    for name in (3, 4):
        world.join(name)
    world.run(2.0)
    world.split((0, 3, 4), (1, 2))
    for name in (3, 4):
        world.peers[0].alive.promote(world.peers[name].id)
    world.pump(world.peers[0])
    world.run(1.0)
    world.propose(0, b"of the minority")
    world.run(1.0)
    world.run_until(lambda: any(peer.name in {1, 2} for peer in world.leaders()), 20.0)
    world.propose(1, b"of the majority")
    world.run(1.0)
    world.heal()
    world.settle()


def a_change_crosses_a_change(rules: Rules) -> None:
    """0 adds voter 4 in secret; 2 is elected, and takes 0 out before its term holds; 0 is elected."""
    world = World(3, 5, Weather(least_delay=0.02, most_delay=0.02), rules=rules)
    world.gather(4)
    world.admits = lambda leader, newcomer: leader.alive.add_learner(newcomer)
    world.join(4)
    world.run(2.0)
    world.split((0, 4), (1,), (2,), (3,))
    world.peers[0].alive.promote(world.peers[4].id)
    world.pump(world.peers[0])
    world.run(0.5)
    assert len(world.peers[4].alive.configuration.voters) == 5
    world.elect(2, 1, 3)
    world.split((2, 3), (1,), (0, 4))  # before 1 hears of the new term's entry
    world.peers[2].alive.remove(world.peers[0].id)
    world.pump(world.peers[2])
    world.run(1.0)
    world.elect(0, 1, 4)
    world.run(1.0)
    world.heal()
    world.run(10.0)


def a_promotion_meets_a_leave_and_a_cut(rules: Rules) -> None:
    """0 promotes 2 and takes that back at once; cut off, it drops 1 too, while 1 and 2 elect 1."""
    world = World(5, 3, Weather(least_delay=0.002, most_delay=0.002), rules=rules)
    world.gather(2)
    world.admits = lambda leader, newcomer: leader.alive.add_learner(newcomer)
    world.join(2)
    world.run(2.0)
    host, other, newcomer = world.peers
    newcomer.alive.leave(world.now)
    world.pump(newcomer)  # crosses the promotion on its way
    host.alive.promote(newcomer.id)
    world.pump(host)
    world.run(0.003)
    assert [len(peer.alive.configuration.voters) for peer in world.peers] == [2, 3, 3]
    world.split((0,), (1, 2))
    world.propose(0, b"alone")
    world.propose(1, b"with the newcomer")
    world.run(2.0)
    assert other.alive.is_leader  # until the newcomer has left
    world.run(10.0)
    world.heal()
    world.settle()


def an_old_entry_spreads_late(rules: Rules) -> None:
    """An entry of term 1 reaches a majority in term 3, whose own entry doesn't; 4 has one of term 2."""
    world = World(4, 5, rules=rules)
    world.gather()
    lost: list[tuple[int, int]] = []

    def passes(sender: Peer, receiver: Peer, message: bytes) -> bool:
        decoded = wire.decode(message)
        if not isinstance(decoded, wire.Append):
            return True
        return not any((sender.name, read_entry(e, bytes(32)).term) in lost for e in decoded.entries)

    world.passes = passes
    world.split((0, 1), (2,), (3,), (4,))
    world.propose(0, bytes(20_000))  # alone in its message, without the opening behind it
    world.run(0.2)
    number = world.peers[0].alive.last_number
    lost.append((4, 2))
    world.elect(4, 2, 3)
    world.run(0.2)
    lost.append((0, 3))
    world.elect(0, 1, 2)
    assert world.peers[0].alive.term == 3
    world.run(1.5)
    assert world.peers[2].alive.last_number == number
    for name in (0, 1):
        world.kill(name)
    lost.clear()
    world.elect(4, 2, 3)
    world.run(1.5)
    for name in (0, 1):
        world.restart(name)
    world.heal()
    world.settle()


def who_is_alone_compacts(rules: Rules) -> None:
    """0 is cut off with an entry, lets a snapshot stand for it, and restarts; the others have another."""
    world = World(6, 3, rules=rules)
    world.gather()
    world.split((0,), (1, 2))
    world.propose(0, b"alone")
    world.compact(0, world.peers[0].alive.last_number)
    world.kill(0)
    world.run_until(lambda: any(peer.name in {1, 2} for peer in world.leaders()), 20.0)
    world.propose(1, b"of the majority")
    world.run(1.0)
    world.restart(0, from_start=True)
    world.heal()
    world.settle()


SCHEDULES: dict[type[Rules], Callable[[Rules], None]] = {
    TakesRepeats: some_schedules,
    VotesForAnyLog: some_schedules,
    HalfIsEnough: some_schedules,
    ForgetsItsVote: two_candidates_at_once,
    OverlapsChanges: changes_in_a_minority,
    ChangesBeforeItsTermHolds: a_change_crosses_a_change,
    ForgetsThePromotionBetween: a_promotion_meets_a_leave_and_a_cut,
    FinalisesOldTerms: an_old_entry_spreads_late,
    CompactsWhatMayBeDropped: who_is_alone_compacts,
}


@pytest.mark.battery
@pytest.mark.parametrize("schedule", sorted(set(SCHEDULES.values()), key=str))
def test_the_real_rules_survive_every_schedule(schedule: Callable[[Rules], None]) -> None:
    """No schedule breaks the rules as they are."""
    schedule(Rules())


@pytest.mark.parametrize("mutant", SCHEDULES, ids=lambda mutant: mutant.__name__)
def test_each_mutant_is_killed(mutant: type[Rules]) -> None:
    """Without the one rule that the mutant breaks, its schedule ends in a violation."""
    with pytest.raises(Violation, match=r"diverged|contradicts|twice|two peers order|out of order"):
        SCHEDULES[mutant](mutant())


def test_answering_before_the_disk_holds_it_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A peer that answers before its disk is safe breaks agreement when it crashes."""
    monkeypatch.setattr(MemoryStorage, "sync", _sync_rarely)
    with pytest.raises(Violation):
        some_schedules(Rules())


def _sync_rarely(storage: MemoryStorage) -> None:
    if len(storage._volatile) > 12:
        storage._safe += storage._volatile
        storage._volatile.clear()
