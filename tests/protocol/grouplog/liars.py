"""A peer that lies: any message, each field true, almost true or made up, its own signatures valid.

    python -m tests.protocol.grouplog.liars 0 100 voter       the same seed is the same evening
    python -m tests.protocol.grouplog.liars 0 100 voter --core   an honest majority always hears itself
    python -m tests.protocol.grouplog.liars 0 100 voter --cheat  it repeats, mixes and comes and goes

A generator stands for every field of every message, by its type and name; a new message needs nothing here.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import msgspec
from tests.protocol.grouplog.simulator import Peer, Violation, Weather, World

from tavolata_protocol.entries import EntryKind, control_body, place, propose
from tavolata_protocol.equivocation import sign_commit
from tavolata_protocol.errors import RemoteError
from tavolata_protocol.grouplog import GroupLog, Rules, State, events
from tavolata_protocol.messages import log as wire
from tavolata_protocol.messages.entries import Role
from tavolata_protocol.messages.votes import Statement
from tavolata_protocol.votes import sign_transfer, sign_vote

ROLES: Final = ("stranger", "spectator", "learner", "voter", "past leader", "leader", "two logs")
PATIENCE: Final = 12.0
"""Seconds within which an honest proposal becomes final where an honest majority hears itself."""
FAR: Final = 2**40
BOUND: Final = 512
"""The most messages that an honest peer answers to one turn of lies."""


@dataclass
class Liar:
    """What a peer can say in a role, from the knowledge of an honest copy and its own key."""

    world: World
    peer: Peer
    chance: random.Random
    said: Counter[str] = field(default_factory=Counter)
    birth: bytes = bytes(8)

    @property
    def _log(self) -> GroupLog:
        return next(one.alive for one in self.world.peers if one is not self.peer and one.log is not None)

    @cached_property
    def _kinds(self) -> tuple[type[Any], ...]:
        return (*wire.LogMessage.__args__, wire.CommitNotice, wire.CommitNotice, wire.Elected)

    def lie(self) -> None:
        """Say one message to most of the others."""
        self._say(lambda: self._message(self.chance.choice(self._kinds)))

    def _say(self, made: Callable[[], Any]) -> None:
        try:
            message = made()
            data = wire.encode(message)
            wire.decode(data)
        except (RemoteError, ValueError, TypeError, OverflowError):
            return  # not even its own codec takes that
        for other in self.world.peers:
            if other is not self.peer and other.log is not None and self.chance.random() < 0.8:
                self.world._carry(self.peer, other, data, resends=False)
                self.said[type(message).__name__] += 1

    def _message(self, kind: type[Any]) -> Any:
        fields = {one.name: self._value(one.name, one.type) for one in msgspec.structs.fields(kind)}
        if kind is wire.CommitNotice:
            commit = sign_commit(self.peer.signer, fields["lineage"], self._number(self._log.term),
                                 self._mark(), self._chain(self._mark()))  # fmt: skip
            fields.update(signed=commit.statement.signed, signature=commit.statement.signature)
        elif "signed" in fields:
            count = self.chance.choice((1, 2, 5, self._log._replica.journal.last_count(self.peer.id) + 1))
            proposal = propose(self.peer.signer, fields["lineage"], count, b"a lie", EntryKind.APPLICATION)
            fields.update(signed=proposal.signed, signature=proposal.signature)
        if kind is wire.Tip:
            numbers = sorted(set(fields["numbers"]), reverse=True)
            fields.update(numbers=tuple(numbers), chains=tuple(map(self._chain, numbers)))
        return kind(**fields)

    def _value(self, name: str, kind: Any) -> Any:
        """A value for a field: by its name where that says what is true, else by its type."""
        chance, log = self.chance, self._log
        true: dict[str, Callable[[], Any]] = {
            "lineage": lambda: chance.randbytes(16) if chance.random() < 0.05 else log.lineage,
            "term": lambda: self._number(log.term),
            "previous_term": lambda: self._number(log.term),
            "last_term": lambda: self._number(log.term),
            "birth": self._birth,
            "previous_hash": lambda: self._chain(log.last_number),
            "chain": lambda: self._chain(log.commit_index),
            "entries": lambda: tuple(one for one in [self._entry()] if one and chance.random() < 0.7),
            "own": lambda: self._vote(self.peer),
            "vote": lambda: chance.choice((None, self._vote())),
            "votes": lambda: tuple(self._vote() for _ in range(chance.choice((1, 2, 3)))),
            "transfer": lambda: chance.choice((None, self._transfer())),
            "configuration": lambda: log._replica.journal.configuration_number,
            "away": lambda: chance.randrange(64),
            "reason": lambda: chance.choice((1, 3)),
        }
        return true[name]() if name in true else self._of(msgspec.inspect.type_info(kind))

    def _birth(self) -> bytes:
        births = [one.birth for one in self._log.configuration.members]
        return self.chance.choice(
            (self.birth, self.chance.choice(births or [bytes(8)]), self.chance.randbytes(8))
        )

    def _of(self, kind: msgspec.inspect.Type) -> Any:
        chance = self.chance
        match kind:
            case msgspec.inspect.BoolType():
                return chance.random() < 0.5
            case msgspec.inspect.IntType(le=most):
                return min(self._number(self._log.commit_index), most or 2**62)
            case msgspec.inspect.BytesType(min_length=least, max_length=most):
                if most == least == 32:
                    return chance.choice((chance.choice(self.world.peers).id, self._chain(self._mark())))
                return chance.randbytes(min(most or 8, max(least or 0, 8)))
            case msgspec.inspect.VarTupleType(item_type=item):
                return tuple(self._of(item) for _ in range(chance.choice((1, 2, 5))))
            case msgspec.inspect.TupleType(item_types=items):
                return tuple(map(self._of, items))
            case _:
                raise TypeError(f"nothing is made up for {kind}")

    def _number(self, true: int) -> int:
        chance = self.chance
        return max(0, chance.choice((true,) * 3 + (true + 1, true - 1, true + 8, true + 1024, FAR, 0,
                                                   chance.randrange(true + 20))))  # fmt: skip

    def _mark(self) -> int:
        final = self._log.commit_index
        return self.chance.choice((self._number(final), final // 8 * 8, final, 8))

    def _chain(self, number: int) -> bytes:
        true = self._log.chain_at(number) if number <= self._log.last_number else None
        if true is not None and self.chance.random() < 0.5:
            return true
        return self.chance.choice((bytes(32), b"A" * 32, b"B" * 32, self.chance.randbytes(32)))

    def _vote(self, candidate: Peer | None = None) -> Statement:
        log, chosen = self._log, candidate or self.chance.choice(self.world.peers)
        last = (self._number(log.term), self._number(log.last_number))
        lineage, term = log.lineage or bytes(16), self._number(log.term)
        return sign_vote(self.peer.signer, lineage, self.birth, term, chosen.id, last).statement

    def _transfer(self) -> Statement:
        heir, log = self.chance.choice(self.world.peers), self._log
        return sign_transfer(
            self.peer.signer, log.lineage or bytes(16), self._number(log.term), heir.id
        ).statement

    def _entry(self) -> bytes:
        log, chance = self._log, self.chance
        kind, number = chance.choice(list(EntryKind)), log.last_number + 1
        configuration = log.configuration
        for _ in range(chance.randrange(3)):
            who = chance.choice(self.world.peers).id
            if who in configuration:
                roles = [configuration.with_role(who, role) for role in Role]
                configuration = chance.choice((configuration.without(who), *roles))
        term, chain = self._number(log.term), log.chain_at(log.last_number)
        with suppress(RemoteError, ValueError):
            count = log._replica.journal.last_count(self.peer.id) + 1
            body = b"a lie" if kind is EntryKind.APPLICATION else control_body(
                term, number, configuration if kind is EntryKind.CONFIGURATION else None
            )  # fmt: skip
            own = count if kind is EntryKind.APPLICATION else 0
            proposal = propose(self.peer.signer, log.lineage or bytes(16), own, body, kind)
            return place(proposal, term, number, chain or bytes(32)).wire
        return b""


@dataclass
class Cheat(Liar):
    """A guest with a plan: it repeats what others have said to it, mixes it, and comes and goes.

    Signatures of others are valid then, too: old mandates, signed commits, proposals and proofs come again,
    later, to somebody else, and with a field of another message.
    """

    heard: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        usual = self.world.passes

        def passes(sender: Peer, receiver: Peer, message: bytes) -> bool:
            if receiver is self.peer and sender is not self.peer:
                self.heard.append(wire.decode(message))
                del self.heard[:-500]
            return usual(sender, receiver, message)

        self.world.passes = passes

    def lie(self) -> None:
        if not self.heard or self.chance.random() < 0.2:
            super().lie()
            return
        message = self.chance.choice(self.heard)
        dice = self.chance.random()
        if dice < 0.1:
            coming, going = wire.Join(self._birth()), wire.Leave(self._log.lineage or bytes(16))
            message = self.chance.choice((coming, going))
        self._say(lambda: self._mixed(message) if 0.1 <= dice < 0.6 else message)

    def _mixed(self, message: Any) -> Any:
        """With one field of another message that was heard, or made up."""
        name = self.chance.choice([one.name for one in msgspec.structs.fields(message)])
        others = [getattr(one, name) for one in self.heard if hasattr(one, name)]
        made_up = {one.name: one.type for one in msgspec.structs.fields(message)}[name]
        value = self.chance.choice(others) if self.chance.random() < 0.7 else self._value(name, made_up)
        return msgspec.structs.replace(message, **{name: value})


@dataclass
class Evening:
    """What came of one evening with a liar: what must not be, and how long honest proposals waited."""

    broken: Counter[str] = field(default_factory=Counter)
    waited: list[float] = field(default_factory=list)
    convicted: bool = False
    said: Counter[str] = field(default_factory=Counter)


class Watched(World):
    """A world that notes what breaks at honest peers, and says nothing of the liar's own copy."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.honest = False
        self.digests = False
        self.liar: Peer | None = None
        self.is_led_by_it = False
        self.evening = Evening()

    def _hear(self, peer: Peer, event: events.LogEvent) -> None:
        try:
            super()._hear(peer, event)
        except Violation as violation:
            if peer is not self.liar:
                self.evening.broken[f"(a) {str(violation)[:40]}"] += 1
        if peer is self.liar or self.liar is None:
            return
        match event:
            case events.EquivocationProved(proof) if proof.equivocator == self.liar.id:
                self.evening.convicted = True
            case events.EquivocationProved():
                self.evening.broken["(b) an honest peer is convicted"] += 1
            case events.RolledBack() if not (self.evening.convicted or self.is_led_by_it):
                self.evening.broken["(b) an honest copy is rolled back"] += 1
            case events.Halted() | events.LeftTable() | events.Forgotten():
                self.evening.broken[f"(b) {type(event).__name__}"] += 1
            case events.OtherLineage():
                self.evening.broken["(c) a lineage is believed"] += 1

    def pump(self, peer: Peer) -> None:
        before = self.sent
        super().pump(peer)
        if peer is not self.liar and self.sent - before > BOUND:
            self.evening.broken["(f) one turn sends too much"] += 1


