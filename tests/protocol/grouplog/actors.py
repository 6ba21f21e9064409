"""Evenings in which clocks, disks, links, people and a liar do their worst at once.

    python -m tests.protocol.grouplog.actors 0 100          everything heals in the end
    python -m tests.protocol.grouplog.actors 0 100 --core   an honest majority is well, and nothing else heals

Five kinds of actor: a liar (`liars.py`), a clock for each machine, a disk for each machine, a link for each
direction, and people who take over or whose application was saved before or after the log. Checked are:

(a) nothing that is final in a lineage differs between honest machines, unless somebody who led it lied;
(b) nobody honest is convicted, put out, halted or rolled back, while nobody who led lies;
(c) there is one lineage while nobody takes over;
(d) in a core, each honest word is final within 12 s;
(e) 12 s after the end, the core (or everybody who is together again) has one leader and equal logs;
(f) a machine sends and remembers no more than so much.
"""

from __future__ import annotations

import math
import random
import sys
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from tests.protocol.grouplog.liars import PATIENCE, Evening, Liar, Watched
from tests.protocol.grouplog.memory_storage import MemoryStorage
from tests.protocol.grouplog.schedules import is_stalled
from tests.protocol.grouplog.simulator import Peer, Violation, Weather

from tavolata_protocol.entries import Entry
from tavolata_protocol.errors import LocalError
from tavolata_protocol.grouplog import GroupLog, Rules, State, events
from tavolata_protocol.grouplog.journal import Journal

ROLES: Final = ("nobody", "spectator", "voter", "past leader", "leader")
QUEUE: Final = 64 * 1024
"""Bytes that wait in one direction of a link; a router drops what comes then."""
REMEMBERED: Final = 30_000
"""The most things that a machine may remember beside the entries of its log."""


class NoRoom(Exception):
    """The disk keeps nothing more."""


class Disk(MemoryStorage):
    """A disk that may fail when it's synced, or tear when its file is replaced."""

    def __init__(self, chance: random.Random, *, is_doubtful: bool = False) -> None:
        super().__init__(is_doubtful=is_doubtful)
        self.chance = chance
        self.fails = 0.0

    def sync(self) -> None:
        self._fail()
        super().sync()

    def replace(self, records: Any) -> bool:
        """A crash in the middle leaves the old file or the new one."""
        if self.chance.random() < self.fails:
            if self.chance.random() < 0.5:
                super().replace(records)
            raise NoRoom
        return super().replace(records)

    def _fail(self) -> None:
        if self.chance.random() < self.fails:
            raise NoRoom


@dataclass
class Clock:
    """What a machine's clock shows: it runs at a rate of its own, and jumps."""

    rate: float
    world: float
    shown: float

    def read(self, now: float) -> float:
        return self.shown + (now - self.world) * self.rate

    def moment(self, reading: float) -> float:
        return self.world + (reading - self.shown) / self.rate

    def jump(self, now: float, seconds: float) -> None:
        self.shown, self.world = self.read(now) + seconds, now


