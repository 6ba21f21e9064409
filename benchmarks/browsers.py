"""The pages of a table: taps, memory and many browsers; run `python benchmarks/browsers.py` (Linux).

A real `tt host --web` on loopback. Its browsers are websockets, as the server can't tell the difference;
each tap is an act that changes what the page shows, timed until the new state has come back. With Chromium
installed, taps of a finger on a real page are timed, too: from when it is lifted to the frame that shows
what was tapped.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import re
import socket
import statistics
import struct
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import aiohttp
from tests.network.chromium import PROGRAM, chromium
from tests.network.table import Hall
from tests.network.test_browsers import Served, Visitor, lobby, visitor

from tavolata_protocol.admission import LIMITS, Entrance

TAP, MEMORY, MANY = 50, 120, 24
"""The goals: milliseconds of a tap, MiB of a host with eight browsers; and how many browsers have a seat."""
LOAD, TURN, FAMILY = 78, 25, 84
"""The goals of an evening: KiB of a phone's first load and of each turn there, MiB of the host."""


async def eight(hall: Hall) -> None:
    """Eight browsers play one match at one host: its memory, and a tap at one of them."""
    host = Served(hall, "--seats", "9", game="zompa")
    print(f"a host without browsers: {host.memory():.1f} MiB", flush=True)
    async with contextlib.AsyncExitStack() as stack:
        phones = [await stack.enter_async_context(visitor(host, f"Guest {n}")) for n in range(8)]
        for one in phones:
            await one.until(lambda said: len(lobby(said).get("taken", [])) == 9)
        print(f"eight browsers in the lobby: {host.memory():.1f} MiB", flush=True)
        for one in phones:
            await one.act(do="send", question=one.state["question"])
            await one.until(lambda said: any(seat["mine"] and seat["ready"] for seat in lobby(said)["taken"]))
        host.tt.type("start")
        for one in phones:
            await one.until(lambda said: said["scene"]["phase"] in ("play", "window"))
        await asyncio.sleep(5)
        print(f"eight browsers in a match: {host.memory():.1f} MiB (goal {MEMORY})", flush=True)


async def many(hall: Hall) -> None:
    """All the browsers that can have a seat: some play, the others look on."""
    host = Served(hall, "--seats", "9", game="zompa")
    began = time.perf_counter()
    async with contextlib.AsyncExitStack() as stack:
        phones = [await stack.enter_async_context(visitor(host, f"Guest {n}")) for n in range(MANY)]
        for one in phones:
            await one.until(lambda said: lobby(said).get("seated") or lobby(said).get("watchers"))
        watch = [not lobby(one.state).get("seated") for one in phones]
        took = time.perf_counter() - began
        print(f"{MANY} browsers, {watch.count(True)} of them look on: there in {took:.1f} s, "
              f"{host.memory():.1f} MiB", flush=True)  # fmt: skip


async def family(hall: Hall, seconds: float) -> None:
    """Three phones and a television: a load's bytes, each phone's bytes a turn, and the host's memory."""
    host = Served(hall, "--seats", "4", "--bot", "easy", "--start", "full", game="conto")
    async with contextlib.AsyncExitStack() as stack:
        phones = [await stack.enter_async_context(visitor(host, f"Guest {n}")) for n in range(3)]
        loaded = await load(phones[0])
        screen = await stack.enter_async_context(visitor(host, "Television"))
        print(f"a phone's first load, as sent: {loaded / 1024:.0f} KiB (goal {LOAD})", flush=True)
        taken = await asyncio.gather(*(play(one, seconds) for one in phones))
        sent, text, turns = (sum(each) for each in zip(*taken, strict=True))
        each = f"{sent / 1024 / max(1, turns):.1f} KiB a turn (goal {TURN})"
        print(f"a phone's bytes in {turns} turns: {each}, {text / 1024 / max(1, turns):.0f} KiB of text")
        print(f"three phones and a television: {host.memory():.1f} MiB (goal {FAMILY})", flush=True)
        assert screen.socket is not None


async def load(one: Visitor) -> int:
    """Return the bytes of a page with all files that it names, as a browser lets them be packed."""
    size, paths = 0, [""]
    async with aiohttp.ClientSession(cookie_jar=one.session.cookie_jar, auto_decompress=False) as session:
        for path in paths:
            async with session.get(one.host.at + path, headers={"Accept-Encoding": "gzip"}) as answered:
                body = await answered.read()
            size += len(body)
            if not path:
                paths += sorted(set(re.findall(r'(?:src|href)="(/static/[^"]+)"', body.decode())))
    return size


