"""`tt review`: what a thinker says of the decisions of a match that is over."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tavolata._cli import main
from tavolata._cli.review_report import Change, Looked, changes
from tavolata._engine.match.search import Thought, Weighed
from tavolata._engine.review.hindsight import Hindsight, PastDecision, Verdict
from tavolata._engine.thinking.search_bot import SearchBot

DOORS = """
from tavolata import N_, Deck, Game, Options, Outcome, Pile, Table, one_of
from tavolata.bots import Bot

COINS = Deck("coins", ("heads", "tails"))


class Doors(Game[Options]):
    name, title, seats = "doors", N_("Doors"), (2, 2)
    coins: Pile[str]

    def setup(self, t: Table[Options]) -> None:
        self.coins = t.pile("coins", COINS)

    async def turn(self, t: Table[Options]) -> Outcome | None:
        await t.shuffle(self.coins)
        first, second = t.ring
        if t.turn < 3:
            door = await t.ask(first, one_of(["wait", "lose", "win"]), N_("Which door?"), N_("A door."))
            return None if door == "wait" else Outcome((first if door == "win" else second,))
        side = await t.ask(second, one_of(["heads", "tails"]), N_("Which side?"), N_("A side."))
        coin = self.coins.cards[-1]
        await t.reveal([coin])
        return Outcome((second if coin.face == side else first,))


class First(Bot):
    level = "easy"

    def choose(self, view, ask, chance):
        return ask.question.nth(0)
"""
WORDS = ("--playouts", "120")


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Plays a match of Doors between two bots that take the first thing, and keeps its file."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delitem(sys.modules, "doors_game", raising=False)
    file = tmp_path / "doors_game.py"
    file.write_text(DOORS, encoding="utf-8")

    def play(*words: str) -> None:
        bots = ("--bot", "easy", "--bots", "easy", "--as", "Ann", "--ui", "plain")
        assert main(["play", str(file), *bots, *words]) == 0

    return play


def lines_of(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> list[str]:
    """What `tt review` prints."""
    capsys.readouterr()
    assert main(["review", *words]) == code
    return capsys.readouterr().out.splitlines()


def test_what_was_missed_is_what_the_seat_could_see(
    played: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    """Waiting before an open door that wins is missed each time; a wrong guess at a hidden coin is luck."""
    played("--seed", "2")
    records = [json.loads(line) for line in lines_of(capsys, "--all", "--ui", "json", *WORDS)]
    decisions: list[dict[str, Any]] = [one for one in records if one["type"] == "decision"]
    assert [one["turn"] for one in decisions] == [1, 2, 3, 4]
    waits = decisions[:3]
    assert {(one["played"]["text"], one["best"][0]["text"], one["missed"]) for one in waits} == {
        ("wait", "win", True)
    }
    assert {one["best"][0]["chance"] for one in waits} == {1}
    coin = decisions[-1]
    assert not coin["missed"]
    assert [0.3 < one["chance"] < 0.7 for one in coin["best"]] == [True, True]
    *_, whole = records
    assert whole["type"] == "review"
    assert (whole["decisions"], whole["looked_at"]) == (4, 4)
    assert {one["seat"]: one["curve"][-1] for one in whole["seats"]}[coin["seat"]] == 0  # it was wrong


def test_the_same_worlds_give_the_same_report(
    played: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    """With `--playouts` two reviews are equal, line by line, and losses come before the turns one by one."""
    played("--seed", "2")
    said = lines_of(capsys, "--all", *WORDS)
    assert said == lines_of(capsys, "--all", *WORDS)
    assert said[0] == "A look back at a match of Doors"
    missed, turns = (next(at for at, line in enumerate(said) if word in line)
                     for word in ("Better: win (100%)", "! Turn 1: wait"))  # fmt: skip
    assert missed < turns
    assert re.fullmatch(r" +100% \(\d+\)  win", said[turns + 1])


def test_a_screen_reader_hears_the_curve_as_numbers(
    played: Callable[..., None], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is drawn or underlined, and no sentence is broken for the width of a screen."""
    played("--seed", "2")
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    said = lines_of(capsys, "--all", "--screen-reader", *WORDS)
    assert not [line for line in said if re.search("[│●○=]|--", line)]
    start = said.index("Chance of winning from turn 1 to turn 4, in %:")
    assert re.fullmatch(r"Ann: [\d., ]+|Ada: [\d., ]+", said[start + 1])


