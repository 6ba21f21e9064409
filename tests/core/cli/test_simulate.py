"""`tt simulate`: the laboratory as it is used at the command line."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from time import localtime, strftime
from typing import Any

import pytest

from tavolata._cli import main
from tavolata._lab.crew import Crew, Experiment
from tavolata._machine import wall
from tavolata._version import __version__
from tavolata_zompa.rules import Zompa


def lines_of(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """What a command prints, which has to end well."""
    assert main(["simulate", *words]) == 0
    return capsys.readouterr().out.splitlines()


def test_simulate_reports_in_the_persons_language(capsys: pytest.CaptureFixture[str]) -> None:
    """Italian words stand in the report, those of the game too, and the statistics of each level."""
    assert main(["--lang", "it", "simulate", "zompa", "--bots", "easy,random", "--games", "4"]) == 0
    said = capsys.readouterr().out
    for word in ("Vittorie per livello dei bot", "4 partite tra bot", "Morti", "facile", "quota equa"):
        assert word in said


def test_simulate_gives_programs_the_measures(capsys: pytest.CaptureFixture[str]) -> None:
    """With `--ui json` each arm is a line, and the last ones compare the others with the first."""
    words = ("zompa", "--bots", "3", "--games", "6", "--sweep", "fiches=1,3", "--ui", "json")
    records = [one for one in map(json.loads, lines_of(capsys, *words)) if one["type"] != "progress"]
    assert [one["type"] for one in records] == ["measures", "measures", "difference"]
    assert [one["arm"] for one in records] == ["fiches=1", "fiches=3", "fiches=3"]
    assert records[1]["options"]["fiches"] == 3
    assert records[0]["matches"] == 6
    assert records[2]["pairs"] == 6
    change = records[1]["means"]["turns"]["value"] - records[0]["means"]["turns"]["value"]
    assert records[2]["means"]["turns"]["value"] == pytest.approx(change, abs=1e-4)


def test_a_match_of_the_csv_can_be_played_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The bots and the seed of a row give that row, whatever else was played with it."""
    file, again = tmp_path / "all.csv", tmp_path / "one.csv"
    lines_of(capsys, "zompa", "--bots", "easy,normal,random", "--games", "5", "--csv", str(file))
    rows = [*csv.DictReader(file.read_text(encoding="utf-8").splitlines())]
    assert [row["seed"] for row in rows] == ["0", "1", "2", "3", "4"]
    row = rows[4]
    words = ("--bots", row["levels"], "--seed", row["seed"], "--games", "1", "--csv", str(again))
    lines_of(capsys, "zompa", *words)
    (found,) = csv.DictReader(again.read_text(encoding="utf-8").splitlines())
    assert {**found, "number": "4"} == row


def test_the_report_is_one_file_that_asks_for_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The page has its plots inside, and no address of anything outside; the text has plots, too."""
    page, text = tmp_path / "report.html", tmp_path / "report.txt"
    for file in (page, text):
        lines_of(capsys, "horse-fever", "--bots", "random,random", "--games", "2", "--report", str(file))
    html = page.read_text(encoding="utf-8")
    assert html.count("<svg") == 4  # one level: no plot of its wins
    assert "<polyline" in html
    for word in ("http", "src=", "href=", "url(", "@import", "<script"):
        assert word not in html
    assert "█" in text.read_text(encoding="utf-8")


def test_a_round_robin_rates_the_levels(capsys: pytest.CaptureFixture[str]) -> None:
    """Each two levels play each seed twice, with seats changed; the stronger one is rated higher.

    Three bots leave no fair table, so four sit at it, two of each level.
    """
    words = ("conto", "--bots", "random,easy,random", "--round-robin", "--games", "8", "--ui", "json")
    *_, measures, ratings = [json.loads(line) for line in lines_of(capsys, *words)]
    assert sorted(measures["bots"]) == ["easy", "easy", "random", "random"]
    assert list(ratings["ratings"]) == ["easy", "random"]
    assert ratings["ratings"]["easy"]["value"] > 1000 > ratings["ratings"]["random"]["value"]


def test_a_report_says_how_it_was_made(capsys: pytest.CaptureFixture[str]) -> None:
    """Command, versions, rules, day and seed are in it, so that it can be made again."""
    words = ("zompa", "--bots", "easy,random", "--games", "3", "--seed", "7")
    day, again = (
        strftime("%Y-%m-%d", localtime(wall())),
        "tt simulate zompa --bots easy,random --games 3 --seed 7",
    )
    said = " ".join(" ".join(lines_of(capsys, *words)).split())
    assert f"Made on {day} by {again}, with Tavolata {__version__} and Zompa Cavallo! " in said
    assert f"(rules {Zompa.rules_id}). Seeds start at 7." in said
    (record,) = [json.loads(line) for line in lines_of(capsys, *words, "--ui", "json")]
    assert (record["date"], record["version"]) == (day, __version__)
    assert (record["rules_id"], record["seed"]) == (Zompa.rules_id, 7)


def test_bars_of_all_charts_have_one_scale(capsys: pytest.CaptureFixture[str]) -> None:
    """The same share is as long by level, seat and place, and in every arm of a sweep."""
    words = ("zompa", "--bots", "easy,random", "--games", "9", "--sweep", "fiches=1,3")
    bars = [re.search(r"([█│]+)[ │─]* ([\d.]+)% \(", line) for line in lines_of(capsys, *words)]
    lengths = {(len(one[1].rstrip("│")), float(one[2])) for one in bars if one}
    longest, share = max(lengths, key=lambda one: one[1])
    assert len(lengths) > 3
    assert [one for one in lengths if abs(one[0] - one[1] * longest / share) > 1.5] == []


TILTED = """
from dataclasses import dataclass