class Stage(Watched):
    """A world with all kinds of actor; who is in `well` is honest, and spared by them."""

    def __init__(self, seed: int, size: int, chance: random.Random, rules: Rules | None) -> None:
        self.clocks: dict[int, Clock] = {}
        weather = Weather(chance.choice((0, 0, 0.05)), chance.choice((0, 0.05)), resends=True)
        super().__init__(seed, size, weather, rules=rules)
        self.chance = chance
        self.well: frozenset[int] = frozenset()
        self.speeds: dict[tuple[int, int], float] = {}
        self._free: dict[tuple[int, int], float] = {}
        self._final: dict[tuple[bytes | None, int], bytes] = {}
        self._gone: set[int] = set()
        self.branched = False
        for peer in self.peers:
            peer.disk = Disk(chance)

    # Clocks

    def clock(self, peer: Peer) -> float:
        found = self.clocks.get(peer.name)
        return self.now if found is None else found.read(self.now)

    def moment(self, peer: Peer, reading: float | None) -> float | None:
        found = self.clocks.get(peer.name)
        return reading if found is None or reading is None else found.moment(reading)

    def set_clocks(self) -> None:
        for peer in self.peers:
            self.clocks[peer.name] = Clock(self.chance.uniform(0.8, 1.25), self.now, self.now)
            self.pump(peer)

    # Links

    def _carry(self, sender: Peer, receiver: Peer, message: bytes, resends: bool) -> None:
        link = sender.name, receiver.name
        if (speed := self.speeds.get(link)) is None:
            super()._carry(sender, receiver, message, resends)
            return
        starts = max(self.now, self._free.get(link, 0.0))
        if (starts - self.now) * speed > QUEUE:
            return
        self._free[link] = starts + len(message) / speed
        self.at(self._free[link], lambda: super(Stage, self)._carry(sender, receiver, message, resends))

    # Disks and people

    def pump(self, peer: Peer) -> None:
        """As a driver does; a machine whose disk fails is dead, as `tt` ends then."""
        try:
            super().pump(peer)
        except NoRoom:
            self._die(peer)

    def _arrive(self, sender: Peer, receiver: Peer, message: bytes) -> None:
        try:
            super()._arrive(sender, receiver, message)
        except NoRoom:
            self._die(receiver)

    def _tick(self, peer: Peer, version: int) -> None:
        try:
            super()._tick(peer, version)
        except NoRoom:
            self._die(peer)

    def _die(self, peer: Peer) -> None:
        self.evening.said["a disk failed"] += 1
        self.kill(peer.name, torn=self.chance.randrange(3), power=self.chance.random() < 0.5)

    def begin(self, peer: Peer) -> None:
        """Start a dead machine; its application may have saved less than its log, or all of it."""
        if isinstance(peer.disk, Disk):
            peer.disk.fails = 0.0
        peer.applied = peer.applied[: self.chance.choice((len(peer.applied), self.chance.randrange(99)))]
        self.restart(peer.name, via=self._via(peer))

    def begin_anew(self, peer: Peer, *, aside: bool = True) -> None:
        """Keep a copy aside, or have none at all, and join with another birth."""
        if peer.log is not None:
            self.lose(peer.name, aside=aside)
        else:
            peer.applied, peer.first, peer.proposed = [], 1, {}
        self._gone.add(peer.name)
        kept, peer.disk = list(peer.disk.load()) if aside else [], Disk(self.chance)
        for record in kept:
            peer.disk.append(record)
        peer.disk.sync()
        self.restart(peer.name, via=self._via(peer))

    def _via(self, peer: Peer) -> int:
        leaders = [one.name for one in self.leaders() if one is not peer]
        alive = [one.name for one in self.peers if one.log is not None and one is not peer]
        return (leaders or alive or [(peer.name + 1) % len(self.peers)])[0]

    # What must hold

    def _agree(self, peer: Peer, entry: Entry) -> None:
        peer.applied.append(entry)
        mark = peer.alive.lineage, entry.number
        if peer is not self.liar and self._final.setdefault(mark, entry.chain) != entry.chain:
            raise Violation("final entries differ")

    def _hear(self, peer: Peer, event: events.LogEvent) -> None:
        match event:
            case events.Forgotten() | events.LeftTable() if peer is not self.liar:
                version = peer.log
                self.at(self.now, lambda: self.begin_anew(peer) if peer.log is version is not None else None)
                blameless = self.liar is None and not self.branched and peer.name not in self._gone
                if blameless:
                    self.evening.broken[f"(b) {type(event).__name__}"] += 1
                peer.heard.append(event)
            case events.OtherLineage() if self.branched or peer is self.liar:
                peer.heard.append(event)
            case _:
                super()._hear(peer, event)


def evening(seed: int, *, core: bool = False, rules: Rules | None = None) -> Evening:
    """One seed's evening with all kinds of actor; with `core`, whatever is broken stays broken."""
    chance = random.Random(f"{seed} actors")
    size = chance.choice((2, 3, 3, 4, 4, 5, 6, 8, 12)) if not core else chance.choice((3, 4, 5, 6, 7, 9))
    role = chance.choice(ROLES if size > 2 else ("nobody",))
    stage = Stage(seed, size + (role == "spectator"), chance, rules)
    stage.gather(size)
    stage.evening.broken.clear()
    _cast(stage, role, size)
    liar = None if stage.liar is None else Liar(stage, stage.liar, chance)
    if liar is not None and liar.peer.log is not None:
        liar.birth = liar.peer.alive._replica.birth
    _choose_core(stage, size, core=core)
    stage.set_clocks()
    lineage = stage.peers[-1 if stage.liar is not stage.peers[-1] else 0].alive.lineage
    waiting = dict[bytes, float]()
    for step in range(chance.choice((15, 30))):
        for _ in range(chance.choice((1, 1, 2, 3))):
            _act(stage, liar, chance)
        if step % 4 == 0:
            _say(stage, b"word %d" % step, waiting)
        _run(stage, chance.choice((0.02, 0.1, 0.4, 1.0)), waiting)
    _end(stage, liar, waiting, core=core)
    if not stage.branched and any(one.alive.lineage != lineage for one in _judged(stage)):
        stage.evening.broken["(c) another lineage"] += 1
    for peer in _judged(stage):
        if remembered(peer.alive) > REMEMBERED:
            stage.evening.broken["(f) a machine remembers too much"] += 1
    return stage.evening


