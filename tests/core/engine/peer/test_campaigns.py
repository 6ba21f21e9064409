"""A match of a campaign at a table: it begins with what was left, and every machine keeps what it leaves."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest
from tests.core.engine.match.test_campaign import Heirlooms, House, after
from tests.core.engine.peer.agents import AgentTable
from tests.core.engine.table.test_going_on import file_of

from tavolata._engine.match.campaign import Campaign, read_legacy
from tavolata._engine.review import table_match
from tavolata._engine.review.replay import Replay
from tavolata._engine.storage import campaign_files
from tavolata.bots import RandomBot


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for all files, on a disk that need not be waited for."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(os, "fsync", lambda number: None)


def test_two_evenings_go_on_from_one_another() -> None:
    """The header carries the copy, so the file is verified and replayed with nothing beside it."""
    campaign = Campaign("autumn")
    left = 0
    for evening in (1, 2):
        with closing(AgentTable(Heirlooms, 2, RandomBot, campaign=campaign)) as table:
            table.play(100)
            tables = [machine.agent.state.matches for machine in table.machines.values()]
            last = tables[0].last
            assert last is not None
            assert last.match.outcome is not None
            (now,) = {matches.campaign.of_table for matches in tables}
            assert now is not None
        assert campaign_files.load("heirlooms", "autumn") == now
        assert (now.matches, now.goes_on_from(campaign), now.players) == (evening, True, ("P1", "P2"))
        wealth = read_legacy(Heirlooms, now.legacy, House).wealth["P1"]
        assert wealth > left
        kept = file_of(last.header, 1)
        table_match.check(kept, last.header, Heirlooms)
        replay = Replay(kept, last.header, Heirlooms)
        replay.go(len(replay.steps))
        assert replay.match.outcome == last.match.outcome
        campaign, left = now, wealth


def test_no_machine_begins_a_match_beside_its_own_copy() -> None:
    """Whatever the table says: where its own copy has another history, or is later, it does not say IN."""
    campaign_files.keep("heirlooms", after(Campaign("autumn"), "a", "b"))
    for copy in (after(Campaign("autumn"), "a"), after(Campaign("autumn"), "z")):
        with closing(AgentTable(Heirlooms, 2, RandomBot, campaign=copy)) as table:
            table.play(5)
            assert table.machines[1].agent.state.matches.last is None
            assert table.machines[1].agent.state.matches.gathering is not None
