"""A fault in what a machine would say makes it mute in its match; it goes on following and reading."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.core.engine.peer.agents import AgentTable
from tests.core.engine.table.test_going_on import Heap

from tavolata import Question, Seat, Table, interjection, one_of
from tavolata._engine.match.open_source import BotFault
from tavolata._engine.match.rules_fault import AT
from tavolata._engine.match.updates import Notice
from tavolata._engine.peer.fair_part import FairPart
from tavolata._engine.peer.participation import MUTE
from tavolata._engine.storage.fault_report import write_fault
from tavolata._engine.storage.match_file import StoreError
from tavolata.bots import RandomBot
from tavolata.errors import Refused
from tavolata.messages import N_
from tavolata.outcome import Outcome

pytestmark = pytest.mark.usefixtures("data_folder")


class Papers(Heap):
    """Heap, and before it something that is written in secret."""

    name = "papers"

    async def turn(self, t: Table[Any]) -> Outcome | None:
        if not t.turn:
            await t.seal_all(dict.fromkeys(t.ring, one_of([0, 1])), N_("Which?"), N_("All write."))
        return await super().turn(t)


class Cracks(Heap):
    """Heap, with something to do at any time, and whoever looks for it breaks the rules."""

    name = "cracks"

    @interjection("Crack it")
    def crack(self, t: Table[Any], seat: Seat, nut: int) -> None:
        """Nothing comes of it."""

    @crack.choices
    def _nuts(self, t: Table[Any], seat: Seat) -> Question[int]:
        raise ZeroDivisionError


@pytest.fixture
def ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults that these tests raise are the program's, although their game is in the same package."""
    monkeypatch.setattr("tavolata._engine.match.rules_fault._packages", lambda _: {"heap"})


@pytest.fixture
def broken(ours: None) -> Iterator[set[int]]:
    """The machines whose dealing fails."""
    due, machines = FairPart.due, set[int]()

    def fails(self: FairPart, match: Any) -> Iterator[Any]:
        if self.deal.me in machines:
            raise KeyError("a fault of this program")
        return due(self, match)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FairPart, "due", fails)
        yield machines


def told(table: AgentTable, party: int) -> list[str]:
    """The reports that people at a machine were told of."""
    out = table.machines[party].agent.state.out
    return [str(one.params["report"]) for one in out if isinstance(one, Notice) and one.message == MUTE]


def digests(table: AgentTable) -> set[bytes]:
    """The states of the match on all machines."""
    table.think()
    return {machine.agent.state.matches.digest() for machine in table.machines.values()}


def test_a_mute_machine_follows_and_says_so_once(broken: set[int]) -> None:
    """The others wait for it or play on; its report says where the fault is."""
    with closing(AgentTable(Heap, 3, RandomBot)) as table:
        table.may_break = True
        while table.match is None:
            table.round()
        broken.add(2)
        for _ in range(5):
            table.play()
            table.wait(2)
        mute = table.machines[2]
        assert mute.agent.playing.is_mute
        assert mute.agent.cant_say_goodbye
        assert not mute.said
        assert len(digests(table)) == 1
        (report,) = told(table, 2)
        assert "a fault of this program" in Path(report).read_text(encoding="utf-8")
        assert not told(table, 1)
        assert not table.machines[1].agent.playing.is_mute


def test_after_a_fault_on_all_machines_at_once_the_match_goes_on(broken: set[int]) -> None:
    """Nobody says anything more; a new process of each reads the log, and plays on to the end."""
    with closing(AgentTable(Heap, 3, RandomBot)) as table:
        table.may_break = True
        for _ in range(6):
            table.round()
        broken.update((1, 2, 3))
        table.play()
        assert not table.round()
        assert all(told(table, party) for party in (1, 2, 3))
        broken.clear()
        for party in (1, 2, 3):
            table.kill(party)
        for party in (1, 2, 3):
            table.back(party)
        for _ in range(20):
            table.play()
            table.wait(1)
        assert table.is_over
        assert len(digests(table)) == 1


def test_choices_that_break_are_the_fault_of_the_rules() -> None:
    """Their author reads where, on a machine of a person and on a bot's; nobody blames Tavolata."""
    with closing(AgentTable(Cracks, 2, RandomBot, person=1)) as table:
        table.may_break = True
        table.answers_to = lambda _: False
        table.play()
        for party in (1, 2):
            out = table.machines[party].agent.state.out
            (fault,) = [one.params for one in out if isinstance(one, Notice) and one.message == AT]
            assert fault["problem"] == "ZeroDivisionError"
            assert str(fault["file"]).endswith("test_mute.py")
            assert not told(table, party)
        with pytest.raises(Refused, match="Error in the rules of cracks"):
            table.machines[1].agent.playing.interject(0, "crack", 1)


@pytest.mark.usefixtures("ours")
def test_an_answer_that_can_not_be_sealed_makes_it_mute(monkeypatch: pytest.MonkeyPatch) -> None:
    """The person's screen goes on; a second try is refused, and the sentence says what to do."""
    with closing(AgentTable(Papers, 2, RandomBot, person=1)) as table:
        table.may_break = True
        table.answers_to = lambda _: False
        table.play()
        agent = table.machines[1].agent
        running = agent.state.matches.running
        assert running is not None
        ask = next(ask for ask in running.match.source.open if ask.seat == Seat(0))

        def fails(*_: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(FairPart, "seal", fails)
        agent.playing.answer(ask, 0)
        assert len(told(table, 1)) == 1
        with pytest.raises(Refused, match="Something in Tavolata broke"):
            agent.playing.answer(ask, 0)


@pytest.mark.parametrize("fault", [OSError("the disk is full"), StoreError("full"), BotFault(0, "illegal")])
def test_other_faults_come_through(fault: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a disk or without its player, a machine isn't at the table any more."""

    def fails(*_: object) -> None:
        raise fault

    with closing(AgentTable(Heap, 2, RandomBot)) as table:
        table.may_break = True
        table.round()
        with monkeypatch.context() as patch:
            patch.setattr(FairPart, "due", fails)
            with pytest.raises(type(fault)):
                table.play()


def test_a_report_that_can_not_be_written_is_none(tmp_path: Path) -> None:
    """The fault alone is told then."""
    (tmp_path / "file").write_text("")
    assert write_fault(tmp_path / "file" / "match.ttm", ValueError("x")) is None
