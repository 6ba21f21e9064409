"""From a store's records to a log that can go on: only what happens once, at the start."""

from __future__ import annotations

from tavolata_protocol.entries import read_entry
from tavolata_protocol.equivocation import read_stories
from tavolata_protocol.errors import DamagedStore, RemoteError, WrongMoment
from tavolata_protocol.grouplog import storage
from tavolata_protocol.grouplog.proposing import Proposing
from tavolata_protocol.grouplog.replica import Desk
from tavolata_protocol.grouplog.snapshots import read_snapshot


def recover(store: storage.Storage, desk: Desk, proposing: Proposing) -> None:
    """Fill a desk and a proposer with what the store holds, if it holds anything.

    Raises:
        DamagedStore: when its records don't make a log.
        WrongMoment: when they are of another table.
    """
    try:
        _fill(storage.recover(store), desk, proposing)
    except RemoteError as error:
        raise DamagedStore(
            f"The stored log of this table is damaged ({error}); it has to be joined afresh."
        ) from error


def _fill(found: storage.Recovered, desk: Desk, proposing: Proposing) -> None:
    if found.born is None:
        return
    if found.born.table != desk.table:
        raise WrongMoment("This stored log belongs to another table.")
    desk.birth, desk.term = found.born.birth, found.term
    desk.voted_for, desk.lineage = found.voted_for, found.lineage
    if found.installed is not None:
        desk.reinstall(found.installed)
    if found.offered is not None:
        desk.snapshot = (read_snapshot(found.offered).number, found.offered)
    for data in found.entries:
        desk.journal.append(read_entry(data, desk.journal.chain))
    last = desk.journal.entry(desk.journal.last_number)
    if last is not None and last.author == desk.me and last.lineage != desk.lineage:
        desk.lineage = last.lineage  # it crashed in the middle of taking over
    desk.redeliver(min(found.final, desk.journal.last_number))
    proposing.recover(found.promised)
    for proof in found.convicted:
        stories = read_stories(proof)
        desk.convicted[stories.liar] = stories
