"""Schedules in which disks are restored from backups: a copy lacks votes and entries that it promised.

python -m tests.protocol.grouplog.restoring 0 1000 whole     the witness is there, and the copy is put aside
python -m tests.protocol.grouplog.restoring 0 1000 gone      it isn't: the others are asked what they remember
python -m tests.protocol.grouplog.restoring 0 1000 ignored   the copy goes on as if it were whole
python -m tests.protocol.grouplog.restoring 0 1000 gone --growing   backups are from before others joined
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from typing import Final

from tests.protocol.grouplog.memory_storage import MemoryStorage
from tests.protocol.grouplog.schedules import is_stalled
from tests.protocol.grouplog.simulator import Peer, Violation, Weather, World

from tavolata_protocol.grouplog import State, events

WITNESS: Final = ("whole", "gone", "ignored")


class Restoring(World):
    """A world whose machines come back from backups, and begin anew when they are told that they forgot."""

    def __init__(self, seed: int, size: int, weather: Weather | None = None, *, witness: str) -> None:
        super().__init__(seed, size, weather)
        self.honest = self.digests = False
        self.witness = witness
        self.backups: dict[int, list[bytes]] = {}

    def back_up(self, name: int) -> None:
        self.backups[name] = list(self.peers[name].disk.load())

    def restore(self, name: int) -> bool:
        """Kill a machine and start it from its backup; False if it would lack nothing."""
        backup, peer = self.backups.get(name), self.peers[name]
        if backup is None or peer.log is None or backup == list(peer.disk.load()):
            return False
        self.kill(name)
        peer.disk = MemoryStorage(is_doubtful=self.witness == "gone")
        for record in backup:
            peer.disk.append(record)
        peer.disk.sync()
        self.restart(name, from_start=True, via=self._via(name))
        if self.witness == "whole":
            self.begin_anew(peer)
        return True

    def begin_anew(self, peer: Peer) -> None:
        """Put a copy aside, and join with another birth."""
        self.lose(peer.name, aside=True)
        self.backups.pop(peer.name, None)
        self.restart(peer.name, via=self._via(peer.name))

    def _via(self, name: int) -> int:
        leaders = [peer.name for peer in self.leaders() if peer.name != name]
        alive = [peer.name for peer in self.peers if peer.log is not None and peer.name != name]
        return (leaders or alive or [(name + 1) % len(self.peers)])[0]

    def _hear(self, peer: Peer, event: events.LogEvent) -> None:
        super()._hear(peer, event)
        if isinstance(event, events.Forgotten):
            self.faults["forgotten"] += 1
            version = peer.log
            self.at(self.now, lambda: self.begin_anew(peer) if peer.log is version is not None else None)


def restored_schedule(seed: int, witness: str, *, growing: bool = False) -> World:
    """One seed's schedule: 3 to 5 machines, deaths, cuts and restored disks; then half a minute of peace.

    If `growing`, one or two begin, and the backups are from before the others joined.
    """
    chance = random.Random(seed)
    size = chance.choice((3, 3, 4, 5))
    weather = Weather(chance.choice((0.0, 0.0, 0.1)), 0.05, 0.001, chance.choice((0.005, 0.03)), resends=True)
    world = Restoring(seed, size, weather, witness=witness)
    if growing:
        _grow(world, chance)
    else:
        world.gather()
    for number in range(chance.randint(10, 20)):
        for _ in range(chance.choice((1, 2, 5))):
            world.propose(chance.randrange(size), b"%d" % number)
        _mishap(world, chance)
        world.run(chance.choice((0.02, 0.1, 0.5, 1.5, 3.0)))
    world.heal()
    for peer in world.peers:
        if peer.log is None:
            world.restart(peer.name)
    for _ in range(60):
        world.run(0.5)
        for peer in world.peers:
            if peer.log is not None and peer.log.state is State.LEFT:
                world.begin_anew(peer)
            elif world.leaders() and peer.alive.state is State.JOINING:
                peer.alive.ask(world.leaders()[-1].id)  # whoever it asked may be new itself
                world.pump(peer)
        if _is_at_rest(world):
            return world
    world.faults["stalled in the end" if is_stalled(world) else "not together in the end"] += 1
    return world


def _grow(world: Restoring, chance: random.Random) -> None:
    """Begin with one or two, back them up, and let the others join."""
    first = chance.choice((1, 1, 2))
    world.gather(first)
    for name in range(first):
        world.back_up(name)
    for name in range(first, len(world.peers)):
        world.join(name, via=world.leaders()[0].name)
        world.run(2.0)


def _is_at_rest(world: World) -> bool:
    ends = {(one.alive.commit_index, one.alive.chain_at(one.alive.commit_index)) for one in world.peers}
    return len(ends) == len(world.leaders()) == 1


def _mishap(world: Restoring, chance: random.Random) -> None:
    name, dice = chance.randrange(len(world.peers)), chance.random()
    if dice < 0.2:
        world.back_up(name)
    elif dice < 0.45:
        world.faults["restored"] += world.restore(name)
    elif dice < 0.55 and world.leaders():
        world.kill(world.leaders()[-1].name)
    elif dice < 0.65:
        for peer in world.peers:
            if peer.log is None:
                world.restart(peer.name)
    elif dice < 0.8:
        names = chance.sample(range(len(world.peers)), len(world.peers))
        cut = chance.randint(1, len(names) - 1)
        world.split(tuple(names[:cut]), tuple(names[cut:]))
    elif dice < 0.92:
        world.heal()


def main(arguments: list[str]) -> int:
    """`python -m tests.protocol.grouplog.restoring FIRST LAST WITNESS`: run them; 1 if one diverged."""
    first, last, witness = int(arguments[0]), int(arguments[1]), arguments[2]
    growing = "--growing" in arguments
    diverged, faults = 0, Counter[str]()
    for seed in range(first, last):
        try:
            faults += (world := restored_schedule(seed, witness, growing=growing)).faults
            if world.faults["not together in the end"]:
                print(f"seed {seed}: not together in the end")
        except Violation as violation:
            diverged += 1
            print(f"seed {seed}: {violation}")
    print(f"{witness}: {last - first} seeds, {diverged} broke agreement; {dict(faults)}")
    return 1 if diverged else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
