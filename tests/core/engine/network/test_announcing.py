"""Announcements of a table by whoever leads it in the host's stead."""

from __future__ import annotations

import asyncio
import os
from typing import Self

import pytest
from tests.core.engine.table.test_table_state import ANN, BOB, founded, put

from tavolata._engine.network import announcing
from tavolata._engine.network.ways import Ways
from tavolata._engine.table import log_bodies
from tavolata_protocol.announcements import Announcement
from tavolata_protocol.endpoint import Endpoint
from tavolata_protocol.identity import Identity
from tavolata_protocol.io.udp import UdpDriver


def test_an_heir_announces_the_table_while_it_leads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not before, not once somebody leads again, and not under no name when it has left."""
    told: list[str] = []

    class Recorder:
        """Tells this test what would be said to the network."""

        def __init__(self, said: Announcement, *_: object) -> None:
            self.name = said.name

        async def __aenter__(self) -> Self:
            told.append(f"+{self.name}")
            return self

        async def __aexit__(self, *_: object) -> None:
            told.append(f"-{self.name}")

        def update(self, free: int) -> None:
            """Nothing is asked of it here."""

    monkeypatch.setattr(announcing, "Announcer", Recorder)
    monkeypatch.setattr(announcing, "LOOK_AGAIN", 0.0)
    state = founded(ANN, BOB, me=ANN)
    lost = False

    async def steps() -> None:
        for _ in range(100):
            await asyncio.sleep(0)

    async def scene() -> None:
        nonlocal lost
        driver = UdpDriver(Endpoint(Identity(bytes(32)), os.urandom, 0.0), ["0.0.0.0"])
        async with announcing.announced(
            announcing.as_heir(bytes(16), state, ANN, 1, lambda: lost), Ways(driver, 1)
        ):
            await steps()
            assert told == []
            lost = True
            await steps()
            assert told == ["+P1"]
            lost = False
            await steps()
            assert told == ["+P1", "-P1"]
            lost = True
            await steps()
            put(state, ANN, log_bodies.LEAVE)
            await steps()

    asyncio.run(scene())
    assert told == ["+P1", "-P1"] * 2
