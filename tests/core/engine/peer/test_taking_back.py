"""A person at a table takes an answer back: its machine asks again, and all machines go back alike."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest
from tests.core.engine.peer.agents import AgentTable
from tests.core.engine.table.test_going_on import file_of
from tests.core.games import Counting

from tavolata._engine.match.entries import ANSWER
from tavolata._engine.match.statistics import StatisticsBuilder
from tavolata._engine.review import table_match
from tavolata._engine.review.replay import Replay
from tavolata.bots import RandomBot
from tavolata.errors import Refused


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for match files and secrets, on a disk that need not be waited for."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(os, "fsync", lambda number: None)


def test_a_person_takes_an_answer_back_at_a_table() -> None:
    """Bots agree: the question is asked anew, and answered anew; the file can be verified and replayed."""
    with closing(AgentTable(Counting, 2, RandomBot, person=1)) as table:
        table.answers_to = lambda ask: ask.id < 6
        table.play(200)
        before = digests(table)
        table.machines[1].agent.playing.take_back((0,))
        table.answers_to = lambda _: False
        table.play(50)
        after = digests(table)
        assert len(before) == len(after) == 1
        assert before != after
        (ask,) = table.source.open
        assert int(ask.seat) == 0
        assert table.machines[1].agent.owes(ask), "it is asked again"
        with pytest.raises(Refused):
            table.machines[2].agent.playing.take_back((1,))
        table.answers_to = lambda one: one.id == ask.id
        table.play(50)
        assert [number for _, number in table.answers()].count(ask.id) == 2
        running = table.machines[1].agent.state.matches.last
        assert running is not None
        header = running.header
    kept = file_of(header, 1)
    told = dict(table_match.check(kept, header, Counting).told)
    assert [params for message, params in told.items() if "Undone" in message] == [{"n": 1}]
    replay = Replay(kept, header, Counting)
    replay.go(len(replay.steps))
    assert "{seat} undoes an answer." in [event.message for event in replay.match.told]


def test_a_person_s_answers_say_how_long_they_took() -> None:
    """By the clock of its machine, in the log that all read; a bot's answers say nothing."""
    with closing(AgentTable(Counting, 2, RandomBot, person=1)) as table:
        table.answers_to = lambda ask: ask.id < 6
        table.play(200)
        table.now += 7.5
        table.answers_to = lambda ask: ask.id < 8
        table.play(200)
        logs = [machine.agent.state.matches.last for machine in table.machines.values()]
        entries = [one.match.source.entries for one in logs if one is not None]
        assert len(entries) == 2
        assert entries[0] == entries[1]
        said = {seat: [entry[4:] for entry in entries[0] if entry[:2] == (ANSWER, seat)] for seat in (0, 1)}
        assert [len(took) for took in said[0]] == [1] * len(said[0])
        assert max(said[0])[0] >= 7_500
        assert set(said[1]) == {()}
        figures = StatisticsBuilder(2, entries[0]).statistics(0).times
        assert figures[0] is not None
        assert figures[1] is None


def digests(table: AgentTable) -> set[bytes]:
    """The digests of the match on all machines."""
    return {machine.agent.state.matches.digest() for machine in table.machines.values()}
