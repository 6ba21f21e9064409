"""The second opinion in JavaScript on match files that tests of the network wrote, all in one program."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from tests.core.engine.review.signed import with_another_byte

from tavolata._engine.storage.match_file import read

from .table import Tt

TOOL = Path(__file__).parents[2] / "tools" / "second-opinion"
KEPT = "TAVOLATA_WRITTEN"
"""The variable that names the folder of the session for these files; workers inherit it."""


def hand_over(player: Tt) -> None:
    """Keep a copy of a player's last match file for the end of the session."""
    if KEPT in os.environ:
        shutil.copy(player.matches()[-1].path, os.environ[KEPT])


def begin() -> None:
    """Make the folder, before workers start; none where the second opinion can't run."""
    if shutil.which("node") and (TOOL / "node_modules").is_dir():
        os.environ[KEPT] = tempfile.mkdtemp(prefix="written")


def end(session: pytest.Session) -> str:
    """Ask about the files, and about each with one bit of an entry changed; in words what came out."""
    folder = Path(os.environ.pop(KEPT, ""))
    node, files = shutil.which("node"), sorted(folder.glob("*.ttm")) if folder.name else []
    if node is None or not files:
        return ""
    changed = []
    for number, path in enumerate(files):
        of = folder / str(number)
        of.mkdir()
        kept = read(path)
        changed.append(with_another_byte(kept, of, len(kept.log) // 2).path)
    words = [node, str(TOOL / "verify.js"), *map(str, [*files, *changed])]
    said = subprocess.run(words, capture_output=True, text=True, check=False).stderr
    shutil.rmtree(folder)
    if set(re.findall(r" in (\S+\.ttm)$", said, re.MULTILINE)) == set(map(str, changed)):
        return f"second opinion: {len(files)} files are right, and wrong with a byte changed"
    session.exitstatus = pytest.ExitCode.TESTS_FAILED
    return (
        f"second opinion: it should find fault with {[one.name for one in changed]} alone, and says:\n{said}"
    )
