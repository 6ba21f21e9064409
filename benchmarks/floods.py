"""Actions of a match, joins and pages under each flood, beside the quiet: real processes in namespaces.

    sudo python benchmarks/floods.py [--actions 100] [--joins 20] [--pages 20]

Needs Linux, root and the command `ip`. A host with pages, in a match with a guest, is flooded from 64
addresses of another machine. Each line says how long guests of a third one took: median, slowest, and ratios
to those in the quiet, which is measured before each flood.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from tests.network.lan import Lan, ip
from tests.protocol.test_hostile import caller

from tavolata._engine.network.joining import join_table
from tavolata._engine.network.table_errors import Unreachable
from tavolata_protocol.messages.packets import HEADER_SIZE, MAX_DATAGRAM, PacketKind, parse_header

WHAT = ("actions", "joins", "pages")
HOST, PORT, ADDRESSES = "10.86.0.1", 8286, [f"10.86.0.{100 + number}" for number in range(64)]


# -- the floods -----------------------------------------------------------------------------------


def mouths() -> list[socket.socket]:
    """A socket at each address."""
    made = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in ADDRESSES]
    for one, address in zip(made, ADDRESSES, strict=True):
        one.bind((address, 0))
        one.settimeout(0.2)
    return made


def paced(rate: float, act: Callable[[int], object]) -> None:
    """Act at this rate for ever; what can't be kept up with is left out."""
    began, number = time.monotonic(), 0
    while True:
        due = int((time.monotonic() - began) * rate)
        if number < due:
            act(due)
            number += 1 if due - number < rate else due - number
        else:
            time.sleep(0.001)


def handshakes() -> None:
    """Valid INITs at 300 a second, and never a FIN."""
    made = mouths()

    def begin(number: int) -> None:
        mouth, one = made[number % len(made)], caller(number)
        with contextlib.suppress(OSError):
            mouth.sendto(one.hello(), (HOST, PORT))
            while parse_header(retry := mouth.recv(2048)).kind is not PacketKind.RETRY:
                pass  # a RESP to an earlier INIT
            mouth.sendto(one.read_retry(retry[HEADER_SIZE:]), (HOST, PORT))

    paced(300, begin)


def garbage() -> None:
    """5,000 datagrams a second that mean nothing."""
    made = mouths()
    paced(5000, lambda number: made[number % len(made)].sendto(os.urandom(MAX_DATAGRAM), (HOST, PORT)))


def half_open() -> None:
    """1,100 TCP connections that say nothing, from 20 addresses, each begun again when it's cut off."""
    held: list[socket.socket] = []

    def connect(number: int) -> None:
        one = socket.socket()
        one.settimeout(0.2)
        with contextlib.suppress(OSError):
            one.bind((ADDRESSES[number % 20], 0))
            one.connect((HOST, PORT))
        held.append(one)
        if len(held) > 1100:
            held.pop(0).close()

    paced(500, connect)


def lookers() -> None:
    """200 requests a second for the page at the door."""

    def ask(number: int) -> None:
        with contextlib.suppress(OSError), socket.socket() as one:
            one.settimeout(0.2)
            one.bind((ADDRESSES[number % len(ADDRESSES)], 0))
            one.connect((HOST, PORT))
            one.sendall(f"GET / HTTP/1.1\r\nHost: {HOST}:{PORT}\r\n\r\n".encode())

    paced(200, ask)


FLOODS = {
    "INITs": handshakes, "garbage": garbage, "half-open connections": half_open, "requests": lookers,
}  # fmt: skip


# -- the guests -----------------------------------------------------------------------------------


async def joins(many: int) -> list[float]:
    """Seconds until each of some guests had a session; infinite for one that got none."""
    took = []
    for number in range(many):
        began = time.monotonic()
        try:
            async with join_table(HOST, f"Guest {number}", watch=True):
                took.append(time.monotonic() - began)
        except Unreachable:
            took.append(float("inf"))
    return took


def pages(many: int) -> list[float]:
    """Seconds until each page was there; ten a second are asked for, as by a few phones."""
    took = []
    for _ in range(many):
        time.sleep(0.1)
        began = time.monotonic()
        try:
            with urllib.request.urlopen(f"http://{HOST}:{PORT}/", timeout=10) as page:
                page.read()
            took.append(time.monotonic() - began)
        except OSError:
            took.append(float("inf"))
    return took


