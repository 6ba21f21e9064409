"""The memory of a host whose spectator chats; run `python benchmarks/memory.py` (Linux).

A real `tt host` at a plain table, and a real `tt join --watch` that says 10,000 things of 100
characters: each is an entry of the table's log. Both take as much from everybody as they say: the usual
quota would stretch this over hours. Nearly all of it is there before anybody joins: Python and the
libraries.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.network.table import TT, Hall, Tt

GOAL = 40
"""MiB in memory after 10,000 entries."""


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=10_000)
    words = parser.parse_args()
    generous = [*TT[:3], str(Path(__file__).resolve().parents[1] / "tests" / "network" / "generous.py")]
    with tempfile.TemporaryDirectory() as folder:
        hall = Hall(Path(folder))
        try:
            hall.run(
                "games", home="home", program=generous
            ).done()  # as anywhere but in the first run, the games are known
            host = hall.host("zompa", "--seats", "2", typed=True, program=generous, home="home")
            watcher = hall.join("--watch", name="Wim", typed=True, program=generous)
            watcher.expect("Table: zompa")
            print(f"an empty table: {memory(host, 'VmRSS'):.1f} MiB", flush=True)
            for number in range(words.entries):
                watcher.type(f"say {number:0100}")
            host.expect(f"0{words.entries - 1}$", 600)
            now, most = memory(host, "VmRSS"), memory(host, "VmHWM")
            print(f"after {words.entries} entries: {now:.1f} MiB (goal {GOAL}), {most:.1f} at most")
        finally:
            hall.close()
    return 0


def memory(one: Tt, field: str) -> float:
    """The MiB of a process that a field of its status counts."""
    status = Path(f"/proc/{one.process.pid}/status").read_text()
    return int(status.partition(f"{field}:")[2].split()[0]) / 1024


if __name__ == "__main__":
    sys.exit(main())
