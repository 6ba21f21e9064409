"""Joins and pages under each flood, beside the quiet: real processes on a network of namespaces.

    sudo python benchmarks/floods.py [--joins 20] [--pages 20]

Needs Linux, root and the command `ip`. A host with pages is flooded from 64 addresses of another machine, and
each line says how long guests of a third one took: median, slowest, and ratios to those in the quiet.
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
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from tests.network.lan import Lan, ip
from tests.protocol.test_hostile import caller

from tavolata._engine.network.joining import join_table
from tavolata._engine.network.table_errors import Unreachable
from tavolata_protocol.messages.packets import HEADER_SIZE, MAX_DATAGRAM, PacketKind, parse_header

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


def measured(lan: Lan, folder: Path, wanted: argparse.Namespace) -> tuple[list[float], list[float]]:
    """What guests of the third machine measure now."""
    words = [*lan.inside(3), sys.executable, __file__, "--guest", str(wanted.joins), str(wanted.pages)]
    env = {**os.environ, "TT_DATA_DIR": str(folder / "guest")}
    told = subprocess.run(words, check=True, capture_output=True, text=True, env=env, timeout=600).stdout
    one, other = told.splitlines()
    return [float(word) for word in one.split()], [float(word) for word in other.split()]


def line(name: str, took: list[float], quiet: list[float]) -> str:
    middle, most = statistics.median(took), max(took)
    ratios = middle / statistics.median(quiet), most / max(quiet)
    lost = sum(one == float("inf") for one in took)
    return f"{name:32} {1000 * middle:8.0f} ms {1000 * most:8.0f} ms   x{ratios[0]:.1f} x{ratios[1]:.1f}" + (
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
        host = subprocess.Popen(
            [*lan.inside(1), sys.executable, "-m", "tavolata", "-v", "host", "zompa", "--web", "--as", "Ann"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, "TT_DATA_DIR": str(folder / "host"), "TT_LANG": "en"},
        )  # fmt: skip
        undo.callback(host.kill)
        assert host.stdout is not None
        while "The table is open" not in host.stdout.readline():
            pass
        measured(lan, folder, argparse.Namespace(joins=2, pages=2))  # the first ones import
        quiet = measured(lan, folder, wanted)
        print(f"{'':32} {'median':>11} {'slowest':>11}")
        print(line("joins, quiet", quiet[0], quiet[0]), line("pages, quiet", quiet[1], quiet[1]), sep="\n")
        for number, flood in enumerate(FLOODS):
            words = [*lan.inside(2), sys.executable, __file__, "--flood", str(number)]
            flooding = subprocess.Popen(words)
            try:
                time.sleep(2.0)
                now = measured(lan, folder, wanted)
            finally:
                flooding.kill()
                flooding.wait()
            for what, took, before in zip(("joins", "pages"), now, quiet, strict=True):
                print(line(f"{what}, {flood}", took, before), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
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