def spoken(process: subprocess.Popen[str], words: str) -> None:
    """Wait until a program has said this."""
    assert process.stdout is not None
    while line := process.stdout.readline():
        if words in line:
            return
    raise AssertionError(f"Nobody said {words!r}.")


def actions(host: subprocess.Popen[str], guest: subprocess.Popen[str], many: int) -> list[float]:
    """Seconds until each action of a guest in a match is final and on the host's screen; ten a second."""
    assert guest.stdin is not None
    took = []
    for _ in range(many):
        time.sleep(0.1)
        began = time.monotonic()
        guest.stdin.write(f"say {began}\n")
        guest.stdin.flush()
        spoken(host, f"says: {began}")
        took.append(time.monotonic() - began)
    return took


def measured(
    lan: Lan,
    folder: Path,
    match: tuple[subprocess.Popen[str], subprocess.Popen[str]],
    wanted: argparse.Namespace,
) -> tuple[list[float], ...]:
    """What guests of the third machine measure now: actions, joins and pages."""
    acted = actions(*match, wanted.actions)
    words = [*lan.inside(3), sys.executable, __file__, "--guest", str(wanted.joins), str(wanted.pages)]
    env = {**os.environ, "TT_DATA_DIR": str(folder / "guest")}
    told = subprocess.run(words, check=True, capture_output=True, text=True, env=env, timeout=600).stdout
    one, other = told.splitlines()
    return acted, [float(word) for word in one.split()], [float(word) for word in other.split()]


def line(name: str, took: list[float], quiet: list[float]) -> str:
    middle, most = statistics.median(took), max(took)
    ratios = middle / statistics.median(quiet), most / max(quiet)
    lost = sum(one == float("inf") for one in took)
    return f"{name:32} {1000 * middle:8.1f} ms {1000 * most:8.1f} ms   x{ratios[0]:.1f} x{ratios[1]:.1f}" + (
        f"   {lost} of {len(took)} never" if lost else ""
    )


def run(wanted: argparse.Namespace) -> None:
    lan = Lan(f"tt{os.getpid() % 100000}f")
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as undo:
        folder = Path(name)
        undo.callback(lan.clear)
        ip("netns", "add", lan.hub)
        lan.lay(3)
        for address in ADDRESSES:
            ip("-n", f"{lan.tag}2", "addr", "add", f"{address}/24", "dev", "eth0")

        def begun(machine: int, *words: str) -> subprocess.Popen[str]:
            process = subprocess.Popen(
                [*lan.inside(machine), sys.executable, "-m", "tavolata", "-v", *words],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                env={**os.environ, "TT_DATA_DIR": str(folder / f"{machine}"), "TT_LANG": "en"},
            )  # fmt: skip
            undo.callback(process.kill)
            return process

        host = begun(1, "host", "zompa", "--web", "--as", "Ann")
        spoken(host, "The table is open")
        guest = begun(3, "join", HOST, "--as", "Bo")
        spoken(host, "Bo sits down")
        assert host.stdin is not None
        host.stdin.write("start\n")
        host.stdin.flush()
        spoken(guest, "Round 1")
        assert guest.stdout is not None
        threading.Thread(target=guest.stdout.read, daemon=True).start()  # a full pipe would hold it up
        match, few = (host, guest), argparse.Namespace(actions=20, joins=2, pages=2)
        measured(lan, folder, match, few)  # the first ones import
        print(f"{'':32} {'median':>11} {'slowest':>11}")
        for number, flood in enumerate(FLOODS):
            quiet = measured(lan, folder, match, wanted)
            for what, took in zip(WHAT, quiet, strict=True):
                print(line(f"{what}, quiet", took, took), flush=True)
            words = [*lan.inside(2), sys.executable, __file__, "--flood", str(number)]
            flooding = subprocess.Popen(words)
            try:
                time.sleep(2.0)
                now = measured(lan, folder, match, wanted)
            finally:
                flooding.kill()
                flooding.wait()
            for what, took, before in zip(WHAT, now, quiet, strict=True):
                print(line(f"{what}, {flood}", took, before), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--actions", type=int, default=100)
    parser.add_argument("--joins", type=int, default=20)
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--guest", type=int, nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--flood", type=int, help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.flood is not None:
        [*FLOODS.values()][wanted.flood]()
    elif wanted.guest is not None:
        print(*asyncio.run(joins(wanted.guest[0])))
        print(*pages(wanted.guest[1]))
    else:
        run(wanted)


if __name__ == "__main__":
    main()
