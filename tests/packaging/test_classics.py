"""Tavolata Classics is a package of its own: built, installed beside the wheel, played, and taken away."""

from __future__ import annotations

import json
import shutil
import subprocess
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
SNAPSHOT = "tests/api_1.txt"
"""The words of API 1: the commit that added this file froze them."""


def asked(root: Path, *command: str) -> str:
    """What Git says of a folder; "" if it isn't a clone, or there is no Git."""
    if shutil.which("git") is None:
        return ""
    done = subprocess.run(["git", "-C", str(root), *command], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def freezing(root: Path) -> tuple[str, str]:
    """Return the commit that froze API 1, or "" and the reason why nobody can say."""
    if asked(root, "rev-parse", "--show-toplevel") != str(root.resolve()):
        return "", "no history comes with these sources"
    if asked(root, "rev-parse", "--is-shallow-repository") != "false":  # its first commit seems to add all
        return "", "a shallow clone doesn't have the commit that froze API 1: git fetch --unshallow"
    added = asked(root, "log", "--diff-filter=A", "--format=%H", "--", SNAPSHOT).split()
    return (added[-1], "") if added else ("", f"no commit has added {SNAPSHOT} yet")


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the commit that froze API 1."""
    commit, why = freezing(ROOT)
    if not commit:
        pytest.skip(why)
    folder = tmp_path_factory.mktemp("frozen")
    tree = folder / "tree.tar"
    run(["git", "-C", str(ROOT), "archive", f"--output={tree}", commit])
    with tarfile.open(tree) as archive:
        archive.extractall(folder / "tree", filter="data")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    run([*build, str(folder / "tree")])
    [path] = folder.glob("*.whl")
    return path


def test_the_commit_that_froze_the_api_is_the_one_that_added_its_words(tmp_path: Path) -> None:
    """A whole clone finds it, also after changes; a shallow one and a bare folder say why they can't."""
    whole, shallow, bare = tmp_path / "whole", tmp_path / "shallow", tmp_path / "bare"
    run(["git", "init", "-q", str(whole)])
    commit = ["git", "-C", str(whole), "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "x"]
    for number, name in enumerate(("README", SNAPSHOT, SNAPSHOT)):
        (whole / name).parent.mkdir(exist_ok=True)
        (whole / name).write_text(str(number), encoding="utf-8")
        run(["git", "-C", str(whole), "add", "."])
        run(commit)
        if not number:
            assert freezing(whole) == ("", f"no commit has added {SNAPSHOT} yet")
    assert freezing(whole) == (asked(whole, "rev-parse", "HEAD~1"), "")
    run(["git", "clone", "-q", "--depth", "1", whole.as_uri(), str(shallow)])
    assert (freezing(shallow)[0], "shallow" in freezing(shallow)[1]) == ("", True)
    bare.mkdir()
    assert freezing(bare) == ("", "no history comes with these sources")


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
    assert environment.tt("uninstall", "classics").stdout == "Uninstalled tavolata-classics.\n"
    assert sorted(path.name for path in environment.site.iterdir()) == before
    assert "draughts" not in environment.tt("games").stdout
