"""A leader that crafts entries, chunks and snapshots: no program of the others ends, or can't restart."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from contextlib import suppress

import pytest
from tests.commit import NUMBER
from tests.protocol.grouplog.simulator import TABLE, CheapSigner, Peer, World

from tavolata_protocol import codec
from tavolata_protocol.entries import (
    Entry,
    EntryKind,
    branch,
    control_body,
    first_lineage,
    place,
    propose,
)
from tavolata_protocol.errors import RemoteError
from tavolata_protocol.grouplog import State
from tavolata_protocol.grouplog.snapshots import LENGTH_PREFIX, Snapshot, digest
from tavolata_protocol.membership import Configuration
from tavolata_protocol.messages import log as wire
from tavolata_protocol.messages.entries import Member, Role

LINEAGE = first_lineage(TABLE)
SEEDS = range(NUMBER, NUMBER + int(os.environ.get("TAVOLATA_CRAFTED", "40")))


class Crafter:
    """The leader of a table, which says to one of the others what its log makes most of."""

    def __init__(self, world: World, chance: random.Random) -> None:
        self.world, self.chance, self.liar = world, chance, world.peers[0]

    def say(self, victim: Peer, message: wire.LogMessage) -> None:
        with suppress(RemoteError):
            victim.alive.receive(self.liar.id, wire.encode(message), self.world.now)

    def act(self, victim: Peer) -> None:
        """Say one thing, in as many messages as it takes."""
        crafts: tuple[Callable[[Peer], None], ...] = (self._append, self._stream, self._replace, self._accuse)
        self.chance.choice(crafts)(victim)
        self.world.pump(victim)

    def _members(self, victim: Peer) -> tuple[Member, ...]:
        here, chance = victim.alive.configuration, self.chance
        some = [member for member in here.members if chance.random() < 0.8]
        births = [one.birth if chance.random() < 0.9 else chance.randbytes(8) for one in some]
        return tuple(
            Member(one.peer, birth, chance.choice([*Role])) for one, birth in zip(some, births, strict=True)
        )

    def _entry(self, victim: Peer, number: int, chain: bytes) -> Entry:
        log, chance = victim.alive, self.chance
        term = chance.choice([log.term] * 4 + [log.term - 1, log.term + 1, 2**40, 1])
        lineage = chance.choice([LINEAGE] * 5 + [bytes(16), branch(LINEAGE, chain, self.liar.id)])
        signer = chance.choice([self.liar.signer] * 4 + [CheapSigner(77)])
        kind = chance.choice([*EntryKind, EntryKind.CONFIGURATION])
        count = max(1, log._replica.journal.last_count(signer.peer) + chance.choice([1] * 5 + [0, 2]))
        body = chance.randbytes(chance.choice([0, 10, 2000]))
        if kind is not EntryKind.APPLICATION:
            members = Configuration(self._members(victim)) if kind is EntryKind.CONFIGURATION else None
            count, body = 0, control_body(term, number, members)
        return place(propose(signer, lineage, count, body, kind), term, number, chain)

    def _entries(self, victim: Peer, number: int) -> list[Entry]:
        chain = victim.alive.chain_at(number) or b""
        found = list[Entry]()
        for _ in range(self.chance.choice([1, 1, 2, 3])):
            number += 1
            found.append(self._entry(victim, number, chain))
            chain = found[-1].chain
        return found

    def _append(self, victim: Peer) -> None:
        log, chance, journal = victim.alive, self.chance, victim.alive._replica.journal
        number = max(journal.base.number, log.last_number - chance.choice([0, 0, 1, 2]))
        entries = tuple(entry.wire for entry in self._entries(victim, number))
        at = number, journal.term_at(number) or 0, log.chain_at(number) or b""
        final = chance.choice([number + len(entries), 0, log.commit_index, 2**50])
        beat = chance.choice([0, 1])
        self.say(victim, wire.Append(LINEAGE, log.term, *at, entries, final, 2**61, beat, 0, 0, 0, b""))

    def _stream(self, victim: Peer) -> None:
        log, chance = victim.alive, self.chance
        entries = self._entries(victim, log.commit_index)
        framed = (len(entry.wire).to_bytes(LENGTH_PREFIX, "big") + entry.wire for entry in entries)
        data = b"".join(framed) if chance.random() < 0.9 else chance.randbytes(50)
        at = log._replica.journal.position(log.commit_index)
        end = at + len(data) + chance.choice([0, 0, 0, 5000])
        number = entries[-1].number + chance.choice([0, 0, 1, 100])
        self.say(victim, wire.Offer(LINEAGE, log.term, number, entries[-1].chain, end, 0, 0, bytes(32)))
        self._chunks(victim, 0, at, data)

    def _replace(self, victim: Peer) -> None:
        log, chance = victim.alive, self.chance
        number = log.commit_index + chance.choice([1, 5, 1000, 2**40])
        snapshot = Snapshot(
            number, chance.choice([log.term, 1, 2**40]), bytes(32), chance.choice([LINEAGE, bytes(16)]),
            number * chance.choice([1, 100]), self._members(victim), chance.choice([1, number]),
            chance.choice([(), ((self.liar.id, 1),)]), b"state",
        )  # fmt: skip
        blob, end = codec.encode(snapshot), number * 100 + 5000
        offer = wire.Offer(LINEAGE, log.term, number + 10, bytes(32), end, number, len(blob), digest(blob))
        self.say(victim, offer)
        self._chunks(victim, number, 0, blob)

    def _chunks(self, victim: Peer, source: int, at: int, data: bytes) -> None:
        for start in range(0, len(data), wire.CHUNK_SIZE):
            part = data[start : start + wire.CHUNK_SIZE]
            self.say(victim, wire.Chunk(LINEAGE, source, at + start, part))

    def _accuse(self, victim: Peer) -> None:
        self.say(victim, wire.Forgot(LINEAGE, victim.alive._replica.birth, 2**61))
        self.say(victim, wire.Redirect(LINEAGE, self.liar.id))


def is_here(peer: Peer) -> bool:
    return peer.alive.state not in (State.LEFT, State.HALTED)


def crafted(seed: int) -> None:
    """An evening with such a leader, which may die; the others propose, compact and restart."""
    chance = random.Random(seed)
    world = World(seed, chance.choice([3, 3, 4]))
    world.gather()
    world.honest = world.digests = False
    world._agree = lambda peer, entry: peer.applied.append(entry)  # type: ignore[method-assign]
    crafter, others = Crafter(world, chance), world.peers[1:]
    for _ in range(chance.randrange(1, 6)):
        victim = chance.choice(others)
        if is_here(victim):
            crafter.act(victim)
        world.run(chance.choice([0.0, 0.01, 0.3, 1.0]))
    if chance.random() < 0.7:
        world.kill(0)
    for number in range(12):
        for peer in filter(is_here, others):
            if chance.random() < 0.3:
                world.propose(peer.name, b"%d" % number)
        world.run(1.0)
        peer = chance.choice(others)
        if chance.random() < 0.2 and is_here(peer):
            world.compact(peer.name)
            world.kill(peer.name, power=chance.random() < 0.5)
            world.restart(peer.name)


@pytest.mark.battery
def test_no_program_ends_by_what_a_leader_crafts() -> None:
    """Terms to come, other lineages, strangers' entries, any members, and snapshots of any number."""
    for seed in SEEDS:
        crafted(seed)
