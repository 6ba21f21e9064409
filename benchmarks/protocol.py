"""A benchmark of agreement against a bare UDP round trip; run `python benchmarks/protocol.py`.

Every peer is a process with the real log, sessions, sockets and signatures; only the disk is in memory. Bare
round trips between two processes with asyncio's own sockets are measured at the same time as the actions, so
that a busy machine slows both. The lower quartile of both counts, because other programs disturb it least.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import cProfile
import json
import os
import pstats
import random
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from round_trip import bare, echo

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.protocol.realnet import TABLE, gathered

from tavolata._engine.network.log_driver import LogDriver
from tavolata._engine.storage.ways_back import WayFile
from tavolata._engine.table.table_keys import SecretFile
from tavolata_protocol.endpoint import Endpoint
from tavolata_protocol.grouplog import GroupLog, MemoryStorage, events
from tavolata_protocol.handshake import open_table_psk
from tavolata_protocol.identity import Identity
from tavolata_protocol.io.udp import UdpDriver

GOALS = {2: (10, 9), 4: (15, 11), 8: (20, 14), 16: (40, 28)}
"""By peers: the most round trips until all, and until a majority, have acknowledged an action."""
BATCH = 5
PAUSES = (0.03, 0.0)
"""Seconds between actions and between bare round trips: at people's speed, and at full speed."""
CPU_GOALS = {4: " (goal 350)", 16: " (goal 1000)"}


# --- one peer, a process -----------------------------------------------------------------------------


async def peer(number: int, peers: int, base: int, rounds: int) -> None:
    """Peer 0 founds and leads; peer 1 proposes and measures; all end when their stdin does."""
    ids = [Identity(bytes((one + 1,)) * 32) for one in range(peers)]
    endpoint = Endpoint(ids[number], os.urandom, UdpDriver.clock(), psk=open_table_psk(TABLE), table=TABLE)
    driver = UdpDriver(endpoint, ["127.0.0.1"], base + number)
    await driver.start()
    log = GroupLog(ids[number], MemoryStorage(), table=TABLE, chance=random.SystemRandom())
    wire = LogDriver(driver, log, SecretFile(Path(os.devnull)), WayFile(Path(os.devnull)))
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
            case ["act", pause]:
                alone = number == 0
                said: object = await _measure(wire, base + peers, rounds, float(pause), alone=alone)
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


class _Watch:
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
    log, watch, found, bares = wire.log, _Watch(wire), [], []
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
    before, watch = time.process_time(), _Watch(wire)
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


# --- all of them ---------------------------------------------------------------------------------------


