"""A game that `tt new` has begun, as its author goes on: installed by the real pip, played, tested, typed."""

from __future__ import annotations

import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tavolata.testing import checks

if TYPE_CHECKING:
    from tests.packaging.conftest import Environment
else:
    Environment = Any


@pytest.fixture(scope="module")
def begun(wheel: Path, fresh: Callable[[], Environment]) -> Environment:
    """An environment in which `tt new` has begun a game, with pytest and mypy beside it."""
    environment = fresh()
    environment.install(wheel)
    tools = sysconfig.get_path("purelib")  # last on the path: only what is nowhere else comes from there
    (environment.site / "tools.pth").write_text(f"{tools}\n", encoding="utf-8")
    done = environment.tt("new", "high-card")
    assert done.returncode == 0, done.stderr
    return environment


def run(environment: Environment, *words: str) -> str:
    """Run a module of Python in the folder of the new game; its output, after a good end."""
    folder = environment.folder / "high-card"
    done = subprocess.run(
        [str(environment.bin / "python"), "-m", *words],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_played_before_it_is_installed(begun: Environment) -> None:
    """The command that `tt new` prints plays it from its folder."""
    done = begun.tt("play", "high-card/tavolata_high_card/rules.py", "--bot", "random", "--seed", "3")
    assert done.returncode == 0, done.stderr
    assert "takes a point." in done.stdout


def test_its_own_tests_pass(begun: Environment) -> None:
    """Rehearsal, battery, written match and translation, by pytest, before anything was changed."""
    assert " passed" in run(begun, "pytest", "-q", "-p", "no:cacheprovider")


def test_it_is_typed(begun: Environment) -> None:
    """Its pyproject asks mypy to be strict, and mypy finds nothing."""
    assert "Success: no issues found in 4 source files" in run(begun, "mypy")


def test_it_is_installed_like_any_other(begun: Environment) -> None:
    """With pip it is a game among the others, with its rulebooks and its bot."""
    begun.install("--no-deps", begun.folder / "high-card")
    assert "High Card (2 to 6 players). All lay a card at once" in begun.tt("games").stdout
    assert begun.tt("play", "high-card", "--bot", "thrifty", "--bots", "thrifty").returncode == 0
    assert begun.tt("rules", "high-card", "--lang", "it").stdout.startswith(
        "# High Card\n\nPer 2-6 giocatori"
    )
    assert "prende un punto." in begun.tt("--lang", "it", "play", "high-card", "--bot", "random").stdout
    assert f"All {len(checks.ALL)} checks passed." in begun.tt("check", "high-card", "--matches", "5").stderr
