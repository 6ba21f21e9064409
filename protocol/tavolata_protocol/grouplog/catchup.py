"""Catch-up over a wide gap: the receiver asks for 1 KiB chunks, 16 at a time, and checks them.

This module has both sides. The serving side keeps no state, since final bytes are the same at every peer.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tavolata_protocol.entries import read_entry
from tavolata_protocol.errors import BrokenEntry
from tavolata_protocol.grouplog.follower import Follower
from tavolata_protocol.grouplog.replica import Replica
from tavolata_protocol.grouplog.roles import ASLEEP
from tavolata_protocol.grouplog.snapshots import LENGTH_PREFIX, Snapshot, digest, read_snapshot
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire
from tavolata_protocol.messages.entries import MAX_ENTRY

NO_HASH = bytes(32)


def offer_to(replica: Replica, peer: PeerId, known: int) -> None:
    """Offer the log, or first a snapshot, to a peer whose log matches up to `known`."""
    journal = replica.journal
    chain = journal.chain_at(journal.commit_index)
    assert chain is not None
    lacks_base = known < journal.base.number
    number, blob = (journal.base.number, replica.snapshot) if lacks_base else (0, b"")
    replica.send(
        peer,
        wire.Offer(
            replica.lineage,
            replica.term,
            journal.commit_index,
            chain,
            journal.position(journal.commit_index),
            number,
            len(blob),
            digest(blob) if number else NO_HASH,
        ),
    )


def serve(replica: Replica, peer: PeerId, message: wire.FetchChunks) -> None:
    """Answer with the requested chunks that this peer has."""
    number, blob = replica.journal.base.number, replica.snapshot
    for position in message.positions:
        if message.source == 0:
            data = replica.journal.read(position, wire.CHUNK_SIZE)
        else:
            data = blob[position : position + wire.CHUNK_SIZE] if message.source == number else b""
        if data:
            replica.send(peer, wire.Chunk(message.lineage, message.source, position, data))


@dataclass(slots=True)
class _Fetch:
    """One transfer of a snapshot and then the log after it, or of the log only."""

    peer: PeerId
    offer: wire.Offer
    source: int
    start: int
    end: int
    number: int = 0  # the entry taken last
    got: bytearray = field(default_factory=bytearray)
    early: dict[int, bytes] = field(default_factory=dict)
    asked: frozenset[int] = frozenset()
    came: int = 0  # chunks
    repeat: float = 0.0

    @property
    def reached(self) -> int:
        """The first position that hasn't come yet."""
        return self.start + len(self.got)


