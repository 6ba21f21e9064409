"""`tt check`: what it tells of a match that was written down."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tavolata._cli import main
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata.testing import Case, record_playthrough

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
