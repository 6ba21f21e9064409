"""Evidence, restored disks and lies of the log's own messages, among real processes."""

from __future__ import annotations

import os
import shutil
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tavolata._cli.failures import LOST
from tavolata._engine.storage.record_framing import framed, records

from .table import HASTY, PATIENCE, Hall, Tt, agree

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
CONJURERS = ["-m", "tests.network.conjuring"]
LIARS = int(os.environ.get("TAVOLATA_CONJURERS", "10"))
MATCH = ("--start", "full", "--bot", "random", "--away", "blind")
SLOWER = 1.5
"""How many times the processor time of a quiet match an honest machine may need among liars."""


def _match(hall: Hall, *, among_liars: bool) -> float:
    """Play a match, with or without lying spectators; the processor time of its host after the liars came.

    Time by the clock says how busy the tests' machine is, which runs all of these.
    """
    host = hall.host("tricks", "--seats", "3", "--option", "hands=6", *MATCH, program=HASTY)
    first = hall.join("--bot", "random")
    liars = None
    if among_liars:
        program = [sys.executable, "-W", "default", *CONJURERS]
        liars = hall.run(str(LIARS), f"127.0.0.1:{hall.port}", program=program)
        liars.expect(f"{LIARS} watch")
    began = spent = host.cpu()
    last = hall.join("--bot", "random")
    watcher = hall.join("--watch", name="Wim")
    while host.process.poll() is None:
        with suppress(OSError, IndexError):  # it may end in the middle
            spent = host.cpu()
        time.sleep(0.02)
    agree(host, first, last)
    assert watcher.done(2 * PATIENCE) == 0, watcher.story()
    assert watcher.has("State of the table")
    for player in (host, first, last):
        assert not player.has("has continued separately|voted twice|signed two|starting again|Convicted"), (
            player.story()
        )
    if liars is not None:
        assert liars.has(r"\d00 lies"), liars.story()
        liars.kill()
    return spent - began


def test_spectators_that_say_anything_change_nothing_and_slow_nobody_down(hall: Hall) -> None:
    """Fresh keys lie twenty times a second: one end at all machines, and another spectator still arrives."""
    hall.path = (*hall.path, ROOT)
    quiet = _match(hall, among_liars=False)
    assert _match(hall, among_liars=True) <= SLOWER * quiet


def log_of(one: Tt) -> Path:
    (path,) = one.home.rglob("tables/*.log")
    return path


@pytest.mark.parametrize("witness", [True, False], ids=["with a witness", "without"])
@pytest.mark.parametrize("lost", [1, 20])
def test_a_log_that_was_shortened_under_a_living_leader_is_made_whole(
    hall: Hall, lost: int, witness: bool
) -> None:
    """A guest that comes back from an older disk plays on, and all end alike."""
    host = hall.host("tricks", "--seats", "3", "--option", "hands=3", *MATCH, program=HASTY)
    other = hall.join("--bot", "random")
    guest = hall.join("--ui", "json", name="Guest", typed=True)
    guest.expect('"kind": ?"ask"|"ask"', 2 * PATIENCE)
    guest.kill()
    path = log_of(guest)
    kept = [record for _, record in records(path.read_bytes())]
    assert len(kept) > lost
    path.write_bytes(b"".join(map(framed, kept[:-lost])))
    if not witness:
        for file in guest.home.rglob("witness/*"):
            file.unlink()
    again = hall.join("--bot", "random", name="Guest")
    agree(host, other, again)
    assert again.has("copy of the table was damaged") is (
        witness and lost > 1
    )  # the last record is of what is final: not synced
    assert not again.has("Caught"), again.story()


@pytest.mark.parametrize("command", ["join", "resume"])
def test_a_clone_of_a_running_machine_is_refused(hall: Hall, command: str) -> None:
    """A copy of its folders elsewhere would vote twice; the first one keeps its place, and all end alike."""
    host = hall.host("tricks", "--seats", "3", "--option", "hands=3", *MATCH, program=HASTY)
    guest = hall.join("--ui", "json", name="Guest", typed=True)
    other = hall.join("--bot", "random")
    guest.expect('"kind": ?"ask"|"ask"', 2 * PATIENCE)
    shutil.copytree(guest.home, hall.folder / "Clone")
    if command == "join":
        clone = hall.join("--bot", "random", name="Guest", home="Clone")
    else:
        clone = hall.run("-v", "resume", home="Clone", program=HASTY)
    assert clone.done() == LOST, clone.story()
    assert clone.has("with a copy of this one's files"), clone.story()
    guest.kill()
    again = hall.join("--bot", "random", name="Guest")
    agree(host, other, again)
    for player in (host, other, again):
        assert not player.has("voted twice|signed two|Caught"), player.story()
