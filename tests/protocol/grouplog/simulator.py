"""A small world of peers for tests: seeded, in one process, with a clock that jumps from event to event.

It loses, repeats, delays and reorders messages, cuts links in one direction, kills peers and restarts them
from what their disks kept. After every step it checks what must always hold; `check_converged` checks what
must hold at rest.
"""

from __future__ import annotations

import hashlib
import heapq
import itertools
import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from tests.protocol.grouplog.memory_storage import MemoryStorage

from tavolata_protocol.entries import Entry, EntryKind
from tavolata_protocol.errors import RemoteError, WrongMoment
from tavolata_protocol.grouplog import GroupLog, Rules, State, events
from tavolata_protocol.identity import PeerId

TABLE = b"simulated table"


class CheapSigner:
    """Stands for an identity; its signatures are hashes, so that many schedules can be run."""

    def __init__(self, number: int) -> None:
        self.peer = PeerId(hashlib.blake2b(b"peer %d" % number, digest_size=32).digest())

    def sign(self, context: bytes, message: bytes) -> bytes:
        return hashlib.blake2b(context + message, key=self.peer, digest_size=64).digest()


def cheap_verify(peer: PeerId, context: bytes, message: bytes, signature: bytes) -> bool:
    return hashlib.blake2b(context + message, key=peer, digest_size=64).digest() == signature


class Violation(AssertionError):
    """Something happened that must never happen."""


@dataclass
class Weather:
    """How bad the network is: probabilities, and delays in seconds.

    With `resends` sessions send again what is marked reliable, as the real ones do; without, all may be lost.
    `together` is how often a peer answers a message only after 2 ms, with all that comes until then: a driver
    reads many datagrams in one turn.
    """

    loss: float = 0.0
    repeat: float = 0.0
    least_delay: float = 0.001
    most_delay: float = 0.005
    resends: bool = False
    together: float = 0.0


@dataclass
class Peer:
    """One machine: its disk survives, its log object doesn't."""

    name: int
    signer: CheapSigner
    disk: MemoryStorage
    log: GroupLog | None = None
    applied: list[Entry] = field(default_factory=list)
    first: int = 1
    kept: int = 0  # up to which entry its application still had its state when it was started
    heard: list[events.LogEvent] = field(default_factory=list)
    proposed: dict[int, bytes] = field(default_factory=dict)
    timer: int = 0
    asleep: bool = False
    lost_power: bool = False
    missed: list[tuple[PeerId, bytes]] = field(default_factory=list)

    @property
    def id(self) -> PeerId:
        return self.signer.peer

    @property
    def alive(self) -> GroupLog:
        assert self.log is not None
        return self.log

    @property
    def first_number(self) -> int:
        """The number of the first entry that it stores; a snapshot covers the earlier ones."""
        return self.alive._replica.journal.base.number + 1


