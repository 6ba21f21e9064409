"""Entries that are nested deeply: void on every machine alike, and no file or machine breaks on one."""

from __future__ import annotations

from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.peer.agents import AgentTable
from tests.core.engine.table.test_table_state import ANN, HOST, started

from tavolata._engine.match.entries import ANSWER
from tavolata._engine.match.header import Header
from tavolata._engine.match.source import Stamp
from tavolata._engine.match.state import pack
from tavolata._engine.review.verify import check
from tavolata._engine.storage.match_file import read
from tavolata._engine.table import log_bodies
from tavolata._engine.table.log_bodies import COMPANION, PLAY
from tavolata._engine.table.table_snapshot import take
from tavolata._engine.table.table_state import TableState
from tavolata.bots import RandomBot

pytestmark = pytest.mark.usefixtures("data_folder")
DEPTHS = (26, 40, 600, 1000, 5000)
HERE = b"a nest"


def nested(body: bytes, levels: int) -> bytes:
    """A body in which lists in lists stand where it has `HERE`: no encoder of ours makes them."""
    assert body.count(pack(HERE)) == 1
    return body.replace(pack(HERE), b"\x91" * levels + b"\x01")


def in_play() -> AgentTable:
    table = AgentTable(Peek, 3, RandomBot)
    while table.match is None:
        table.round()
    return table


def answer(table: AgentTable, levels: int) -> bytes:
    """An answer of the second player, nested so."""
    running = table.machines[1].agent.state.matches.running
    assert running is not None
    return nested(pack([PLAY, running.header.id, [ANSWER, 1, 1, HERE], b""]), levels)


def files(table: AgentTable) -> list[Path]:
    found = [machine.agent.match_file for machine in table.machines.values()]
    return [path for path in found if path is not None]


@pytest.mark.battery
@pytest.mark.parametrize("levels", [20, *DEPTHS])
def test_a_match_goes_on_over_a_deep_answer_and_its_files_verify(levels: int) -> None:
    """Deep enough that no file could hold it, or that nobody could look at it: the liar gains nothing."""
    with closing(in_play()) as table:
        table.log.say(2, answer(table, levels))
        table.play()
        assert table.is_over
        paths = files(table)
    assert len(paths) == 3
    for path in paths:
        kept = read(path)
        assert not check(kept, Header.of(kept.header), Peek).is_unfinished


@pytest.mark.parametrize("levels", DEPTHS)
def test_a_deep_answer_that_the_leader_leaves_out_makes_nobody_mute(levels: int) -> None:
    """What a machine has signed reaches the others, and they read it with the rules of the log."""
    with closing(in_play()) as table:
        table.starved = {2}
        table.machines[2].said.append(answer(table, levels))
        table.play()
        table.starved.clear()  # then it's in the log, too
        for _ in range(30):
            table.play()
            table.wait(1)
        assert table.is_over


def seen(state: TableState) -> tuple[bytes, bytes]:
    """The state of a table and of its match."""
    return take(state, bytes(40)), state.matches.digest()


@pytest.mark.parametrize("verb", sorted(log_bodies._SHAPES))
def test_no_verb_takes_a_deep_argument(verb: int) -> None:
    """In no argument, said by nobody: it's no body, and nothing changes."""
    fits: dict[type, Any] = {int: 0, str: "", bytes: b"", bool: True, list: [], dict: {}}
    holding: dict[type, Any] = {list: [HERE], dict: {"rounds": HERE}}
    shape = [kind[0] if isinstance(kind, tuple) else kind for kind in log_bodies._SHAPES[verb]]
    usual = [fits[kind] for kind in shape]
    state = started(ANN)
    before = seen(state)
    for place, kind in enumerate(shape):
        for deep in (HERE, holding.get(kind, HERE)):
            body = [verb, *usual[:place], deep, *usual[place + 1 :]]
            for said, levels in product((body, [COMPANION, bytes(16), body]), DEPTHS):
                data = nested(pack(said), levels)
                assert log_bodies.read(data) is None
                for author in (HOST, ANN):
                    state.apply(Stamp(author), data)
    assert seen(state) == before


def test_a_body_has_at_most_so_many_levels() -> None:
    """One more is too many, however little there is in them."""
    body = pack([PLAY, "", [HERE], b""])
    assert log_bodies.read(nested(body, 24)) is not None
    assert log_bodies.read(nested(body, 25)) is None