def evening(
    seed: int, role: str, *, core: bool = False, rules: Rules | None = None, kind: type[Liar] = Liar
) -> Evening:
    """One seed's evening with a liar in that role; with `core`, whatever is broken stays broken."""
    chance = random.Random(f"{seed} {role}")
    size = chance.choice((3, 3, 4, 5))
    outside = role in ("stranger", "spectator", "learner")
    weather = Weather(loss=chance.choice((0, 0, 0.05)), repeat=chance.choice((0, 0.05)))
    world = Watched(seed, size + outside, weather, rules=rules)
    world.gather(size)
    world.evening.broken.clear()
    if outside:
        world.admits = lambda leader, newcomer: leader.alive.add_learner(newcomer)
    if outside and role != "stranger":
        world.join(size)
        world.run(2.0)
    if role == "past leader":
        world.weather = Weather()
        world.elect(1, *range(2, size))
        world.run(1.0)
        world.heal()
        world.run(3.0)
        world.weather = weather
    name = size if outside else chance.randrange(1, size) if role == "voter" else 0
    liar = kind(world, world.peers[name], chance)
    if role in ("leader", "two logs") and not liar.peer.alive.is_leader:
        return world.evening
    world.liar, world.is_led_by_it = liar.peer, role in ("leader", "two logs")
    if liar.peer.log is not None:
        liar.birth = liar.peer.alive._replica.birth
    if role == "two logs":
        _two_logs(world, liar, size)
    elif liar.peer.log is not None and chance.random() < 0.5 and role != "leader":
        world.kill(name)
    honest = [peer for peer in world.peers if peer is not liar.peer and peer.log is not None]
    lineage = honest[0].alive.lineage
    _lie(world, liar, honest, chance, core=core)
    _judge(world, liar, honest, lineage)
    world.evening.said = liar.said
    return world.evening


