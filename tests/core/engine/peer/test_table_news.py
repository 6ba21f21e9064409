"""News of the table: nobody reads of itself that nothing is heard of it."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.world import key_of
from tests.core.engine.peer.agents import AgentTable
from tests.core.ui.rooms import BOB, OLGA, village

from tavolata._engine.match.state import pack
from tavolata._engine.match.updates import Notice
from tavolata._engine.network.table_errors import PlayedElsewhere, TableRefused
from tavolata._engine.peer.table_news import TableNews
from tavolata._engine.table import log_bodies
from tavolata.bots import RandomBot
from tavolata_protocol.events import Disconnected, DisconnectReason
from tavolata_protocol.grouplog import events
from tavolata_protocol.identity import PeerId


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for match files and secrets."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(os, "fsync", lambda number: None)


def told(table: AgentTable, party: int) -> list[tuple[str, dict[str, Any]]]:
    """What the program of a machine said last, and empty that."""
    out = table.machines[party].agent.state.out
    said = [(one.message, dict(one.params)) for one in out if isinstance(one, Notice)]
    out.clear()
    return said


@pytest.mark.parametrize(("party", "names"), [(1, "P2, P3"), (2, "P1")])
def test_who_led_and_slept_misses_the_others_and_not_itself(party: int, names: str) -> None:
    """Nobody leads any more: who led reads that the others are not heard, they read that it is not."""
    with closing(AgentTable(Peek, 3, RandomBot, rounds=1)) as table:
        table.think()
        agent = table.machines[party].agent
        agent.state.roster.leader = key_of(1)
        told(table, party)
        no_sockets = cast("Any", None)  # what is said here comes from the state of the table alone
        TableNews(no_sockets, agent).on(events.TakeoverPossible(), caught_up=True, leaving=False)
        assert told(table, party)[0] == ("Lost contact with {name}. The table is waiting.", {"name": names})


@pytest.mark.parametrize(
    ("party", "said"),
    [
        (OLGA, "You can wait for the others, or type “alone” to continue without them."),
        (BOB, "Only {name}'s machine can narrate, so the match is waiting for it."),
    ],
)
def test_only_a_narrator_reads_that_it_can_go_on_alone(party: int, said: str) -> None:
    """Without its narrator a match waits, so the other machines don't offer to leave it behind."""
    session = village(party, running=True)
    out = session.state.out
    out.clear()
    TableNews(cast("Any", None), session._machine).on(
        events.TakeoverPossible(), caught_up=True, leaving=False
    )
    assert [one.message for one in out if isinstance(one, Notice)][1:] == [said]
    session._machine.close()


@pytest.mark.parametrize("party", [2, 3])
def test_who_was_reported_absent_reads_that_it_was_not_heard(party: int) -> None:
    """The second reads it as news of itself, the third as news of another."""
    with closing(AgentTable(Peek, 3, RandomBot, rounds=1)) as table:
        table.think()
        told(table, party)
        table.log.say(1, pack([log_bodies.STATUS, key_of(2), False]))
        table.machines[party].read()
        said = [message for message, _ in told(table, party)]
        about = "The table lost contact with you for a while." if party == 2 else "{name} is away."
        assert about in said
        assert len([one for one in said if one in ("{name} is away.", "Lost contact with {name}.")]) == (
            party == 3
        )


@pytest.mark.parametrize(
    "reason",
    [
        DisconnectReason.FULL,
        DisconnectReason.LOCKED,
        DisconnectReason.BANNED,
        DisconnectReason.PLAYED_ELSEWHERE,
    ],
)
def test_only_a_voter_or_the_peer_that_was_asked_shows_a_machine_out(reason: DisconnectReason) -> None:
    """Anyone may call a machine at an open table, and end that session with the same word."""
    voter, stranger = PeerId(key_of(1)), PeerId(key_of(2))
    log = SimpleNamespace(listens_to=lambda peer: peer == voter)
    news = TableNews(cast("Any", SimpleNamespace(log=log)), cast("Any", SimpleNamespace(state=None)))
    news.on(Disconnected(stranger, reason), caught_up=False, leaving=False)
    with pytest.raises((TableRefused, PlayedElsewhere)):
        news.on(Disconnected(voter, reason), caught_up=False, leaving=False)


def test_no_voter_alone_shows_out_who_is_at_the_table() -> None:
    """Any machine may end a session with any word; a clone hears this one before it is at the table."""
    log = SimpleNamespace(listens_to=lambda peer: True)
    news = TableNews(cast("Any", SimpleNamespace(log=log)), cast("Any", SimpleNamespace(state=None)))
    for reason in DisconnectReason:
        news.on(Disconnected(PeerId(key_of(1)), reason), caught_up=True, leaving=False)
