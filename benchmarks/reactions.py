"""Reactions at tables of 2 and 4, in bare round trips.

Run: python benchmarks/reactions.py [--windows N]

Real peers run over real sockets, each in its own process. A reaction is measured from the key press
(`PeerSession.react`) until it is a final entry for the presser, and in the same run, window by window, the
round trip of a datagram to another process. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import socket
import sys
import tempfile
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from time import perf_counter

from round_trip import bare, echo

sys.path.insert(0, str(Path(__file__).parent))

from tavolata import N_, Choice, Game, Options, Outcome, Table, one_of, option
from tavolata._engine.match.entries import REACT, MatchEntry
from tavolata._engine.match.game_info import GameInfo
from tavolata._engine.match.header import HOST, Header
from tavolata._engine.match.updates import Ended, WindowOpened
from tavolata._engine.network.joining import TableCard, join_table, open_table
from tavolata._engine.peer.game_library import GameLibrary
from tavolata._engine.peer.peer import PeerSession
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.plugins.catalogue import LoadedGame

ADDRESS = "127.0.0.1"
PRESS = one_of([Choice(True, N_("press"))])
PAUSE = 0.02
"""Seconds between a window and the key, so that the traffic of the window itself is over."""


@dataclass(frozen=True, kw_only=True)
class PressOptions(Options):
    """How often to press."""

    windows: int = option(100, "How many windows.", low=1, high=100_000)


class Press(Game[PressOptions]):
    """One window after the other; the seats take turns to press."""

    name, title, seats, options = "press", N_("Press"), (2, 16), PressOptions

    def setup(self, t: Table[PressOptions]) -> None:
        """Nothing lies on the table."""

    async def turn(self, t: Table[PressOptions]) -> Outcome | None:
        """A window in which one seat presses."""
        await t.react({t.ring[t.turn % len(t.ring)]: PRESS}, seconds=20, floor=0)
        return Outcome(()) if t.turn + 1 == t.options.windows else None


INFO = GameInfo("press", "Press", "", (2, 2), 0, "0", 1, "-", "-", "tavolata")
LIBRARY = GameLibrary("press", lambda _: (LoadedGame(INFO, Press), {}))


async def sit(session: PeerSession) -> list[float]:
    """Press in every own window; return the seconds from each press until it is final here."""
    pressed, taken = 0.0, []
    entered = session._machine.entered

    def watch(header: Header, entry: MatchEntry) -> None:
        entered(header, entry)
        if entry[0] == REACT and entry[1] in session.people:
            taken.append(perf_counter() - pressed)

    def press(window: int, seat: int) -> None:
        nonlocal pressed
        pressed = perf_counter()
        session.react(window, seat, 0, int(PAUSE * 1000))

    session._machine.entered = watch  # type: ignore[method-assign] # where an entry is final is seen here first
    async with contextlib.aclosing(session.updates()) as updates:
        async for update in updates:
            if isinstance(update, WindowOpened):
                session.drawn(update.window.id)
                for seat in update.mine:
                    asyncio.get_running_loop().call_later(PAUSE, press, update.window.id, seat)
            if isinstance(update, Ended):
                break
    return taken


async def host(port: int, peers: int, windows: int) -> list[float]:
    """The host's reactions."""
    settings = PeerSettings("Host", found=(peers, {"windows": windows}, HOST), at_once=True, stays=False)
    async with open_table(TableCard("Host", Press.name, Press.rules_id, "0", "-"), [ADDRESS], port) as seat:
        return await sit(PeerSession(seat.log_driver, seat.own.identity.peer, LIBRARY, settings))


async def guest(port: int, number: int) -> list[float]:
    """A guest's reactions."""
    settings = PeerSettings(f"Guest {number}", stays=False)
    async with join_table(f"{ADDRESS}:{port}", settings.name) as (seat, _):
        return await sit(PeerSession(seat.log_driver, seat.own.identity.peer, LIBRARY, settings, seat.host))


def _home(folder: str) -> None:
    os.environ.update({f"TT_{kind}_DIR": f"{folder}/{kind}" for kind in ("DATA", "CONFIG", "CACHE")})


def be_guest(port: int, number: int, folder: str, out: Connection) -> None:
    """A guest's process."""
    _home(folder)
    out.send(asyncio.run(guest(port, number)))


def echoes(port: int) -> None:
    """A process that sends each datagram back."""

    async def for_ever() -> None:
        await echo(port)
        await asyncio.Event().wait()

    asyncio.run(for_ever())


async def bare_round_trips(port: int, taken: list[float]) -> None:
    """Measure the round trip of a datagram of 300 bytes to another process from time to time."""
    while True:
        await asyncio.sleep(PAUSE)
        taken += await bare(port, 1, 300)


def free_ports(many: int) -> list[int]:
    """Free UDP ports."""
    sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(many)]
    for one in sockets:
        one.bind((ADDRESS, 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def reactions(peers: int, windows: int) -> None:
    """Measure a table with this number of peers."""
    context = get_context("spawn")
    port, echo_port = free_ports(2)
    with tempfile.TemporaryDirectory() as folder:
        _home(f"{folder}/host")
        ends, guests = [], []
        bare_ones: list[float] = []
        for number in range(1, peers):
            here, there = context.Pipe()
            one = context.Process(target=be_guest, args=(port, number, f"{folder}/{number}", there))
            ends.append(here)
            guests.append(one)

        async def all_sit() -> list[float]:
            table = asyncio.create_task(host(port, peers, windows))
            await asyncio.sleep(0.5)
            for one in guests:
                one.start()
            pings = asyncio.create_task(bare_round_trips(echo_port, bare_ones))
            hosted = await table
            pings.cancel()
            await asyncio.gather(pings, return_exceptions=True)
            return hosted

        echoing = context.Process(target=echoes, args=(echo_port,), daemon=True)
        echoing.start()
        hosted = asyncio.run(all_sit())
        joined = [taken for end in ends for taken in end.recv()]
        for one in guests:
            one.join()
        echoing.terminate()
        echoing.join()
        bare = median(bare_ones)
    for who, taken in (("the host", hosted), ("a guest", joined)):
        print(
            f"{peers} peers, {who} presses: final after {1e3 * median(taken):5.2f} ms "
            f"(95 %: {1e3 * sorted(taken)[len(taken) * 95 // 100]:5.2f} ms), "
            f"{median(taken) / bare:5.1f} bare round trips of {1e6 * bare:.0f} µs"
        )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--windows", type=int, default=200, help="windows at each table")
    given = parser.parse_args()
    for peers in (2, 4):
        reactions(peers, given.windows)


if __name__ == "__main__":
    main()
