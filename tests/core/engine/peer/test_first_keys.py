"""The first keys are part of the beginning: all who are in the match make them, or its START falls."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.peer.agents import AgentTable
from tests.core.engine.peer.test_unproven import secrets

from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.match.entries import DEAL
from tavolata._engine.match.header import Header
from tavolata._engine.match.offences import MESSAGES
from tavolata._engine.match.state import pack
from tavolata._engine.match.updates import Began, Notice
from tavolata._engine.review.verify import check
from tavolata._engine.storage.match_file import match_files, read
from tavolata._engine.table import log_bodies
from tavolata._engine.table.matches import CHEATED, NOTHING_CAME, WAITED
from tavolata._engine.table.start_barrier import PATIENCE
from tavolata.bots import RandomBot
from tavolata_protocol.fair.offences import Offence

REFUSER = 2
STEPS = [steps.KEYS_HASH, steps.KEYS_PART, steps.KEYS_SHARES, steps.KEYS_AGREED]


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for match files and secrets, on a disk that need not be waited for."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(os, "fsync", lambda number: None)


class Refuser:
    """A changed program: in place of one step for the first keys it says something else, or nothing."""

    def __init__(self, table: AgentTable, step: int, says: Iterable[tuple[Any, ...]]) -> None:
        self._machine = table.machines[REFUSER]
        self._propose = self._machine.propose
        self._machine.propose = self.propose  # type: ignore[method-assign] # a changed program
        self._step, self._says = step, says

    def propose(self, *body: Any) -> bool:
        """Let through what it does not replace."""
        entry = body[2] if len(body) > 2 and isinstance(body[2], tuple) else ()
        if entry[:1] == (DEAL,) and entry[3] >= self._step and entry[3] in STEPS:
            said, self._says = self._says, ()
            for one in said:
                self._propose(*body[:2], (*entry[:3], *one), *body[3:])
            return True
        return self._propose(*body)


def told(table: AgentTable, party: int) -> list[Any]:
    """Return who was missing each time that a START fell, as one machine's people were told."""
    out = table.machines[party].agent.state.out
    return [
        one.params["missing"]
        for one in out
        if isinstance(one, Notice) and one.message in (CHEATED, NOTHING_CAME, WAITED)
    ]


def began(table: AgentTable, party: int) -> int:
    return sum(isinstance(one, Began) for one in table.machines[party].agent.state.out)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(
    "says",
    [(), ((steps.SELF, int(OwnWord.OUT), 0),), ((steps.SELF, int(OwnWord.LEFT), 0),), "junk",
     ((steps.SELF, int(OwnWord.OUT), 0), (steps.SELF, int(OwnWord.BACK), 0))],
    ids=["silence", "out", "left", "junk", "out and back"],
)  # fmt: skip
def test_whoever_gives_no_part_makes_start_fall(step: int, says: Any) -> None:
    """It is named, nothing has begun, no secret and no file is left, and it is not ready any more."""
    junk = {
        steps.KEYS_HASH: b"", steps.KEYS_PART: b"", steps.KEYS_SHARES: (), steps.KEYS_AGREED: bytes(32),
    }  # fmt: skip
    with closing(AgentTable(Peek, 3, RandomBot)) as table:
        Refuser(table, step, ((step, 1, junk[step]),) if says == "junk" else says)
        table.wait(int(PATIENCE) + 5)
        for party in (1, 2, 3):
            matches = table.machines[party].agent.state.matches
            assert matches.barrier is None
            assert matches.match is None
            assert told(table, party) == ["P2"]
            assert not began(table, party)
        places = table.machines[1].agent.state.roster.places
        assert [place.ready for place in places] == [True, False, True]
        assert secrets() == []
        assert match_files() == []


def test_a_cheat_in_the_first_keys_is_named_with_its_offence() -> None:
    """The log proves it, so nobody reads that no answer came."""
    with closing(AgentTable(Peek, 3, RandomBot)) as table:
        Refuser(table, steps.KEYS_HASH, ((steps.KEYS_HASH, 1, b""),))
        table.wait(5)
        for party in (1, 2, 3):
            out = table.machines[party].agent.state.out
            told = [one for one in out if isinstance(one, Notice)]
            assert NOTHING_CAME not in [one.message for one in told]
            (said,) = [one for one in told if one.message == CHEATED]
            assert said.params["name"] == "P2"
            assert said.params["problem"].message == MESSAGES[Offence.WRONG_SIZE]


@pytest.mark.battery
def test_a_start_after_that_begins_another_match() -> None:
    """What was refused decides nothing: new nonces, a new id and new keys."""
    with closing(AgentTable(Peek, 3, RandomBot)) as table:
        refuser = Refuser(table, steps.KEYS_PART, ((steps.SELF, int(OwnWord.OUT), 0),))
        table.wait(5)
        assert told(table, 1) == ["P2"]
        refuser._step = 1000
        table._say(REFUSER, log_bodies.READY, True)
        table.round()
        header = table.machines[1].agent.state.lobby.terms()
        table._say(1, log_bodies.START, pack(header.plain()), b"")
        table.play()
        assert table.is_over
        assert [began(table, party) for party in (1, 2, 3)] == [1, 1, 1]
        for path in match_files():
            check(kept := read(path), Header.of(kept.header), Peek)


@pytest.mark.battery
def test_nothing_but_steps_for_the_keys_counts_before() -> None:
    """Votes, answers and words of others about a party change nothing, and the match begins."""
    with closing(AgentTable(Peek, 3, RandomBot)) as table:
        while (barrier := table.machines[1].agent.state.matches.barrier) is None or barrier.prepared is None:
            table.round()
        head = table.log.heads.last
        for entry in (
            (DEAL, 3, head, steps.SELF, int(OwnWord.OUT), 0),
            (DEAL, 2, head, steps.VOTE, 0, 3, 0, True, 60),
            (DEAL, 2, head, steps.SEED, 1, 0, bytes(32)),
            (0, 1, 1, 0), (), (DEAL,),
        ):  # fmt: skip
            table._say(REFUSER, log_bodies.PLAY, barrier.header.id, entry, b"")
        table.play()
        assert table.is_over
        assert told(table, 1) == []
        for path in match_files():
            check(kept := read(path), Header.of(kept.header), Peek)
