"""`tt install` with the real pip: a stranger's game comes, is dropped by an upgrade, comes back and goes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.packaging.conftest import Environment
else:
    Environment = Any

SECOND_GAME = Path(__file__).parent / "second_game"


@pytest.mark.battery
def test_a_game_is_installed_dropped_installed_again_and_removed(
    wheel: Path, fresh: Callable[[], Environment], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a folder of wheels in place of PyPI; what is asked for in vain is one sentence."""
    environment = fresh()
    environment.install(wheel)
    environment.pip("wheel", "--no-index", "--no-build-isolation", "--no-deps", "-w", tmp_path, SECOND_GAME)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    came = environment.tt("install", "tavolata-higher==1.2")
    assert (came.returncode, came.stderr) == (0, "Installing tavolata-higher==1.2 with pip…\n")
    assert came.stdout == "Installed tavolata-higher 1.2.\nHigher: tt play higher\n"
    assert "Higher (2 to 8 players)" in environment.tt("games").stdout
    environment.pip("uninstall", "--yes", "tavolata-higher")
    assert environment.tt("install", "--again").stdout == came.stdout
    assert environment.tt("uninstall", "higher").stdout == "Uninstalled tavolata-higher.\n"
    assert "are in place" in environment.tt("install", "--again").stdout
    gone = environment.tt("install", "tavolata-higher==7")
    assert (gone.returncode, gone.stderr.count("\n")) == (2, 2)
    assert "tt: Couldn't install tavolata-higher==7 with pip: ERROR: " in gone.stderr
