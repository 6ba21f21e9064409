"""`tt new`: the files of a new game, the names that it takes, and what it refuses.

That the new game can be installed, played, tested and typed stands in `tests/packaging`.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tavolata._cli import main
from tavolata._cli.workshop import FILES, MATCH, words_for

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to work in; what is imported from it is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def test_a_new_game_is_a_whole_package_that_can_be_played_at_once(folder: Path, capsys: Capture) -> None:
    """All files are there and nothing else, and the command that is printed plays the game."""
    assert main(["new", "high-card"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1:3] == ["  cd high-card", "  tt play tavolata_high_card/rules.py"]
    there = {
        path.relative_to("high-card").as_posix() for path in Path("high-card").rglob("*") if path.is_file()
    }
    assert there == {place.format(package="tavolata_high_card") for place in FILES} | {MATCH}
    assert not any("$" in path.read_text(encoding="utf-8") for path in Path("high-card").rglob("*.*"))
    assert main(["play", "high-card/tavolata_high_card/rules.py", "--bot", "thrifty", "--ui", "plain"]) == 0
    assert "takes a point." in capsys.readouterr().out


def test_its_italian_is_what_the_translators_command_writes(folder: Path) -> None:
    """The catalogue is in the order and form that the command gives it, so that it changes nothing."""
    assert main(["new", "high-card"]) == 0
    code = (
        "import sys; from tavolata.testing.translations import main; sys.exit(main(['tavolata_high_card']))"
    )
    path = next(Path("high-card").rglob("*.po"))
    before = path.read_text(encoding="utf-8")
    subprocess.run([sys.executable, "-c", code], cwd="high-card", check=True, capture_output=True)
    assert path.read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("name", "package", "cls", "title"),
    [("scopa", "tavolata_scopa", "Scopa", "Scopa"), ("higher-2", "tavolata_higher_2", "Higher2", "Higher 2"),
     ("none", "tavolata_none", "NoneRules", "None"), ("table", "tavolata_table", "TableRules", "Table"),
     ("a--b-", "tavolata_a_b", "AB", "A B")],
)  # fmt: skip
def test_names_become_packages_and_classes(name: str, package: str, cls: str, title: str) -> None:
    """No class is named like a word of Python or like something that the rules import."""
    words = words_for(name)
    assert (words["package"], words["cls"], words["title"]) == (package, cls, title)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("High", "A game can't be called High: a name is made of lower"), ("2x", "can't be called 2x"),
     ("../x", "can't be called ../x"), ("zompa", "There is a game zompa here already"),
     ("there", "There is something called there in this folder already")],
)  # fmt: skip
def test_a_name_that_can_not_be(name: str, sentence: str, folder: Path, capsys: Capture) -> None:
    """It is told in one sentence, and nothing is written."""
    (folder / "there").mkdir()
    assert main(["new", name]) == 2
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert [path.name for path in folder.iterdir()] == ["there"]
    assert [*(folder / "there").iterdir()] == []


def test_a_folder_that_can_not_be_written(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason is a sentence, also in Italian."""

    def no_room(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "mkdir", no_room)
    assert main(["--lang", "it", "new", "high-card"]) == 2
    assert "non si può scrivere" in capsys.readouterr().err
