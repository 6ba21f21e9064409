"""The home in lines offers what the screen offers; the plan of a match stays within what its game allows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.core.ui.tui.screens.test_home_screen import FACTS, HERE, NOD, RACE

from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import UsageError
from tavolata._cli.home import Chosen, HomeLines, home
from tavolata._cli.people_form import keep_plan, last_plans
from tavolata._cli.settings import read_config
from tavolata._ui.match_plan import FREE, MatchPlan, at, remembered, with_people, with_rule, with_seats


def lines(*typed: str, lang: str = "en") -> tuple[list[str], tuple[str, str] | None]:
    """What these typed lines lead to."""
    left: Iterator[str] = iter(typed)
    kept: list[MatchPlan] = []
    context = CommandContext({"lang": lang}, {})
    home = HomeLines(context, replace(FACTS, keep=kept.append), lambda _: next(left))
    return home.choose()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (("1",), ["resume", "abc"]),
        (("3", ""), HERE),
        (("3", "1", "9", "3", "2", "2", ""), [*HERE[:3], "3", *HERE[4:-1], "hard,hard"]),
        (("3", "2", "3", "1", "2", "1", ""), [*HERE[:-1], "easy,hard,easy"]),
        (("3", "3", ""), [*HERE, "--guided"]),
        (("3", "4", ""), [*HERE, "--teams", "2"]),
        (("3", "5", "1", "2", ""), [*HERE, "--option", "mode=new"]),
        (("3", "5", "2", "99", "7", ""), [*HERE, "--option", "laps=7"]),
        (("3", "6", "4", ""), ["host", "race", "--web"]),
        (("3", "7", "4", ""), ["play", "race", "--seats", "4", "--humans", "4"]),
        (("3", "8"), ["rules", "race"]),
        (("9" * 5000, "3", "9" * 5000, "1", "9" * 5000, "3", ""), [*HERE[:3], "3", *HERE[4:-1], "easy,easy"]),
        (("3", "x", "9", "4"), ["join"]),
        (("99", "5"), ["history"]),
        (("8",), []),
    ],
)  # fmt: skip
def test_check_25_home_in_lines_has_the_same_form(typed: tuple[str, ...], words: list[str]) -> None:
    """Guided, house rules, mode and telephones are asked one by one; a wrong line is asked again."""
    assert lines(*typed) == (words, None)
    assert lines(*typed, lang="it") == (words, None)


def test_settings_are_changed_in_lines() -> None:
    """The name and the language are settings, and no name leaves it as it was."""
    assert lines("6", "Anna") == ([], ("name", "Anna"))
    assert lines("6", "", "8") == ([], None)
    assert lines("7", "2") == ([], ("lang", "it"))


def test_a_bad_name_is_asked_again_in_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """A name that nobody can have isn't saved: one sentence, and the next line counts."""
    assert lines("6", "@", "x" * 25, "Anna") == ([], ("name", "Anna"))
    assert capsys.readouterr().err.count("A name must have 1 to 24") == 2


def test_after_a_command_people_are_told_how_to_go_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The home waits until they have read what the command printed."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    asked: list[str] = []

    def no_more(question: str) -> str:
        asked.append(question)
        raise EOFError

    monkeypatch.setattr("builtins.input", no_more)
    monkeypatch.setattr(HomeLines, "choose", lambda _: (["doctor"], None))
    assert home(CommandContext({"lang": "en"}, {}), lambda *_: 3) == 3
    assert asked == ["Enter goes back to the home screen. "]


def test_a_plan_is_kept_for_the_next_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each game has its own last plan, and a damaged file is as no file."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    assert last_plans() == ("", {})
    race = MatchPlan("race", others=("hard", FREE), where="network", rules={"laps": "5"})
    keep_plan(race)
    keep_plan(MatchPlan("nod"))
    game, plans = last_plans()
    assert game == "nod"
    assert remembered(plans["race"], RACE) == race
    (tmp_path / "last_plans.json").write_text("[", encoding="utf-8")
    assert last_plans() == ("", {})


