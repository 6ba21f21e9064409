"""Matches that end because somebody cheated: the rules of the game say who has won, at the real agents."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.peer.agents import AgentTable, dealt

from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.match.updates import Ended
from tavolata._engine.storage.match_file import read
from tavolata._engine.table.log_bodies import LEFT
from tavolata.bots import RandomBot
from tavolata_protocol.fair.offences import Offence


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for match files and secrets, on a disk that need not be waited for."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(os, "fsync", lambda number: None)


def has_hidden_cards(table: AgentTable) -> bool:
    """Whether a pile was shuffled."""
    agent = table.machines[1].agent
    return agent.part is not None and bool(dealt(agent).deal.laid.slots)


def ends(table: AgentTable) -> list[Ended]:
    """How the match ended, at each machine."""
    said = [one for machine in table.machines.values() for one in machine.agent.state.out]
    return [one for one in said if isinstance(one, Ended)]


def cheat(table: AgentTable, party: int) -> None:
    """Have a machine accuse the leader of two logs without a proof, which convicts the accuser."""
    table.machines[party].agent.playing.accuse(b"no proof")
    table.speak()
    table.round()


@pytest.mark.parametrize(
    ("parties", "cheats", "leaves", "winners"),
    [
        (2, [2], [], [0]),
        (3, [2], [], None),
        (4, [2, 4], [], [0, 2]),
        (4, [4], [2], [0, 2]),
        (4, [], [2, 4], []),
    ],
)
def test_who_cheats_forfeits_a_match_that_can_not_go_on(
    tmp_path: Path, parties: int, cheats: Sequence[int], leaves: Sequence[int], winners: list[int] | None
) -> None:
    """Of two the other wins; of more all others, once too few are left to deal; by leaving alone nobody."""
    with closing(AgentTable(Peek, parties, RandomBot)) as table:
        while not has_hidden_cards(table):
            table.round()
        for party in cheats:
            cheat(table, party)
        for party in leaves:
            table.machines[party].agent.say_of_oneself(OwnWord.LEFT)
            table.speak()
        table.round()
        found = ends(table)
        left = [place.status == LEFT for place in table.machines[1].agent.state.roster.places]
    if winners is None:
        assert found == []
        assert left == [party + 1 in cheats for party in range(parties)]
        return
    assert len(found) == parties
    assert [(one.outcome, one.conviction) for one in found] == [
        (found[0].outcome, found[0].conviction)
    ] * parties
    outcome, guilty = found[0].outcome, found[0].conviction
    if not cheats:
        assert (outcome, guilty) == (None, None)
        return
    assert outcome is not None
    assert guilty is not None
    assert [int(seat) for seat in outcome.winners] == winners
    assert (guilty.seat, guilty.charge.offence) == (cheats[0] - 1, Offence.FALSE_ACCUSATION)
    for file in tmp_path.rglob("*.ttm"):
        end = read(file).end
        assert end is not None
        assert end["outcome"]["winners"] == winners
        assert end["conviction"]["seat"] == cheats[0] - 1
