"""A leader of the log that leaves out one machine's words: real agents don't blame that machine."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.world import key_of
from tests.core.engine.peer.agents import AgentTable, played

from tavolata import N_, Game, Options, Outcome, Table, one_of
from tavolata._engine.dealing.authority import VoteKind
from tavolata._engine.dealing.steps import VOTE
from tavolata._engine.match.entries import ANSWER, DEAL, TIMEOUT
from tavolata._engine.table.heads import Heads
from tavolata.bots import RandomBot
from tavolata_protocol import entries as wire

VICTIM = 2


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for match files and secrets, on a disk that need not be waited for."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(os, "fsync", lambda number: None)


class Timed(Game[Options]):
    """Everybody is asked in turn, with a time limit."""

    name, title, seats, options = "timed", N_("Timed"), (2, 4), Options

    def setup(self, t: Table[Options]) -> None:
        """Nothing is laid out."""

    async def turn(self, t: Table[Options]) -> Outcome:
        for _ in range(2):
            for seat in t.ring:
                await t.ask(seat, one_of(["yes", "no"]), N_("Well?"), seconds=20, otherwise="no")
        return Outcome((t.first_seat,))


def votes_about(table: AgentTable, party: int) -> Counter[VoteKind]:
    """By kind, how many votes about a party are in the log."""
    chain, found = Heads(table.log.base).chain, Counter[VoteKind]()
    for data in table.log.wires:
        entry = wire.read_entry(data, chain)
        chain = entry.chain
        match played(entry.body):
            case [kind, _, _, step, motion, target, *_] if (kind, step, target) == (DEAL, VOTE, party):
                found[VoteKind(motion)] += 1
    return found


def starve(rules: type[Game[Any]], entries: int, *, passes_on: bool) -> tuple[Counter[VoteKind], bool]:
    """Leave out one machine's words after so many entries, for a minute; the votes about it; if all ends."""
    with closing(AgentTable(rules, 3, RandomBot)) as table:
        table.passes_on = passes_on
        while len(table.log.wires) < entries:
            table.round()
        table.starved.add(VICTIM)
        table.wait(60)
        votes = votes_about(table, VICTIM)
        table.starved.clear()
        for _ in range(60):
            table.play()
            table.wait(1)
        return votes, table.is_over


@pytest.mark.parametrize(("entries", "rules"), [(18, Peek), (33, Peek), (23, Timed)])
def test_who_is_kept_back_is_never_blamed(entries: int, rules: type[Game[Any]]) -> None:
    """Nobody votes about a machine that owes a step or an answer who has it from itself; then all goes on."""
    assert starve(rules, entries, passes_on=True) == (Counter(), True)


@pytest.mark.parametrize(
    ("entries", "rules", "kind"), [(18, Peek, VoteKind.STALL), (23, Timed, VoteKind.TIME)]
)
def test_who_says_nothing_to_anybody_is_voted_about(
    entries: int, rules: type[Game[Any]], kind: VoteKind
) -> None:
    """Without its signed word in the others' hands, a machine that does nothing is voted about."""
    votes, _ = starve(rules, entries, passes_on=False)
    assert votes[kind] >= 2


def test_a_late_answer_comes_from_the_machine_of_its_seat_alone() -> None:
    """A person lets the time pass: its own machine answers `otherwise`, and no other one tries to."""
    with closing(AgentTable(Timed, 3, RandomBot, VICTIM)) as table:
        table.answers_to = lambda _: False
        table.wait(60)
        chain, authors = Heads(table.log.base).chain, dict[int, set[bytes]]()
        for data in table.log.wires:
            entry = wire.read_entry(data, chain)
            chain = entry.chain
            match played(entry.body):
                case [kind, seat, *_] if kind in (ANSWER, TIMEOUT):
                    authors.setdefault(seat, set()).add(entry.author)
        assert authors == {seat: {key_of(seat + 1)} for seat in range(3)}
        assert table.is_over
