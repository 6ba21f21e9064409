"""Windows between peers: the fastest person is first, however long the line; who lies gains nothing."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from math import comb
from pathlib import Path
from threading import Thread

import pytest

from tavolata._engine.match.entries import REACT
from tavolata._engine.match.window_timing import WindowTiming

from .conftest import install
from .relay import Relay
from .table import HASTY, Hall, Tt, agree

LIAR = f"""
import os
if os.environ.get("TT_TEST_CLAIMS"):
    from {WindowTiming.__module__} import {WindowTiming.__name__} as timing
    honest = timing.react
    def lie(self, window, seat, answer, milliseconds):
        honest(self, window, seat, answer, int(os.environ["TT_TEST_CLAIMS"]))
    timing.react = lie
"""
"""What makes a client claim a time of its choice, read by Python when it starts."""


@pytest.fixture(scope="session")
def quick_hands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the game of quick hands is installed, and with it what lies on demand."""
    site = tmp_path_factory.mktemp("hands")
    (site / "sitecustomize.py").write_text(LIAR)
    return install(site, "quick_hands", Path(__file__).with_name("quick_hands.py"))


@pytest.fixture
def room(tmp_path: Path, quick_hands: Path) -> Iterator[Hall]:
    """A place for tables, empty again afterwards."""
    place = Hall(tmp_path, (quick_hands,))
    yield place
    place.close()


def plays(player: Tt, takes: Callable[[], float]) -> Thread:
    """Have a program play: it presses so many seconds after each window was told to it."""

    def press() -> None:
        read = 0
        while player.process.poll() is None:
            while read < len(player.lines):
                line = json.loads(player.lines[read])
                read += 1
                if line["type"] == "window" and line["seats"]:
                    time.sleep(takes())
                    player.type(json.dumps({"type": "react", "id": line["id"], "answer": 0}))
            time.sleep(0.002)

    thread = Thread(target=press, daemon=True)
    thread.start()
    return thread


def match(
    room: Hall,
    delay: float,
    rounds: int,
    near: Callable[[], float],
    far: Callable[[], float],
    claims: str = "",
) -> tuple[list[int], list[list[tuple[int, int]]]]:
    """Two programs play, the second over a long line: points, and each window's claims as they came."""
    host = room.host(
        "hands",
        "--seats",
        "2",
        "--ui",
        "json",
        "--dealer",
        "host",
        "--option",
        f"rounds={rounds}",
        typed=True,
    )
    with Relay(room.port, delay) as relay:
        guest = room.run("-v", "join", f"127.0.0.1:{relay.port}", "--as", "Ann", "--ui", "json", typed=True,
                         home="Ann", TT_TEST_CLAIMS=claims)  # fmt: skip
        host.expect("Ann")
        players = [plays(host, near), plays(guest, far)]
        host.type(json.dumps({"type": "table", "command": "start"}))
        for one in (host, guest):
            one.expect('"type":"end"', 30 + 3 * rounds)
            one.hang_up()
        ends = [one.done() for one in (host, guest)]
        for player in players:
            player.join()
    assert ends == [0, 0], "\n".join(one.story() for one in (host, guest))
    files = [one.matches()[-1] for one in (host, guest)]
    assert files[0].end == files[1].end
    assert files[0].entries == files[1].entries
    came: dict[int, list[tuple[int, int]]] = {}
    for entry in files[0].entries:
        if entry[0] == REACT:
            came.setdefault(entry[2], []).append((entry[1], entry[4]))
    assert files[0].end is not None
    return list(files[0].end["outcome"]["scores"]), list(came.values())


def hand(seed: int, slowest: float, fastest: float = 0.12) -> Callable[[], float]:
    """Reaction times from a seed: the same script for whoever uses it."""
    chance = random.Random(seed)

    def takes() -> float:
        return chance.uniform(fastest, slowest)

    return takes


def by_chance(wins: int, games: int) -> float:
    """How likely two equal players part at least so far as this (the exact two-sided binomial test)."""
    far = abs(2 * wins - games)
    return sum(comb(games, k) for k in range(games + 1) if abs(2 * k - games) >= far) / (1 << games)


def fair(room: Hall, delay: float, rounds: int) -> None:
    """Equal hands win equally often, however long the line of one; by arrival the near one always would."""
    slowest = (
        0.12 + 1.5 * delay
    )  # so that the far one, at its fastest, comes after the near one at its slowest
    points, claims = match(room, delay, rounds, hand(1, slowest), hand(2, slowest))
    assert sum(points) == rounds
    assert by_chance(points[0], rounds) > 0.001, points
    first_come = sum(window[0][0] == 0 for window in claims)
    assert first_come > 0.9 * rounds, (first_come, rounds)
    assert by_chance(first_come, rounds) < 0.001


