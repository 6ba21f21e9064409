"""A stranger's package that uses every word for authors: typed strictly, played, and nothing left out."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import tavolata
from tavolata._cli import main

FOLDER = Path(__file__).parent / "every_word"
FILE = FOLDER / "tavolata_every_word" / "__init__.py"


def imported(module: str) -> set[str]:
    """The names that the package imports from a module."""
    tree = ast.parse(FILE.read_text(encoding="utf-8"))
    nodes = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == module]
    return {alias.name for node in nodes for alias in node.names}


def test_it_uses_every_word() -> None:
    """All that `tavolata` has for authors is used, so a new word has to be added here."""
    assert set(tavolata.__all__) - imported("tavolata") == set()


def test_it_is_typed_strictly() -> None:
    """mypy finds nothing, and each `assert_type` holds: no Any leaks out of a question.

    By hand, pyright in its strict mode finds nothing either (docs/testing.md).
    """
    done = subprocess.run(
        [sys.executable, "-m", "mypy"], cwd=FOLDER, check=False, capture_output=True, text=True, timeout=300
    )
    assert done.stdout.startswith("Success"), done.stdout + done.stderr


def test_it_is_played() -> None:
    """A match in which every word is said comes to its end."""
    assert main(["play", str(FILE), "--bot", "waver", "--bots", "waver", "--seed", "2", "--ui", "plain"]) == 0
