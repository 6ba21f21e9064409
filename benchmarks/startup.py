"""How long `tt` takes to start, as ratios to `python -c pass`, measured side by side in one run.

    python benchmarks/startup.py

Prints each command's best and median ratio and its budget (docs/testing.md), if it has one. Exit code
1 if a best ratio is over its budget. Runs alternate, so that a busy moment hits all of them alike. A
match is measured to its first plain prompt, in the best case that of who deals first: bots may have
turned cards before.
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
TT = str(Path(sys.executable).parent / "tt")
BASE = [sys.executable, "-c", "pass"]
COMMANDS: dict[str, tuple[list[str], float]] = {
    "tt --version": ([TT, "--version"], 2),
    "tt --help": ([TT, "--help"], 6),
    "tt --help --lang it": ([TT, "--help", "--lang", "it"], 6),
    "tt games": ([TT, "games"], 8),
    "tt games --lang it": ([TT, "games", "--lang", "it"], 8),
    "tt play zompa": ([TT, "play", "zompa"], 8),
    "tt play zompa --seats 6": ([TT, "play", "zompa", "--seats", "6"], 0),
}
PROMPT = b"Press Enter."


def seconds(command: list[str], environ: dict[str, str]) -> float:
    """How long a command takes; a match, until it asks for the first time."""
    asks = "play" in command
    start = time.perf_counter()
    with subprocess.Popen(
        command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if asks and PROMPT in line:
                break
        else:
            process.wait()
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
    print(f"python -c pass: best {min(base) * 1000:.1f} ms, median {statistics.median(base) * 1000:.1f} ms")
    over = False
    for name, (_, budget) in COMMANDS.items():
        best = min(times[name]) / min(base)
        median = statistics.median(times[name]) / statistics.median(base)
        over = over or 0 < budget < best
        print(
            f"{name:<24} best {best:5.2f}x  median {median:5.2f}x  budget {f'{budget}x' if budget else '-'}"
        )
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
