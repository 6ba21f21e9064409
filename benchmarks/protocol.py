"""What agreement costs, against a bare UDP round trip of two processes; run `python benchmarks/protocol.py`.

Every peer is a process with the real log, sessions, sockets and signatures; only the disk is memory. Bare
round trips, between two processes with asyncio's own sockets, are measured all the while beside the actions,
so that a busy machine slows both.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.protocol.realnet import TABLE, gathered

from tavolata._engine.table_keys import SecretFile
from tavolata._engine.wire import Wire
from tavolata_protocol.endpoint import Endpoint
from tavolata_protocol.grouplog import GroupLog, MemoryStorage, events
from tavolata_protocol.handshake import open_table_psk
from tavolata_protocol.identity import Identity
from tavolata_protocol.io.udp import UdpDriver

GOALS = {2: (10, 9), 4: (15, 11), 8: (20, 14), 16: (40, 28)}
"""By peers: most round trips until all have acknowledged an action, and until a majority has."""
BATCH = 5


class _Echo(asyncio.DatagramProtocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, addr: object) -> None:
        self.transport.sendto(data, addr)  # type: ignore[attr-defined]  # it is a datagram's


class _Ask(asyncio.DatagramProtocol):
    heard: asyncio.Future[None]

    def datagram_received(self, data: bytes, addr: object) -> None:
        if not self.heard.done():
            self.heard.set_result(None)


async def bare(where: tuple[str, int], rounds: int) -> list[float]:
    """Seconds of round trips of 200 bytes to an echo in another process."""
    loop = asyncio.get_running_loop()
    ask, asking = await loop.create_datagram_endpoint(_Ask, local_addr=("127.0.0.1", 0))
    took = []
    for _ in range(rounds):
        asking.heard = loop.create_future()
        began = time.perf_counter()
        ask.sendto(bytes(200), where)
        await asyncio.wait_for(asking.heard, 5)
        took.append(time.perf_counter() - began)
        await asyncio.sleep(0.002)
    ask.close()
    return took


# --- one peer, a process -----------------------------------------------------------------------------


async def peer(number: int, peers: int, base: int, rounds: int) -> None:
    """Peer 0 founds and orders; peer 1 proposes and measures; all end when their stdin does."""
    ids = [Identity(bytes((one + 1,)) * 32) for one in range(peers)]
    endpoint = Endpoint(ids[number], os.urandom, UdpDriver.clock(), psk=open_table_psk(TABLE), table=TABLE)
    driver = UdpDriver(endpoint, ["127.0.0.1"], base + number)
    await driver.start()
    log = GroupLog(ids[number], MemoryStorage(), table=TABLE, chance=random.SystemRandom())
    wire = Wire(driver, log, SecretFile(Path(os.devnull)))
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
    told = await asyncio.to_thread(sys.stdin.readline)
    if told.startswith("measure"):
        print(
            json.dumps(await _measure(wire, ("127.0.0.1", base + peers), rounds, alone=number == 0)),
            flush=True,
        )
    await asyncio.to_thread(sys.stdin.readline)
    follow.cancel()
    await wire.close()


async def _follow(wire: Wire) -> None:
    async for event in wire.events():
        if isinstance(event, events.JoinRequested) and wire.log.is_sequencer:
            wire.log.add_learner(event.peer)
            wire.log.promote(event.peer)
            wire.pump()


async def _measure(
    wire: Wire, echo: tuple[str, int], rounds: int, *, alone: bool
) -> tuple[list[float], list[float]]:
    """Actions in bare round trips, and those: at a guest until final, at the sequencer until all have it."""
    log, found, bares = wire.log, [], []
    for number in range(rounds):
        raw = statistics.median(await bare(echo, 20))
        bares.append(raw)
        for _ in range(BATCH):
            await asyncio.sleep(0.03)  # acknowledgements that may wait have left
            began = time.perf_counter()
            wire.propose(b"action %d" % number)
            while log.pending or (alone and log.seen_by_all < log.last_number):  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.00005)  # without taking the core from the others
            found.append((time.perf_counter() - began) / raw)
    return found, bares


async def echo(port: int) -> None:
    await asyncio.get_running_loop().create_datagram_endpoint(_Echo, local_addr=("127.0.0.1", port))
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)


# --- all of them ---------------------------------------------------------------------------------------


def table(peers: int, rounds: int, base: int) -> tuple[float, float, float]:
    """Bare round trips until final, and until all have acknowledged; a bare one, in microseconds."""
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
        _say(children[1], "measure")
        final, bares = json.loads(_line(children[1]))
        _say(children[0], "measure")
        whole, _ = json.loads(_line(children[0]))
        return statistics.median(final), statistics.median(whole), statistics.median(bares) * 1e6
    finally:
        for child in children:
            child.kill()
            child.wait()


def _say(child: subprocess.Popen[str], word: str) -> None:
    assert child.stdin is not None
    child.stdin.write(f"{word}\n")
    child.stdin.flush()


def _line(child: subprocess.Popen[str]) -> str:
    assert child.stdout is not None
    return child.stdout.readline()


async def cpu(peers: int, count: int) -> float:
    """Microseconds that the sequencer's log takes an action, in a stream of them by all in one process."""
    async with gathered(peers, 1, direct=True) as group:
        spent = 0.0
        host = group.seats[0].wire
        receive, pump = host.log.receive, host.pump

        def timed_receive(*words: object) -> None:
            nonlocal spent
            began = time.perf_counter()
            try:
                receive(*words)  # type: ignore[arg-type]  # handed on
            finally:
                spent += time.perf_counter() - began

        def timed_pump() -> None:
            nonlocal spent
            began = time.perf_counter()
            pump()
            spent += time.perf_counter() - began

        host.log.receive, host.pump = timed_receive, timed_pump  # type: ignore[assignment,method-assign]
        began = time.process_time()
        for number in range(count):
            author = group.seats[1 + number % (peers - 1)].wire
            while len(author.log.pending) >= 16:  # noqa: ASYNC110 - the log is no asyncio object
                await asyncio.sleep(0)
            author.propose(b"action %d" % number)
        await group.until(lambda: all(not one.wire.log.pending for one in group.seats), 60)
        print(
            f"   all {peers} peers together: {(time.process_time() - began) / count * 1e6:.0f} µs an action"
        )
        return spent / count * 1e6


