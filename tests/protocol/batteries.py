"""Batteries over real sockets: as quick as a test, or as long as said.

    python -m tests.protocol.batteries                    all of them, at the length of the protocol's design
    python -m tests.protocol.batteries storm=200 decoder  some of them, one shorter

Each says what it measured; what must hold is asserted. `test_batteries.py` runs the short form of each, which
is a test and asserts no durations: those that are owed are asserted at `ENOUGH` rounds or seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import logging
import os
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

from .children import Child
from .decoding import decode_anything
from .lossy import STORM
from .processes import kill_the_leader
from .realnet import Group, gathered

LINES: list[str] = []
"""What was measured, for whoever runs this."""


ENOUGH = 10
"""From so many rounds, or seconds, on, what was measured has to be as good as the design owes."""


def say(line: str) -> None:
    LINES.append(line)


async def _acted(group: Group, actions: int, name: bytes) -> None:
    """Everybody proposes in turn, sixteen of each under way at most, until all is final everywhere."""
    before = len(group.seats[0].bodies)
    for number in range(actions):
        one = group.seats[number % len(group.seats)]
        while len(one.wire.log.pending) >= 16:  # noqa: ASYNC110 - the log is no asyncio object
            await asyncio.sleep(0.002)
        assert one.wire.propose(b"%s %d" % (name, number))
    await group.until(
        lambda: all(len(one.bodies) == before + actions for one in group.seats), 60 + actions * 0.1
    )


async def storm(actions: int) -> None:
    """30 % lost, 30 % reordered, 10 % doubled, 80 ms of jitter: equal chains, at most 3 times the sends."""
    sent = {}
    for name, weather in (("calm", None), ("storm", STORM)):
        async with gathered(3, 1) as group:
            if weather is not None:
                group.relay.weather = weather
            before = group.relay.carried
            began = time.monotonic()
            await _acted(group, actions, b"action")
            sent[name] = (group.relay.carried - before, time.monotonic() - began)
            group.check(actions)
    minimal = 4 * actions  # to the leader, to two followers, and one acknowledgement
    ratio = sent["storm"][0] / minimal
    say(
        f"storm: {actions} actions of 3 peers in {sent['storm'][1]:.1f} s, {sent['storm'][0]} datagrams: "
        f"{ratio:.2f} of the minimal, {sent['storm'][0] / sent['calm'][0]:.2f} of those in calm"
    )
    assert ratio <= 3


async def partitions(rounds: int, seconds: float = 60.0) -> None:
    """The leader and another are cut off from three: one lineage, and all equal within 5 s of healing."""
    async with gathered(5, 2) as group:
        took = [await _one_partition(group, number, seconds) for number in range(rounds)]
        group.check(rounds * 5)
    say(f"partitions: {rounds} of {seconds:.0f} s, all equal again after {max(took):.2f} s at most")
    assert rounds < ENOUGH or max(took) <= 5


async def _one_partition(group: Group, number: int, seconds: float) -> float:
    ordering = group.leader()
    assert ordering is not None
    minority = {ordering.number, (ordering.number + 1) % 5}
    majority = [one for one in group.seats if one.number not in minority]
    group.relay.cut = lambda source, target: (source in minority) != (target in minority)
    for one in group.seats:
        one.wire.propose(b"cut off %d by %d" % (number, one.number))
    await group.until(lambda: any(one.wire.log.is_leader for one in majority), 20)
    await asyncio.sleep(max(0.0, seconds - 5))
    group.relay.cut = lambda source, target: False
    took = await group.until(lambda: all(len(one.bodies) == 5 * number + 5 for one in group.seats), 20)
    assert len({one.wire.log.lineage for one in group.seats}) == 1
    return took


async def noise(seconds: float) -> None:
    """20,000 datagrams of nonsense and 10,000 forged a second at the leader, from another process."""
    async with gathered(3, 3, direct=True) as group:
        await _paced(group, 1.0, b"warm")
        quiet, growth = await _paced(group, seconds, b"quiet")
        host = group.seats[0].wire.driver
        ids = [number for number in host.endpoint._by_connection if number]
        with Child("tests.protocol.spray", host.addresses[0][1], *ids) as spray:
            assert await asyncio.to_thread(spray.line) == "begun"
            before = host.endpoint.discarded
            with silence():
                noisy, grown = await _paced(group, seconds, b"noisy")
            heard = host.endpoint.discarded - before
            spray.write("stop")
            sprayed = float(await asyncio.to_thread(spray.line))
        bodies = len(group.seats[0].bodies)
        await group.until(lambda: all(len(one.bodies) == bodies for one in group.seats), 10)
        group.check(bodies)  # these are numbered: there is nothing among them that nobody here said
        assert {one.author for one in group.seats[0].applied} == {one.id for one in group.seats[:2]}
        assert group.seats
        assert all(len(one.wire.driver.endpoint.peers()) == 2 for one in group.seats)
    say(
        f"noise: an action took {noisy / quiet:.2f} of its quiet median of {quiet * 1000:.1f} ms under "
        f"{sprayed:.0f} datagrams a second, of which {heard / seconds:.0f} were read; memory grew by "
        f"{growth / 2**20:.1f} MiB in quiet, and by {grown / 2**20:.1f} MiB under noise"
    )
    assert heard
    assert grown - growth < 10 * 2**20
    if seconds >= ENOUGH:
        assert heard / seconds > 1000
        assert noisy / quiet <= 2


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Nothing is printed and nothing is logged meanwhile."""
    said = io.StringIO()
    handler = logging.StreamHandler(said)
    logging.getLogger().addHandler(handler)
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            yield
    finally:
        logging.getLogger().removeHandler(handler)
    assert said.getvalue() == ""


