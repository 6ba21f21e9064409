"""A match file as a peer at a table would have written it, with a log that was really signed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.core.engine.dealing.world import World, header_of, key_of, secret_of, seed_of

from tavolata import Game
from tavolata._engine.match.entries import DEAL, OPENED, SEAT, MatchEntry
from tavolata._engine.match.header import Header
from tavolata._engine.match.source import Origin, Stamp
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.match.statistics import StatisticsBuilder
from tavolata._engine.match.updates import Ended
from tavolata._engine.storage.match_copy import MatchCopy
from tavolata._engine.storage.match_file import LOG, MAGIC, Kept, path_of, read
from tavolata._engine.storage.record_framing import framed, records
from tavolata._engine.table import log_bodies
from tavolata._engine.table.heads import HEAD_SIZE, Heads
from tavolata._engine.table.start_barrier import StartBarrier
from tavolata_protocol import entries as wire
from tavolata_protocol.identity import Identity

TABLE = b"the table".ljust(16, b".")


def fixed(size: int) -> bytes:
    """Bytes for a proof, the same in all tests: it is in the chain that every lot is hashed from."""
    return bytes(range(1, size + 1))


class SignedLog:
    """An agreed log, signed by whoever says something."""

    def __init__(self) -> None:
        self.heads = Heads(wire.genesis(TABLE).rjust(HEAD_SIZE, b"\0"))
        self.base = self.heads.last
        self.wires: list[bytes] = []
        self._counts: dict[int, int] = {}

    def say(self, party: int, body: bytes) -> bytes:
        """Append what a party says; the entry as it was signed."""
        count = self._counts[party] = self._counts.get(party, 0) + 1
        lineage = wire.first_lineage(TABLE)
        proposal = wire.propose(Identity(seed_of(party)), lineage, count, body)
        entry = wire.place(proposal, 1, self.heads.number + 1, self.heads.chain)
        self.heads.note(entry.number, entry.chain)
        self.wires.append(entry.wire)
        return entry.wire

    def stamp(self, party: int) -> Stamp:
        """The place of the last entry, which this party signed."""
        return Stamp(key_of(party), self.heads.chain, wire.first_lineage(TABLE))


def play(
    rules: type[Game[Any]],
    seats: tuple[int, ...],
    tamper: Callable[[int, MatchEntry], Iterable[MatchEntry]] = lambda _, entry: [entry],
    dealer: str = "fair",
    script: Callable[[World], object] = World.play,
    teams: tuple[int, ...] = (),
    codes: tuple[bytes, ...] = (),
    **options: Any,
) -> tuple[World, Kept]:
    """Play a match and keep it, as the first party saw it: the world, and what its file holds.

    Args:
        rules: the game.
        seats: by seat, who plays it.
        tamper: as in `World`.
        dealer: as in `Header`.
        script: plays the match.
        teams, codes: as in `Header`.
        **options: house rules.
    """
    log = SignedLog()
    terms = replace(header_of(rules, seats, dealer, **options), teams=teams, codes=codes)
    agreed = pack(terms.plain())
    lineage = wire.first_lineage(TABLE)
    begins = [log.say(1, pack([log_bodies.START, agreed, b""]))]
    barrier = StartBarrier(rules, Header.of(unpack(agreed)), agreed, log.stamp(1), TABLE)
    origin: Origin | None = None
    for party in sorted(set(seats)):
        nonce, secret = seed_of(party + 200), secret_of(party, barrier.header_hash)
        number = barrier.parties.index(key_of(party)) + 1
        mailbox = secret.named_mailbox(lineage, number, nonce, fixed)
        begins.append(log.say(party, pack([log_bodies.IN, barrier.header_hash, nonce, mailbox])))
        origin = barrier.take(log.stamp(party), barrier.header_hash, nonce, mailbox)
    assert origin is not None
    world = World(
        rules,
        seats,
        dealer,
        tamper,
        head=lambda: log.heads.last,
        origin=origin,
        codes=codes,
        teams=teams,
        **options,
    )
    header = world.header
    told: list[object] = []
    copy = MatchCopy(header, b"me", told.append)
    match = world.peers[1].match
    own = world.peers[1].dealer
    assert own is not None
    copy.look = lambda _: own.shown()
    moments: list[tuple[int, bool, int]] = []
    ends = 0
    is_begun = False

    def acted() -> None:
        """Note the end and the digest as a peer does: at each turn's end, when an answer is taken back, and
        at the match's end."""
        nonlocal ends, is_begun
        if match.source.dealing.owing and not is_begun:
            return
        if not is_begun:
            is_begun = True
            copy.begin(header, log.base, TABLE, begins)
        if match.over and (ends == 0 or not match.is_unproven):
            end()
        moment = (match.table.turn, match.over, match.undone)
        if [moment] != moments[-1:]:
            moments.append(moment)
            copy.turn(match.digest(), match.turns)

    def end() -> None:
        nonlocal ends
        ends += 1
        statistics = StatisticsBuilder(len(header.names)).statistics(match.turns)
        unproven = match.source.dealing.withholding if match.is_unproven else ()
        ended = Ended(match.outcome, match.digest(), match.conviction, statistics, unproven=unproven)
        copy.ended(match, ended)

    def dropped(party: int, entry: MatchEntry) -> None:
        wire = log.say(party, pack([log_bodies.PLAY, header.id, entry, b""]))
        if is_begun:
            copy.logged(wire)
        else:
            begins.append(wire)

    def heard(party: int, entry: MatchEntry) -> None:
        author = party or 1
        body = (
            pack([log_bodies.STATUS, header.keys[entry[1]], False])
            if entry[0] == SEAT
            else pack([log_bodies.PLAY, header.id, entry, b""])
        )
        wire = log.say(author, body)
        if not is_begun:
            begins.append(wire)
            return
        copy.logged(wire)
        judges = match.is_unproven and entry[0] in (DEAL, OPENED)
        if match.over and not judges:
            return  # at a table nobody acts on it
        if key_of(author) not in match.source.dealing.convicted():  # who is out says nothing more
            copy.entered(match, entry)

    acted()
    world.heard, world.acted, world.dropped = heard, acted, dropped
    script(world)
    if ends == 0:
        end()
    copy.close()
    assert not told
    return world, read(path_of(f"{header.id}-{b'me'.hex()[:8]}"))