def received(one: Visitor) -> int:
    """Return the bytes that have come over this browser's connection, as Linux counts them."""
    assert one.socket is not None
    told = one.socket.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
    number: int = struct.unpack_from("=Q", told, 128)[0]  # tcpi_bytes_received
    return number


async def play(one: Visitor, seconds: float) -> tuple[int, int, int]:
    """Answer at once for some time; return the bytes on the wire, those of the text, and the turns."""
    assert one.socket is not None
    size, turns, answered, before = 0, {0}, "", received(one)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            async for message in one.socket:
                size += len(message.data)
                state = json.loads(message.data)
                if state["type"] != "state":
                    continue
                turns.update(
                    int(fact[5:]) for _, fact in state["scene"]["status"]["facts"] if fact[:5] == "turn "
                )
                if state["question"] and state["question"] != answered:
                    answered = state["question"]
                    options = state["scene"]["decision"].get("options", ())
                    if can := [at for at, choice in enumerate(options) if choice.get("can")]:
                        await one.act(do="point", question=answered, at=can[0])
                    await one.act(do="send", question=answered)
    return received(one) - before, size, max(turns)


async def taps(hall: Hall, times: int) -> None:
    """A tap on a choice until it is shown as chosen."""
    host = Served(hall, "--seats", "2", "--bot", "easy", "--start", "full", game="jumpy-jack")
    async with visitor(host) as gino:
        state = await gino.until(lambda said: said.get("question") and said["scene"]["phase"] == "play")
        took = []
        for number in range(times):
            at = number % 2
            before = order(state, at)
            began = time.perf_counter()
            await gino.act(do="point", question=state["question"], at=at)
            gino.state = {}
            while not gino.state or order(state, at) == before:
                state = await gino.until(lambda said: said["type"] == "state")
                if order(state, at) == before:
                    gino.state = {}
            took.append(1000 * (time.perf_counter() - began))
            await asyncio.sleep(1 / LIMITS[Entrance.MESSAGES].source)  # a host cuts off who sends more
        said("tap until the state is back", took)
    if PROGRAM is not None:
        host = Served(hall, "--seats", "2", "--bot", "easy", "--start", "full", game="jumpy-jack")
        async with chromium(hall.folder / "chromium") as page:
            await page.become(390, 844, phone=True)
            await page.open(host.link)
            await page.sit("Gino")
            await page.says("Which three horses")
            await page.holds("performance.now() - asked[1] > 300")
            await page.ask(PAINTED)
            for _ in range(times):
                seen = await page.ask("shown.length")
                await page.tap_on("[data-choice]")
                await page.holds(f"shown.length > {seen}")
            said("tap until the frame is painted", await page.ask("shown"))


def order(state: dict[str, Any], at: int) -> int:
    """The place of a choice among those that are selected; 0 if it is not."""
    number: int = state["scene"]["decision"]["options"][at]["order"]
    return number


PAINTED = """(() => {
  window.shown = [];
  let began = 0;
  addEventListener('pointerup', (event) => (began = event.timeStamp), true);
  const before = show;
  show = (said) => {
    before(said);
    if (began) requestAnimationFrame(() => {
      const painted = new MessageChannel();  // its message comes right behind the painting of this frame
      painted.port1.onmessage = () => {
        if (began) shown.push(performance.now() - began);
        began = 0;
      };
      painted.port2.postMessage(0);
    });
  };
})()"""
"""A script that notes in `shown` how long each tap took until the new state was painted."""


def said(what: str, took: list[float]) -> None:
    """Print the median and the slowest."""
    print(f"{what}: {statistics.median(took):.1f} ms, {max(took):.1f} ms at most (goal {TAP})", flush=True)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--taps", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long the family plays")
    words = parser.parse_args()
    for work in (partial(family, seconds=words.seconds), partial(taps, times=words.taps), eight, many):
        with tempfile.TemporaryDirectory() as folder:
            hall = Hall(Path(folder))
            try:
                asyncio.run(work(hall))
            finally:
                hall.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
