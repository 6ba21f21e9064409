"""A number that each commit has for itself, so that a day of changes tries more than one change can."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest


def _from_git() -> int:
    try:
        found = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return 0  # no clone, but an unpacked archive
    return int(found.stdout[:6], 16)


NUMBER = int(os.environ.get("TAVOLATA_FIRST") or _from_git())
"""The first digits of the commit's hash; `TAVOLATA_FIRST` repeats what another commit tried."""


def is_due(file: Path, parts: int, commit: int = NUMBER) -> bool:
    """Return True if a commit is one of those, one in so many, at which it's the turn of a file of tests."""
    return (crc32(file.name.encode()) + commit) % parts == 0


def a_part(cases: Iterable[Any], parts: int = 5) -> list[Any]:
    """Mark all cases as long but a part that depends on the commit: the nightly run has the others."""
    return [
        case if at % parts == NUMBER % parts
        else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long)
        for at, case in enumerate(cases)
    ]  # fmt: skip