@pytest.mark.long
def test_the_same_hands_win_as_often_over_a_long_line(room: Hall) -> None:
    """12 windows, 40 ms each way: both win; by order of arrival the near one wins nearly all."""
    fair(room, 0.04, 12)


@pytest.mark.long
def test_the_same_hands_win_as_often_over_a_longer_line(room: Hall) -> None:
    """500 windows, 80 ms each way: the shares differ by no more than chance explains."""
    fair(room, 0.08, 500)


@pytest.mark.long
def test_a_liar_gains_nothing_beyond_the_bound(room: Hall) -> None:
    """It takes 400 ms and claims 1 ms over a long line: once that is measured, 250 honest ms are less."""
    rounds = 4
    _, claims = match(room, 0.04, rounds, lambda: 0.25, lambda: 0.4, claims="1")
    assert len(claims) == rounds
    assert all((1, 1) in window for window in claims), claims
    first = [line for line in room.all[0].lines if "was first" in line]
    assert len(first) == rounds, first
    assert first[2:]
    assert all('"Host was first' in line for line in first[2:]), first


def lays(*players: Tt) -> None:
    """From the last bang on, have these press Enter whenever it is their move, and do nothing else."""

    def press(player: Tt) -> None:
        read = max((at for at, line in enumerate(player.lines) if " bangs after " in line), default=0)
        while player.process.poll() is None:
            while read < len(player.lines):
                line = player.lines[read]
                read += 1
                if "Enter = " in line or "(Enter)" in line:
                    player.type("")
                if line.startswith("State of the table"):
                    return
            time.sleep(0.005)

    for one in players:
        Thread(target=press, args=(one,), daemon=True).start()


def bang_table(hall: Hall, guests: int, *words: str) -> list[Tt]:
    """A short match of Bang among people, in the window after the first card; nobody has pressed anything."""
    options = (
        "--option",
        "cap=50",
        "--option",
        "hurry=0",
        "--option",
        "double=off",
        "--option",
        "sandwich=off",
        "--option",
        "bigmac=on",
    )
    host = hall.host("bang", "--seats", str(guests + 1), *options, *words, typed=True, program=HASTY)
    players = [host]
    for _ in range(guests):
        players.append(hall.join(typed=True))
        host.expect(f"{len(players)} of {guests + 1} seats taken")
    host.type("start")
    for one in players:
        one.expect("shuffles and deals")
    deadline = time.monotonic() + 20
    while not any("(Enter)" in line for one in players for line in one.lines):
        assert time.monotonic() < deadline, players[0].story()
        time.sleep(0.02)
    leader = next(one for one in players if any("(Enter)" in line for line in one.lines))
    leader.type("")
    for one in players:
        one.expect("lays the")
    return players


@pytest.mark.long
def test_a_guest_is_killed_inside_a_window_and_comes_back(hall: Hall) -> None:
    """The window is decided without it, once it is away; back, it has the same match, to its end."""
    host, ann = bang_table(hall, 1, "--dealer", "host")
    ann.kill()
    host.type("b")
    host.expect("Ann is away", 8)
    host.expect(r"Host bangs after \d+ ms, for no reason")
    back = hall.join(name="Ann", typed=True)
    back.expect("The match continues")
    lays(host, back)
    for one in (host, back):
        one.expect("State of the table", 60)
    host.type("leave")
    back.type("leave")
    agree(host, back)


@pytest.mark.parametrize("to_the_end", [False, pytest.param(True, marks=pytest.mark.long)])
def test_the_host_is_killed_inside_a_window(hall: Hall, to_the_end: bool) -> None:
    """The others decide it, and nobody's time is doubted for the delay, and nobody waits for the host."""
    host, ann, bob = bang_table(hall, 2)
    host.kill()
    ann.type("b")
    for one in (ann, bob):
        taken = one.expect(r"Ann bangs after (\d+) ms, for no reason", 20)
        assert int(taken[1]) < 1500, one.story()
    if to_the_end:
        bob.expect("Host is away: ")
        lays(ann, bob)
    else:
        ann.type("end")
        bob.type("end")
    for one in (bob, ann):
        one.expect("State of the table", 60)
    for one in (bob, ann):
        one.type("leave")
    agree(ann, bob)
