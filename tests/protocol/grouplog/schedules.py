"""Random schedules of the simulated world: bad weather, cuts, deaths, lost disks, and then peace.

python -m tests.protocol.grouplog.schedules 0 100000               the same seed is the same schedule
python -m tests.protocol.grouplog.schedules 0 100000 --crowded     people come and go all the time

In a crowded schedule promotions, leaves, removals, new births, hand-overs and restarts meet every other
fault, some within a few milliseconds. What is printed says how many of each fault the schedules held.
"""

from __future__ import annotations

import contextlib
import random
import sys
from collections import Counter

from tests.protocol.grouplog.simulator import Peer, Violation, Weather, World

from tavolata_protocol.grouplog import Rules, State
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages.entries import Role


def random_schedule(seed: int, rules: Rules | None = None) -> World:
    """One seed's schedule: 2 to 7 peers, bad weather, cuts and killed leaders, then 35 s of peace."""
    chance = random.Random(seed)
    size = chance.randint(2, 7)
    weather = Weather(chance.choice((0.0, 0.1, 0.3)), 0.1, 0.001, chance.choice((0.005, 0.03, 0.08)))
    weather.resends = chance.random() < 0.5
    weather.together = 0.5 if seed % 2 else 0.0
    world = World(seed, size, weather, rules=rules)
    world.gather()
    for number in range(chance.randint(8, 20)):
        for _ in range(chance.choice((1, 1, 1, 30 if weather.resends else 5))):
            world.propose(chance.randrange(size), b"%d" % number * chance.choice((1, 1, 1, 400)))
        _mishap(world, chance)
        world.run(chance.choice((0.02, 0.3, 1.0, 2.5, 5.0)))
    world.heal()
    for peer in world.peers:
        if peer.log is None:
            world.restart(peer.name)
    world.settle()
    return world


def _mishap(world: World, chance: random.Random) -> None:
    """What goes wrong, or right, next."""
    size = len(world.peers)
    someone = world.peers[chance.randrange(size)]
    dice = chance.random()
    if dice < 0.10 and world.leaders():
        world.kill(world.leaders()[-1].name, power=chance.random() < 0.5)
    elif dice < 0.15:
        if someone.log is not None:
            world.kill(someone.name, power=chance.random() < 0.5)
    elif dice < 0.33:
        for peer in world.peers:
            if peer.log is None and chance.random() < 0.7:
                world.restart(peer.name, from_start=chance.random() < 0.5)
    elif dice < 0.46:
        links = [(a, b) for a in range(size) for b in range(size) if a != b]
        world.cuts = set(chance.sample(links, chance.randint(1, len(links))))
    elif dice < 0.55:
        names = chance.sample(range(size), size)
        cut = chance.randint(1, size - 1)
        world.split(tuple(names[:cut]), tuple(names[cut:]))
    elif dice < 0.67:
        world.heal()
    elif dice < 0.72:
        if someone.log is not None and not someone.asleep:
            world.stop(someone.name, chance.choice((0.7, 2.0, 10.0)))
    elif dice < 0.77:
        world.compact(someone.name)
    elif dice < 0.80:
        _lose_a_disk(world, someone)
    elif dice < 0.85:
        _part(world, someone, chance)


def _healthy(world: World) -> bool:
    try:
        world.check_converged()
    except Violation:
        return False
    everybody = len(world.peers) > 2 and all(peer.log is not None for peer in world.peers)
    return everybody and all(len(peer.alive.configuration.voters) == len(world.peers) for peer in world.peers)


def _lose_a_disk(world: World, victim: Peer) -> None:
    """Take a disk away where the others can do without it: no log survives the loss of two of three."""
    if _healthy(world) and not world.cuts and not victim.alive.is_leader:
        world.lose(victim.name)
        world.restart(victim.name)
        world.run(10.0)


def _part(world: World, leaver: Peer, chance: random.Random) -> None:
    """Let a peer leave, or be removed, and come back afresh."""
    if not _healthy(world):
        return
    leader = world.leaders()[0]
    if leaver is leader or chance.random() < 0.5:
        leaver.alive.leave(world.now)
        world.pump(leaver)
    else:
        leader.alive.remove(leaver.id)
        world.pump(leader)
    world.run(chance.choice((0.5, 5.0)))
    if leaver.alive.state is State.LEFT:
        world.lose(leaver.name)


