"""A number that each commit has for itself, so that a day of changes tries more than one change can.

As a plugin of pytest (`-p tests.commit`), it gives every package of this repository the turns of its tests.
"""

from __future__ import annotations

import os
import subprocess
from collections import defaultdict
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


EVERY_TIME = ("test_errors.py", "test_openspiel.py")
"""The first imports every module; nothing but the newest Python's environment has OpenSpiel."""


def is_due(file: Path, parts: int, commit: int = NUMBER) -> bool:
    """Return True if a commit is one of those, one in so many, at which it's the turn of a file of tests."""
    return (crc32(file.name.encode()) + commit) % parts == 0


def resting(cases: Iterable[pytest.Item], turns: int, commit: int = NUMBER) -> set[pytest.Item]:
    """Return the cases of batteries that have their turn at another commit: each has it at one in so many.

    Where `a_part` has chosen one in a few already, those have theirs that much oftener.
    """
    batteries, parts = defaultdict[str, list[pytest.Item]](list), dict[str, int]()
    for case in cases:
        name, long = case.nodeid.partition("[")[0], case.get_closest_marker("long")
        if long is not None and "parts" in long.kwargs:
            parts[name] = long.kwargs["parts"]
        elif long is None and case.get_closest_marker("battery"):
            batteries[name].append(case)
    return {
        case
        for name, few in batteries.items()
        for at, case in enumerate(few)
        # divided, so that which part it is says nothing about whose turn it is
        if (crc32(name.encode()) + at + commit // parts.get(name, 1)) % max(1, turns // parts.get(name, 1))
    }


def a_part(cases: Iterable[Any], parts: int = 5, commit: int = NUMBER) -> list[Any]:
    """Mark all cases as long but a part that depends on the commit: the nightly run has the others."""
    later = pytest.mark.long(parts=parts)
    return [
        case if at % parts == commit % parts
        else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=later)
        for at, case in enumerate(cases)
    ]  # fmt: skip


# -- hooks ---------------------------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    """Tests that only compute can leave the cores to tests beside them that wait for a clock."""
    parser.addoption("--low-priority", action="store_true", help="go behind other processes of this machine")
    parser.addoption("--one-in", type=int, default=1, help="run one file in so many, by the commit's number")
    parser.addoption("--batteries-in", type=int, default=1, help="run batteries in so many turns, by it, too")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Every file has its turn, and the workflows run all of them on every Python."""
    chosen = is_due(collection_path, config.getoption("--one-in")) or collection_path.name in EVERY_TIME
    return True if collection_path.name.startswith("test_") and not chosen else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Cases of batteries take turns; the workflows run all of them at every change."""
    if rest := resting(items, config.getoption("--batteries-in")):
        items[:] = [item for item in items if item not in rest]
        config.hook.pytest_deselected(items=rest)
