"""Tables of the agreed log for measuring: a process a peer, with real sessions, sockets and signatures.

    python benchmarks/table_processes.py NUMBER PEERS PORT FOLDER    one peer; number PEERS echoes datagrams

The log is kept in a folder, or in memory if no folder is named. A process is told on its stdin what to
measure, and answers with a line of JSON.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from round_trip import bare, echo
from tests.protocol.grouplog.memory_storage import MemoryStorage

from tavolata._engine.network.log_driver import LogDriver
from tavolata._engine.storage.log_files import FileStorage
from tavolata._engine.storage.ways_back import WayFile
from tavolata_protocol.endpoint import Endpoint
from tavolata_protocol.grouplog import GroupLog, events
from tavolata_protocol.handshake import open_table_psk
from tavolata_protocol.identity import Identity
from tavolata_protocol.io.udp import UdpDriver

TABLE = bytes(16)
BATCH = 5
"""Actions, and then bare round trips, that follow each other before the other ones have a turn."""


# --- one peer, a process -----------------------------------------------------------------------------


async def peer(number: int, peers: int, base: int, folder: str = "") -> None:
    """Peer 0 founds and leads; each proposes and measures as it is told; all end when their stdin does."""
    ids = [Identity(bytes((one + 1,)) * 32) for one in range(peers)]
    endpoint = Endpoint(
        ids[number], os.urandom, asyncio.get_running_loop().time(), psk=open_table_psk(TABLE), table=TABLE
    )
    driver = UdpDriver(endpoint, ["127.0.0.1"], base + number)
    await driver.start()
    store = FileStorage(Path(folder, f"{number}.log")) if folder else MemoryStorage()
    log = GroupLog(ids[number], store, table=TABLE, chance=random.SystemRandom())
    wire = LogDriver(driver, log, WayFile(Path(os.devnull)))
    follow = asyncio.create_task(_follow(wire))
    if number == 0:
        log.create(wire.now())
    for other in range(number):
        endpoint.connect(("127.0.0.1", base + other), wire.now())
    driver.wake()
    while len(endpoint.peers()) < peers - 1:  # noqa: ASYNC110 - the endpoint is no asyncio object
        await asyncio.sleep(0.05)
    if number:
        log.join(ids[0].peer, wire.now())
        wire.pump()
    while len(log.configuration.voters) < peers:  # noqa: ASYNC110 - nor is the log
        await asyncio.sleep(0.05)
    print("ready", flush=True)
    while told := (await asyncio.to_thread(sys.stdin.readline)).split():
        match told:
            case ["act", rounds, pause]:
                alone = number == 0
                said: object = await _measure(wire, base + peers, int(rounds), float(pause), alone=alone)
            case ["stream", count]:
                said = await _stream(wire, int(count))
            case _:
                said = time.process_time()
        print(json.dumps(said), flush=True)
    follow.cancel()
    await wire.close()


async def _follow(wire: LogDriver) -> None:
    async for event in wire.events():
        if isinstance(event, events.JoinRequested) and wire.log.is_leader:
            wire.log.add_learner(event.peer)
            wire.log.promote(event.peer)
            wire.pump()


class Watch:
    """Checks a condition after every turn of a log driver."""

    def __init__(self, wire: LogDriver) -> None:
        self._act, wire.act = wire.act, self.act  # type: ignore[method-assign]  # on the way of every turn
        self._wanted: Callable[[], bool] = lambda: False
        self._reached = asyncio.Event()

    def act(self) -> None:
        """Run the log driver's turn, then check the condition."""
        self._act()
        if self._wanted():
            self._reached.set()

    async def until(self, wanted: Callable[[], bool]) -> None:
        """Wait until the condition is true."""
        self._wanted = wanted
        self._reached.clear()
        if not wanted():
            await self._reached.wait()


async def _measure(
    wire: LogDriver, port: int, rounds: int, pause: float, *, alone: bool
) -> tuple[list[float], list[float]]:
    """Seconds of actions, until final (at a guest) or until all have it, and of bare round trips.

    Each of both comes after the same pause: processors doze, and acknowledgements leave that may wait.
    """
    log, watch, found, bares = wire.log, Watch(wire), [], []
    for number in range(rounds):
        bares += await bare(port, BATCH, pause=pause)
        for _ in range(BATCH):
            await asyncio.sleep(pause)
            began = time.perf_counter()
            wire.propose(b"action %d" % number)
            await watch.until(lambda: not log.pending and not (alone and log.seen_by_all < log.last_number))
            found.append(time.perf_counter() - began)
    return found, bares


async def _stream(wire: LogDriver, count: int) -> float:
    """Propose `count` actions, sixteen at a time; return the CPU seconds of this process before that."""
    before, watch = time.process_time(), Watch(wire)
    for number in range(count):
        await watch.until(lambda: len(wire.log.pending) < 16)
        wire.propose(b"action %d" % number)
    await watch.until(lambda: not wire.log.pending)
    return before


async def be_echo(port: int) -> None:
    """Run the echo process."""
    await echo(port)
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)


# --- all of them, from outside -------------------------------------------------------------------------


class Process:
    """A process that is told lines, and answers each with one."""

    def __init__(self, *words: object) -> None:
        self._process = subprocess.Popen(
            list(map(str, words)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, word: str) -> Any:
        """Tell it a line; what it answers."""
        self.say(word)
        return json.loads(self.line())

    def say(self, word: str) -> None:
        """Tell it a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{word}\n")
        self._process.stdin.flush()

    def line(self) -> str:
        """The next line that it prints."""
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def ready(self) -> None:
        """Wait until it says that it is ready."""
        if self.line() != "ready\n":
            sys.exit("A measured process did not start.")

    def end(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()


@contextlib.contextmanager
def table(peers: int, base: int, folder: str = "") -> Iterator[list[Process]]:
    """The processes of a table at ports from `base` on, followed by the echo process."""
    children = [Process(sys.executable, __file__, number, peers, base, folder) for number in range(peers + 1)]
    try:
        for child in children:
            child.ready()
        yield children
    finally:
        for child in children:
            child.end()


if __name__ == "__main__":
    gc.set_threshold(10_000)  # as `tt` does
    who, size, first = map(int, sys.argv[1:4])
    asyncio.run(be_echo(first + size) if who == size else peer(who, size, first, *sys.argv[4:]))