def crowded_schedule(seed: int, rules: Rules | None = None) -> World:
    """One seed's schedule in which people come and go whatever else is wrong, then peace.

    Agreement is checked all the time. In the end a world may be stalled, where too many voters of the last
    configuration have left or lost their copy; then nothing more can become final. Worlds that are not
    stalled and are still not together after three minutes are counted, too: who was away while all others
    changed may know none of the voters of today, and must not vote for somebody that it does not know.
    """
    crowd = Crowd(seed, rules)
    for _ in range(crowd.chance.randint(6, 16)):
        crowd.world.propose(crowd.someone().name, b"%d" % seed)
        for _ in range(crowd.chance.choice((1, 1, 2, 3, 4))):
            crowd.mishap()
            crowd.world.run(crowd.chance.choice((0.0, 0.001, 0.003, 0.006)))
        crowd.world.run(crowd.chance.choice((0.002, 0.01, 0.05, 0.3, 1.0, 2.5, 4.0)))
    crowd.make_peace()
    return crowd.world


class Crowd:
    """A world whose members change all the time, and what can happen to them."""

    def __init__(self, seed: int, rules: Rules | None) -> None:
        self.chance = chance = random.Random(seed)
        size = chance.randint(2, 6)
        weather = Weather(chance.choice((0.0, 0.0, 0.1, 0.3)), 0.1, 0.001, chance.choice((0.002, 0.01, 0.05)))
        weather.resends = chance.random() < 0.5
        weather.together = 0.5 if seed % 2 else 0.0
        self.world = world = World(seed, size, weather, rules=rules)
        world.gather(chance.randint(1, size))
        world.admits = self._admit
        self._kinds = (
            self._kill, self._kill_leader, self._restart, self._restart, self._cut, self._split,
            self._isolate, self._heal, self._heal, self._stop, self._compact, self._compact, self._lose_disk,
            self._leave,
            self._hand_over, self._remove, self._promote, self._promote, self._come, self._come,
        )  # fmt: skip

    def someone(self) -> Peer:
        return self.world.peers[self.chance.randrange(len(self.world.peers))]

    def mishap(self) -> None:
        """Let one thing happen, and count it if it did."""
        kind = self.chance.choice(self._kinds)
        if kind():
            self.world.faults[kind.__name__.strip("_")] += 1

    def _admit(self, leader: Peer, newcomer: PeerId) -> None:
        leader.alive.add_learner(newcomer)
        if self.chance.random() < 0.6:
            leader.alive.promote(newcomer)

    def _kill(self, victim: Peer | None = None) -> bool:
        """A process or machine dies; what was not synced is lost, or the first records of it are not."""
        victim = victim or self.someone()
        if victim.log is None:
            return False
        power = self.chance.random() < 0.5
        self.world.kill(victim.name, torn=self.chance.choice((0, 0, 1, 2, 3)), power=power)
        self.world.faults["power cut"] += power
        return True

    def _kill_leader(self) -> bool:
        leaders = self.world.leaders()
        return bool(leaders) and self._kill(self.chance.choice(leaders))

    def _restart(self) -> bool:
        dead = [peer for peer in self.world.peers if peer.log is None]
        for peer in dead:
            self._begin(peer, from_start=self.chance.random() < 0.5)
        return bool(dead)

    def _begin(self, peer: Peer, *, from_start: bool = False) -> None:
        others = [one.name for one in self.world.peers if one is not peer and one.log is not None]
        via = self.chance.choice(others) if others else None
        self.world.restart(peer.name, from_start=from_start, via=via)

    def _cut(self) -> bool:
        size = len(self.world.peers)
        links = [(a, b) for a in range(size) for b in range(size) if a != b]
        self.world.cuts = set(self.chance.sample(links, self.chance.randint(1, len(links))))
        return True

    def _split(self) -> bool:
        names = self.chance.sample(range(len(self.world.peers)), len(self.world.peers))
        cut = self.chance.randint(1, len(names) - 1)
        self.world.split(tuple(names[:cut]), tuple(names[cut:]))
        return True

    def _isolate(self) -> bool:
        """The leader is cut off from everybody."""
        leaders = self.world.leaders()
        if leaders:
            name = self.chance.choice(leaders).name
            self.world.split((name,), tuple(one.name for one in self.world.peers if one.name != name))
        return bool(leaders)

    def _heal(self) -> bool:
        cut = bool(self.world.cuts)
        self.world.heal()
        return cut

    def _stop(self) -> bool:
        victim = self.someone()
        if victim.log is None or victim.asleep:
            return False
        self.world.stop(victim.name, self.chance.choice((0.05, 0.7, 2.0, 6.0)))
        return True

    def _compact(self) -> bool:
        """A peer wants a snapshot to stand for its entries, or for those alone that are final."""
        peer = self.someone()
        if peer.log is None:
            return False
        far = peer.log.last_number if self.chance.random() < 0.5 else peer.log.commit_index
        return self.world.compact(peer.name, far)

    def _lose_disk(self) -> bool:
        """A peer loses its copy and comes with a new birth, whatever state the others are in."""
        victim = self.someone()
        if victim.log is None or self.chance.random() < 0.5:
            return False
        self.world.lose(victim.name)
        self._begin(victim)
        return True

    def _leave(self, leaver: Peer | None = None) -> bool:
        leaver = leaver or self.someone()
        if leaver.log is None or leaver.asleep or leaver.id not in leaver.log.configuration:
            return False
        leaver.log.leave(self.world.now)
        self.world.pump(leaver)
        return True

    def _hand_over(self) -> bool:
        leaders = self.world.leaders()
        return bool(leaders) and self._leave(self.chance.choice(leaders))

    def _remove(self) -> bool:
        leaders = self.world.leaders()
        victim = self.someone()
        if not leaders or victim is leaders[-1]:
            return False
        leaders[-1].alive.remove(victim.id)
        self.world.pump(leaders[-1])
        return True

    def _promote(self) -> bool:
        """Every leader, true or stale, makes a voter of somebody who is none."""
        done = False
        for leader in self.world.leaders():
            learners = [one for one in leader.alive.configuration.members if one.role is not Role.VOTER]
            if learners:
                leader.alive.promote(self.chance.choice(learners).peer)
                self.world.pump(leader)
                done = True
        return done

    def _come(self) -> bool:
        """Somebody who left, or never was there, asks to be let in with a new birth."""
        gone = [one for one in self.world.peers if one.log is not None and one.log.state is State.LEFT]
        fresh = [one for one in self.world.peers if one.log is None and not one.disk.load()]
        for peer in gone:
            self.world.lose(peer.name)
        for peer in (*gone, *fresh):
            self._begin(peer)
        return bool(gone or fresh)

    def make_peace(self) -> None:
        """Heal everything; then count the worlds that do not come together within three minutes."""
        world = self.world
        world.heal()
        world.admits = world.admit_voter
        for peer in world.peers:
            if peer.log is None:
                self._begin(peer)
        for _ in range(36):  # with three messages of ten lost, an election that needs all votes takes long
            world.run(5.0)
            with contextlib.suppress(Violation):
                world.check_converged()
                return
            if not world.leaders() and is_stalled(world):
                break
            for peer in world.peers:
                if world.leaders() and not peer.alive.is_leader:  # whoever was asked before may be gone
                    peer.alive.ask(world.leaders()[0].id)
                    world.pump(peer)
        world.faults["stalled in the end" if is_stalled(world) else "not together in the end"] += 1


