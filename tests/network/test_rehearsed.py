"""A match of real processes and its rehearsal: with the same cards and the same answers they end alike."""

from __future__ import annotations

from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest
from tests.rehearsals import people
from tests.rehearsals.family import Evening, _match_files
from tests.rehearsals.people import Json, answer_to
from tests.rehearsals.plan import Plan, Seat
from typing_extensions import override

from tavolata._engine.dealing.match_secret import MatchSecret

from .one_deal import book
from .table import TT, Hall
from .test_programs import Program

ONE_DEAL = [*TT[:3], "-P", str(Path(__file__).with_name("one_deal.py"))]


class Last(Random):
    """Takes the last of what there is, and the least of an amount."""

    @override
    def choice(self, seq: Any) -> Any:
        return seq[-1]

    @override
    def sample(self, population: Any, k: int, *, counts: Any = None) -> list[Any]:
        return [*population][-k:] if k else []

    @override
    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        return 0 if stop is None else start

    @override
    def randint(self, a: int, b: int) -> int:
        return a


def scripted(asked: Json, _chance: Random | None = None) -> Any:
    """Return the one answer that everybody gives to this question."""
    return answer_to(asked, Last())


class Real(Program):
    """A `tt --ui json` that answers by the script."""

    @override
    def play(self) -> None:
        while True:
            line = self.next()
            if line["type"] == "ask":
                self.say(type="answer", id=line["id"], answer=scripted(line))
            elif line["type"] == "end":
                return


class Rehearsed(Evening):
    """The evening of a plan, of which the `ends` that its machines stored are left."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.ends: list[dict[str, Any] | None] = []

    @override
    def _check_files(self) -> None:
        super()._check_files()
        for computer in self.world.computers.values():
            self.ends += [kept.end for _, kept in computer.within(_match_files)]


@pytest.mark.parametrize(("game", "options"), [("zompa", {"fiches": 2}), ("horse-fever", {"turns": 1})])
def test_three_processes_and_their_rehearsal_store_the_same_outcome(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, game: str, options: dict[str, Any]
) -> None:
    """The host deals from one seed, and everybody answers by one script."""
    monkeypatch.setattr(people, "answer_to", scripted)
    monkeypatch.setattr(MatchSecret, "book", book)
    rules = [f"--option={name}={value}" for name, value in options.items()]
    words = ["--ui", "json"]
    host = Real(hall.host(game, "--seats", "3", "--dealer", "host", "--start", "full", *rules, *words,
                          typed=True, program=ONE_DEAL))  # fmt: skip
    real = [host]
    for number in (2, 3):
        real.append(Real(hall.join(*words, typed=True, program=ONE_DEAL)))
        host.until("lobby", f"{number} of 3 seats taken")
    threads = [Thread(target=one.play) for one in real]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for one in reversed(real):
        one.say(type="table", command="quit")
        assert one.tt.done() == 0
    evening = Rehearsed(Plan(5, game, (Seat(), Seat(), Seat()), options, dealer="host"))
    report = evening.play()
    assert not report.broken
    ends = [*(one.tt.end() for one in real), *evening.ends]
    stored = [None if end is None else (end["outcome"], end["digest"]) for end in ends]
    assert len(stored) == 6
    assert stored == [stored[0]] * 6
