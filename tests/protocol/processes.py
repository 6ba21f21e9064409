"""Peers that are processes of their own, with real sockets on loopback, so that one can really be killed.

    python -m tests.protocol.processes NUMBER PORT...    one peer; it ends when its input does

A peer is told `say WORD`, which it proposes, or `tell`, and answers that with a line: what became final, in
order, and since when it leads, by the clock that all processes of a machine share; null if it does not.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.protocol.grouplog.memory_storage import MemoryStorage

from tavolata._engine.network.log_driver import LogDriver
from tavolata._engine.storage.ways_back import WayFile
from tavolata_protocol.endpoint import Endpoint
from tavolata_protocol.entries import EntryKind
from tavolata_protocol.grouplog import GroupLog, events
from tavolata_protocol.handshake import open_table_psk
from tavolata_protocol.identity import Identity
from tavolata_protocol.io.udp import UdpDriver

from .children import Child
from .realnet import TABLE

# --- one peer, a process -----------------------------------------------------------------------------


class Peer:
    """What a process knows."""

    def __init__(self, wire: LogDriver) -> None:
        self.wire = wire
        self.bodies: list[str] = []
        self.since: float | None = None

    async def follow(self) -> None:
        """Note what becomes final and who leads; whoever leads lets everybody in."""
        log = self.wire.log
        async for event in self.wire.events():
            match event:
                case events.Final(entry) if entry.kind is EntryKind.APPLICATION:
                    self.bodies.append(entry.body.decode())
                case events.JoinRequested(peer) if log.is_leader:
                    log.add_learner(peer)
                    log.promote(peer)
                    self.wire.pump()
                case events.LeaderChanged():
                    self.since = time.monotonic() if log.is_leader else None
                case _:
                    pass


async def be(number: int, ports: list[int]) -> None:
    """Peer 0 founds and leads; all answer until their input ends."""
    ids = [Identity(bytes((one + 1,)) * 32) for one in range(len(ports))]
    endpoint = Endpoint(
        ids[number], os.urandom, asyncio.get_running_loop().time(), psk=open_table_psk(TABLE), table=TABLE
    )
    driver = UdpDriver(endpoint, ["127.0.0.1"], ports[number])
    await driver.start()
    log = GroupLog(ids[number], MemoryStorage(), table=TABLE, chance=random.SystemRandom())
    me = Peer(LogDriver(driver, log, WayFile(Path(os.devnull))))
    following = asyncio.create_task(me.follow())
    if number == 0:
        log.create(me.wire.now())
    for port in ports[:number]:
        endpoint.connect(("127.0.0.1", port), me.wire.now())
    driver.wake()
    while len(endpoint.peers()) < len(ports) - 1:  # noqa: ASYNC110 - the endpoint is no asyncio object
        await asyncio.sleep(0.02)
    if number:
        log.join(ids[0].peer, me.wire.now())
        me.wire.pump()
    while len(log.configuration.voters) < len(ports):  # noqa: ASYNC110 - nor is the log
        await asyncio.sleep(0.02)
    print("ready", flush=True)
    while told := (await asyncio.to_thread(sys.stdin.readline)).split():
        if told[0] == "say":
            me.wire.propose(told[1].encode())
        else:
            print(json.dumps([me.bodies, me.since if log.is_leader else None]), flush=True)
    following.cancel()
    await me.wire.close()


# --- all of them -------------------------------------------------------------------------------------


class Player(Child):
    """A peer's process, from outside."""

    def __init__(self, number: int, ports: list[int]) -> None:
        super().__init__("tests.protocol.processes", number, *ports)
        self.number = number

    def say(self, word: str) -> None:
        """Let it propose something."""
        self.write(f"say {word}")

    def tell(self) -> tuple[list[str], float | None]:
        """What it holds final, and since when it leads."""
        self.write("tell")
        bodies, since = json.loads(self.line())
        return bodies, since


@contextlib.contextmanager
def table(peers: int) -> Iterator[list[Player]]:
    """So many processes, all voters of one log."""
    with contextlib.ExitStack() as stack:
        sockets = [
            stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) for _ in range(peers)
        ]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        ports = [one.getsockname()[1] for one in sockets]
    children = [Player(number, ports) for number in range(peers)]
    try:
        for child in children:
            assert child.line() == "ready"
        yield children
    finally:
        for child in children:
            child.end()


def until(condition: Callable[[], Any], seconds: float) -> Any:
    """Wait until something is so; what it was then."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.02)
    return found


def kill_the_leader(peers: int) -> float:
    """SIGKILL for the process that leads, with proposals in the air: seconds until another one leads.

    Nothing that was final is lost, and what the others said is final for all of them, once and in one order.
    """
    with table(peers) as children:
        first, *others = children
        before = {f"before-{child.number}-{count}" for child in children for count in range(4)}
        for word in sorted(before):
            children[int(word.split("-")[1])].say(word)
        final = until(lambda: before <= set(found := first.tell()[0]) and found, 20)
        for child in children:
            child.say(f"air-{child.number}")
        killed = time.monotonic()
        first.process.kill()
        leads = until(lambda: [since for child in others if (since := child.tell()[1]) is not None], 20)
        for child in others:
            child.say(f"after-{child.number}")
        said = {f"{when}-{child.number}" for child in others for when in ("air", "after")}
        held = until(lambda: _agreed([child.tell()[0] for child in others], said), 20)
        assert held[: len(final)] == final
        assert len(held) == len(set(held))
        assert set(held) - {"air-0"} == before | said
        return float(leads[0] - killed)


def _agreed(held: list[list[str]], said: set[str]) -> list[str] | None:
    """What all hold, if it is the same and all of this is in it."""
    return held[0] if all(one == held[0] for one in held) and said <= set(held[0]) else None


if __name__ == "__main__":
    asyncio.run(be(int(sys.argv[1]), [int(port) for port in sys.argv[2:]]))
