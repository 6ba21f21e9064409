"""Bundled games go on without the missing, whoever is missing, and are played to their ends."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import closing
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import pytest
from tests.commit import a_part
from tests.core.engine.dealing.world import key_of
from tests.core.engine.peer.agents import AgentTable

from tavolata._engine.match.entries import SEALED
from tavolata._engine.match.header import Header
from tavolata._engine.review.verify import check
from tavolata._engine.storage.match_file import Kept, path_of, read
from tavolata._engine.table.matches import TableMatch
from tavolata.bots import RandomBot
from tavolata.game import Game
from tavolata_bang.rules import Bang
from tavolata_conto.rules import Conto
from tavolata_horse_fever.rules.match import HorseFever
from tavolata_jumpy_jack.rules import JumpyJack
from tavolata_zompa.rules import Zompa

MACHINES = 4
ABSENCES = [*chain.from_iterable(combinations(range(1, MACHINES + 1), n) for n in (1, 2))]
"""Everybody who can be missing: two machines at least go on."""
GAMES: dict[type[Game[Any]], dict[str, Any]] = {
    Bang: {}, Conto: {"hands": 2}, HorseFever: {"turns": 2}, JumpyJack: {"points": 16}, Zompa: {"fiches": 2},
}  # fmt: skip
"""The bundled games, and house rules for short matches."""


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for match files and secrets, on a disk that need not be waited for."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr("os.fsync", lambda number: None)


@pytest.mark.battery
@pytest.mark.parametrize("missing", a_part(map(list, ABSENCES), 3), ids=str)
def test_a_race_in_teams_is_run_to_its_end(missing: list[int]) -> None:
    """Whoever is missing: what was sealed for a missing mate is an empty box in that mate's place."""
    options: Any = {"points": 16, "board": "short", "guess": True}
    with closing(AgentTable(JumpyJack, MACHINES, RandomBot, teams=2, **options)) as table:
        header = go_on(table, missing)
        for _ in range(10):
            table.play()
            table.wait(1)
        assert table.is_over
        assert agreed(table).match.outcome is not None
        here = table.here
    files = [read(path_of(f"{header.id}-{key_of(party).hex()[:8]}")) for party in here]
    for kept in files:
        check(kept, header, JumpyJack)
    boxes = [*shown(files[0], header)]
    assert boxes
    assert all((not box) is (key in header.absent) for key, box in boxes)


@pytest.mark.battery
@pytest.mark.parametrize("missing", [(1,), (3, 4)], ids=str)
@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_the_rest_go_on_with_a_game(rules: type[Game[Any]], missing: tuple[int, ...]) -> None:
    """Without the host, or without half of the table: nothing breaks, and all have the same state."""
    with closing(AgentTable(rules, MACHINES, RandomBot, **GAMES[rules])) as table:
        go_on(table, missing)
        table.play(20)
        table.think()
        agreed(table)


def agreed(table: AgentTable) -> TableMatch:
    """The match on the table, of which all who are here have the same state."""
    one, *others = (table.machines[party].agent.state.matches for party in table.here)
    assert {other.digest() for other in others} == {one.digest()}
    assert one.last is not None
    return one.last


def go_on(table: AgentTable, missing: Collection[int]) -> Header:
    """After the first clean end of a turn these die; the others go on without them after a minute."""
    first = next(party for party in table.here if party not in missing)
    matches = table.machines[first].agent.state.matches
    while matches.continuation.snapshot is None:
        assert table.round(), "the match is over before its first clean end of a turn: play a longer one"
    for party in missing:
        table.kill(party)
        table.voters.discard(party)
    table.think()  # what the dead have said was before the silence
    table.now += 60
    table.wait(2)
    for party in table.here:
        table.machines[party].agent.wish_continuation()
        table.speak()
        table.think()
    table.play(8)
    header = agreed(table).header
    assert header.absent == set(map(key_of, missing))
    return header


def shown(kept: Kept, header: Header) -> Iterator[tuple[bytes, bytes]]:
    """The boxes for those who may look at a sealed answer, each with the machine that it is for."""
    for _, seat, _, _, *more in (entry for entry in kept.entries if entry[0] == SEALED):
        team = header.teams[seat]
        mates = (key for key, other in zip(header.keys, header.teams, strict=True) if other == team)
        yield from zip((key for key in mates if key != header.keys[seat]), *more[:1], strict=True)
