"""Spectators that say anything in the log's own messages: each field true, almost or made up, validly signed.

    python -m tests.network.conjuring HOW_MANY ADDRESS

Each has a fresh key and a session with every member that it can reach, follows the log, and lies twenty times
a second. None of them plays: one process has them all, and leaves the processors to the honest.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from tests.protocol.grouplog.liars import Liar
from tests.protocol.grouplog.memory_storage import MemoryStorage

from tavolata._engine.network.joining import guest_profile
from tavolata._engine.network.log_driver import LogDriver
from tavolata._engine.storage.ways_back import WayFile
from tavolata_protocol.endpoint import Endpoint
from tavolata_protocol.errors import LocalError
from tavolata_protocol.events import Connected
from tavolata_protocol.grouplog import GroupLog
from tavolata_protocol.identity import Identity
from tavolata_protocol.io.udp import UdpDriver
from tavolata_protocol.messages import log as wire

EVERY = 0.05
"""Seconds between two lies."""


class Listeners:
    """Stands in the place of a simulated world: all the members, to whom lies go over real sessions."""

    def __init__(self, log_driver: LogDriver) -> None:
        self._log_driver = log_driver
        log = log_driver.log
        self.me = SimpleNamespace(id=log._replica.me, signer=log._replica.signer, log=log, alive=log)

    @property
    def peers(self) -> list[Any]:
        log = self._log_driver.log
        others = [one for one in log.configuration.peers if one != self.me.id]
        return [self.me, *(SimpleNamespace(id=one, log=log, alive=log) for one in others)]

    def _carry(self, sender: Any, receiver: Any, data: bytes, resends: bool) -> None:
        with suppress(LocalError):
            self._log_driver.driver.endpoint.send(receiver.id, data, reliable=False)


class Conjurer(Liar):
    """A liar that asks neither to leave nor to join with another birth: it would be taken out itself."""

    @cached_property
    def _kinds(self) -> tuple[type[Any], ...]:
        return tuple(kind for kind in super()._kinds if kind not in (wire.Leave, wire.Join))


async def watch(number: int, host: str, port: int, arrived: list[int]) -> None:
    """Join as a spectator, follow the log, and lie for ever; who has `arrived` is told."""
    loop, nowhere = asyncio.get_running_loop(), Path(os.devnull)
    identity, profile = Identity(os.urandom(32)), guest_profile(f"Liar{number}", watch=True)
    endpoint = Endpoint(identity, os.urandom, loop.time(), profile=profile)
    driver = UdpDriver(endpoint, ["127.0.0.1"], 0)
    await driver.start()
    met = asyncio.Queue[Connected]()
    driver.serve(cast("Any", SimpleNamespace(
        take=lambda event: met.put_nowait(event) if isinstance(event, Connected) else None,
        act=lambda: None, rest=lambda: False, fail=lambda fault: sys.exit(str(fault)),
    )))  # fmt: skip
    endpoint.connect((host, port), loop.time())
    driver.wake()
    first = await met.get()
    log = GroupLog(identity, MemoryStorage(), table=first.table, chance=random.SystemRandom())
    log_driver = LogDriver(driver, log, WayFile(nowhere))
    following = asyncio.create_task(_follow(log_driver))
    log.join(first.peer, loop.time())
    log_driver.pump()
    while identity.peer not in log.configuration:  # noqa: ASYNC110 - the log is no asyncio object
        await asyncio.sleep(EVERY)
    table = Listeners(log_driver)
    liar = Conjurer(cast("Any", table), cast("Any", table.me), random.Random(number))
    liar.birth = log._replica.birth
    arrived.append(number)
    print(f"{len(arrived)} watch", flush=True)
    hundreds = 0
    while not following.done():
        liar.lie()
        if (said := liar.said.total()) // 100 > hundreds:
            hundreds = said // 100
            print(f"{hundreds * 100} lies of {number}", flush=True)
        log_driver.pump()
        await asyncio.sleep(EVERY)


async def _follow(log_driver: LogDriver) -> None:
    async for _ in log_driver.events():
        pass


async def main(many: int, address: str) -> None:
    host, _, port = address.rpartition(":")
    arrived = list[int]()
    await asyncio.gather(*(watch(number, host, int(port), arrived) for number in range(many)))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
