"""A benchmark of agreement beside boardgame.io; run `npm ci` in `boardgame_io/`, then this.

Both have a process a player on this machine, and both are measured turn about in one run, with 30 ms before
each action, so that a busy machine slows both. boardgame.io keeps its match in a server of its own, in plain
text, in memory, warmed by a thousand moves; a move lasts until the server's answer is at who moved.
Tavolata's peers seal and sign everything, and keep their logs in files that are synced. "Acknowledged by all"
is the host's action until every peer has it on disk and the host knows; "final" is a guest's action until a
majority has it on disk and the guest knows.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from table_processes import BATCH, Process, table

SCRIPT = Path(__file__).with_name("boardgame_io") / "table.js"
GOALS = {2: (1.1, 1.3), 4: (1.2, 1.4), 8: (1.4, 1.6)}
"""By peers: the most moves of boardgame.io until all have acknowledged an action, and until it is final."""
BARE_GOAL = 14
"""The most bare round trips until an action of eight peers is final."""
PAUSE = 0.03
WARM = 1000
"""Moves of boardgame.io before the first one that counts; two of our peers act a fifth as often, each."""


@dataclass
class Taken:
    """Seconds that were measured, by what was done."""

    move: list[float] = field(default_factory=list)
    everybody: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    final: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    sync: list[float] = field(default_factory=list)


@contextmanager
def their_table(players: int, port: int) -> Iterator[list[Process]]:
    """The processes of boardgame.io's players, connected to a server."""
    with ExitStack() as stack:
        processes = []
        for words in (["server", port], *(["player", port, number, players] for number in range(players))):
            process = Process("node", SCRIPT, *words)
            stack.callback(process.end)
            process.ready()
            processes.append(process)
        yield processes[1:]


def measure(peers: int, rounds: int, port: int, folder: str) -> Taken:
    """Both tables of so many players, turn about."""
    taken = Taken()
    with table(peers, port, folder) as (host, guest, *_), their_table(peers, port) as players:
        mover = players[0]
        mover.ask(f"act {WARM} 0")
        for one in (host, guest):
            one.ask(f"act {WARM // 5 // BATCH} 0")
        for _ in range(rounds):
            moves = mover.ask(f"act {BATCH} {PAUSE * 1000}")
            seen = [player.ask(f"seen {moves[0][0]} {BATCH}") for player in players]
            for (_, began, came), others in zip(moves, zip(*seen, strict=True), strict=True):
                taken.move.append(came - began)
                taken.everybody.append(max(others) - began)
            for one, kind in ((host, taken.whole), (guest, taken.final)):
                actions, bares = one.ask(f"act 1 {PAUSE}")
                kind.extend(actions)
                taken.bare.extend(bares)
            taken.sync += syncs(folder)
    return taken


def syncs(folder: str) -> list[float]:
    """Seconds of bare syncs of 300 more bytes in a file."""
    took = []
    with Path(folder, "bare").open("ab", buffering=0) as file:
        for _ in range(BATCH):
            time.sleep(PAUSE)
            began = time.perf_counter()
            file.write(bytes(300))
            os.fsync(file.fileno())
            took.append(time.perf_counter() - began)
    return took


def report(peers: int, taken: Taken) -> None:
    """Print medians, and their ratios to the move's."""
    move, everybody, whole, final, bare, sync = (
        statistics.median(one)
        for one in (taken.move, taken.everybody, taken.whole, taken.final, taken.bare, taken.sync)
    )
    print(f"{peers} players: a move of boardgame.io {move * 1000:.2f} ms, seen by all after "
          f"{everybody * 1000:.2f}; a bare round trip {bare * 1000:.2f}, a bare sync "
          f"{sync * 1000:.2f}")  # fmt: skip
    for name, value, goal in zip(("acknowledged by all", "final"), (whole, final), GOALS[peers], strict=True):
        print(f"  {name} {value * 1000:.2f} ms, {value / move:.2f} moves (goal {goal})")
    goal_said = f" (goal {BARE_GOAL})" if peers == 8 else ""
    print(f"  final in bare round trips: {final / bare:.1f}{goal_said}", flush=True)


def main() -> int:
    """Measure and report each number of players."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, nargs="*", default=list(GOALS), choices=list(GOALS))
    parser.add_argument("--rounds", type=int, default=60, help=f"of {BATCH} actions of each kind")
    parser.add_argument("--folder", default=str(SCRIPT.parent), help="on the disk that logs are kept on")
    words = parser.parse_args()
    if subprocess.run(["node", "-e", "require.resolve('boardgame.io/package.json')"], cwd=SCRIPT.parent,
                      capture_output=True, check=False).returncode:  # fmt: skip
        sys.exit(f"It takes Node.js and its packages: npm ci --ignore-scripts in {SCRIPT.parent}")
    for place, peers in enumerate(words.players):
        with tempfile.TemporaryDirectory(dir=words.folder) as folder:
            report(peers, measure(peers, words.rounds, 42_000 + 50 * place, folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
