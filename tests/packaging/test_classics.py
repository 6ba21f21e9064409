"""Tavolata Classics is a package of its own: built, installed beside the wheel, played, and taken away."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .conftest import ROOT, run

if TYPE_CHECKING:
    from tests.packaging.conftest import Environment
else:
    Environment = Any


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
