"""Tavolata Classics is a package of its own: built, installed beside the wheel, played, and taken away."""

from __future__ import annotations

import json
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .conftest import ROOT, run

if TYPE_CHECKING:
    from tests.packaging.conftest import Environment
else:
    Environment = Any


LISTED = json.loads((ROOT / "core/tavolata/_cli/games.json").read_text(encoding="utf-8"))["games"]
GAMES = [one["name"] for one in LISTED if one["package"] == "tavolata-classics"]
API_1 = ""
"""The commit that froze API 1; until the freeze, none, and the wheel of this tree stands for it."""


@pytest.fixture(scope="module")
def frozen(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the commit that froze API 1."""
    if not API_1:
        return wheel
    folder = tmp_path_factory.mktemp("frozen")
    tree = folder / "tree.tar"
    run(["git", "-C", str(ROOT), "archive", f"--output={tree}", API_1])
    with tarfile.open(tree) as archive:
        archive.extractall(folder / "tree", filter="data")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    run([*build, str(folder / "tree")])
    [path] = folder.glob("*.whl")
    return path


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_the_strict_kit_is_clean_on_the_frozen_api(
    game: str, frozen: Path, classics: Path, fresh: Callable[[], Environment]
) -> None:
    """Each game passes every check without a remark, on the first Tavolata that has its API."""
    environment = fresh()
    environment.install(frozen)
    environment.install(classics)
    rules = environment.site / "tavolata_classics" / game / "rules.py"
    checking = environment.start("home", "check", str(rules), "--strict", "--matches", "1")
    try:
        out, err = checking.communicate(timeout=1200)
    finally:
        checking.kill()  # of no effect on one that has ended
    assert checking.returncode == 0, out + err


@pytest.fixture(scope="module")
def classics(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the package."""
    folder = tmp_path_factory.mktemp("classics")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    run([*build, str(ROOT / "plugins" / "classics")])
    [path] = folder.glob("*.whl")
    return path


def test_it_is_installed_played_and_removed_without_a_trace(
    wheel: Path, classics: Path, fresh: Callable[[], Environment]
) -> None:
    """Its games are listed, explained and played like the bundled ones, and leave nothing behind."""
    environment = fresh()
    environment.install(wheel)
    before = sorted(path.name for path in environment.site.iterdir())
    environment.install(classics)
    assert "classics (tavolata-classics " in environment.tt("games", "-v").stdout
    assert environment.tt("rules", "draughts", "--lang", "it").stdout.startswith("# Dama\n")
    played = environment.tt(
        "play", "draughts", "--bots", "easy", "--bot", "normal", "--seed", "7", "--ui", "plain"
    )
    assert played.returncode == 0, played.stderr
    environment.pip("uninstall", "--yes", "tavolata-classics")
    assert sorted(path.name for path in environment.site.iterdir()) == before
    assert "draughts" not in environment.tt("games").stdout