def _two_logs(world: Watched, liar: Liar, size: int) -> None:
    from tests.protocol.grouplog.test_equivocation import lie

    lie(world, {liar.chance.randrange(1, size)})
    world._agree = lambda peer, entry: peer.applied.append(entry)  # type: ignore[method-assign]


def _lie(world: Watched, liar: Liar, honest: list[Peer], chance: random.Random, *, core: bool) -> None:
    """Lies, some honest proposals, and links that come and go."""
    waiting: dict[bytes, float] = {}
    for step in range(chance.choice((20, 60))):
        for _ in range(chance.choice((1, 1, 3, 8))):
            liar.lie()
        if step % 5 == 0:
            body, author = b"honest %d" % step, chance.choice(honest)
            if world.propose(author.name, body) is not None:
                waiting[body] = world.now
        if not core and chance.random() < 0.03:
            world.split((chance.choice(honest).name,), tuple(peer.name for peer in world.peers))
            world.cuts = {(a, b) for a, b in world.cuts if a != b}
        if chance.random() < 0.1:
            world.heal()
        world.run(chance.choice((0.05, 0.2, 0.5)))
        _note(world, honest, waiting)
    world.heal()
    if not core and chance.random() < 0.5 and liar.peer.log is not None:
        world.kill(liar.peer.name)
    end = world.now + 30.0
    while waiting and world.now < end:
        if core:
            liar.lie()
        world.run(0.1)
        _note(world, honest, waiting)
    if waiting:
        world.evening.broken["(d) an honest proposal is never final"] += 1
    if core and max(world.evening.waited, default=0.0) > PATIENCE:
        world.evening.broken["(d) an honest proposal waits too long"] += 1


