"""The log in memory: what is final stays, what is not can be dropped."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs
from tests.protocol.grouplog.simulator import World

from tavolata_protocol.grouplog.journal import Journal


def test_final_entries_are_never_dropped() -> None:
    """Dropping goes back to the last final entry and no further."""
    world = World(1, 1)
    world.found()
    for body in (b"a", b"b"):
        world.propose(0, body)
    journal = world.peers[0].alive._replica.journal
    last = journal.commit_index
    assert last == journal.last_number > 2
    assert journal.cut(last) == []
    with pytest.raises(AssertionError, match="final entries are never dropped"):
        journal.cut(last - 1)
    assert journal.last_number == last


def test_a_roll_back_makes_nothing_final() -> None:
    """It goes to a final entry; a call that names a later one is a mistake, and changes nothing."""
    world = World(1, 2)
    world.gather()
    world.kill(1)
    world.propose(0, b"a")
    journal = world.peers[0].alive._replica.journal
    final, last = journal.commit_index, journal.last_number
    assert final < last
    with pytest.raises(AssertionError, match="makes nothing final"):
        journal.roll_back(last)
    assert (journal.commit_index, journal.last_number) == (final, last)


def test_dropped_entries_are_no_longer_known_to_match() -> None:
    """A cut lowers the verified end of the log; a snapshot that replaces the log leaves none."""
    world = World(1, 1)
    world.found()
    world.propose(0, b"a")
    journal = world.peers[0].alive._replica.journal
    snapshot = journal.snapshot(b"", journal.commit_index)
    journal.roll_back(1)
    journal.verified = 1
    journal.roll_back(0)
    assert journal.verified == 0
    journal.verified = snapshot.number
    journal.install(snapshot)
    assert journal.verified == 0


def test_a_journal_behind_a_far_snapshot_looks_at_no_number_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A liar's snapshot may have any number, and its holder would hang where it counts from 1."""
    world = World(1, 1)
    world.found()
    replica = world.peers[0].alive._replica
    far, looked = 2**20, list[int]()
    here = replica.journal.snapshot(b"", replica.journal.commit_index)
    replica.install(structs.replace(here, number=far, position=far), b"")

    def watch(name: str) -> None:
        found = getattr(Journal, name)

        def looks(journal: Journal, number: int) -> Any:
            looked.append(number)
            return found(journal, number)

        monkeypatch.setattr(Journal, name, looks)

    watch("chain_at")
    watch("term_at")
    assert list(replica.journal.marks()) == [far]
    world.run(2.0)
    assert max(world.peers[0].alive._leadership.signed_commits._given) == far
    assert len(looked) < 100