class CatchUp:
    """The receiving side: one transfer at a time."""

    def __init__(self, replica: Replica, follower: Follower) -> None:
        self._replica = replica
        self._follower = follower
        self._fetch: _Fetch | None = None
        self.came = float("-inf")
        """When a window of chunks came; neither an offer nor a trickle excuses a leader that holds back."""

    def reset(self) -> None:
        """Forget the transfer, since a new leader makes a new offer."""
        self._fetch = None

    def on_offer(self, peer: PeerId, offer: wire.Offer) -> None:
        """Begin a transfer, unless the offered part is already here or under way."""
        replica, journal = self._replica, self._replica.journal
        if offer.number <= journal.commit_index:
            if journal.chain_at(offer.number) == offer.chain:
                self._follower.caught_up(peer, offer.number)
            return
        if (
            self._fetch is not None
            and self._fetch.peer == peer
            and self._fetch.source == offer.snapshot_number
        ):
            return
        if offer.snapshot_number > journal.commit_index:
            self._fetch = _Fetch(peer, offer, offer.snapshot_number, 0, offer.snapshot_size)
        else:
            self._begin_log(peer, offer)
        if replica.lineage:
            self._ask()

    def _begin_log(self, peer: PeerId, offer: wire.Offer) -> None:
        journal = self._replica.journal
        self._fetch = _Fetch(
            peer, offer, 0, journal.position(journal.commit_index), offer.end, journal.commit_index
        )

    def _ask(self) -> None:
        fetch = self._fetch
        assert fetch is not None
        window = range(fetch.reached, fetch.end, wire.CHUNK_SIZE)[: wire.CHUNKS_AT_ONCE]
        missing = tuple(position for position in window if position not in fetch.early)
        fetch.asked = frozenset(missing)
        fetch.repeat = self._replica.now + self._replica.timing.fetch
        if missing:
            self._replica.send(fetch.peer, wire.FetchChunks(self._replica.lineage, fetch.source, missing))

    def on_chunk(self, peer: PeerId, chunk: wire.Chunk) -> None:
        """Store a chunk, and take over all complete parts.

        Raise `RemoteError` if the bytes can't be part of the log; the transfer is given up.
        """
        fetch = self._fetch
        if (
            fetch is None
            or peer != fetch.peer
            or chunk.source != fetch.source
            or chunk.position not in fetch.asked
        ):
            return
        expected = min(wire.CHUNK_SIZE, fetch.end - chunk.position)
        if len(chunk.data) < expected:
            return
        fetch.early[chunk.position] = chunk.data[:expected]
        fetch.asked -= {chunk.position}
        while (data := fetch.early.pop(fetch.reached, None)) is not None:
            fetch.got += data
        try:
            finished = self._take_log(fetch) if fetch.source == 0 else self._take_snapshot(fetch)
        except Exception:
            self._fetch = None
            raise
        fetch.came += 1
        if finished or fetch.came % wire.CHUNKS_AT_ONCE == 0:
            self.came = self._replica.now
        if not finished and self._fetch is fetch and not fetch.asked:
            self._ask()

    def _take_snapshot(self, fetch: _Fetch) -> bool:
        if fetch.reached < fetch.end:
            return False
        blob = bytes(fetch.got)
        if digest(blob) != fetch.offer.snapshot_hash:
            raise BrokenEntry("A snapshot doesn't have the hash that was announced.")
        if fetch.source > self._replica.journal.commit_index:
            snapshot = read_snapshot(blob)
            self._check(snapshot, fetch.offer)
            if self._replica.journal.chain_at(snapshot.number) == snapshot.chain:
                self._replica.finalise(snapshot.number)  # the entries after it may be promised
            else:
                self._replica.install(snapshot, blob)
        if self._replica.journal.commit_index < fetch.offer.number:
            self._begin_log(fetch.peer, fetch.offer)
            self._ask()
        else:
            self._finish(fetch)
        return True

    def _check(self, snapshot: Snapshot, offer: wire.Offer) -> None:
        """Raise `BrokenEntry` unless the snapshot is the offered one: the same place in the same log."""
        at_end = (snapshot.chain, snapshot.lineage) == (offer.chain, offer.lineage)
        if snapshot.number != offer.snapshot_number or not (snapshot.number < offer.number or at_end):
            raise BrokenEntry("A snapshot stands for another place in the log than was announced.")
        if snapshot.term > offer.term or snapshot.position > offer.end:
            raise BrokenEntry("A snapshot goes beyond the log for which it was announced.")

    def _take_log(self, fetch: _Fetch) -> bool:
        journal = self._replica.journal
        while len(fetch.got) >= LENGTH_PREFIX:
            size = int.from_bytes(fetch.got[:LENGTH_PREFIX], "big")
            if size > MAX_ENTRY:
                raise BrokenEntry("A stretch of the log holds an entry longer than any can be.")
            if len(fetch.got) < LENGTH_PREFIX + size:
                break
            wire_bytes = bytes(fetch.got[LENGTH_PREFIX : LENGTH_PREFIX + size])
            del fetch.got[: LENGTH_PREFIX + size]
            fetch.start += LENGTH_PREFIX + size
            fetch.number += 1
            if not self._take_entry(fetch.number, wire_bytes):
                return True
        if journal.commit_index >= fetch.offer.number or fetch.start >= fetch.end:
            self._finish(fetch)
            return True
        return False

    def _take_entry(self, number: int, data: bytes) -> bool:
        """Take a final entry, unless it is already here; return False if this log has stopped."""
        replica, journal = self._replica, self._replica.journal
        if number <= journal.commit_index:
            return True
        chain = journal.chain_at(number - 1)
        assert chain is not None
        entry = read_entry(data, chain)
        if journal.chain_at(number) != entry.chain:
            replica.cut(journal.commit_index)
            replica.append(entry)
        replica.finalise(number)
        return replica.state not in ASLEEP

    def _finish(self, fetch: _Fetch) -> None:
        self._fetch = None
        if self._replica.journal.chain_at(fetch.offer.number) == fetch.offer.chain:
            self._follower.caught_up(fetch.peer, fetch.offer.number)

    def due(self) -> float | None:
        """Return when the missing chunks are requested again."""
        return None if self._fetch is None else self._fetch.repeat

    def tick(self) -> None:
        """Request the missing chunks again."""
        if self._fetch is not None and self._replica.now >= self._fetch.repeat:
            self._ask()
