"""Matches that end unproven: who withholds what judges them, at the real agents, and what their files say."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.core.engine.peer.agents import AgentTable, dealt
from tests.core.games import Boasts, Promises

from tavolata import Game
from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.match.entries import DEAL, DECLARED, OPENED
from tavolata._engine.match.header import FAIR, STRICT, Header
from tavolata._engine.match.updates import Ended
from tavolata._engine.review.verify import check
from tavolata._engine.storage.match_file import match_files, read
from tavolata._engine.table import log_bodies
from tavolata._ui.i18n import Translator
from tavolata.bots import RandomBot
from tavolata.errors import Refused
from tavolata_protocol.fair.offences import Offence


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for match files and secrets, on a disk that need not be waited for."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(os, "fsync", lambda number: None)


class Changed:
    """A changed program at a table: it says its first declaration falsely, and withholds what judges it."""

    def __init__(self, table: AgentTable, party: int) -> None:
        self._machine = table.machines[party]
        self._propose = self._machine.propose
        self._machine.propose = self.propose  # type: ignore[method-assign] # a changed program
        self._lies, self.withholds = 1, True
        self.withheld: list[tuple[Any, ...]] = []

    def propose(self, *body: Any) -> bool:
        """Let through what it does not withhold."""
        entry = body[2] if len(body) > 2 and isinstance(body[2], tuple) else ()
        if entry[:1] == (DECLARED,) and self._lies:
            self._lies -= 1
            return self._propose(*body[:2], (*entry[:3], ("tuple", 9, 9)), *body[3:])
        judges = entry[:1] == (OPENED,) or entry[3:4] in ((steps.PROOFS,), (steps.FORCE,), (steps.DONE,))
        if judges and entry[0] in (OPENED, DEAL) and self.withholds:
            self.withheld.append(body)
            return True
        return self._propose(*body)

    def give_in(self) -> None:
        """Say what was withheld."""
        self.withholds = False
        dealer = dealt(self._machine.agent).dealer
        assert dealer is not None
        dealer._said.clear()
        self._machine.agent.playing._said.opened.clear()


def ends(table: AgentTable, party: int) -> list[Ended]:
    """How the match ended at a machine, each time that it was said."""
    return [one for one in table.machines[party].agent.state.out if isinstance(one, Ended)]


def secrets() -> list[Path]:
    """The files of secrets on the disk of all machines."""
    return [
        path
        for path in Path(os.environ["TT_DATA_DIR"]).rglob("*")
        if path.is_file() and ".ttm" not in path.name
    ]


def verified(path: Path, rules: type[Game[Any]] = Boasts) -> str:
    """What `tt verify` says of a file."""
    kept = read(path)
    return " ".join(Translator("en").text(*one) for one in check(kept, Header.of(kept.header), rules).told)


@pytest.mark.battery
def test_an_outcome_stands_unproven_and_a_late_share_still_convicts() -> None:
    """Files have both ends, `tt verify` finds them right, and secrets are kept while they may count."""
    with closing(AgentTable(Boasts, 2, RandomBot)) as table:
        while table.match is None:
            table.round()
        liar = Changed(table, 2)
        table.play()
        assert ends(table, 1) == []
        table.wait(63)
        assert table.is_over
        for party in (1, 2):
            (ended,) = ends(table, party)
            assert ended.outcome is not None
            assert (ended.conviction, ended.unproven) == (None, (1,))
        assert len(secrets()) == 2
        for path in match_files():
            end: Any = read(path).end
            assert end["unproven"] == [1]
            assert "unproven" in verified(path).casefold()
        liar.give_in()
        table.wait(3)
        for party in (1, 2):
            ended = ends(table, party)[-1]
            assert ended.conviction is not None
            assert (ended.conviction.seat, ended.conviction.charge.offence) == (1, Offence.FALSE_FACT)
            assert ended.outcome is not None
            assert [int(seat) for seat in ended.outcome.winners] == [0]
            assert ended.unproven == ()
        assert secrets() == []
        for path in match_files():
            end = read(path).end
            assert end["conviction"]["seat"] == 1
            assert "ranks" in verified(path)


def test_an_opening_of_a_seal_that_comes_late_still_counts() -> None:
    """The outcome stands while an author keeps its seal shut, and is proven once that is opened after all."""
    with closing(AgentTable(Promises, 2, RandomBot)) as table:
        while table.match is None:
            table.round()
        liar = Changed(table, 2)
        table.play()
        assert ends(table, 1) == []
        table.wait(63)
        assert table.is_over
        assert [(one.conviction, one.unproven) for one in ends(table, 1)] == [(None, (1,))]
        liar.give_in()
        table.wait(3)
        for party in (1, 2):
            ended = ends(table, party)[-1]
            assert ended.outcome is not None
            assert (ended.conviction, ended.unproven) == (None, ())
        assert secrets() == []
        for path in match_files():
            assert "unproven" not in verified(path, Promises).casefold()


@pytest.mark.battery
def test_an_unproven_match_that_turns_out_void_ends_no_more() -> None:
    """Its file loses the outcome and its secrets go; a share that comes after that makes nobody win."""
    with closing(AgentTable(Boasts, 2, RandomBot)) as table:
        while table.match is None:
            table.round()
        liar = Changed(table, 2)
        table.play()
        table.wait(63)
        last = table.machines[1].agent.state.matches.last
        assert last is not None
        for party in (1, 2):
            table._say(party, log_bodies.STATE, last.header.id, 7, bytes([party]) * 16)
        table.wait(1)
        assert [one.suffix for one in secrets()] == [".txt"] * 2  # what differs, for whoever looks for it
        for body in liar.withheld:
            liar._propose(*body)
        table.wait(3)
        for party in (1, 2):
            assert [one.outcome is None for one in ends(table, party)] == [False, True]
        for path in match_files():
            end: Any = read(path).end
            assert end["outcome"] is None


@pytest.mark.parametrize("rules", [Boasts, Promises])
def test_of_two_who_leaves_without_opening_its_part_has_given_up(rules: type[Game[Any]]) -> None:
    """It forfeits at once, although the rules had come to their end; who has opened its part may go."""
    for leaves, unproven in ((2, False), (1, True)):
        with closing(AgentTable(rules, 2, RandomBot)) as table:
            while table.match is None:
                table.round()
            Changed(table, 2)
            table.play()
            table.machines[leaves].agent.say_of_oneself(OwnWord.LEFT)
            table.speak()
            table.round()
            assert table.is_over
            ended = ends(table, 1)[-1]
            assert ended.outcome is not None
            assert bool(ended.unproven) is unproven
            if not unproven:
                assert [int(seat) for seat in ended.outcome.winners] == [0]


def spoil(table: AgentTable, party: int) -> None:
    """A changed program at a table: it gives junk instead of the shares that judge the match."""
    machine = table.machines[party]
    usual = machine.propose

    def propose(*body: Any) -> bool:
        entry = body[2] if len(body) > 2 and isinstance(body[2], tuple) else ()
        if entry[:1] == (DEAL,) and entry[3] == steps.PROOFS:
            body = (*body[:2], (*entry[:-1], bytes(len(entry[-1]))), *body[3:])
        return usual(*body)

    machine.propose = propose  # type: ignore[method-assign] # a changed program


@pytest.mark.battery
@pytest.mark.parametrize(("dealer", "parties", "liars"), [(STRICT, 3, [2]), (FAIR, 4, [2, 3])])
def test_a_judgement_that_junk_makes_impossible_is_lost_by_its_authors(
    dealer: str, parties: int, liars: list[int]
) -> None:
    """Otherwise a liar could let its outcome stand: it is out at once, and nobody can judge it any more."""
    with closing(AgentTable(Boasts, parties, RandomBot, dealer=dealer)) as table:
        while table.match is None:
            table.round()
        for party in liars:
            spoil(table, party)
        table.play()
        assert table.is_over
        for party in table.machines.keys() - liars:
            (ended,) = ends(table, party)
            assert ended.conviction is not None
            assert ended.conviction.seat == 1
            assert ended.unproven == ()
            assert ended.outcome is not None
            assert {int(seat) + 1 for seat in ended.outcome.winners} == table.machines.keys() - liars


def test_after_the_end_nothing_but_shares_is_heard() -> None:
    """Votes, own words and talk of a match that ended unproven are void."""
    with closing(AgentTable(Boasts, 2, RandomBot)) as table:
        while table.match is None:
            table.round()
        Changed(table, 2)
        table.play()
        table.wait(63)
        agent = table.machines[1].agent
        with pytest.raises(Refused):
            agent.playing.say("hello", (), 0)
        agent.say_of_oneself(OwnWord.LEFT)
        source = table.source
        before, voids = len(source.entries), len(source.voids)
        table.play()
        assert (len(source.entries), len(source.voids)) == (before, voids)