def is_stalled(world: World) -> bool:
    """Whether too few voters of the furthest log's configuration still have their copy."""
    copies = [one.alive for one in world.peers if one.alive.state is not State.LEFT]
    if not copies:
        return True
    furthest = max(copies, key=lambda log: log._replica.last)
    births = {log._replica.birth for log in copies}
    voters = [one for one in furthest.configuration.members if one.role is Role.VOTER]
    here = sum(one.birth in births for one in voters)
    return here < len(voters) // 2 + 1


def main(arguments: list[str]) -> int:
    """`python -m tests.protocol.grouplog.schedules FIRST LAST`: run these seeds; 1 if one failed."""
    first, last = int(arguments[0]), int(arguments[1])
    schedule = crowded_schedule if "--crowded" in arguments else random_schedule
    failed, settled = 0, []
    faults: Counter[str] = Counter()
    for seed in range(first, last):
        try:
            world = schedule(seed)
            settled.append(world.settled)
            faults += world.faults
            if world.faults["not together in the end"]:
                print(f"seed {seed}: not together in the end")
        except Violation as violation:
            failed += 1
            print(f"seed {seed}: {violation}")
    settled.sort()
    figures = [settled[int(len(settled) * part)] for part in (0.5, 0.95)] if settled else []
    print(f"{last - first} seeds, {failed} failed; healed after {figures} s (p50, p95)")
    print(", ".join(f"{count} {kind}" for kind, count in faults.most_common()))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
