"""Random schedules of the simulated world: bad weather, cuts, deaths, lost disks, and then peace.

python -m tests.protocol.grouplog.schedules 0 100000    these seeds; the same seed is the same schedule
"""

from __future__ import annotations

import random
import sys

from tests.protocol.grouplog.simulator import Peer, Violation, Weather, World

from tavolata_protocol.grouplog import Rules, State


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
        world.kill(world.leaders()[-1].name)
    elif dice < 0.15:
        if someone.log is not None:
            world.kill(someone.name)
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
        if someone.log is not None and someone.alive.commit_index >= someone.alive.first_number:
            someone.log.offer_snapshot(someone.log.commit_index, b"the state")
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


def main(arguments: list[str]) -> int:
    """`python -m tests.protocol.grouplog.schedules FIRST LAST`: run these seeds; 1 if one failed."""
    first, last = int(arguments[0]), int(arguments[1])
    failed, settled = 0, []
    for seed in range(first, last):
        try:
            settled.append(random_schedule(seed).settled)
        except Violation as violation:
            failed += 1
            print(f"seed {seed}: {violation}")
    settled.sort()
    figures = [settled[int(len(settled) * part)] for part in (0.5, 0.95)] if settled else []
    print(f"{last - first} seeds, {failed} failed; healed after {figures} s (p50, p95)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
