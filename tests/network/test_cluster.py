"""`tt simulate --dask`: real schedulers and workers of Dask, in processes of their own on this machine."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .table import LEFT_OVERS, PATIENCE, TT

pytest.importorskip("distributed", reason='Dask is missing: pip install "tavolata[dask]"')

MATCHES = 60
TINY = """
from tavolata import Game, Options, Outcome
class Tiny(Game[Options]):
    name = "tiny"
    title = "Tiny"
    seats = (2, 2)
    def setup(self, t):
        pass
    async def turn(self, t):
        return Outcome((t.first_seat,))
"""
ZOMPA = ("zompa", "--bots", "easy,normal,normal", "--sweep", "fiches=3,4", "--games", str(MATCHES))


class RealCluster:
    """A scheduler and workers, each a process.

    Args:
        folder: for the files of the scheduler and its log.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start("scheduler", "--port", "0", "--no-jupyter")

    def _start(self, part: str, *words: str) -> subprocess.Popen[bytes]:
        line = [sys.executable, "-m", "dask", part, "--host", "127.0.0.1", "--no-dashboard"]
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [*line, "--scheduler-file", str(self.file), *words],
                stdout=log, stderr=log, cwd=self.folder,
            )  # fmt: skip

    def hire(self) -> None:
        """Start another worker."""
        self.workers.append(self._start("worker", "--nthreads", "1", "--no-nanny"))

    @property
    def log(self) -> str:
        """What scheduler and workers have written."""
        return (self.folder / "log").read_text(encoding="utf-8")

    @property
    def address(self) -> str:
        """The address of the scheduler."""
        until(lambda: self.file.exists() and self.file.stat().st_size > 0)
        found: str = json.loads(self.file.read_text())["address"]
        return found

    def close(self) -> None:
        """End all of it."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


def until(condition: Callable[[], bool]) -> None:
    """Wait until this is so."""
    end = time.monotonic() + 4 * PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[RealCluster]:
    """A scheduler without workers."""
    found = RealCluster(tmp_path)
    yield found
    found.close()


def simulate(folder: Path, *words: str) -> subprocess.Popen[str]:
    """A `tt simulate` that runs."""
    return subprocess.Popen(
        [*TT, "simulate", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder,
    )  # fmt: skip


def measured(process: subprocess.Popen[str]) -> list[str]:
    """The lines of a run that ends well, without those that tell of its time."""
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return [line for line in out.splitlines() if '"progress"' not in line]


def read(text: str) -> dict[str, object]:
    """One line of JSON."""
    found: dict[str, object] = json.loads(text)
    return found


@pytest.mark.long
def test_a_worker_is_killed_and_nothing_is_otherwise(cluster: RealCluster, tmp_path: Path) -> None:
    """Two workers play, one is killed in the middle, and each byte is as if one machine had played alone."""
    cluster.hire()
    cluster.hire()
    alone = measured(simulate(tmp_path, *ZOMPA, "--jobs", "1", "--csv", "here.csv", "--ui", "json"))
    there = simulate(tmp_path, *ZOMPA, "--dask", cluster.address, "--csv", "there.csv", "--ui", "json")
    assert there.stdout is not None
    first = read(there.stdout.readline())
    cluster.workers[0].kill()
    rest = measured(there)
    assert first["type"] == "progress"
    assert rest == alone
    assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()
    assert "Remove worker" in cluster.log


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_ctrl_c_and_the_death_of_the_cluster_keep_what_was_played(
    cluster: RealCluster, tmp_path: Path
) -> None:
    """What was played is reported: with 130 after Ctrl+C, with 7 and a sentence if the scheduler dies."""
    cluster.hire()
    many = ("zompa", "--bots", "3", "--games", "100000", "--dask", cluster.address, "--ui", "json")
    for end, code, said in (("ctrl-c", 130, ""), ("death", 7, "is lost.")):
        process = simulate(tmp_path, *many)
        assert process.stdout is not None
        while int(str(read(process.stdout.readline())["done"])) < 50:
            pass
        process.send_signal(signal.SIGINT) if end == "ctrl-c" else cluster.scheduler.kill()
        out, err = process.communicate(timeout=4 * PATIENCE)
        *_, last = map(read, out.splitlines())
        assert (process.returncode, last["type"], last["stopped"]) == (code, "measures", True), err
        assert said in " ".join(err.split())
        assert not LEFT_OVERS.search(err)


@pytest.mark.long
def test_a_worker_without_the_game_and_no_worker_at_all_are_said(
    cluster: RealCluster, tmp_path: Path
) -> None:
    """A worker without the game, or with another one, ends a run with 4; a cluster of nobody with 5."""
    (tmp_path / "here").mkdir()
    file = tmp_path / "here" / "tiny.py"
    file.write_text(TINY)
    for words, code, said in (
        (("zompa",), 5, "has no workers."),
        (("./tiny.py",), 4, "A worker can't find ./tiny.py"),
        ((str(file),), 0, "matches a second."),
        ((str(file),), 4, "A worker has different code for tiny"),
    ):
        process = simulate(file.parent, *words, "--games", "20000", "--dask", cluster.address)
        _, err = process.communicate(timeout=4 * PATIENCE)
        assert process.returncode == code, err
        assert said in " ".join(err.split())
        assert not LEFT_OVERS.search(err)
        if code == 5:
            cluster.hire()
        if code == 0:
            file.write_text(f"{TINY}# changed\n")