async def idle(peers: int, seconds: float) -> float:
    """Share of a core that one idle peer takes, in percent."""
    async with gathered(peers, 1, direct=True):
        await asyncio.sleep(2)
        began, wall = time.process_time(), time.perf_counter()
        await asyncio.sleep(seconds)
        return (time.process_time() - began) / (time.perf_counter() - wall) / peers * 100


async def memory(peers: int, entries: int) -> float:
    """MiB that a peer's log, sessions and sockets take after so many entries of 100 bytes."""
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


def main() -> int:
    if sys.argv[1:2] == ["--peer"]:
        number, peers, base, rounds = map(int, sys.argv[2:])
        asyncio.run(echo(base + peers) if number == peers else peer(number, peers, base, rounds))
        return 0
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--peers", type=int, nargs="*", default=list(GOALS))
    parser.add_argument("--entries", type=int, default=10_000)
    words = parser.parse_args()
    for place, peers in enumerate(words.peers):
        final, whole, raw = table(peers, words.rounds, 41_000 + 50 * place)
        all_goal, final_goal = GOALS[peers]
        print(f"{peers} peers: final by majority {final:.1f} bare round trips (goal {final_goal}), "
              f"acknowledged by all {whole:.1f} (goal {all_goal}); a bare one {raw:.0f} µs",
              flush=True)  # fmt: skip
    for peers, goal in ((4, 350), (16, 1000)):
        print(f"{peers} peers: the sequencer's log takes {asyncio.run(cpu(peers, 1000)):.0f} µs an action "
              f"(goal {goal}, sessions and sockets included)", flush=True)  # fmt: skip
    print(f"8 peers: an idle peer takes {asyncio.run(idle(8, 10.0)):.2f} % of a core (goal 0.5)", flush=True)
    taken = asyncio.run(memory(16, words.entries))
    print(f"16 peers, {words.entries} entries: {taken:.1f} MiB a peer (goal 40)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
