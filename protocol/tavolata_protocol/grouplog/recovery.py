"""Crash recovery: the state of the log from the records of a store."""

from __future__ import annotations

from tavolata_protocol.entries import read_entry
from tavolata_protocol.equivocation import read_equivocation
from tavolata_protocol.errors import DamagedStore, RemoteError, WrongMoment
from tavolata_protocol.grouplog import storage
from tavolata_protocol.grouplog.proposals import Proposer
from tavolata_protocol.grouplog.replica import Replica
from tavolata_protocol.grouplog.snapshots import read_snapshot


def recover(store: storage.Storage, replica: Replica, proposer: Proposer) -> None:
    """Restore a replica and a proposer from the store, if it isn't empty.

    Raise `DamagedStore` if its records don't make a log, `WrongMoment` if they belong to another table.
    """
    try:
        _fill(storage.recover(store), replica, proposer)
    except RemoteError as error:
        raise DamagedStore(
            f"The stored log of this table is damaged ({error}); it has to be joined afresh."
        ) from error


def _fill(found: storage.Recovered, replica: Replica, proposer: Proposer) -> None:
    replica.elsewhere.update(found.elsewhere)
    if found.born is None:
        return
    if found.born.table != replica.table:
        raise WrongMoment("This stored log belongs to another table.")
    replica.birth, replica.term = found.born.birth, found.term
    replica.voted_for, replica.lineage = found.voted_for, found.lineage
    if found.snapshot is not None:
        replica.begin_behind(read_snapshot(found.snapshot), found.snapshot)
    for data in found.entries:
        replica.journal.append(read_entry(data, replica.journal.chain))
    last = replica.journal.entry(replica.journal.last_number)
    if last is not None and last.author == replica.me and last.lineage != replica.lineage:
        replica.lineage = last.lineage  # the crash came in the middle of a takeover
    replica.deliver(min(found.final, replica.journal.last_number))
    proposer.recover(found.proposals)
    for packed in found.convicted:
        proof = read_equivocation(packed)
        replica.convicted[proof.equivocator] = proof