@pytest.mark.parametrize(
    "said",
    [
        None, [], {"people": "x", "others": 3, "where": [], "guided": 1, "teams": None, "rules": 7},
        {"people": 99, "others": ["wild"] * 99, "teams": 5, "rules": {"laps": "x", "no": "1", "mode": "old"}},
        {"people": -3, "others": [], "where": "moon"}, {"where": "code", "others": ["easy"] * 3},
    ],
)  # fmt: skip
def test_a_plan_that_no_longer_fits_is_made_to_fit(said: object) -> None:
    """Whatever the file says, the plan has seats, people and levels that the game allows."""
    for can in (RACE, NOD):
        plan = remembered(said, can)
        assert can.seats[0] <= plan.seats <= can.seats[1]
        assert 1 <= plan.people <= can.seats[1]
        assert set(plan.others) <= {*can.levels, FREE}
        assert plan.rules == {}
        assert plan.where == "here" or FREE in plan.others


def test_people_take_the_places_of_bots() -> None:
    """Seats stay as they are while there are bots; at a table one person sits here and a seat is free."""
    plan = RACE.plan()
    assert with_people(plan, RACE, 2).others == ("easy", "easy")
    assert with_people(plan, RACE, 6).seats == 6
    assert with_seats(with_people(plan, RACE, 3), RACE, 2).seats == 3
    hosted = at(with_people(plan, RACE, 3), RACE, "network")
    assert (hosted.people, hosted.others) == (1, (FREE, FREE, FREE))
    assert at(hosted, RACE, "here") == plan


def test_house_rules_that_depend_on_others_go_with_them() -> None:
    """What can be set in one mode only goes with the mode; what so many can't play by is said."""
    muddy = with_rule(with_rule(RACE.plan(), RACE, "mode", "new"), RACE, "mud", "yes")
    assert muddy.rules == {"mode": "new", "mud": "yes"}
    assert with_rule(muddy, RACE, "mode", "old").rules == {}
    assert "mud" not in [spec.name for spec in RACE.offered(RACE.plan())]
    far = with_seats(with_rule(RACE.plan(), RACE, "laps", 9), RACE, 2)
    assert [problem.option for problem in RACE.problems(far)] == ["laps"]


def test_a_setting_that_can_not_be_kept_ends_no_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the config file can't be written, people read why, and are back at home after Enter."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    asked: list[str] = []
    chosen: Iterator[Chosen] = iter([([], ("name", "Anna")), ([], None)])

    def full(*_: object) -> None:
        raise UsageError("The disk is full.")

    def enter(question: str) -> str:
        asked.append(question)
        return ""

    monkeypatch.setattr("builtins.input", enter)
    monkeypatch.setattr("tavolata._cli.home.keep_setting", full)
    monkeypatch.setattr(HomeLines, "choose", lambda _: next(chosen))
    assert home(CommandContext({"lang": "en"}, {}), lambda *_: 0) == 0
    assert asked == ["Enter goes back to the home screen. "]
    assert "The disk is full." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("setting", "variable"),
    [(("name", "Anna"), "TT_NAME"), (("lang", "it"), "TT_LANG")],
)
def test_a_setting_that_a_variable_overrides_is_kept_and_said_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    setting: tuple[str, str], variable: str,
) -> None:  # fmt: skip
    """The environment wins over the config file: people read why nothing changes, and what to do."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("TT_CONFIG_DIR", str(tmp_path))
    chosen: Iterator[Chosen] = iter([([], setting), ([], None)])
    monkeypatch.setattr("builtins.input", lambda _: "")
    monkeypatch.setattr(HomeLines, "choose", lambda _: next(chosen))
    assert home(CommandContext({}, {variable: "en"}), lambda *_: 0) == 0
    assert f"{variable} is set in the environment" in " ".join(capsys.readouterr().err.split())
    assert read_config(str(tmp_path / "config.toml")) == dict([setting])
