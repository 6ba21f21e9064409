"""The log in memory: what is final stays, what is not can be dropped."""

from __future__ import annotations

import pytest
from tests.protocol.grouplog.simulator import World


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
