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
