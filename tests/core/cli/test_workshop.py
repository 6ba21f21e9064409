"""`tt check`: matches that were written down, and renamed words."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tavolata._cli import main
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata.testing import Case, Report, record_playthrough

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


@pytest.mark.battery
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
    command = f"python -m tavolata.testing record {file}:Nim {kept} --seats 2 --seed 0"
    assert command in told
    recorded = shlex.split(next(line for line in told.splitlines() if command in line))
    done = subprocess.run([sys.executable, *recorded[1:]], check=False)  # it isn't the folder of the file
    assert done.returncode == 0
    assert main(["check", str(file), "--matches", "1"]) == 0
    capsys.readouterr()

    sys.modules.pop("nim_game")
    file.write_text(NIM.replace("(seat,)", "(self.mover,)").replace("heap: int", "rules_id = 2; heap: int"))
    assert main(["check", str(file), "--matches", "1"]) == 0  # another number promises nothing
    assert "tests/match.txt" not in capsys.readouterr().out


@pytest.mark.battery
def test_check_lists_provisional_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A game that imports what may change in a minor release is told so, and passes; others hear nothing."""
    for number, (line, said) in enumerate(
        (("from tavolata import rl", True), ("from tavolata import sim", False))
    ):
        file = tmp_path / f"nim_{number}.py"
        file.write_text(f"{NIM}\n\ndef learn():\n    {line}\n", encoding="utf-8")
        assert main(["check", str(file), "--matches", "1"]) == 0
        assert ("may change in any minor release: tavolata.rl." in capsys.readouterr().err) is said


@pytest.mark.parametrize(("words", "said"), [(["--strict"], True), ([], False)])
def test_the_strict_kit_says_that_it_has_no_remarks(
    words: list[str],
    said: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever asks for remarks hears that there are none; others hear nothing of them."""
    file = tmp_path / "calm_nim.py"
    file.write_text(NIM, encoding="utf-8")
    monkeypatch.setattr("tavolata.testing.check_game", lambda *_, **__: Report("nim"))
    assert main(["check", str(file), *words]) == 0
    assert ("No remarks." in capsys.readouterr().err) is said


OLD = NIM.replace(
    '    name, title, seats = "nim", N_("Nim"), (2, 2)\n',
    '    name, title, seats, best = "nim", N_("Nim è"), (2, 2), 2\n',
).replace("self.mover = 9, t.first_seat", "self.mover = 9, t.ring.from_(t.first_seat)[0]")


@pytest.mark.battery
@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "latin-1"])
def test_check_renames_a_file_so_that_it_passes(
    coding: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file with old words is refused with one sentence; `--rename` lists each line, and then it passes.

    A class that the word names, too, is no part of the file's name.
    """
    file = tmp_path / "old_nim.py"
    head = "# coding: latin-1\r\n" if coding == "latin-1" else "# A game.\r\n"
    before = (head + OLD.replace("\n", "\r\n")).encode(coding)
    file.write_bytes(before)
    assert main(["check", str(file), "--matches", "1"]) == 4
    assert (
        "`best` of Nim is now `best_with`. `tt check --rename FILE` updates a file."
        in capsys.readouterr().err
    )

    assert main(["check", f"{file}:Nim", "--rename"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{file}, line 7: best is now best_with.",
        f"{file}, line 12: from_ is now starting.",
    ]
    old, new = OLD.replace("\n", "\r\n"), file.read_bytes().decode(coding)
    assert new == head + old.replace(" best =", " best_with =").replace(".from_(", ".starting(")
    assert main(["check", str(file), "--matches", "1"]) == 0
    capsys.readouterr()

    assert main(["check", str(file), "--rename"]) == 0
    assert capsys.readouterr().err == f"Nothing to rename in {file}.\n"
    assert file.read_bytes().decode(coding) == new


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "Couldn't update {file}: no such file or folder."),
        (b"a\nb c\n", "Line 2 of {file} isn't valid Python. Fix that first."),
        (b"# coding: ascii\n\xe8\n", "Couldn't update {file}: "),
        (b"a\0b", "Line 1 of {file} isn't valid Python. Fix that first."),
    ],
)
def test_check_leaves_what_it_can_not_rename(
    content: bytes | None, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that's missing or isn't Python is one sentence, and stays as it is."""
    file = tmp_path / "odd.py"
    if content is not None:
        file.write_bytes(content)
    assert main(["check", str(file), "--rename"]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"tt: {said.format(file=file)}")
    assert told.count("\n") == 1
    assert content is None or file.read_bytes() == content
