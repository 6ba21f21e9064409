"""Evidence, restored disks and lies of the log's own messages, among real processes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tavolata._engine.storage.record_framing import framed, records

from .table import HASTY, PATIENCE, Hall, Tt, agree

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
CONJURER = [sys.executable, "-P", "-W", "default", str(Path(__file__).with_name("conjuring.py"))]
LIARS = int(os.environ.get("TAVOLATA_CONJURERS", "2"))
MATCH = ("--start", "full", "--bot", "random", "--away", "blind")


def test_spectators_that_say_anything_change_nothing(hall: Hall) -> None:
    """Fresh keys lie twenty times a second: one end at all machines, and another spectator still arrives."""
    hall.path = (*hall.path, ROOT)
    host = hall.host("tricks", "--seats", "3", "--option", "hands=3", *MATCH, program=HASTY)
    first = hall.join("--bot", "random")
    liars = []
    for number in range(LIARS):
        liars.append(hall.join("--watch", name=f"Liar{number}", program=[*CONJURER, str(number)]))
        host.expect(f"Liar{number} is watching")
    last = hall.join("--bot", "random")
    watcher = hall.join("--watch", name="Wim")
    agree(host, first, last)
    assert watcher.done(2 * PATIENCE) == 0, watcher.story()
    assert watcher.has("State of the table")
    for player in (host, first, last):
        assert not player.has("has continued separately|voted twice|signed two|starts over|Caught"), (
            player.story()
        )
    for liar in liars:
        assert liar.has(r"\d00 lies"), liar.story()
        liar.kill()


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
    assert again.has("set aside") is (witness and lost > 1)  # the last record is of what is final: not synced
    assert not again.has("Caught"), again.story()
