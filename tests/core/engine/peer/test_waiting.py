"""A match that waits: when a machine stops by itself, and when all of the match is thrown away."""

from __future__ import annotations

import os
import time
from contextlib import closing
from pathlib import Path

import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.peer.agents import AgentTable, dealt

from tavolata._cli.resume import waiting_matches
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.dealing.quorum_watch import HEARD, LIMIT, OFFER
from tavolata._engine.match.updates import Notice
from tavolata._engine.storage import match_file, secret_files
from tavolata._engine.storage.ways_back import KEPT, WayBack, way_file
from tavolata._engine.table.matches import LOST
from tavolata.bots import RandomBot


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for match files and secrets, on a disk that need not be waited for."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(os, "fsync", lambda number: None)


def test_who_is_left_alone_stops_by_itself_after_ten_minutes() -> None:
    """Alone of three: an offer to stop after one minute, by itself after ten; with one more it goes on."""
    with closing(AgentTable(Peek, 3, RandomBot)) as table:
        while table.match is None:
            table.round()
        table.cut = {2, 3}
        quorum = table.machines[1].agent.quorum
        found = {}
        for _ in range(int(LIMIT + HEARD) + 5):
            table.wait(1)
            found[table.now] = (quorum.may_stop, quorum.must_stop)
        offered = min(now for now, (may, _) in found.items() if may)
        stopped = min(now for now, (_, must) in found.items() if must)
        assert (offered, stopped) == (OFFER + 1, LIMIT + 1)
        table.cut = {3}
        table.wait(2)
        assert not quorum.may_stop


DAY = 24 * 3600.0


@pytest.mark.parametrize(("age", "kept"), [(29 * DAY, True), (31 * DAY, False)])
def test_a_suspended_match_is_thrown_away_after_thirty_days(tmp_path: Path, age: float, kept: bool) -> None:
    """By the time of its way back: before, all is kept; after, match, log, keys and secret are gone."""
    assert KEPT == 30 * DAY
    with closing(AgentTable(Peek, 2, RandomBot)) as table:
        while table.match is None:
            table.round()
        nonce = table.machines[1].agent.playing._secret.nonce
        (match,) = tmp_path.rglob(f"*-{table.machines[1].key.hex()[:8]}.ttm")
    way = way_file(tmp_path / "data" / "identities" / "one", b"a table")
    way.path.parent.mkdir(parents=True)
    way.keep(WayBack(match.stem, "P1", None, ("127.0.0.1",), 4711, {}))
    way.log.write_bytes(b"a log")
    way.secret.write_bytes(b"the key of a private table")
    when = time.time() - age
    os.utime(way.path, (when, when))
    assert match_file.read(match).end is None
    assert secret_files.load(nonce) is not None
    assert [one.path for one in waiting_matches()] == ([match] if kept else [])
    assert [path.exists() for path in (match, way.path, way.log, way.secret)] == [kept] * 4
    assert (secret_files.load(nonce) is not None) is kept


def test_a_match_that_nobody_can_open_any_more_names_who_left_it() -> None:
    """Of four whose keys take three, two leave for good: it is over, and everybody reads by whose leaving."""
    with closing(AgentTable(Peek, 4, RandomBot)) as table:
        while table.match is None or not table.answers():
            table.round()
        match = table.match
        for party in (2, 4):
            table.machines[party].agent.say_of_oneself(OwnWord.LEFT)
        table.play(20)
        assert match.broken_off
        said = [one for one in table.machines[1].agent.state.out if isinstance(one, Notice)]
        assert [one.params["names"] for one in said if one.message == LOST] == ["P2, P4"]


def test_who_waits_for_the_keys_of_one_who_is_gone_may_stop() -> None:
    """One of five left, and keys were made while another was away; a third dies: the rest may stop."""
    with closing(AgentTable(Peek, 5, RandomBot)) as table:
        while table.match is None or not table.answers():
            table.round()
        driver = dealt(table.machines[1].agent)
        table.machines[5].agent.say_of_oneself(OwnWord.LEFT)
        while driver.deal.rings.making is None:
            table.round()
        table.cut = {2}
        while (keys := driver.deal.rings.current) is None or len(keys.holders) > 3:
            table.wait(1)
        assert keys.holders == (1, 3, 4)
        table.cut = {4}
        table.wait(int(OFFER + HEARD))
        quorum = table.machines[1].agent.quorum
        assert driver.deal.needed == ((1, 3, 4), 3)
        assert quorum.missing == (4,)
        assert quorum.may_stop
