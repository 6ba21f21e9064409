"""Going back to the last clean turn, in a new match: everyone in it has to wish that."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from tests.core.engine.dealing.world import key_of
from tests.core.engine.peer.agents import AgentTable
from tests.core.engine.table.test_going_on import Heap, Held, file_of, finish, matches, notices, running

from tavolata import Ask, Options, Outcome, Table
from tavolata._engine.match.header import Before
from tavolata._engine.match.state import pack
from tavolata._engine.review.verify import check, check_after
from tavolata._engine.storage.history import history
from tavolata._engine.table import log_bodies
from tavolata._engine.table.continuation import CANT_GO_BACK
from tavolata._engine.table.matches import MOVED_ON, WENT_BACK, WOULD_NOT_GO_BACK
from tavolata.bots import RandomBot
from tavolata.errors import Refused

BROKEN = {"broken": True}
"""Tells if the rules of `Breaking` still have their fault."""


class Breaking(Heap):
    """The third turn breaks, until someone mends the rules."""

    name = "breaking"

    async def turn(self, t: Table[Options]) -> Outcome | None:
        if t.turn == 2 and BROKEN["broken"]:
            raise ZeroDivisionError
        return await super().turn(t)


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for match files and secrets, on a disk that need not be waited for."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(os, "fsync", lambda number: None)
    monkeypatch.setitem(BROKEN, "broken", True)


@pytest.fixture
def broken() -> Iterator[AgentTable]:
    """A table of three whose match has broken in its third turn, on all machines alike."""
    with closing(AgentTable(Breaking, 3, RandomBot, person=1)) as table:
        table.play()
        assert is_over(table)
        BROKEN["broken"] = False
        yield table


def is_over(table: AgentTable) -> bool:
    return table.is_over


def wish(table: AgentTable, *parties: int) -> None:
    """These parties would go back."""
    for party in parties:
        table.machines[party].agent.wish_to_go_back()
        table.speak()
        table.think()


def test_a_match_whose_rules_broke_continues_from_its_last_turn(broken: AgentTable) -> None:
    """Once all three wish it; the new match is played to its end, and both files are right."""
    standing = matches(broken).standing
    assert standing is not None
    old, snapshot = standing.header, matches(broken).continuation.snapshot
    assert snapshot is not None
    assert [broken.machines[1].agent.back_to, snapshot.turns] == [2, 2]
    wish(broken, 1, 2)
    assert matches(broken).next_header is None
    assert [broken.machines[1].agent.back_to] == [None]  # it has said so
    wish(broken, 3)
    broken.play(8)
    new = running(broken)
    assert new.before == Before(old.id, snapshot.chain, snapshot.state, ())
    assert replace(new, id=old.id, before=None) == old
    assert WENT_BACK in notices(broken)
    finish(broken)
    match = matches(broken).match
    assert match is not None
    assert match.outcome is not None
    assert len({one.agent.state.matches.digest() for one in broken.machines.values()}) == 1
    broken.close()
    BROKEN["broken"] = True
    found = check(file_of(old, 1), old, Breaking)
    BROKEN["broken"] = False
    check_after(new, old, found)
    assert not check(file_of(new, 1), new, Breaking).is_unfinished
    with history() as past:
        ended = {one.id.partition("-")[0]: (one.finished, one.suspended) for one in past.matches()}
    assert ended == {old.id: (False, False), new.id: (True, False)}


def test_nobody_goes_back_unless_all_do(broken: AgentTable) -> None:
    """Whoever takes the wish back keeps everyone where they are."""
    wish(broken, 1, 2)
    wish(broken, 2)
    assert WOULD_NOT_GO_BACK in notices(broken)
    wish(broken, 3)
    broken.play(8)
    assert is_over(broken)
    wish(broken, 1, 2)
    broken.play(8)
    assert not is_over(broken)
    assert running(broken).before is not None


def test_whoever_comes_or_goes_ends_that(broken: AgentTable) -> None:
    """Seats have changed: the lobby's next match is a new one."""
    broken.log.say(2, pack([log_bodies.LEAVE]))
    broken.think()
    with pytest.raises(Refused, match=str(MOVED_ON)):
        broken.machines[1].agent.wish_to_go_back()
    broken.log.say(1, pack([log_bodies.ONWARD, "no such match", [], True]))
    broken.think()
    assert not matches(broken).continuation.wishes


def test_of_a_match_without_a_fault_everyone_may_wish_it_too() -> None:
    """The wish names the turn that ended last: with the next one it falls."""
    with closing(AgentTable(Heap, 2, RandomBot, person=1)) as table:
        turns = [1]

        def answers(_: Ask) -> bool:
            match = matches(table).match
            return match is not None and match.turns < turns[0]

        table.answers_to = answers
        table.play()
        old = running(table)
        wish(table, 2)
        agent = table.machines[1].agent
        assert [agent.back_to] == [1]
        turns[0] = 2
        table.play()
        assert [agent.back_to] == [None]
        assert not matches(table).continuation.wishes
        wish(table, 1, 2)
        table.play(8)
        new = running(table)
        assert new.before is not None
        assert new.before.match == old.id
        finish(table)
        assert is_over(table)


def test_without_a_clean_turn_there_is_no_way_back() -> None:
    """Hands are held all the time."""
    with closing(AgentTable(Held, 2, RandomBot, person=1)) as table:
        table.answers_to = lambda _: False
        table.play()
        with pytest.raises(Refused, match=str(CANT_GO_BACK)[:30]):
            table.machines[1].agent.wish_to_go_back()
        table.log.say(1, pack([log_bodies.ONWARD, running(table).id, [], True]))
        table.think()
        assert not matches(table).continuation.wishes
        table.log.say(1, pack([log_bodies.ONWARD, running(table).id, [key_of(1)], False]))
        table.think()
        assert matches(table).next_header is None
