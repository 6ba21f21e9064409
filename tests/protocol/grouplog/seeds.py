"""The seeds of random schedules: different ones for each commit, so that a day of changes tries many.

`TAVOLATA_SEEDS` is their number and `TAVOLATA_FIRST` the first of them. By default the commit's hash sets the
first, so the same commit always tries the same schedules.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def _of_the_commit() -> int:
    try:
        here = Path(__file__).parent
        found = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=here, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return 0  # no clone, but an unpacked archive
    return int(found.stdout[:6], 16)


FIRST = int(os.environ.get("TAVOLATA_FIRST") or _of_the_commit())
SEEDS = range(FIRST, FIRST + int(os.environ.get("TAVOLATA_SEEDS", "120")))


def again(seeds: range, flags: str = "") -> str:
    """The command that runs these schedules again, for a failure to end with."""
    return f"again: python -m tests.protocol.grouplog.schedules {seeds.start} {seeds.stop}{flags}"
