"""The code by which a game is compared: what its rules import, whichever way, and no neighbour else."""

from __future__ import annotations

import io
import shutil
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.plugins.source_code import Installed, code_of, reached
from tavolata._engine.plugins.wheels import read_wheel

RULES = """from tavolata import Game, Outcome
{imports}

class {cls}(Game):
    name, title, seats = "{name}", "A coin", (2, 2)

    def setup(self, t):
        {lazily}

    async def turn(self, t):
        return Outcome((t.ring[await t.randrange(2)],))
"""
HOOKS = """from tavolata import hookimpl

@hookimpl
def tavolata_games():
    from coins.heads.rules import Heads
    from coins.tails.rules import Tails
    return (Heads, Tails)

@hookimpl
def tavolata_bots():
    from coins.heads import bots
    return [("heads", bot) for bot in bots.all_of_them()]
"""
WAYS = {
    "a function's": ("", "from coins.shared import tossing"),
    "a whole package's": ("", "import coins.shared"),
    "a package's by a new name": ("import coins.shared as common", "pass"),
    "a package's from its package": ("from coins import shared", "pass"),
    "a star's": ("from coins.shared import *", "pass"),
    "a relative": ("from ..shared.tossing import SIDES", "pass"),
    "a relative module's": ("from ..shared import tossing", "pass"),
    "a computed": ("import importlib", "importlib.import_module('coins.shared.toss' + 'ing')"),
    "a computed function's": ("from importlib import import_module", "import_module('coins.shared.tossing')"),
    "a built-in function's": ("", "__import__('coins.shared.tossing')"),
    "a text's": ("", "exec('from coins.shared import tossing')"),
    "the loaded modules'": ("import sys", "sys.modules['coins.shared.tossing']"),
    "the loader's": ("from runpy import run_module", "run_module('coins.shared.tossing')"),
    "its hook's": ("from coins import tavolata_games", "tavolata_games()"),
    "a neighbour's": ("from coins.tails import rules", "pass"),
    "another top-level package's": ("from change import small", "pass"),
}
"""Statements by which rules may use `coins/shared/tossing.py`: at the top of a module, and in a function."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path; what is imported from it is forgotten afterwards."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def write(folder: Path, imports: str = "", lazily: str = "pass") -> None:
    """Write a package with two games and a helper; `Heads` imports what is said, `Tails` the helper."""
    heads = RULES.format(cls="Heads", name="heads", imports=imports, lazily=lazily)
    helped = RULES.format(cls="Tails", name="tails", lazily="pass", imports="from ..shared import tossing")
    texts = {
        "coins/__init__.py": HOOKS,
        "coins/heads/__init__.py": "",
        "coins/heads/rules.py": heads,
        "coins/heads/bots.py": "def all_of_them():\n    return []\n",
        "coins/tails/__init__.py": "",
        "coins/tails/rules.py": helped,
        "coins/shared/__init__.py": "",
        "coins/shared/tossing.py": "SIDES = 2\n",
        "change/__init__.py": "",
        "change/small.py": "from coins.shared.tossing import SIDES\n",
    }
    for path, text in texts.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def codes(folder: Path) -> tuple[bytes, bytes]:
    """Return the fingerprints of `Heads` and `Tails`, as they are loaded from their files."""
    games = [Catalogue().game(str(folder / "coins" / name / "rules.py")).game for name in ("heads", "tails")]
    return code_of(games[0]).fingerprint, code_of(games[1]).fingerprint


def changed(folder: Path, path: str, text: str = "\nMORE = 1\n") -> list[bool]:
    """Return whether a change to a module changes `Heads` and `Tails`."""
    before = codes(folder)
    with (folder / path).open("a", encoding="utf-8") as file:
        file.write(text)
    return [one != two for one, two in zip(before, codes(folder), strict=True)]


def test_a_change_to_one_game_leaves_the_other_alone(folder: Path) -> None:
    """The two share a package and its hooks; bots that no rule imports are no part of either."""
    write(folder)
    assert changed(folder, "coins/heads/rules.py") == [True, False]
    assert changed(folder, "coins/heads/__init__.py") == [True, False]
    assert changed(folder, "coins/tails/rules.py") == [False, True]
    assert changed(folder, "coins/heads/bots.py") == [False, False]


def test_a_change_to_a_helper_changes_who_imports_it(folder: Path) -> None:
    """Only `Tails` imports it; what the package runs when it is imported counts for both."""
    write(folder)
    assert changed(folder, "coins/shared/tossing.py") == [False, True]
    assert changed(folder, "coins/shared/__init__.py") == [False, True]
    assert changed(folder, "coins/__init__.py") == [True, True]


@pytest.mark.parametrize("way", WAYS)
def test_no_way_to_import_a_module_escapes(folder: Path, way: str) -> None:
    """At the top or in a function, relative, computed, through a package, a neighbour or a hook."""
    write(folder, *WAYS[way])
    assert changed(folder, "coins/shared/tossing.py") == [True, True]


def test_a_game_more_in_the_hooks_changes_nothing(folder: Path) -> None:
    """A hook that names its games is no rule; one that makes a game is."""
    write(folder)
    before = codes(folder)
    hooks = HOOKS.replace("(Heads, Tails)", "(Heads, Tails, Heads)").replace("[(", "2 * [(")
    (folder / "coins" / "__init__.py").write_text(hooks, encoding="utf-8")
    assert codes(folder) == before
    (folder / "coins" / "__init__.py").write_text(
        HOOKS.replace("(Heads, Tails)", "(Heads, Tails())"), encoding="utf-8"
    )
    assert [one == two for one, two in zip(codes(folder), before, strict=True)] == [False, False]


def test_reading_files_is_no_import(folder: Path) -> None:
    """`importlib.resources` only reads, so the rest of the package stays out."""
    write(folder, "from importlib import resources\nfrom importlib.resources import files")
    assert changed(folder, "coins/shared/tossing.py") == [False, True]


def test_a_wheel_says_the_same_as_the_package_that_it_installs(folder: Path) -> None:
    """By the wheel alone, without an import; a neighbour in its folder counts if the wheel has it, too."""
    write(folder, "import typing_things", "from change import small")
    (folder / "typing_things.py").write_text("", encoding="utf-8")
    shutil.copytree(folder / "coins", folder / "installed" / "coins")
    shutil.copytree(folder / "change", folder / "installed" / "change")
    installed = folder / "installed"
    (installed / "typing_things.py").write_text("", encoding="utf-8")
    texts = {
        str(path.relative_to(installed)): path for path in installed.rglob("*.py") if path.parent != installed
    }
    info = installed / "coins-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: coins\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[tavolata]\ncoins = coins\n")
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as wheel:
        for name, path in {**texts, **{f"{info.name}/{one.name}": one for one in info.iterdir()}}.items():
            wheel.write(path, name)
    (info / "RECORD").write_text("".join(f"{name},sha256=0,1\n" for name in texts))
    read = read_wheel(data.getvalue())
    told = {game.name: read.code_of(game) for game in read.games()}
    found = codes(installed)
    assert told == {"heads": found[0], "tails": found[1]}
    game = Catalogue().game(str(installed / "coins" / "heads" / "rules.py")).game
    assert {"change/small.py", "coins/shared/tossing.py"} <= code_of(game).files.keys()
    assert "typing_things.py" not in code_of(game).files


def test_a_lone_file_counts_with_what_it_may_compute(folder: Path) -> None:
    """Its neighbours are those files that it imports; all of them, where it imports by a computed name."""
    lone = RULES.format(cls="Heads", name="heads", imports="", lazily="__import__('side')")
    for name, text in (("lone", lone), ("side", ""), ("other", "")):
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    game = Catalogue().game(str(folder / "lone.py")).game
    assert [*code_of(game).files] == ["lone.py", "other.py", "side.py"]


def test_tavolata_itself_never_counts(folder: Path) -> None:
    """Not even where it lies beside the game, as in the folder into which both are installed."""
    write(folder)
    (folder / "tavolata").mkdir()
    (folder / "tavolata" / "__init__.py").write_text("", encoding="utf-8")
    codes(folder)
    assert {path.partition("/")[0] for path in reached(Installed(["coins"]), ["coins.heads.rules"])} == {
        "coins"
    }


@pytest.mark.parametrize("compression", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_wheel_is_a_wrong_value_in_any_compression(compression: int) -> None:
    """Whoever reads many wheels can leave that one out."""
    data, name = io.BytesIO(), "coins-1.dist-info/METADATA"
    with zipfile.ZipFile(data, "w", compression) as wheel:
        wheel.writestr(name, "Name: coins\nVersion: 1\n")
        begin = wheel.getinfo(name).header_offset + 30 + len(name)
    spoilt = bytearray(data.getvalue())
    spoilt[begin : begin + 12] = b"\xff" * 12
    with pytest.raises(ValueError, match="can't be read"):
        read_wheel(bytes(spoilt))