from tavolata import YES_NO, Game, N_, Options, Outcome, option

@dataclass(frozen=True, kw_only=True)
class House(Options):
    fair: bool = option(True, "Whether both may win.")

class Tilted(Game):
    name, title, seats, options = "tilted", N_("Tilted"), (2, 2), House

    def setup(self, t):
        pass

    async def turn(self, t):
        await t.ask(t.first_seat, YES_NO, N_("Well?"))
        lot = await t.randrange(2)
        return Outcome((t.ring.starting(t.first_seat)[lot if t.options.fair else 0],))
"""


def test_a_report_says_whether_a_place_is_better_and_which_rule_is_fairer(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who begins wins half of the matches by one rule, and all by the other: each verdict is a sentence."""
    (tmp_path / "tilted.py").write_text(TILTED)
    monkeypatch.chdir(tmp_path)
    words = ("./tilted.py", "--bots", "2", "--games", "100", "--jobs", "1", "--sweep")
    said = " ".join(" ".join(lines_of(capsys, *words, "fair=yes,no")).split())
    fair, tilted = said.partition("fair=no: Wins")[::2]
    assert "There's no evidence that any place has an advantage. Chance alone would" in fair
    assert "At least one place has an advantage. Chance alone would make wins this uneven in 0.1%" in tilted
    assert "fair=no is less fair than fair=yes." in fair
    assert "fair=yes is fairer than fair=no." in " ".join(lines_of(capsys, *words, "fair=no,yes"))
    few = " ".join(lines_of(capsys, "./tilted.py", "--bots", "2", "--games", "4", "--sweep", "fair=no,yes"))
    assert "There are too few matches to show whether fair=yes or fair=no is fairer." in " ".join(few.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--sweep", "fiches=3"], "at least two values"),
        (["--sweep", "fiches=3,99"], "fiches must be from 1 to 20"),
        (["--sweep", "fiches=3,5", "--round-robin"], "`--round-robin`, not both"),
        (["--round-robin", "--bots", "easy,easy"], "at least two levels of bots"),
        (["--round-robin", "--seats", "3"], "even numbers of seats and teams"),
        (["--bots", "clever"], "This game has no clever bot"),
        (["--seed", "-5"], "--seed must be at least 0, not -5"),
        (["--bots", "1"], "zompa is for 2 to 20 players, not 1"),
        (["--bots", "9" * 5000], "zompa is for 2 to 20 players, not 1000"),
        (["--jobs", "2", "--dask", "127.0.0.1:8786"], "`--dask`, not both"),
        (["--report", "report.pdf"], "must end in .html or .txt"),
        (["--csv", "no/such/folder.csv"], "Couldn't write"),
    ],
)
def test_what_can_not_be_simulated_is_said_in_a_sentence(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bad input is refused with one sentence and exit code 2, before any match is played."""
    assert main(["simulate", "zompa", *words]) == 2
    shown = capsys.readouterr()
    assert said in " ".join(shown.err.split())
    assert shown.out == ""


def test_what_was_played_before_ctrl_c_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After Ctrl+C the report says how many matches it is about, and the exit code is 130."""
    play = Crew.play

    def interrupted(self: Crew, *words: object) -> object:
        for number, some in enumerate(play(self, *words)):  # type: ignore[arg-type] # whatever it is given
            if number == 3:
                raise KeyboardInterrupt
            yield some

    monkeypatch.setattr(Crew, "play", interrupted)
    assert main(["simulate", "zompa", "--bots", "2", "--games", "9"]) == 130
    assert "Stopped after 3 of 9 matches" in capsys.readouterr().out


def test_what_was_written_before_is_lost_only_to_new_matches(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that ends before its first match leaves the files of an earlier one as they are."""

    def interrupted(*_: object) -> object:
        raise KeyboardInterrupt

    files = [tmp_path / "all.csv", tmp_path / "report.txt"]
    for file in files:
        file.write_text("of yesterday")
    monkeypatch.setattr(Crew, "play", interrupted)
    main(["simulate", "zompa", "--bots", "2", "--csv", str(files[0]), "--report", str(files[1])])
    assert [file.read_text() for file in files] == ["of yesterday"] * 2


def test_without_dask_one_sentence_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has not the extra is told its name, before anything is played."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["simulate", "zompa", "--dask", "127.0.0.1:8786"]) == 2
    assert 'pip install "tavolata[dask]"' in " ".join(capsys.readouterr().err.split())


ALONE = """
from tavolata import Game, N_, Outcome

class Alone(Game):
    name, title, seats = "alone", N_("Alone"), (1, 1)

    def setup(self, t):
        pass

    async def turn(self, t):
        return Outcome((t.first_seat,))
"""


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("jumpy-jack", ["--bots", "random,easy", "--seats", "6", "--teams", "3"]),
        ("./alone.py", ["--bots", "random,thinker", "--seats", "1"]),
    ],
)
def test_a_round_robin_that_can_not_be_fair_is_refused(
    game: str, words: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Neither three teams nor a single seat can be shared by two levels, which is said before any match."""
    (tmp_path / "alone.py").write_text(ALONE)
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", game, "--round-robin", *words]) == 2
    shown = capsys.readouterr()
    assert "even numbers of seats and teams" in " ".join(shown.err.split())
    assert shown.out == ""


DYING = """
import multiprocessing
import os
from tavolata import YES_NO, Game, N_, Outcome

class Dying(Game):
    name, title, seats = "dying", N_("Dying"), (1, 1)

    def setup(self, t):
        self.asked = 0

    async def turn(self, t):
        await t.ask(t.first_seat, YES_NO, N_("Go on?"))
        self.asked += 1
        if self.asked == 2 and multiprocessing.parent_process() is not None:
            os._exit(9)
        return Outcome((t.first_seat,)) if self.asked == 3 else None
"""
"""A game in whose second turn any process but the first dies."""


def test_a_process_that_dies_in_a_match_leaves_what_was_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for it: the matches of this process are reported, and the exit code is 7."""
    (tmp_path / "dying.py").write_text(DYING)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tavolata._lab.crew.ALONE", {"fork": 0.0, "spawn": 0.0})
    assert main(["simulate", "./dying.py", "--games", "9", "--jobs", "2"]) == 7
    said = capsys.readouterr()
    assert re.search(r"Stopped after \d of 9 matches", said.out)
    assert "A worker process died. Use `--jobs 1` to play without worker processes." in " ".join(
        said.err.split()
    )


def test_thinkers_have_the_time_that_was_given(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--think` reaches the bots that play."""
    told = []
    play = Crew.play

    def asked(self: Crew, experiment: Experiment, game: Any, bots: Any) -> object:
        told.append((experiment.think, bots["thinker"].seconds))
        return play(self, experiment, game, bots)

    monkeypatch.setattr(Crew, "play", asked)
    lines_of(capsys, "zompa", "--bots", "2", "--games", "1", "--think", "0.25")
    assert told == [(0.25, 0.25)]


def test_seats_and_bots_agree(capsys: pytest.CaptureFixture[str]) -> None:
    """`--seats` alone takes usual bots, with one level that one everywhere; another number is refused."""
    for words in (["--seats", "3"], ["--seats", "3", "--bots", "random"], ["--bots", "random,random,random"]):
        lines = lines_of(capsys, "zompa", *words, "--games", "2", "--ui", "json")
        (measures,) = [one for one in map(json.loads, lines) if one["type"] == "measures"]
        assert len(measures["seats"]) == 3
    assert main(["simulate", "zompa", "--seats", "4", "--bots", "easy,random"]) == 2
    assert "2 bots don't match 4 seats." in capsys.readouterr().err


NOISY = """
from tavolata import Game, N_, Outcome, YES_NO

print("at home")

class Noisy(Game):
    name, title, seats = "noisy", N_("Noisy"), (2, 2)

    def setup(self, t):
        print("in setup")

    async def turn(self, t):
        print("in a turn")
        await t.ask(t.first_seat, YES_NO, N_("Yes?"))
        return Outcome((t.first_seat,))
"""


def test_what_a_game_prints_breaks_no_json(tmp_path: Path) -> None:
    """It goes to stderr, when the file is read and when it is played; each line of stdout is an object."""
    (tmp_path / "noisy.py").write_text(NOISY)
    command = [sys.executable, "-c", "import sys; from tavolata._cli import main; sys.exit(main())"]
    played = subprocess.run(
        [*command, "play", "./noisy.py", "--bot", "random", "--ui", "json"],
        cwd=tmp_path, env={**os.environ, "TT_DATA_DIR": str(tmp_path)}, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert played.returncode == 0, played.stderr
    assert [json.loads(line)["type"] for line in played.stdout.splitlines()][-1] == "end"
    for said in ("at home", "in setup", "in a turn"):
        assert said in played.stderr


ENDLESS = """
from tavolata import Game, N_, Outcome, one_of
from tavolata.bots import Bot

class Stuck(Game):
    name, title, seats = "stuck", N_("Stuck"), (2, 2)

    def setup(self, t):
        self.asked = 0

    async def turn(self, t):
        if not self.asked and await t.randrange(3):
            return Outcome((t.first_seat,))
        self.asked += 1
        await t.ask(t.first_seat, one_of([False, True]), N_("Is it over?"))
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_match_that_never_ends_is_named_after_what_was_played(
    jobs: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report has the matches that ended; the seed of the other one plays it again, and it stops again."""
    (tmp_path / "stuck.py").write_text(ENDLESS)
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", "./stuck.py", "--games", "40", "--jobs", jobs]) == 4
    said = capsys.readouterr()
    assert re.search(r"Stopped after \d+ of 40 matches", said.out)
    found = re.search(r"stuck with seed (\d+) hasn't ended", " ".join(said.err.split()))
    assert found is not None
    assert main(["--lang", "it", "simulate", "./stuck.py", "--games", "1", "--seed", found[1]]) == 4
    assert f"stuck con il seme {found[1]} non è ancora finita" in " ".join(capsys.readouterr().err.split())


BRITTLE = """
from tavolata import YES_NO, Game, N_, Outcome
from tavolata.bots import Bot

class Brittle(Game):
    name, title, seats = "brittle", N_("Brittle"), (2, 2)

    def setup(self, t):
        pass

    async def turn(self, t):
        if await t.randrange(9) == 8:
            raise ZeroDivisionError("in the rules")
        await t.ask(t.first_seat, YES_NO, N_("Well?"))
        return Outcome((t.first_seat,))

class Odd(Bot):
    level = "easy"

    def choose(self, view, ask, chance):
        return chance.below(9) < 8 or "perhaps"
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(("bots", "code"), [("random,random", 4), ("random,easy", 8)])
def test_a_match_that_breaks_is_named_after_what_was_played(
    bots: str, code: int, jobs: str, capsys: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """The report has the matches before it; its bots and its seed break it again."""
    file = tmp_path / f"brittle_{code}.py"
    file.write_text(BRITTLE if code == 4 else BRITTLE.replace("== 8", "== 9"))
    monkeypatch.chdir(tmp_path)
    words = ["simulate", f"./{file.name}", "--bots"]
    assert main([*words, bots, "--games", "90", "--seed", "3", "--jobs", jobs]) == code
    said = capsys.readouterr()
    assert re.search(r"Stopped after \d+ of 90 matches", said.out)
    found = re.search(r"\(--bots (\S+) --seed (\d+)\)", " ".join(said.err.split()))
    assert found is not None
    assert main([*words, found[1], "--seed", found[2], "--games", "1"]) == code
