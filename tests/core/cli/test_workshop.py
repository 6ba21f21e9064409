"""`tt simulate` and `tt check`: what they tell of many matches, and of one that was written down."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tavolata import Outcome, Seat
from tavolata._cli import main
from tavolata._cli.workshop import Means
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata.testing import Case, record_playthrough


def test_means_are_by_the_level_that_made_the_numbers() -> None:
    """Points and statistics are added by the level in each seat; a seat without a number does not count."""
    means = Means()
    means.add(Outcome((Seat(0),), scores=(4, 2), statistics={"Deaths": (None, 3)}), ["easy", "hard"])
    means.add(Outcome((Seat(0),), scores=(1, 6), statistics={"Deaths": (1, None)}), ["hard", "easy"])
    assert means.of("easy") == [("Points", 5.0)]
    assert means.of("hard") == [("Points", 1.5), ("Deaths", 2.0)]
    assert means.of("random") == []


def test_simulate_tells_the_means_of_each_level(capsys: pytest.CaptureFixture[str]) -> None:
    """Below the matches that a level has won stand its statistics, in the person's language."""
    words = ["--lang", "it", "simulate", "zompa", "--bots", "easy,random", "--games", "2"]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines if line.startswith("  ")] == ["  Morti"] * 2


NIM = """
from tavolata import N_, Game, Options, Outcome, Seat, Table, amount


class Nim(Game[Options]):
    name, title, seats = "nim", N_("Nim"), (2, 2)
    heap: int
    mover: Seat

    def setup(self, t: Table[Options]) -> None:
        self.heap, self.mover = 9, t.first_seat

    async def turn(self, t: Table[Options]) -> Outcome | None:
        seat = self.mover
        most = amount(1, min(2, self.heap))
        self.heap -= await t.ask(seat, most, N_("How many?"), N_("{seat} takes."), seat=seat)
        self.mover = t.ring.next(seat)
        return None if self.heap else Outcome((seat,))
"""


def test_check_follows_the_matches_that_were_written_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`tt check` passes a match in tests/*.txt that goes as it did, and fails where it now goes otherwise."""
    file, kept = tmp_path / "nim_game.py", tmp_path / "tests" / "match.txt"
    kept.parent.mkdir()
    file.write_text(NIM, encoding="utf-8")
    kept.write_text(record_playthrough(Case(Catalogue().game(str(file)).game, 2)), encoding="utf-8")
    (kept.parent / "notes.txt").write_text("No playthrough.\n", encoding="utf-8")
    assert main(["check", str(file), "--matches", "1"]) == 0
    assert "tests/match.txt" in capsys.readouterr().out

    file.write_text(NIM.replace("(seat,)", "(self.mover,)"), encoding="utf-8")  # who takes the last one loses
    sys.modules.pop("nim_game")
    assert main(["check", str(file), "--matches", "1"]) != 0
    told = capsys.readouterr().out
    assert "tests/match.txt" in told
    assert "The match goes differently now." in told

    sys.modules.pop("nim_game")
    file.write_text(NIM.replace("(seat,)", "(self.mover,)").replace("heap: int", "rules_id = 2; heap: int"))
    assert main(["check", str(file), "--matches", "1"]) == 0  # another number promises nothing
    assert "tests/match.txt" not in capsys.readouterr().out