def rewritten(kept: Kept, folder: Path, change: Callable[[int, Any], Any]) -> Kept:
    """The file with some of its records changed, and framed as if nothing had happened."""
    data, out = kept.path.read_bytes(), [MAGIC]
    for _, body in records(data, len(MAGIC)):
        kind, value = unpack(body)
        out.append(framed(pack([kind, change(kind, value)])))
    path = folder / "changed.ttm"
    path.write_bytes(b"".join(out))
    return read(path)


def re_signed(kept: Kept, folder: Path, target: int, change: Callable[[list[Any]], list[Any]]) -> Kept:
    """The file with one entry of the match changed and signed anew, and the log chained on from it.

    All other entries keep their signatures; who signed them can't be made to sign another head.
    """
    parties = {key_of(party): party for party in range(1, 9)}
    chain, wires, seen = Heads(kept.base).chain, [], -1

    def one(kind: int, value: Any) -> Any:
        nonlocal chain, seen
        if kind != LOG:
            return value
        seen += 1
        entry = wire.read_entry(value, chain)
        if seen == target:
            verb, match, said, note = unpack(entry.body)
            body = pack([verb, match, change(said), note])
            count = unpack(entry.proposal.signed)[3]
            proposal = wire.propose(Identity(seed_of(parties[entry.author])), entry.lineage, count, body)
            entry = wire.place(proposal, entry.term, entry.number, chain)
        chain = entry.chain
        wires.append(entry.wire)
        return entry.wire

    return rewritten(kept, folder, one)


def with_another_byte(kept: Kept, folder: Path, target: int) -> Kept:
    """The file with one bit changed in the middle of one entry of its signed log, counted from 0."""
    seen = -1

    def change(kind: int, value: Any) -> Any:
        nonlocal seen
        seen += kind == LOG
        if kind != LOG or seen != target:
            return value
        middle = len(value) // 2
        return value[:middle] + bytes([value[middle] ^ 1]) + value[middle + 1 :]

    return rewritten(kept, folder, change)