def _cast(stage: Stage, role: str, size: int) -> None:
    """Give the liar its role."""
    if role == "spectator":
        stage.admits = lambda leader, newcomer: leader.alive.add_learner(newcomer)
        stage.join(size)
        stage.run(2.0)
        stage.admits = stage.admit_voter
    elif role == "past leader":
        stage.elect(1, *range(2, size))
        stage.run(1.0)
        stage.heal()
        stage.run(3.0)
    if role != "nobody":
        name = {"spectator": size, "voter": stage.chance.randrange(1, size)}.get(role, 0)
        stage.liar, stage.is_led_by_it = stage.peers[name], role in ("leader", "past leader")


def _choose_core(stage: Stage, size: int, *, core: bool) -> None:
    honest = [peer.name for peer in stage.peers[:size] if peer is not stage.liar]
    if core:
        stage.well = frozenset(stage.chance.sample(honest, size // 2 + 1))


def _judged(stage: Stage) -> list[Peer]:
    """The honest machines that are alive, or those of the core."""
    return [
        peer
        for peer in stage.peers
        if peer is not stage.liar and peer.log is not None and (peer.name in stage.well or not stage.well)
    ]


def _act(stage: Stage, liar: Liar | None, chance: random.Random) -> None:
    """Let one actor do something, and count it."""
    victims = [peer for peer in stage.peers if peer.name not in stage.well and peer is not stage.liar]
    kinds: list[Callable[[Stage, Peer], bool]] = [_tamper_clock, _tamper_disk, _tamper_link, _be_a_person]
    kind = chance.choice((*kinds, None))
    if kind is None and liar is not None and _judged(stage):
        for _ in range(chance.choice((1, 3, 8))):
            liar.lie()
        stage.evening.said["lies"] += 1
    elif kind is not None and victims and kind(stage, chance.choice(victims)):
        stage.evening.said[kind.__name__.strip("_")] += 1


def _tamper_clock(stage: Stage, peer: Peer) -> bool:
    """It jumps, or the machine sleeps."""
    if peer.log is None or peer.asleep:
        return False
    if stage.chance.random() < 0.4:
        stage.stop(peer.name, stage.chance.choice((0.7, 2.0, 6.0)))
    else:
        stage.clocks[peer.name].jump(stage.now, stage.chance.choice((-3.0, -0.5, 0.5, 2.0, 8.0)))
        stage.pump(peer)
    return True


def _tamper_disk(stage: Stage, peer: Peer) -> bool:
    """It fails, is full, has lost its cache, was restored or cut short (the witness sees it), or is gone."""
    chance, dice = stage.chance, stage.chance.random()
    if peer.log is None:
        stage.begin(peer)
    elif dice < 0.3 and isinstance(peer.disk, Disk):
        peer.disk.fails = chance.choice((0.1, 1.0))
    elif dice < 0.5:
        stage.kill(peer.name, torn=chance.randrange(3), power=chance.random() < 0.5)
    elif dice < 0.7:
        kept = list(peer.disk.load())
        stage.kill(peer.name)
        peer.disk = Disk(chance, is_doubtful=True)
        for record in kept:
            peer.disk.append(record)
        peer.disk.sync()
        stage.begin(peer)
    elif _can_spare(stage, peer):
        stage.begin_anew(peer, aside=dice < 0.85)
    return True


def _can_spare(stage: Stage, peer: Peer) -> bool:
    """Whether the table outlives the loss of that copy: no log survives the loss of two of three."""
    voters = peer.alive.configuration.voters
    lost = sum(one.id in voters for one in stage.peers if one.name in stage._gone or one is stage.liar)
    return len(voters) - lost - 1 >= len(voters) // 2 + 1 and not peer.alive.is_leader


def _tamper_link(stage: Stage, peer: Peer) -> bool:
    """A direction is cut or slow, or all of a machine's; or they come back."""
    chance, dice = stage.chance, stage.chance.random()
    others = [one.name for one in stage.peers if one is not peer]
    both = [(peer.name, one) for one in others] + [(one, peer.name) for one in others]
    some = chance.sample(both, chance.randint(1, len(both)))
    if stage.well:  # a leader outside that reaches a part of the core only would keep the rest from learning
        some = chance.choice((both[: len(others)], both[len(others) :], both))
    if dice < 0.3:
        stage.cuts |= set(some)
    elif dice < 0.45:
        stage.cuts |= set(both)
    elif dice < 0.7:
        stage.speeds |= {link: chance.choice((2e3, 2e4, 2e5)) for link in some}
    else:
        stage.cuts -= set(both)
        for link in both:
            stage.speeds.pop(link, None)
    return True


def _be_a_person(stage: Stage, peer: Peer) -> bool:
    """Somebody takes over, or starts a machine again, or the application was behind its log."""
    if peer.log is None:
        stage.begin(peer)
        return True
    if peer.asleep or not peer.log.may_take_over(peer.log._replica.now):
        return False
    with suppress(LocalError):
        peer.log.take_over(stage.clock(peer))
        stage.branched = True
        stage.pump(peer)
        return True
    return False


def _say(stage: Stage, body: bytes, waiting: dict[bytes, float]) -> None:
    authors = _judged(stage)
    if authors and stage.propose(stage.chance.choice(authors).name, body) is not None:
        waiting[body] = stage.now


def _run(stage: Stage, seconds: float, waiting: dict[bytes, float]) -> None:
    stage.run(seconds)
    for body in list(waiting):
        if all(any(entry.body == body for entry in peer.applied) for peer in _judged(stage)):
            stage.evening.waited.append(stage.now - waiting.pop(body))


def _end(stage: Stage, liar: Liar | None, waiting: dict[bytes, float], *, core: bool) -> None:
    """Heal everything, unless there is a core; then judge whether all are together."""
    if not core:
        _heal(stage)
    until = stage.now + (PATIENCE if core else 60.0)
    while (waiting and core) or not _is_together(stage):
        if stage.now > until:
            break
        if core and liar is not None:  # it goes on for ever
            liar.lie()
        if not core:
            _join_again(stage)
        _run(stage, 0.25, waiting)
    evening = stage.evening
    if core and (waiting or max(evening.waited, default=0.0) > PATIENCE):
        evening.broken["(d) a word waits too long"] += 1
    if not _is_together(stage) and not (not core and is_stalled(stage)):
        evening.broken["(e) logs differ at rest"] += 1


def _heal(stage: Stage) -> None:
    stage.heal()
    stage.speeds.clear()
    for peer in stage.peers:
        if isinstance(peer.disk, Disk):
            peer.disk.fails = 0.0
        if peer.log is None and peer is not stage.liar:
            stage.begin(peer)


def _join_again(stage: Stage) -> None:
    """Whoever is apart from the most, or has left, joins them as a person does."""
    honest = _judged(stage)
    sizes = Counter(one.alive.lineage for one in honest if one.alive.is_leader)
    if not sizes:
        return
    leader = max(
        (one for one in honest if one.alive.is_leader), key=lambda one: len(one.alive.configuration.voters)
    )
    for peer in honest:
        if peer.alive.state is State.LEFT or peer.alive.lineage not in (leader.alive.lineage, None):
            stage.begin_anew(peer)
        elif not peer.alive.configuration.members:  # whoever it asked may be a liar
            peer.alive.ask(leader.id)
            stage.pump(peer)


def _is_together(stage: Stage) -> bool:
    honest = _judged(stage)
    ends = {(one.alive.commit_index, one.alive.chain_at(one.alive.commit_index)) for one in honest}
    follows = {one.alive.leader for one in honest}
    return len(ends) == len(follows) == 1 and None not in follows


def remembered(log: GroupLog) -> int:
    """Count what a log remembers in its parts, beside the entries."""
    seen, waiting, count = set[int](), deque[Any]([log]), 0
    while waiting:
        one = waiting.popleft()
        if id(one) in seen or isinstance(one, Journal | random.Random | MemoryStorage | type):
            continue
        seen.add(id(one))
        if isinstance(one, dict):
            count += len(one)
            waiting.extend(one.values())
        elif isinstance(one, list | tuple | set | frozenset | deque):
            count += len(one)
            waiting.extend(one)
        elif type(one).__module__.startswith("tavolata_protocol"):
            waiting.extend(getattr(one, "__dict__", {}).values())
            waiting.extend(getattr(one, name, None) for name in getattr(one, "__slots__", ()))
    return count


def main(arguments: list[str]) -> int:
    """`python -m tests.protocol.grouplog.actors FIRST LAST [--core]`: run these seeds; 1 if one failed."""
    first, last = int(arguments[0]), int(arguments[1])
    broken, said, waited = Counter[str](), Counter[str](), list[float]()
    for seed in range(first, last):
        found = evening(seed, core="--core" in arguments)
        broken, said = broken + found.broken, said + found.said
        waited += found.waited
        if found.broken:
            print(f"seed {seed}: {dict(found.broken)}")
    waited.sort()
    print(f"{last - first} evenings, {dict(broken)}; {dict(said)}")
    print(f"waited {waited[int(len(waited) * 0.95)] if waited else math.nan:.2f} s (p95)")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
