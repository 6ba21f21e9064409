"""`tt play`: who sits at the keyboard."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tavolata._cli import main, playing
from tavolata._cli.command_context import CommandContext
from tavolata._engine.storage.match_file import match_files, read
from tavolata.game import Game

from .test_cli import tt


@pytest.mark.battery
@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("--as Ann,Ben", ["Ann", "Ben"]),
        ("--as Ben,Ann --bots 2", ["Ben", "Ann"]),
        ("--as Ann,Ben,Cleo --humans 3", ["Ann", "Ben", "Cleo"]),
        ("--as Ann --humans 2", ["Ann", "Ann 2"]),
        ("--as Ann,Ben --bot random", ["Ann", "Ben"]),
    ],
)
def test_as_names_everybody_at_one_keyboard(words: str, names: list[str]) -> None:
    """`--as Ann,Ben` seats two people of these names, and `--humans` need not be said."""
    done = tt("play", "zompa", "--seed", "1", "--ui", "plain", *words.split())
    assert done.returncode == 7, done.stderr
    header = read(match_files()[0]).header
    assert list(header["names"][: len(names)]) == names
    assert list(header["bots"]).count(None) == len(names) - ("--bot" in words.split())


@pytest.mark.battery
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--as Ann,Ann", "People at one keyboard need different names, not Ann, Ann."),
        ("--as Ann,", "A name needs at least one letter."),
        ("--as Ann,Ben --humans 3", "--as gives 2 names, but --humans is 3. Use only one of the two."),
        ("--as Ann,Ben --bots 4 --seats 5", "Players (2) and bots (4) don't add up to 5 seats."),
        ("--humans 0", "--humans must be at least 1"),
        (f"--humans {10**20}", f"--humans must be at most 999, not {10**20}."),
        (f"--seats {10**20}", f"--seats must be at most 999, not {10**20}."),
    ],
)
def test_names_that_fit_nothing_are_refused_with_the_reason(words: str, said: str) -> None:
    """One sentence says what contradicts what, and nothing is played."""
    before = match_files()
    done = tt("play", "zompa", "--seed", "1", "--ui", "plain", *words.split())
    assert said in done.stderr
    assert done.returncode == 2
    assert match_files() == before


def test_a_table_without_seats_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """A number of seats that is 0 isn't one that nobody gave."""
    assert main(["host", "zompa", "--seats", "0", "--play"]) == 2
    assert "players, not 0." in " ".join(capsys.readouterr().err.split())


NINES = "9" * 5000
"""More digits than `int` reads."""


@pytest.mark.parametrize(
    "words",
    [f"--seats {NINES[:20]}", f"--seats {NINES}", f"--humans {NINES[:20]}", f"--option handicap={NINES}"],
    ids=lambda words: words[:12],
)
def test_a_number_of_any_length_is_refused_in_words(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither the number of players nor a time of a house rule is too large to be read."""
    assert main(["--ui", "plain", "play", "bang", *words.split()]) == 2
    assert "Internal error" not in capsys.readouterr().err


@pytest.mark.battery
@pytest.mark.parametrize("word", ["", "log ", "board ", "do ", "more ", "to ", "/"])
def test_a_line_of_thousands_of_digits_does_not_end_a_match(word: str) -> None:
    """It's no choice, no zone and no seat; a sentence says so, and only the end of the input ends it."""
    done = subprocess.run(
        [sys.executable, "-m", "tavolata", "play", "conto", "--bots", "easy,easy", "--ui", "plain"],
        input=f"{word}{NINES}\n", capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert "The input has ended." in done.stderr
    assert done.returncode == 7


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "conto --bots 2 --option cards=5",
            "You can change it with 6 to 8 players.",
        ),
        ("conto --bots 2 --option target=2", "target must be 3 unless omaggi is yes."),
        ("bang --bots 1 --option handicap=x", "handicap can't be"),
        (
            "bang --bots 1 --option double=off --option sandwich=off",
            ("Every reason to bang is off. Turn on at least one."),
        ),
    ],
)
@pytest.mark.parametrize("command", ["play", "host", "simulate"])
def test_house_rules_with_a_problem_are_refused_with_the_reason(
    command: str, words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence says what does not go together, the exit code is 2, and nothing is played."""
    game, _, bots, *options = words.split()
    seats = {"play": ["--bots", bots], "host": ["--seats", str(int(bots) + 1)],
             "simulate": ["--bots", ",".join(["random"] * (int(bots) + 1))]}  # fmt: skip
    before = match_files()
    assert main(["--ui", "plain", command, game, *seats[command], *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in " ".join(err.split())
    assert match_files() == before


@pytest.mark.parametrize("ui", ["plain", "json"])
def test_a_fault_of_the_rules_is_a_sentence_and_the_match_is_kept(
    ui: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It names game, file and line, and ends with 4; mended, the match goes on where it broke: --unlike."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    file = tmp_path / f"fault_{ui}.py"
    code = (
        "from tavolata import Game, Outcome, amount\n"
        "class Fault(Game):\n"
        f"    name, title, seats = 'fault-{ui}', 'Fault', (2, 2)\n"
        "    def setup(self, t):\n"
        "        self.sum = 0\n"
        "    async def turn(self, t):\n"
        "        self.sum += await t.ask(t.first_seat, amount(1, 9), 'How many?')\n"
        "        return Outcome(()) if t.turn else 1 / 0\n"
    )
    file.write_text(code)
    assert main(["--ui", ui, "play", str(file), "--bot", "random"]) == 4
    out, said = capsys.readouterr()
    sentence = f"Error in the rules of fault-{ui}, in {file}, line 8: ZeroDivisionError: division by zero"
    assert f"tt: {sentence}" in said
    if ui == "json":  # a program reads it where it reads everything
        last = json.loads(out.splitlines()[-1])
        assert (last["type"], last["wrong"], last["text"]) == ("notice", True, sentence)
    assert "Traceback" not in said
    match = re.search(r"`tt resume (\w+)`", said)
    assert match is not None
    file.write_text(code.replace("1 / 0", "None"))
    monkeypatch.delitem(sys.modules, file.stem)
    assert main(["--ui", ui, "resume", match[1]]) == 4
    assert f"they differ in {file.name}" in capsys.readouterr().err
    monkeypatch.delitem(sys.modules, file.stem)
    assert main(["--ui", ui, "resume", "--unlike", match[1]]) == 0
    monkeypatch.delitem(sys.modules, file.stem)


@pytest.mark.parametrize("over", [False, True])
def test_an_interrupt_after_the_end_promises_no_way_back(
    over: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`tt resume` is named to who interrupts a match, not to who leaves the podium so."""

    async def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    async def play() -> bool:
        match = SimpleNamespace(over=over, rules=Game)
        session: Any = SimpleNamespace(
            match=match, table=lambda: None, how_to_return=lambda: ("tt resume abc", {})
        )
        try:
            await playing.show_and_ask(CommandContext({}, {}), session)
        except KeyboardInterrupt:
            return True
        return False

    monkeypatch.setattr(playing, "_lines", interrupted)
    monkeypatch.setattr(playing, "_screen", interrupted)
    assert asyncio.run(play())
    assert ("tt resume abc" in capsys.readouterr().err) is not over
