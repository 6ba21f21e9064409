"""A check with two processes that differ in all that rules may not depend on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from tavolata.testing.cases import Case
from tavolata.testing.checks.check import together
from tavolata.testing.checks.compare import first_difference
from tavolata.testing.errors import CheckFailed

OTHER = {"PYTHONHASHSEED": "2", "TZ": "Pacific/Chatham", "LANG": "it_IT.UTF-8", "LC_ALL": "it_IT.UTF-8"}
"""The environment of the other process."""
OTHER_NAMES = "Zoë "
"""What the names of its players begin with."""


@together(share=20)
def fresh_process(played: list[Case]) -> None:
    """A process plays a match alike, whatever it played before, its hashes, environment and names."""
    if not played:
        return
    renamed = [replace(case, called=OTHER_NAMES) for case in reversed(played)]
    ways = ((played, {"PYTHONHASHSEED": "1"}), (renamed, OTHER))
    running = [(_start(environ), json.dumps([_plain(case) for case in way])) for way, environ in ways]
    these, those = (_lines(process, order, played[0]) for process, order in running)
    for case, one, other in zip(played, these, those[::-1], strict=True):
        if (at := first_difference(one, other)) is not None:
            a, b = (lines[at] if at < len(lines) else "nothing" for lines in (one, other))
            raise CheckFailed(
                "The match depends on what the process did before, on hashes of texts, on its environment or "
                "on the names of players: "
                f"one process has {a!r}, the other {b!r}.",
                case=case, entry=sum(line.startswith("entry") for line in one[:at]),
            )  # fmt: skip


def _plain(case: Case) -> dict[str, Any]:
    classes = [case.game, *case.bots]
    return {
        "game": _name(case.game),
        "bots": [_name(bot) for bot in case.bots],
        "files": {cls.__module__: getattr(sys.modules[cls.__module__], "__file__", None) for cls in classes},
        "seats": case.seats,
        "options": dict(case.options),
        "seed": case.seed,
        "teams": case.teams,
        "called": case.called,
    }


def _name(cls: type) -> str:
    return f"{cls.__module__}:{cls.__qualname__}"


def _start(environ: dict[str, str]) -> subprocess.Popen[str]:
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    return subprocess.Popen(
        [sys.executable, "-m", "tavolata.testing.transcript"],
        env=os.environ | {"PYTHONPATH": path, "PYTHONUTF8": "1"} | environ,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip


def _lines(process: subprocess.Popen[str], order: str, case: Case) -> list[list[str]]:
    out, trouble = process.communicate(order)
    if process.returncode:
        last = (trouble.strip().splitlines() or ["no word"])[-1]
        raise CheckFailed(f"It can't be played in a process of its own: {last}", case=case)
    transcripts: list[list[str]] = json.loads(out)
    return transcripts
