"""What strangers and bad lines send to a table: nothing of it is seen by those who play."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from tavolata_protocol.admission import LIMITS, Entrance

from .bad_way import BUFFER, Fate, bad_way
from .lan import Lan
from .table import Hall, Tt, agree
from .test_people import play


def noise(chance: random.Random) -> bytes:
    """A datagram that no peer sent: any length, often with the first byte of a real packet."""
    size = chance.choice((0, 1, 13, 14, 30, 64, 1200, 1201, 1400, 9000))
    data = bytearray(chance.randbytes(size))
    if data:
        data[0] = chance.choice((data[0], 0, 1, 2, 3, 4, 5, 6, 7, 8, 0x80))
    return bytes(data)


@contextmanager
def spraying(port: int, seed: int) -> Iterator[None]:
    """Somebody throws garbage at a port all the while."""
    stop, chance = Event(), random.Random(seed)

    def spray() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as source:
            while not stop.wait(0.001):
                for _ in range(5):
                    source.sendto(noise(chance), ("127.0.0.1", port))

    thread = Thread(target=spray, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def spoiling(seed: int) -> Fate:
    """Copies of what passes are repeated, cut, lengthened and spoilt."""
    chance = random.Random(seed)

    def fate(data: bytes) -> Iterator[tuple[float, bytes]]:
        yield 0.0, data
        yield 0.0, data
        yield 0.0, data[: chance.randrange(len(data) + 1)]
        yield 0.0, data + chance.randbytes(chance.choice((1, 16, 3000)))
        at = chance.randrange(len(data))
        yield 0.0, data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :]

    return fate


def stormy(seed: int) -> Fate:
    """30 % are lost, 30 % reordered, 10 % doubled, all delayed by up to 80 ms."""
    chance = random.Random(seed)

    def fate(data: bytes) -> Iterator[tuple[float, bytes]]:
        for _ in range(2 if chance.random() < 0.1 else 1):
            if chance.random() >= 0.3:
                yield 0.08 * chance.random() + (0.015 if chance.random() < 0.3 else 0.0), data

    return fate


def quiet(*players: Tt) -> None:
    """Nothing of it was told."""
    for one in players:
        assert len(one.errors) <= 1, one.story()  # a host says where its table is


def test_garbage_at_the_hosts_port_during_a_match(hall: Hall) -> None:
    """Thousands of datagrams of nonsense: the match goes on to equal digests, and nobody hears of it."""
    host = hall.host("tricks", "--seats", "3", "--start", "full", "--bot", "random", "--option", "hands=5")
    with spraying(hall.port, 1):
        guests = [hall.join("--bot", "random") for _ in range(2)]
        agree(host, *guests)
    quiet(host, *guests)


@pytest.mark.long
def test_a_whole_match_through_a_storm(hall: Hall) -> None:
    """With 30 % lost, 30 % reordered, 10 % doubled and 80 ms of jitter a guest plays to the same end."""
    host = hall.host("tricks", "--seats", "2", "--start", "full", "--bot", "random")
    with bad_way(hall.port, stormy(4)) as port:
        guest = hall.run("-v", "join", f"127.0.0.1:{port}", "--bot", "random", "--as", "Ann")
        assert [one.done(240) for one in (guest, host)] == [0, 0]
        agree(host, guest)


def test_a_line_that_cuts_lengthens_repeats_and_spoils(hall: Hall) -> None:
    """A guest whose every datagram arrives in five versions, one of them right, plays as everybody does."""
    host = hall.host("tricks", "--seats", "2", "--start", "full", "--bot", "random", "--option", "hands=3")
    with bad_way(hall.port, spoiling(2)) as port:
        guest = hall.run("-v", "join", f"127.0.0.1:{port}", "--bot", "random", "--as", "Ann")
        agree(host, guest)
    quiet(host, guest)


@pytest.mark.long
def test_what_answers_is_no_table(hall: Hall) -> None:
    """A port that answers every datagram with garbage is no table: one sentence."""
    chance = random.Random(3)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as parrot:
        parrot.bind(("127.0.0.1", 0))
        parrot.settimeout(0.1)
        one = hall.run("join", f"127.0.0.1:{parrot.getsockname()[1]}")
        while one.process.poll() is None:
            try:
                _, source = parrot.recvfrom(BUFFER)
            except TimeoutError:
                continue
            for _ in range(3):
                parrot.sendto(noise(chance), source)
    assert one.done() == 5
    assert len(one.errors) == 1


def test_a_talker_cannot_break_the_lines_of_others(hall: Hall) -> None:
    """Control signs, very long words, other scripts and braces arrive as one plain line."""
    host = hall.host("tricks", "--seats", "2", typed=True)
    guest = hall.join(typed=True, name="{name}\x1b[31m@\u202e Ann")
    host.expect("2 of 2 seats taken")
    guest.type("say \x1b[2Jclear {name} {0} \u0007bell", "say " + "long " * 1000, "say 你好 😀")
    assert host.expect("says: .*clear")[0].endswith("clear")
    line = next(line for line in host.lines if "clear" in line)
    assert line.isprintable()
    assert "{name} {0}" in line
    host.expect("long long")
    assert len(next(line for line in host.lines if "long long" in line)) < 450
    host.expect("你好 😀")
    host.type("start")
    play(host, guest)
    for one in (host, guest):
        one.expect("won")


@pytest.mark.long
def test_one_machine_does_not_fill_the_table_with_spectators(hall: Hall, lan: Lan, tmp_path: Path) -> None:
    """Of twenty from one machine twelve look on; a player and a spectator from elsewhere still get in."""
    host = hall.run("-v", "host", "tricks", "--seats", "2", "--as", "Host", typed=True, before=lan.inside(1))
    host.note("The table is open")
    words = [*lan.inside(2), sys.executable, "-m", "tests.network.crowd", "10.86.0.1", "20"]
    folders = {**os.environ, "TT_DATA_DIR": str(tmp_path / "data")}
    crowd = subprocess.run(words, check=True, capture_output=True, text=True, timeout=90, env=folders)
    assert int(crowd.stdout) == LIMITS[Entrance.WATCHERS].source
    watcher = hall.run("-v", "join", "10.86.0.1", "--watch", "--as", "Wim", typed=True, before=lan.inside(3))
    watcher.expect("1 of 2 seats taken", 15)
    ann = hall.run("-v", "join", "10.86.0.1", "--as", "Ann", typed=True, before=lan.inside(3))
    ann.expect("2 of 2 seats taken", 15)
