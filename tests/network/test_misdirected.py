"""What a host says when it sends a newcomer elsewhere is looked at before anything is sent there."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest

from tavolata._engine.network.joining import TableCard
from tavolata._engine.plugins.source_code import code_of
from tavolata_protocol.endpoint import Endpoint
from tavolata_protocol.events import Connected, Disconnected
from tavolata_protocol.handshake import open_table_psk
from tavolata_protocol.identity import Identity, PeerId
from tavolata_protocol.io.udp import UdpDriver
from tavolata_protocol.messages.session import CloseReason, Referral
from tavolata_zompa.rules import Zompa

from .table import Hall

TABLE = bytes(16)


def udp_sockets(process: int) -> int:
    """How many UDP sockets a process has."""
    known = {line.split()[9] for line in Path("/proc/net/udp").read_text().splitlines()[1:]}
    links = (str(one.readlink()) for one in Path(f"/proc/{process}/fd").iterdir())
    return sum(found[1] in known for link in links if (found := re.match(r"socket:\[(\d+)\]", link)))


async def send_elsewhere(hall: Hall, place: tuple[str, int]) -> tuple[int, int]:
    """Be a host that ends the session with whom it lets in; its sockets then, and a while later."""
    card = TableCard(
        "Host", "zompa", Zompa.rules_id, "0.1.0", "tavolata-zompa", code_of(Zompa).packed()
    ).packed()
    identity, now = Identity(os.urandom(32)), asyncio.get_running_loop().time()
    endpoint = Endpoint(identity, os.urandom, now, psk=open_table_psk(TABLE), table=TABLE, profile=card)
    before = 0
    async with UdpDriver(endpoint) as driver:
        newcomer = hall.run("join", f"127.0.0.1:{driver.addresses[0][1]}", "--as", "Ann", "--bot", "random")
        async for event in driver.events():
            if isinstance(event, Connected):
                await asyncio.sleep(1.0)  # it begins to ask for the table
                before = udp_sockets(newcomer.process.pid)
                endpoint.disconnect(
                    event.peer, CloseReason.ELSEWHERE, Referral(PeerId(os.urandom(32)), *place)
                )
                driver.wake()
            elif isinstance(event, Disconnected):
                break
        await asyncio.sleep(1.5)
        left = udp_sockets(newcomer.process.pid)
        newcomer.kill()
        return before, left


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which sockets a process has in /proc")
def test_a_place_that_is_none_costs_the_newcomer_nothing(hall: Hall) -> None:
    """Sent to what is no address, a newcomer still has the sockets that the other peers reach it at."""
    before, left = asyncio.run(asyncio.wait_for(send_elsewhere(hall, ("no-address", 4711)), 30))
    assert left == before > 0