class World:
    """Peers 0 to `size` - 1, of which 0 founds the table, and everything between them."""

    def __init__(
        self,
        seed: int,
        size: int,
        weather: Weather | None = None,
        *,
        rules: Rules | None = None,
    ) -> None:
        self.random = random.Random(seed)
        self.now = 100.0
        self.weather = weather or Weather()
        self.rules = rules
        self.admits: Callable[[Peer, PeerId], None] | None = self.admit_voter
        self.cuts: set[tuple[int, int]] = set()
        self.agreed: dict[int, bytes] = {}
        self.delivered: dict[tuple[PeerId, int], int] = {}
        self.counts: dict[PeerId, int] = {}
        self.digests = True
        self.honest = True  # whether contradictions are a fault of the log, and not of a liar
        self.passes: Callable[[Peer, Peer, bytes], bool] = lambda sender, receiver, message: True
        self.led: dict[int, PeerId] = {}
        self.sent = 0
        self.settled = 0.0
        self.faults: Counter[str] = Counter()
        self.peers = [Peer(n, CheapSigner(n), MemoryStorage()) for n in range(size)]
        self._by_id = {peer.id: peer for peer in self.peers}
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()

    # Peers

    def _make(self, peer: Peer, kept: int = 0) -> GroupLog:
        peer.kept = kept
        return GroupLog(
            peer.signer,
            peer.disk,
            table=TABLE,
            chance=random.Random(self.random.random()),
            rules=self.rules,
            verify=cheap_verify,
        )

    def found(self, name: int = 0) -> None:
        peer = self.peers[name]
        peer.log = self._make(peer)
        peer.log.create(self.clock(peer))
        self.pump(peer)

    def join(self, name: int, via: int = 0) -> None:
        peer = self.peers[name]
        peer.log = self._make(peer)
        peer.log.join(self.peers[via].id, self.clock(peer))
        self.pump(peer)

    def gather(self, size: int | None = None) -> None:
        """Found a table and let everybody join as voters, in good weather."""
        weather, self.weather = self.weather, Weather()
        self.found()
        for name in range(1, size or len(self.peers)):
            self.join(name)
        self.run(1.0 + 0.6 * len(self.peers))
        self.weather = weather

    def kill(self, name: int, torn: int = 0, *, power: bool = False) -> None:
        """Kill a peer, or cut its power; of what its disk need not have, it has the first `torn` records."""
        peer = self.peers[name]
        peer.log, peer.lost_power = None, power
        peer.disk.crash(torn, power=power)
        peer.timer += 1

    def restart(self, name: int, *, from_start: bool = False, via: int | None = None) -> None:
        peer = self.peers[name]
        assert peer.log is None
        if from_start:
            peer.applied, peer.first = [], 1
        peer.log = self._make(peer, kept=peer.first + len(peer.applied) - 1)
        if peer.lost_power:  # what it had only just proposed, it need not remember
            kept = set(peer.log.pending)
            peer.proposed = {
                count: body
                for count, body in peer.proposed.items()
                if count in kept or (peer.id, count) in self.delivered
            }
        if via is None:
            via = 1 if name == 0 else 0  # a newcomer takes the log from whom it asked alone
        if peer.log.is_blank:
            peer.log.join(self.peers[via].id, self.clock(peer))
        else:
            peer.log.resume(self.clock(peer), self.peers[via].id)
        self.pump(peer)

    def lose(self, name: int, *, aside: bool = False) -> None:
        """Kill a peer and take its disk away, or have it keep its copy aside and begin anew as `tt` does."""
        peer = self.peers[name]
        heritage = peer.alive.heritage if aside else ()
        self.kill(name)
        peer.disk, peer.applied, peer.first, peer.proposed = MemoryStorage(), [], 1, {}
        for record in heritage:
            peer.disk.append(record)
        peer.disk.sync()

    def stop(self, name: int, seconds: float) -> None:
        """Stop a peer as a signal does: it sees nothing, then everything at once."""
        peer = self.peers[name]
        peer.asleep = True

        def wake() -> None:
            peer.asleep = False
            missed, peer.missed = peer.missed, []
            for sender, message in missed:
                self._arrive(self._by_id[sender], peer, message)
            self.pump(peer)

        self.at(self.now + seconds, wake)

    def propose(self, name: int, body: bytes) -> int | None:
        """Propose, if that peer is alive and a member."""
        peer = self.peers[name]
        if peer.log is None or peer.asleep:
            return None
        try:
            count = peer.log.propose(body)
        except WrongMoment:
            return None
        peer.proposed[count] = body
        self.pump(peer)
        return count

    def compact(self, name: int, number: int | None = None) -> bool:
        """Have a peer keep a snapshot instead of its entries up to `number`, by default as much as it may."""
        peer = self.peers[name]
        if peer.log is None or peer.asleep:
            return False
        with suppress(WrongMoment):
            peer.log.compact(peer.log.commit_index if number is None else number, b"the state")
            self.pump(peer)
            return True
        return False

    def leaders(self) -> list[Peer]:
        return [peer for peer in self.peers if peer.log is not None and peer.log.is_leader]

    def admit_voter(self, leader: Peer, newcomer: PeerId) -> None:
        leader.alive.add_learner(newcomer)
        leader.alive.promote(newcomer)

    # Links

    def split(self, *groups: tuple[int, ...]) -> None:
        """Cut all links between peers of different groups."""
        place = {name: number for number, group in enumerate(groups) for name in group}
        self.cuts = {(a, b) for a in place for b in place if place[a] != place[b]}

    def heal(self) -> None:
        self.cuts = set()

    def elect(self, name: int, *among: int) -> None:
        """Let `name` become the leader with the votes of `among`; nobody else is connected from now on."""
        everybody = range(len(self.peers))
        self.split((name, *among), *((other,) for other in everybody if other not in (name, *among)))
        self._postpone_elections(1000.0)
        self.run(2.0)
        elections = self.peers[name].alive._leadership.elections
        elections.deadline = self.now
        self.pump(self.peers[name])
        self.run_until(lambda: self.peers[name].alive.is_leader, 5.0)
        self._postpone_elections(2.0)

    def _postpone_elections(self, seconds: float) -> None:
        for peer in self.peers:
            if peer.log is not None and not peer.log.is_leader:
                peer.log._leadership.elections.deadline = self.now + seconds
                self.pump(peer)

    # Time

    def clock(self, peer: Peer) -> float:
        """What that peer's clock shows; here they all show the same."""
        return self.now

    def moment(self, peer: Peer, reading: float | None) -> float | None:
        """When that peer's clock will show this."""
        return reading

    def at(self, when: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._queue, (when, next(self._order), action))

    def run(self, seconds: float) -> None:
        until = self.now + seconds
        while self._queue and self._queue[0][0] <= until:
            self.now, _, action = heapq.heappop(self._queue)
            action()
        self.now = until

    def run_until(self, condition: Callable[[], object], seconds: float = 30.0) -> float:
        """Run until something holds; the seconds that it took. Fails when it takes longer than `seconds`."""
        start = self.now
        while not condition():
            if self.now - start > seconds:
                raise Violation("it took too long")
            self.run(0.01)
        return self.now - start

    def pump(self, peer: Peer) -> None:
        """Bring out what a peer has to say: messages, events, its next timer."""
        log = peer.log
        if log is None or peer.asleep:
            return
        for to, message, reliable in log.messages_to_send(self.clock(peer)):
            if to in self._by_id:  # a liar may name somebody who isn't in the world
                self._carry(peer, self._by_id[to], message, reliable and self.weather.resends)
        while (event := log.next_event()) is not None:
            if not self._is_known(peer, event):
                self._hear(peer, event)
        peer.timer += 1
        due = self.moment(peer, log.next_timer())
        if log.is_sync_due:  # the power may be cut between the messages and the sync
            due = self.now + self.random.uniform(0, 0.003)
        if due is not None:
            self.at(max(due, self.now + 1e-6), partial(self._tick, peer, peer.timer))

    def _tick(self, peer: Peer, version: int) -> None:
        if peer.log is not None and version == peer.timer and not peer.asleep:
            peer.log.handle_timer(self.clock(peer))
            self.pump(peer)

    def _carry(self, sender: Peer, receiver: Peer, message: bytes, resends: bool) -> None:
        self.sent += 1
        if (sender.name, receiver.name) in self.cuts or not self.passes(sender, receiver, message):
            return
        if self.random.random() < self.weather.loss:
            if resends:
                self.at(self.now + 0.1, lambda: self._carry(sender, receiver, message, resends))
            return
        for _ in range(2 if self.random.random() < self.weather.repeat else 1):
            delay = self.random.uniform(self.weather.least_delay, self.weather.most_delay)
            self.at(self.now + delay, lambda: self._arrive(sender, receiver, message))

    def _arrive(self, sender: Peer, receiver: Peer, message: bytes) -> None:
        if receiver.log is None or (sender.name, receiver.name) in self.cuts:
            return
        if receiver.asleep:
            receiver.missed.append((sender.id, message))
            return
        try:
            receiver.log.receive(sender.id, message, self.clock(receiver))
        except RemoteError as error:
            if self.honest:
                raise Violation(f"an honest peer was blamed: {error}") from error
        if self.weather.together and self.random.random() < self.weather.together:
            self.at(self.now + 0.002, partial(self.pump, receiver))
        else:
            self.pump(receiver)

    def _is_known(self, peer: Peer, event: events.LogEvent) -> bool:
        """Whether an application that kept its state had this before it was started again."""
        match event:
            case events.Final(entry=entry):
                return entry.number <= peer.kept
            case events.SnapshotInstalled(number=number):
                return number <= peer.kept
            case events.RolledBack(number=number):
                peer.kept = min(peer.kept, number)
        return False

    # What must always hold

    def _hear(self, peer: Peer, event: events.LogEvent) -> None:
        peer.heard.append(event)
        match event:
            case events.Final(entry=entry):
                self._agree(peer, entry)
            case events.RolledBack(number=number):
                if self.honest:
                    raise Violation(f"peer {peer.name} was rolled back, though nobody lied")
                del peer.applied[max(0, number + 1 - peer.first) :]
            case events.SnapshotInstalled(number=number):
                peer.applied, peer.first = [], number + 1
            case events.JoinRequested(peer=newcomer) if self.admits is not None and peer.alive.is_leader:
                self.admits(peer, newcomer)
                self.at(self.now, lambda: self.pump(peer))
            case events.LeaderChanged(peer=leader, term=term) if leader is not None:
                if self.led.setdefault(term, leader) != leader and self.honest:
                    raise Violation(f"two peers order in term {term}")
            case events.Halted(sentence=sentence):
                raise Violation(sentence)
            case events.Desynchronised():
                raise Violation("states differ")
            case events.LeftTable():
                for count in set(peer.proposed) - {count for one, count in self.delivered if one == peer.id}:
                    del peer.proposed[count]  # what it still wanted to say has been withdrawn
            case _:
                pass

    def _agree(self, peer: Peer, entry: Entry) -> None:
        if entry.number != peer.first + len(peer.applied):
            raise Violation(f"peer {peer.name} was given {entry.number} out of order")
        peer.applied.append(entry)
        if self.digests:
            peer.alive.note_digest(entry.number, entry.chain[:8])
        if self.agreed.setdefault(entry.number, entry.chain) != entry.chain:
            raise Violation(f"peer {peer.name} diverged at {entry.number}")
        if entry.kind is EntryKind.APPLICATION:
            key = (entry.author, entry.count)
            if self.delivered.setdefault(key, entry.number) != entry.number:
                raise Violation(f"peer {peer.name} was given a proposal twice")
            if self.delivered[key] == entry.number and entry.count > self.counts.get(entry.author, 0):
                if entry.count != self.counts.get(entry.author, 0) + 1:
                    raise Violation(f"a proposal before {entry.count} was left out")
                self.counts[entry.author] = entry.count

    # What must hold at rest

    def settle(self, seconds: float = 35.0) -> None:
        """Run until everything has converged; `settled` says how long it took."""
        start = self.now
        while True:
            self.run(0.25)
            try:
                self.check_converged()
            except Violation:
                if self.now - start > seconds:
                    raise
            else:
                self.settled = self.now - start
                return

    def check_converged(self) -> None:
        """Everybody alive has the same log, all of it final, and every proposal in it; one peer leads."""
        alive = [peer for peer in self.peers if peer.log is not None and peer.log.state is not State.LEFT]
        if len(self.leaders()) != 1:
            raise Violation(f"{len(self.leaders())} peers order: {[p.alive.state for p in alive]}")
        logs = {
            (p.alive.commit_index, p.alive.last_number, p.alive.chain_at(p.alive.commit_index)) for p in alive
        }
        if len(logs) != 1:
            raise Violation(f"logs differ at rest: {sorted((f, n) for f, n, _ in logs)}")
        for peer in alive:
            if peer.alive.pending:
                raise Violation(f"peer {peer.name} still has proposals {peer.alive.pending}")
            for count in peer.proposed:
                if (peer.id, count) not in self.delivered:
                    raise Violation(f"proposal {count} of peer {peer.name} was lost")
            if peer.alive.state not in (State.LEADER, State.FOLLOWER):
                raise Violation(f"peer {peer.name} is {peer.alive.state}")
