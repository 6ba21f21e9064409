"""`tt new`: the files of a new game, the names that it takes, and what it refuses.

That the new game can be installed, played, tested and typed stands in `tests/packaging`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.network.table import free_port

from tavolata._cli import main
from tavolata._cli.workshop import FILES, KINDS, MATCH, words_for
from tavolata._engine.plugins.catalogue import Catalogue

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
     ("suit", "tavolata_suit", "SuitRules", "Suit"),
     ("a--b-", "tavolata_a_b", "AB", "A B")],
)  # fmt: skip
def test_names_become_packages_and_classes(name: str, package: str, cls: str, title: str) -> None:
    """No class is named like a word of Python or like something that the rules import."""
    words = words_for(name)
    assert (words["package"], words["cls"], words["title"]) == (package, cls, title)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("High", "High can't be the name of a game. Use lower"), ("2x", "2x can't be the name"),
     ("../x", "../x can't be the name"), ("zompa", "There's already a game called zompa here"),
     ("there", "This folder already contains something called there")],
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
    assert "Impossibile scrivere" in capsys.readouterr().err


DOCS = Path(__file__).parents[3] / "docs" / "games"


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_like_a_page_has_the_code_of_the_page(folder: Path, kind: str, capsys: Capture) -> None:
    """It is the first block there, under another name, and short."""
    assert main(["new", "high-card", "--like", kind]) == 0
    written = (folder / "high_card.py").read_text(encoding="utf-8")
    page = (DOCS / f"{KINDS[kind]}.md").read_text(encoding="utf-8")
    block = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
    cls = re.search(r"class (\w+)\(Game\)", block)
    assert cls is not None
    renamed = written.replace("class HighCard(Game)", f"class {cls[1]}(Game)")
    assert re.sub(r'"high-card", N_\("High Card"\)', '""', renamed) == re.sub(
        r'(?<== )"[\w-]+", N_\("[^"]+"\)(?=, \()', '""', block, count=1
    )
    assert written.count("\n") < 60
    assert "tt dev ./high_card.py" in capsys.readouterr().out


@pytest.mark.battery
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_like_a_page_passes_the_strict_kit_and_is_hosted(
    folder: Path, kind: str, capsys: Capture
) -> None:
    """From `tt new` to `tt check --strict`, and to a match of bots at a table of its own."""
    assert main(["new", "high-card", "--like", kind]) == 0
    assert main(["check", "--strict", "./high_card.py"]) == 0
    game = Catalogue().game("./high_card.py").game
    words = ["--seats", str(game.seats[0]), "--bots", str(game.seats[0] - 1), "--bot", "random"]
    words += ["--start", "full", "--quiet-network", "--ui", "plain", "--port", str(free_port())]
    assert main(["host", "./high_card.py", *words]) == 0
    assert re.search(r"It took \d+ turn", capsys.readouterr().out)


def test_a_class_and_a_file_are_called_like_nothing_else(folder: Path) -> None:
    """`Suit` is imported there, and `random` is a module of Python."""
    assert main(["new", "suit", "--like", "tricks"]) == 0
    assert "class SuitRules(Game)" in (folder / "suit.py").read_text(encoding="utf-8")
    assert main(["new", "random", "--like", "dice"]) == 0
    assert [path.name for path in sorted(folder.iterdir())] == ["random_game.py", "suit.py"]


def test_what_can_not_be_like_anything(folder: Path, capsys: Capture) -> None:
    """An unknown kind, and a file that is there already."""
    assert main(["new", "high-card", "--like", "chess"]) == 2
    assert "must be one of tricks, draft," in " ".join(capsys.readouterr().err.split())
    (folder / "high_card.py").write_text("", encoding="utf-8")
    assert main(["new", "high-card", "--like", "dice"]) == 2
    assert "something called high_card.py" in capsys.readouterr().err


def test_the_bots_of_a_file_stay_in_its_package(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package that is made around a file names the bots that were found in it."""
    assert main(["new", "high-card", "--like", "dice"]) == 0
    file = folder / "high_card.py"
    bots = "\n\nclass Meek(RandomBot):\n    level = 'meek'\n\n\nclass Bold(Meek):\n    level = 'bold'\n"
    (folder / "high_card.md").write_text("# High Card\n\nThrow.\n", encoding="utf-8")
    (folder / "high_card.it.md").write_text("# Carta alta\n\nTira.\n", encoding="utf-8")
    text = f"from tavolata.bots import RandomBot\n{file.read_text(encoding='utf-8')}{bots}"
    file.write_text(text, encoding="utf-8")
    monkeypatch.setattr("tavolata._cli.publish._checked", lambda *_: sys.exit(0))  # that takes a minute
    main(["publish", "./high_card.py"])
    assert remarked("HighCard") == ""
    hooks = folder / "high-card" / "tavolata_high_card" / "__init__.py"
    text = hooks.read_text(encoding="utf-8")
    assert "import Meek, Bold\n" in text
    hooks.write_text(text.replace(', ("high-card", Bold)', ""), encoding="utf-8")
    assert "note  unnamed_bot: The hook `tavolata_bots` leaves out Bold" in remarked("HighCard")
    assert "Tira." in hooks.with_name("rules.it.md").read_text(encoding="utf-8")


def remarked(cls: str) -> str:
    """Return the remarks about the game of a package, from a process of their own."""
    code = (
        f"from tavolata_high_card.rules import {cls} as game; from tavolata.testing.remarks import remarks; "
        "print(*remarks(game, matches=1), sep='\\n')"
    )
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, cwd="high-card", check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.mark.battery
@pytest.mark.parametrize("words", [(), ("--like", "dice", "--package")])
def test_its_tests_pass_as_they_were_made(folder: Path, words: tuple[str, ...]) -> None:
    """`pytest` alone, in the folder of the package, without anything installed."""
    assert main(["new", "high-card", *words]) == 0
    pytest_itself = [str(Path(sys.executable).with_name("pytest")), "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(pytest_itself, cwd="high-card", check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
