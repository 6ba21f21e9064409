"""A stranger's package that uses every word for authors: typed strictly, played, and nothing left out."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tavolata._cli import main

FOLDER = Path(__file__).parent / "every_word"
FILE = FOLDER / "tavolata_every_word" / "__init__.py"


@pytest.mark.parametrize(
    ("checker", "content"),
    [
        (["mypy"], "Success: no issues found in 4 "),
        (["pyright", "--pythonpath", sys.executable], "0 errors, 0 warnings"),
    ],
    ids=["mypy", "pyright"],
)
def test_it_is_typed_strictly(checker: list[str], content: str) -> None:
    """The checker finds nothing: no Any leaks out of a question, and each mistake of `meant` is one.

    A comment that silences nothing would be an error, too.
    """
    done = subprocess.run(
        [sys.executable, "-m", *checker], cwd=FOLDER, check=False, capture_output=True, text=True, timeout=300
    )
    assert content in done.stdout, done.stdout + done.stderr


def test_it_is_played() -> None:
    """A match in which every word is said comes to its end."""
    assert main(["play", str(FILE), "--bot", "waver", "--bots", "waver", "--seed", "2", "--ui", "plain"]) == 0
