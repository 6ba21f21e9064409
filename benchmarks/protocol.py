"""A benchmark of agreement against a bare UDP round trip; run `python benchmarks/protocol.py`.

Every peer is a process with the real log, sessions, sockets and signatures; only the disk is in memory. Bare
round trips between two processes with asyncio's own sockets are measured at the same time as the actions, so
that a busy machine slows both. The lower quartile of both counts, because other programs disturb it least.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import pstats
import statistics
import sys
import time
import tracemalloc
from collections import Counter
from functools import partial
from pathlib import Path

from table_processes import Process, Watch, table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.protocol.realnet import gathered

from tavolata_protocol.grouplog import GroupLog

GOALS = {2: (10, 9), 4: (15, 11), 8: (20, 14), 16: (40, 28)}
"""By peers: the most round trips until all, and until a majority, have acknowledged an action."""
PAUSES = (0.03, 0.0)
"""Seconds between actions and between bare round trips: at people's speed, and at full speed."""
CPU_GOALS = {4: " (goal 350)", 16: " (goal 1000)"}


def latency(child: Process, rounds: int, pause: float) -> tuple[float, float, float]:
    """A process's actions in bare round trips: lower quartiles, and medians; a bare one's quartile in µs."""
    actions, bares = (statistics.quantiles(taken, n=4) for taken in child.ask(f"act {rounds} {pause}"))
    return actions[0] / bares[0], actions[1] / bares[1], bares[0] * 1e6


def cpu(children: list[Process], count: int) -> tuple[float, float]:
    """Microseconds of CPU an action of a stream by all guests: the leader's process, and all together."""
    peers = children[:-1]
    before = [child.ask("cpu") for child in peers]
    each = count // (len(peers) - 1)
    for child in peers[1:]:
        child.say(f"stream {each}")
    for child in peers[1:]:
        child.line()
    took = [(child.ask("cpu") - begun) / each / (len(peers) - 1) * 1e6
            for child, begun in zip(peers, before, strict=True)]  # fmt: skip
    return took[0], sum(took)


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
        watches = [Watch(one.wire) for one in group.seats]
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
        with table(peers, 41_000 + 50 * place) as children:
            for pause in PAUSES:
                final, final_median, raw = latency(children[1], words.rounds, pause)
                whole, whole_median, _ = latency(children[0], words.rounds, pause)
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