def test_a_seat_can_be_named_and_italian_is_spoken(
    played: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    """`--seat` looks at one seat alone; who is not there is said with exit code 2."""
    played("--seed", "2")
    said = lines_of(capsys, "--seat", "Ann", "--lang", "it", *WORDS)
    assert "Ann: turno per turno" in said
    assert sum("turno per turno" in line for line in said) == 1
    for words, sentence in ((["--seat", "Zoe"], "No one here is named Zoe"),
                            (["--seat", "Ann", "--all"], "`--seat` or `--all`, not both")):  # fmt: skip
        assert main(["review", *words]) == 2
        assert sentence in capsys.readouterr().err


def test_ctrl_c_keeps_what_was_worked_out(
    played: Callable[..., None], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After Ctrl+C the report is about the decisions that were looked at, and the exit code is 130."""
    played("--seed", "2")
    judge = Hindsight.judge
    done: list[Verdict | None] = []

    def interrupted(self: Hindsight, *words: Any) -> Any:
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(judge(self, *words))
        return done[-1]

    monkeypatch.setattr(Hindsight, "judge", interrupted)
    assert "Stopped after 2 of 4 decisions" in " ".join(lines_of(capsys, "--all", *WORDS, code=130))


def test_where_nothing_is_decided_one_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A match of Zompa, which is luck, has nothing to review; a program gets a review of nothing."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    words = ("--seats", "2", "--bot", "easy", "--bots", "1", "--seed", "1", "--ui", "plain")
    assert main(["play", "zompa", *words]) == 0
    assert lines_of(capsys) == [
        ("No one had anything to decide in this match, so there's nothing to review.")
    ]
    (only,) = lines_of(capsys, "--ui", "json")
    nothing = {"type": "review", "decisions": 0, "looked_at": 0, "enough": False, "seats": []}
    assert json.loads(only) == nothing


def test_time_as_a_whole_is_limited(
    played: Callable[..., None], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When `--within` is over, what was looked at by then is told, with how to give it more."""
    played("--seed", "2")
    ticks = iter(range(0, 10_000, 40))
    monkeypatch.setattr("tavolata._cli.review.monotonic", lambda: next(ticks))
    said = " ".join(lines_of(capsys, "--all", "--think", "0.05", "--within", "100"))
    assert "Time ran out after 2 of 4 decisions." in said


def test_after_the_warning_of_too_few_worlds_nothing_is_judged(
    played: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    """Two worlds a decision show nothing: the report ends with how to give it more, and programs are told."""
    played("--seed", "2")
    said = lines_of(capsys, "--all", "--playouts", "2")
    assert " ".join(said).endswith("or review fewer decisions with `--seat`.")
    assert not [line for line in said if "Turn 1" in line or "missed chances" in line]
    *_, few = [json.loads(line) for line in lines_of(capsys, "--all", "--ui", "json", "--playouts", "2")]
    *_, many = [json.loads(line) for line in lines_of(capsys, "--all", "--ui", "json", *WORDS)]
    assert (few["enough"], many["enough"]) == (False, True)


@pytest.mark.parametrize("judged", [0, 2])
def test_decisions_without_time_for_any_answer_are_no_fault_of_the_game(
    judged: int,
    played: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """How many were looked at is told, with how to give it more; that's so even if none was."""
    played("--seed", "2")
    search, weighed = SearchBot.weigh, count()

    def hasty(self: SearchBot, *words: Any, **more: Any) -> Any:
        return search(self, *words, **more) if next(weighed) % 4 < judged else Thought((), 1)

    monkeypatch.setattr(SearchBot, "weigh", hasty)
    said = lines_of(capsys, "--all", *WORDS)
    assert f"Time ran out after {judged} of 4 decisions." in " ".join(said)
    assert judged or said[-1].startswith("That's not enough to judge by.")
    *_, told = [json.loads(line) for line in lines_of(capsys, "--all", "--ui", "json", *WORDS)]
    assert (told["looked_at"], told["enough"]) == (judged, judged > 0)


def test_rules_that_break_in_every_world_are_the_games_fault(
    played: Callable[..., None], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the exit code is that of a broken plugin, and the first problem is named."""
    played("--seed", "2")

    def breaks(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("in the rules")

    monkeypatch.setattr(SearchBot, "weigh", breaks)
    assert main(["review", "--all", *WORDS]) == 4
    assert "couldn't judge: 4 (ZeroDivisionError: in the rules)" in capsys.readouterr().err


TUG = """
from tavolata import N_, Game, Outcome, Teams, one_of
from tavolata.bots import Bot

class Tug(Game):
    name, title, seats, teams = "tug", N_("Tug"), (4, 4), Teams(counts=(2,), size=(2, 2))

    def setup(self, t):
        pass

    async def turn(self, t):
        return Outcome(t.team(await t.ask(t.ring[0], one_of(t.ring), N_("Who wins?"), N_("Who?"))))

class First(Bot):
    level = "easy"

    def choose(self, view, ask, chance):
        return ask.question.nth(0)
"""


def test_a_win_of_a_team_is_a_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who wins with its team for sure has a chance of 100%, before the end and at the end."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    (file := tmp_path / "tug_game.py").write_text(TUG, encoding="utf-8")
    bots = ("--bot", "easy", "--bots", "easy,easy,easy", "--as", "Ann", "--teams", "2", "--ui", "plain")
    assert main(["play", str(file), *bots]) == 0
    records = map(json.loads, lines_of(capsys, "--ui", "json", *WORDS))
    decision, whole = [one for one in records if one["type"] != "progress"]
    assert decision["played"]["chance"] == decision["best"][0]["chance"] == 1
    assert whole["seats"][0]["curve"] == [1, 1]


def verdict(turn: int, before: float, after: float, *, tried: bool = True) -> Verdict:
    """What a thinker says after 400 worlds; the answer that was played may have been left out."""
    best, played = (Weighed(number, 400, 1000 * wins, wins) for number, wins in ((0, before), (1, after)))
    decision = PastDecision(turn, 0, turn, turn, 1)
    return Verdict(decision, (best, played), played if tried else None, missed=False)


def test_what_a_seat_may_have_done_itself_is_not_put_down_to_others() -> None:
    """A change over a decision without a verdict, or after an answer that was not tried, is not told."""
    first, unsure = Looked(verdict(1, 0.9, 0.9), {}), Looked(verdict(1, 0.9, 0.1, tried=False), {})
    then = Looked(verdict(5, 0.2, 0.2), {})
    assert changes([first, then], None) == [Change(1, 5, 0.9, 0.2)]
    assert changes([first, then._replace(gap=True)], None) == []
    assert changes([unsure, then], None) == changes([unsure], 0.0) == []


def test_a_decision_that_nobody_could_judge_stops_nothing(
    played: Callable[..., None], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its number is told with the reason; nobody has stopped anything, and its seat has a gap there."""
    played("--seed", "2")
    judge, begun, told = Hindsight.judge, count(), list[bool]()

    def breaks(self: Hindsight, *words: Any) -> Any:
        if next(begun) % 4 == 1:
            raise ZeroDivisionError("in the rules")
        return judge(self, *words)

    def noted(one: Looked, names: Any) -> Any:
        told.append(one.gap)
        return {}

    monkeypatch.setattr(Hindsight, "judge", breaks)
    said = " ".join(lines_of(capsys, "--all", *WORDS))
    assert "Stopped after" not in said
    assert "Time ran out" not in said
    monkeypatch.setattr("tavolata._cli.review_report.decision_data", noted)
    lines_of(capsys, "--all", "--ui", "json", *WORDS)
    assert told == [False, True, False]