async def _paced(group: Group, seconds: float, name: bytes) -> tuple[float, int]:
    """A guest acts every 20 ms: the median seconds until that is final, and how many bytes memory grew."""
    author = group.seats[1].wire
    took: list[float] = []
    before, until = _resident(), time.monotonic() + seconds
    while time.monotonic() < until:
        await asyncio.sleep(0.02)
        began = time.perf_counter()
        author.propose(b"%s %d" % (name, len(took)))
        while author.log.pending:  # noqa: ASYNC110 - the log is no asyncio object
            await asyncio.sleep(0)
        took.append(time.perf_counter() - began)
    return statistics.median(took), _resident() - before


def _resident() -> int:
    """Bytes of this process in memory; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


async def decoder(cases: int) -> None:
    """Whatever the bytes are, decoding ends in a message or in a typed error."""
    began = time.monotonic()
    await asyncio.to_thread(decode_anything, cases)
    say(f"decoder: {cases} cases in {time.monotonic() - began:.0f} s, typed errors only")


async def kills(times: int) -> None:
    """`kill -9` of the process that leads: nothing final is lost, and another leads soon."""
    for peers in (3, 5, 8) if times > 1 else (3,):
        took = sorted([await asyncio.to_thread(kill_the_leader, peers) for _ in range(times)])
        p95 = took[int(len(took) * 0.95)]
        say(
            f"kills: {times} of {peers} processes, another leads after {took[len(took) // 2]:.2f} s (p50), "
            f"{p95:.2f} s (p95)"
        )
        assert times < ENOUGH or p95 <= 2.5


BATTERIES: dict[str, tuple[Callable[[Any], Awaitable[None]], int, int]] = {
    "storm": (storm, 10_000, 120),
    "kills": (kills, 50, 1),
    "partitions": (partitions, 20, 0),
    "noise": (noise, 20, 1),
    "decoder": (decoder, 1_000_000, 300),
}
"""By name: the battery, its full length, and the length of a quick look (0: left out of it)."""


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.protocol.batteries", description=__doc__)
    parser.add_argument("battery", nargs="*", help="NAME or NAME=LENGTH; all of them without any")
    wanted = parser.parse_args(words).battery or list(BATTERIES)
    for word in wanted:
        name, _, length = word.partition("=")
        if name not in BATTERIES or not (length or "1").isdecimal():
            parser.error(f"{word} is none of them: {', '.join(BATTERIES)}; =LENGTH may follow")
    for word in wanted:
        name, _, length = word.partition("=")
        run, full, _ = BATTERIES[name]
        try:
            asyncio.run(run(int(length or full)))  # type: ignore[arg-type]  # they are coroutines
        finally:  # what was measured is wanted above all where it is not good enough
            while LINES:
                print(LINES.pop(0), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
