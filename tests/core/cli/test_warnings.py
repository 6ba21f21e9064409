"""Warnings are for developers: a person at a screen never sees one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = """
import warnings
from tavolata import Game, Outcome
warnings.warn("for developers", RuntimeWarning)
class Loud(Game):
    name, title, seats = "loud", "Loud", (1, 1)
    def setup(self, t): pass
    async def turn(self, t): return Outcome((0,))
"""


@pytest.mark.parametrize(("options", "shown"), [([], False), (["-W", "default"], True)])
def test_a_warning_is_shown_to_those_who_ask_python_for_it(
    options: list[str], shown: bool, tmp_path: Path
) -> None:
    """`tt` prints none; `python -W default -m tavolata` prints all."""
    game = tmp_path / "loud.py"
    game.write_text(PLUGIN, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, *options, "-m", "tavolata", "play", str(game), "--bot", "random"],
        capture_output=True, text=True, timeout=60, check=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert ("for developers" in ran.stderr) is shown
