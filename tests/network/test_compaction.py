"""A table whose log was compacted: who comes, who comes back and whose process begins again."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tavolata._engine.storage.log_files import FileStorage
from tavolata_protocol.grouplog import storage

from .table import TT, Hall, Tt
from .test_people import play, seated


def _has_snapshot(one: Tt) -> bool:
    """Whether this peer's log on disk begins with a snapshot."""
    (path,) = one.home.rglob("tables/*.log")
    copy = path.with_suffix(".copy")
    copy.write_bytes(path.read_bytes())
    return _recovered(copy).snapshot is not None


def _recovered(path: Path) -> storage.Recovered:
    file = FileStorage(path)
    found = storage.recover(file)
    file.close()
    return found


def a_match(*players: Tt) -> None:
    """Start a match and play it to its end."""
    players[0].type("start")
    for one in players:
        one.expect("How many do you take")
    play(*players)
    for one in players:
        one.expect("has won|have won|Nobody has won")


@pytest.mark.long
def test_newcomers_and_those_who_come_back_go_on_from_the_snapshot(hall: Hall) -> None:
    """In the second match the first is in no log any more; a watcher, and a killed guest, see the second."""
    host, guest = seated(hall)
    a_match(host, guest)
    assert not _has_snapshot(host)
    host.type("start")
    for one in (host, guest):
        one.expect("How many do you take")
    watcher = hall.join("--watch", name="Wim")
    watcher.expect("The match continues")
    assert all(map(_has_snapshot, (host, guest, watcher)))
    guest.kill()
    host.expect("Lost contact with", 20)
    again = hall.join(name=guest.name, typed=True)
    again.expect("The match continues")
    play(host, again)
    for one in (host, again, watcher):
        one.expect("State of the table")
    host.type("leave")
    assert [one.done() for one in (host, again, watcher)] == [0, 0, 0]
    assert host.end() == again.end() == watcher.end()
    assert [len(one.matches()) for one in (host, again, watcher)] == [2, 2, 1]
    for one in (again, watcher):
        checked = hall.run("verify", "1", home=one.home.name)
        assert checked.done() == 0, checked.story()


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