@contextlib.contextmanager
def table(peers: int, rounds: int, base: int) -> Iterator[list[subprocess.Popen[str]]]:
    """The processes of a table, followed by the echo process."""
    words = [sys.executable, __file__, "--peer"]
    children = [
        subprocess.Popen(
            [*words, str(number), str(peers), str(base), str(rounds)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for number in range(peers + 1)
    ]  # fmt: skip
    try:
        for child in children:
            assert _line(child) == "ready\n"
        yield children
    finally:
        for child in children:
            child.kill()
            child.wait()


def latency(child: subprocess.Popen[str], pause: float) -> tuple[float, float, float]:
    """A process's actions in bare round trips: lower quartiles, and medians; a bare one's quartile in µs."""
    actions, bares = (statistics.quantiles(taken, n=4) for taken in _ask(child, f"act {pause}"))
    return actions[0] / bares[0], actions[1] / bares[1], bares[0] * 1e6


def cpu(children: list[subprocess.Popen[str]], count: int) -> tuple[float, float]:
    """Microseconds of CPU an action of a stream by all guests: the leader's process, and all together."""
    peers = children[:-1]
    before = [_ask(child, "cpu") for child in peers]
    each = count // (len(peers) - 1)
    for child in peers[1:]:
        _say(child, f"stream {each}")
    for child in peers[1:]:
        _line(child)
    took = [(_ask(child, "cpu") - begun) / each / (len(peers) - 1) * 1e6
            for child, begun in zip(peers, before, strict=True)]  # fmt: skip
    return took[0], sum(took)


def _ask(child: subprocess.Popen[str], word: str) -> Any:
    _say(child, word)
    return json.loads(_line(child))


def _say(child: subprocess.Popen[str], word: str) -> None:
    assert child.stdin is not None
    child.stdin.write(f"{word}\n")
    child.stdin.flush()


def _line(child: subprocess.Popen[str]) -> str:
    assert child.stdout is not None
    return child.stdout.readline()


async def idle(peers: int, seconds: float) -> float:
    """The share of a core that one idle peer uses, in percent."""
    async with gathered(peers, 1, direct=True):
        await asyncio.sleep(2)
        began, wall = time.process_time(), time.perf_counter()
        await asyncio.sleep(seconds)
        return (time.process_time() - began) / (time.perf_counter() - wall) / peers * 100


async def memory(peers: int, entries: int) -> float:
    """The MiB of a peer's log, sessions and sockets after `entries` entries of 100 bytes."""
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    async with gathered(peers, 1, direct=True) as group:
        for number in range(entries):
            author = group.seats[number % peers].wire
            while len(author.log.pending) >= 16:  # noqa: ASYNC110 - the log is no asyncio object
                await asyncio.sleep(0)
            author.propose(b"%100d" % number)
        await group.until(lambda: all(not one.wire.log.pending for one in group.seats), 60)
        taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return taken / peers / 2**20


KINDS = (
    ("checking signatures", ("crypto_sign_open",)),
    ("signing", ("crypto_sign",)),
    ("the cipher", ("aead.py", "chacha20poly1305")),
    ("reading and writing sockets", ("_socket.socket",)),
    ("the event loop", ("asyncio", "selectors", "_contextvars", "tavolata_protocol/io")),
    ("the log", ("grouplog", "entries.py", "membership.py", "identity.py", "nacl")),
    ("sessions", ("tavolata_protocol",)),
    ("between sessions and log", ("wire.py",)),
)
"""The category of a function's time: the first one whose words are in its name."""


def _is_final(log: GroupLog, number: int) -> bool:
    return log.commit_index >= number


async def profile(peers: int, count: int) -> dict[str, float]:
    """Shares of the time of actions, one after the other, of peers that are all in this process."""
    async with gathered(peers, 1, direct=True) as group:
        author, watched = group.seats[1].wire, cProfile.Profile()
        watches = [_Watch(one.wire) for one in group.seats]
        for number in range(2 * count):
            if number == count:
                watched.enable()
            author.propose(b"action %d" % number)
            wanted = group.seats[0].wire.log.last_number + 1
            for one, watch in zip(group.seats, watches, strict=True):
                await watch.until(partial(_is_final, one.wire.log, wanted))
        watched.disable()
    shares: Counter[str] = Counter()
    for (file, _, name), (_, _, own, *_) in pstats.Stats(watched).stats.items():  # type: ignore[attr-defined]
        place = f"{file} {name}"
        if "poll" in name:
            continue  # waiting
        kind = next((kind for kind, words in KINDS if any(word in place for word in words)), "small things")
        shares[kind] += own
    whole = shares.total()
    return {kind: own / whole for kind, own in shares.most_common()}


def main() -> int:
    if sys.argv[1:2] == ["--peer"]:
        number, peers, base, rounds = map(int, sys.argv[2:])
        asyncio.run(be_echo(base + peers) if number == peers else peer(number, peers, base, rounds))
        return 0
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--peers", type=int, nargs="*", default=list(GOALS))
    parser.add_argument("--actions", type=int, default=3000)
    parser.add_argument("--entries", type=int, default=10_000, help="0: leave idling and memory out")
    parser.add_argument("--profile", action="store_true", help="only say where four peers spend their time")
    words = parser.parse_args()
    if words.profile:
        for kind, share in asyncio.run(profile(4, 500)).items():
            print(f"{share:6.1%} {kind}")
        return 0
    for place, peers in enumerate(words.peers):
        with table(peers, words.rounds, 41_000 + 50 * place) as children:
            for pause in PAUSES:
                final, final_median, raw = latency(children[1], pause)
                whole, whole_median, _ = latency(children[0], pause)
                all_goal, final_goal = GOALS[peers]
                print(
                    f"{peers} peers, {pause * 1000:.0f} ms between actions: final by majority {final:.1f} "
                    f"bare round trips (median {final_median:.1f}, goal {final_goal}), acknowledged by all "
                    f"{whole:.1f} (median {whole_median:.1f}, goal {all_goal}); a bare one {raw:.0f} µs",
                    flush=True,
                )
            own, together = cpu(children, words.actions)
        print(f"{peers} peers: the leader takes {own:.0f} µs of CPU an action{CPU_GOALS.get(peers, '')}, "
              f"all together {together:.0f} µs", flush=True)  # fmt: skip
    if not words.entries:
        return 0
    print(f"8 peers: an idle peer takes {asyncio.run(idle(8, 10.0)):.2f} % of a core (goal 0.5)", flush=True)
    taken = asyncio.run(memory(16, words.entries))
    print(f"16 peers, {words.entries} entries: {taken:.1f} MiB a peer (goal 40)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