def _note(world: Watched, honest: list[Peer], waiting: dict[bytes, float]) -> None:
    for body in list(waiting):
        if all(any(entry.body == body for entry in peer.applied) for peer in honest):
            world.evening.waited.append(world.now - waiting.pop(body))


def _judge(world: Watched, liar: Liar, honest: list[Peer], lineage: bytes | None) -> None:
    """What must hold of the honest ones at rest."""
    broken = world.evening.broken

    def rest() -> bool:
        leaders = [peer for peer in honest if peer.alive.is_leader]
        follows = {peer.alive.leader for peer in honest}
        ends = {(one.alive.commit_index, one.alive.chain_at(one.alive.commit_index)) for one in honest}
        return len(ends) == len(follows) == 1 and (bool(leaders) or follows == {liar.peer.id})

    with suppress(Violation):
        world.run_until(rest, 30.0)
    if not rest():
        broken["(e) honest logs differ at rest"] += 1
    if any(peer.alive.lineage != lineage for peer in honest):
        broken["(c) another lineage"] += 1
    if any(peer.alive.state in (State.HALTED, State.LEFT) for peer in honest):
        broken["(b) an honest peer is out"] += 1


def main(arguments: list[str]) -> int:
    """`python -m tests.protocol.grouplog.liars FIRST LAST ROLE`: run these seeds; 1 if one failed."""
    first, last, role = int(arguments[0]), int(arguments[1]), arguments[2]
    broken: Counter[str] = Counter()
    waited: list[float] = []
    said: Counter[str] = Counter()
    convicted = 0
    for seed in range(first, last):
        kind = Cheat if "--cheat" in arguments else Liar
        found = evening(seed, role, core="--core" in arguments, kind=kind)
        broken += found.broken
        waited += found.waited
        said += found.said
        convicted += found.convicted
        if found.broken:
            print(f"seed {seed}: {dict(found.broken)}")
    waited.sort()
    figures = [round(waited[int(len(waited) * part)], 2) for part in (0.5, 0.95)] if waited else []
    print(f"{role}: {last - first} evenings, {convicted} convicted, {dict(broken)}")
    print(f"{sum(said.values())} lies of {len(said)} kinds")
    print(f"waited {figures} s (p50, p95), {max(waited, default=0.0):.1f} at most")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
