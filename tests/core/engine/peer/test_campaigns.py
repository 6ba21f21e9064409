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
            assert table.machines[1].agent.state.matches.barrier is not None


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_machine_that_dies_in_the_end_keeps_the_match_once(
    monkeypatch: pytest.MonkeyPatch, is_kept: bool
) -> None:
    """Before or after its copy is written: when it is back it plays the end again, from the table's log."""
    keep = campaign_files.keep

    def die(game: str, campaign: Campaign) -> None:
        if is_kept:
            keep(game, campaign)
        raise KeyboardInterrupt

    with closing(AgentTable(Heirlooms, 2, RandomBot, campaign=Campaign("autumn"))) as table:
        with monkeypatch.context() as patch:
            patch.setattr(campaign_files, "keep", die)
            with pytest.raises(KeyboardInterrupt):
                table.play(100)
        before = campaign_files.load("heirlooms", "autumn")
        assert (before is not None) == is_kept
        first = next(party for party, machine in table.machines.items() if machine.agent.state.matches.last)
        table.kill(first)
        table.back(first)
        table.play(100)
        assert table.is_over
        after_it = campaign_files.load("heirlooms", "autumn")
        assert after_it is not None
        assert after_it.matches == 1
        assert before in (None, after_it)
