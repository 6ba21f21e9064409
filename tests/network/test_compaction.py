"""A table whose log is compacted: however much is said, it stays small in memory and on disk."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from .table import TT, Hall, Tt


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_spectator_that_says_ten_thousand_things_fills_no_memory(hall: Hall) -> None:
    """Where the host takes all of it: 8 MiB more at most, on the host's disk less than a megabyte."""
    program = [*TT[:3], str(Path(__file__).with_name("generous.py"))]
    host = hall.host("tricks", "--seats", "2", typed=True, program=program)
    watcher = hall.join("--watch", name="Wim", typed=True, program=program)
    watcher.expect("Wim is watching")
    before = _memory(host)
    for number in range(10_000):
        watcher.type(f"say {'x' * 300} {number}")
    host.expect("x 9999$", 120)
    assert _memory(host) - before < 8 * 1024
    (log,) = host.home.rglob("tables/*.log")
    assert log.stat().st_size < 1024 * 1024


def _memory(one: Tt) -> int:
    """The most memory that a process has had, in KiB."""
    status = Path(f"/proc/{one.process.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])
