"""The files that `tt new --like` writes, as a type checker sees them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tavolata._cli import main
from tavolata._cli.workshop import KINDS


def test_every_file_like_a_page_is_clean_for_pyright(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is by default: the files have no annotations."""
    monkeypatch.chdir(tmp_path)
    for kind in KINDS:
        assert main(["new", f"my-{kind}", "--like", kind]) == 0
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "."]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert "0 errors, 0 warnings" in done.stdout, done.stdout + done.stderr
    assert len([*tmp_path.glob("*.py")]) == len(KINDS)
