"""The memory of a host whose spectator chats; run `python benchmarks/memory.py` (Linux).

A real `tt host` at a plain table, and a real `tt join --watch` that says 10,000 things of 100
characters: each is an entry of the table's log. Both take as much from everybody as they say: the usual
quota would stretch this over hours. Nearly all of it is there before anybody joins: Python and the
libraries. The modules are compiled before, as an installer does it: a process that compiles them itself
keeps 2 MiB more.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.network.table import TT, Hall

GENEROUS = [*TT[:3], str(Path(__file__).resolve().parents[1] / "tests" / "network" / "generous.py")]
GOAL = 40
"""MiB in memory after 10,000 entries, at a plain table."""


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=10_000)
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(Path(folder, "compiled"))
        for entries in (2, words.entries):  # the first table compiles what the second one imports
            measure(Path(folder), entries, is_told=entries == words.entries)
    return 0


def measure(folder: Path, entries: int, *, is_told: bool) -> None:
    """One table in plain mode."""
    hall = Hall(folder)
    try:
        # as anywhere but in the first run, the games are known
        hall.run("games", home="home", program=GENEROUS).done()
        host = hall.host("zompa", "--seats", "2", typed=True, program=GENEROUS, home="home")
        watcher = hall.join("--watch", name="Wim", typed=True, program=GENEROUS)
        watcher.expect("Wim is watching")
        empty = memory(host.process.pid)
        for number in range(entries):
            watcher.type(f"say {number:0100}")
        host.expect(f"0{entries - 1}$", 600)
        if is_told:
            tell(empty, memory(host.process.pid), entries)
    finally:
        hall.close()


def tell(empty: tuple[float, float], now: tuple[float, float], entries: int) -> None:
    """Print what was measured; what processes share counts in part, in brackets."""
    print(f"an empty table: {empty[0]:.1f} MiB ({empty[1]:.1f})")
    print(f"after {entries} entries: {now[0]:.1f} MiB ({now[1]:.1f}); goal {GOAL}")


def memory(pid: int) -> tuple[float, float]:
    """The MiB of a process in memory, and its proportional share of them (`Rss` and `Pss`)."""
    fields = dict(line.split()[:2] for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:])
    return int(fields["Rss:"]) / 1024, int(fields["Pss:"]) / 1024


if __name__ == "__main__":
    sys.exit(main())
