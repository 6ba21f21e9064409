"""A benchmark of the start of `tt`, in milliseconds and against `python -c pass` in the same run.

    python benchmarks/startup.py

Budgets are milliseconds on a machine where `python -c pass` takes 11 ms; they are scaled by what it takes
here. Exit code 1 if a best time is over its budget. Runs alternate, so that a busy moment hits all of
them alike. A match is measured to its first plain prompt, with a seed by which the person
deals: bots would turn cards before, and each turn waits for the disk.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 21
QUIET = 11.0
"""Milliseconds of `python -c pass` on the reference machine of the budgets."""
TT = str(Path(sys.executable).parent / "tt")
BASE = [sys.executable, "-c", "pass"]
COMMANDS: dict[str, tuple[list[str], float]] = {
    "tt --version": ([TT, "--version"], 30),
    "tt --help": ([TT, "--help"], 150),
    "tt --help --lang it": ([TT, "--help", "--lang", "it"], 150),
    "tt games": ([TT, "games"], 150),
    "tt games --lang it": ([TT, "games", "--lang", "it"], 150),
    "tt play zompa --seed 1": ([TT, "play", "zompa", "--seed", "1"], 150),
}
PROMPT = b"(Enter)"


def seconds(command: list[str], environ: dict[str, str]) -> float:
    """The seconds that a command takes; for a match, until its first question.

    Raises:
        RuntimeError: the match ended, for want of input, and had not asked as it should.
    """
    asks = "play" in command
    start = time.perf_counter()
    with subprocess.Popen(
        command, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if asks and PROMPT in line:
                break
        else:
            process.wait()
            if asks:
                raise RuntimeError(
                    f"{PROMPT.decode()} was never said: the words of the question have changed."
                )
        taken = time.perf_counter() - start
        process.kill()
    return taken


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        environ = {**os.environ, "TT_CACHE_DIR": folder, "TT_DATA_DIR": folder, "LANG": "en"}
        environ.pop("PYTHONDONTWRITEBYTECODE", None)  # nobody compiles everything on each start
        environ.pop("TT_CONFIG_DIR", None)  # finding the platform's folder is part of starting
        for command, _ in COMMANDS.values():
            seconds(command, environ)
        base: list[float] = []
        times: dict[str, list[float]] = {name: [] for name in COMMANDS}
        for _ in range(ROUNDS):
            base.append(seconds(BASE, environ))
            for name, (command, _budget) in COMMANDS.items():
                times[name].append(seconds(command, environ))
    bare, middle = min(base) * 1000, statistics.median(base) * 1000
    print(f"python -c pass: best {bare:.1f} ms, median {middle:.1f} ms; budgets are for {QUIET:.0f} ms")
    over = False
    for name, (_, usual) in COMMANDS.items():
        best, median = min(times[name]) * 1000, statistics.median(times[name]) * 1000
        budget = usual * bare / QUIET
        over = over or best > budget
        print(
            f"{name:<24} best {best:4.0f} ms ({best / bare:4.1f}x)  median {median:4.0f} ms "
            f"({median / middle:4.1f}x)  budget {budget:4.0f} ms"
        )
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
