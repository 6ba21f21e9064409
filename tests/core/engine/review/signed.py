"""A match file as a peer at a table would have written it, with a log that was really signed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tests.core.engine.dealing.world import World, header_of, seed_of

from tavolata import Game
from tavolata._engine.match.entries import SEAT, Entry
from tavolata._engine.match.source import Stamp
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.match.updates import Ended
from tavolata._engine.storage.match_copy import MatchCopy
from tavolata._engine.storage.match_file import LOG, MAGIC, Kept, path_of, read
from tavolata._engine.storage.record_framing import framed, records
from tavolata._engine.table import log_bodies
from tavolata._engine.table.heads import HEAD_SIZE, Heads
from tavolata_protocol import entries as wire
from tavolata_protocol.identity import Identity

TABLE = b"the table".ljust(16, b".")


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


def play(
    rules: type[Game[Any]],
    seats: tuple[int, ...],
    tamper: Callable[[int, Entry], Iterable[Entry]] = lambda _, entry: [entry],
    dealer: str = "fair",
    **options: Any,
) -> tuple[World, Kept]:
    """Play a match and keep it, as the first party saw it: the world, and what its file holds."""
    log = SignedLog()
    header = header_of(rules, seats, dealer, **options)
    told: list[object] = []
    copy = MatchCopy(header, b"me", told.append)
    copy.begin(log.base, log.say(1, pack([log_bodies.START, header.plain(), b""])))
    start = Stamp(header.keys[0], log.heads.chain, wire.first_lineage(TABLE))
    world = World(rules, seats, dealer, tamper, head=lambda: log.heads.last, start=start, **options)
    match = world.peers[1].match
    moments: list[tuple[int, bool]] = []

    def acted() -> None:
        """Note the digest as a peer does: at each turn's end, and at the match's."""
        moment = (match.table.turn, match.over)
        if [moment] != moments[-1:]:
            moments.append(moment)
            copy.turn(match.digest())

    def heard(party: int, entry: Entry) -> None:
        author = party or 1
        body = (
            pack([log_bodies.STATUS, header.keys[entry[1]], False])
            if entry[0] == SEAT
            else pack([log_bodies.PLAY, header.id, entry, b""])
        )
        copy.logged(log.say(author, body))
        copy.entry(entry)

    acted()
    world.heard, world.acted = heard, acted
    world.play()
    copy.end(Ended(match.outcome, match.digest(), match.conviction))
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
