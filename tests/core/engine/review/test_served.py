"""`tt verify` and people in browsers: their seats belong to the machines that serve them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest
from tests.core.engine.dealing.world import key_of
from tests.core.engine.peer.agents import AgentTable
from tests.core.engine.table.test_going_on import Heap
from typing_extensions import override

from tavolata._engine.review.verify import check
from tavolata._engine.storage.match_file import path_of, read
from tavolata._engine.table import log_bodies
from tavolata.bots import RandomBot


class Crowd(Heap):
    """Heap for more people."""

    name, seats = "crowd", (2, 8)


class Served(AgentTable):
    """Two machines that serve people in browsers.

    Args:
        by: for each of these people, the machine that serves them.
    """

    def __init__(self, by: Sequence[int]) -> None:
        self._by = by
        super().__init__(Crowd, 2 + len(by), RandomBot)

    @override
    def _sit_down(self, party: int) -> None:
        if party <= 2:
            super()._sit_down(party)
            return
        enter = [log_bodies.ENTER, bytes([party]) * 8, f"P{party}", False, None, bytes(32)]
        self._say(self._by[party - 3], log_bodies.COMPANION, bytes([party]) * log_bodies.TAG_SIZE, enter)

    @override
    def think(self) -> None:
        super().think()
        for party in self.here:
            agent = self.machines[party].agent
            running = agent.state.matches.running
            for ask in () if running is None else running.match.source.open:
                place = agent.state.roster.places[int(ask.seat)]
                if place.companion and place.peer == key_of(party) and agent.owes(ask):
                    agent.playing.answer(ask, ask.question.answer_at(0))


@pytest.mark.battery
@pytest.mark.parametrize(("first", "second"), [*product(range(4), repeat=2)])
def test_a_match_with_people_in_browsers_passes(
    first: int, second: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None to three of them on each of two machines; every machine's file is right."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    monkeypatch.setattr("os.fsync", lambda number: None)
    with closing(Served([1] * first + [2] * second)) as table:
        table.play()
        assert table.is_over
        last = table.machines[1].agent.state.matches.last
    assert last is not None
    assert len(last.header.served) == first + second
    for party in (1, 2):
        kept = read(path_of(f"{last.header.id}-{key_of(party).hex()[:8]}"))
        assert kept.end is not None
        check(kept, last.header, Crowd)
