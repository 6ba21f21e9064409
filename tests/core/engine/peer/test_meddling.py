"""Entries that nobody may say: of every kind, by every author, twice, late, changed, at the real agents."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.core.engine.peer.agents import AgentTable
from tests.core.games import Boasts, Liars, Market, Missions

from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.match.entries import (
    ANSWER,
    DEAL,
    DECLARED,
    INTERJECT,
    OPENED,
    PROVEN,
    RAISES,
    SAY,
    SEALED,
    SHAKEN,
)  # fmt: skip
from tavolata._engine.table import log_bodies
from tavolata.bots import RandomBot

LIAR, OUTSIDER = 3, 9
"""One that plays and says whatever it likes, and one that has no seat, and perhaps never came in."""
PIECES: list[Any] = [
    -1, 0, 1, 2, 3, 17, 10**9, True, None, "", "x", b"", bytes(32), (), (0,), (1, 0), (0, 0), (9,),
    ("tuple", 9, 9), RAISES, ("list", ("secret", 1)), [0, 2], 0.5,
]  # fmt: skip


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for match files and secrets, on a disk that need not be waited for."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(os, "fsync", lambda number: None)


class Meddling:
    """Two authors that say again what others said, and what nobody said, between all that is lawful."""

    def __init__(self, table: AgentTable, seed: int) -> None:
        self.table, self.chance = table, random.Random(seed)
        self.said = 0

    def forged(self) -> Iterator[tuple[int, list[Any]]]:
        """Some entries, each with its author."""
        chance, source = self.chance, self.table.source
        heard = source.entries[-24:]
        numbers = [*(ask.id for ask in source.open), *(one.id for one in source.declaring)] or [1]
        for _ in range(3):
            author = chance.choice((LIAR, OUTSIDER, OUTSIDER, 1))
            entry = list(chance.choice(heard)) if heard else [SAY, 0, [], "x"]
            own = author == 1 and entry[0] in (INTERJECT, SAY, DEAL, ANSWER, SEALED, DECLARED, OPENED)
            if author != 1 and chance.random() < 0.6 and len(entry) > 1:
                place = chance.randrange(len(entry))
                if not (author == LIAR and entry[0] == DEAL and entry[1] == LIAR):
                    entry[place] = chance.choice(PIECES)
            if not own:
                yield author, entry
        seat, number = chance.randrange(3), chance.choice(numbers)
        if seat != LIAR - 1:  # what it says of itself falsely may well convict it
            yield LIAR, [DECLARED, seat, number, chance.choice((RAISES, ("tuple", 9, 9), 1))]
            yield LIAR, [ANSWER, seat, number, 0]
            yield LIAR, [SAY, seat, chance.choice(PIECES), chance.choice(PIECES)]
        yield OUTSIDER, [PROVEN, number, 0, 0]
        yield (
            LIAR,
            [chance.choice((PROVEN, SHAKEN)), *(chance.choice(PIECES) for _ in range(chance.randrange(4)))],
        )

    def meddle(self) -> None:
        """Put some of them into the log."""
        match = self.table.machines[1].agent.state.matches.last
        if match is None:
            return
        for author, entry in self.forged():
            self.table._say(author, log_bodies.PLAY, match.header.id, entry, b"")
            self.said += 1


@pytest.mark.battery
@pytest.mark.parametrize("rules", [Boasts, Liars, Missions, Market])
@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_that_nobody_may_say_changes_a_match(rules: Any, seed: int) -> None:
    """It ends for all machines alike, as by itself; nobody but the liar is ever convicted."""
    with closing(AgentTable(rules, 3, RandomBot)) as table:
        meddling = Meddling(table, seed)
        for number in range(400):
            table.round()
            if table.match is not None and table.is_over:
                break
            if number % 2:
                meddling.meddle()
            if number % 40 == 39:
                table.wait(2)
        table.round()
        assert meddling.said > 9
        states = [machine.agent.state.matches for machine in table.machines.values()]
        assert [one.difference for one in states] == [None] * 3
        assert len({one.digest() for one in states}) == 1
        for one in states:
            assert one.match is not None
            assert one.match.over
            assert one.match.fault is None
            assert one.match.outcome is not None
            convicted = one.match.source.dealing.convicted()
            assert set(convicted) <= {table.machines[LIAR].key}
            assert one.match.conviction is None or one.match.conviction.seat == LIAR - 1


@pytest.mark.parametrize("rules", [Boasts, Liars])
def test_who_has_left_says_nothing_more(rules: Any) -> None:
    """After its word that it has left for good, whatever a party says about the match is void."""
    with closing(AgentTable(rules, 3, RandomBot)) as table:
        while table.match is None or len(table.source.entries) < 30:
            table.round()
        table.machines[LIAR].agent.say_of_oneself(OwnWord.LEFT)
        table.speak()
        table.kill(LIAR)
        table.round()
        table.think()
        header = table.machines[1].agent.state.matches.last.header  # type: ignore[union-attr]  # it is running
        mine = [
            list(entry) for entry in table.source.entries if len(entry) > 1 and entry[1] in (LIAR, LIAR - 1)
        ]
        assert len(mine) > 3
        before = len(table.source.entries)
        for entry in mine:
            table._say(LIAR, log_bodies.PLAY, header.id, entry, b"")
        table.think()
        new = range(before, len(table.source.entries))
        assert set(new) <= set(table.source.voids)
        table.wait(20)
        table.play()
        assert table.is_over
        assert len({machine.agent.state.matches.digest() for machine in table.machines.values()}) == 1
