"""Announcements that somebody makes up: few are kept, and nobody is flooded by whoever looks for tables."""

from __future__ import annotations

import asyncio
import os
import socket
from ipaddress import IPv6Interface

import pytest

from tavolata_protocol import codec
from tavolata_protocol.addresses import Address
from tavolata_protocol.admission import LIMITS, Entrance
from tavolata_protocol.announcements import Announcement
from tavolata_protocol.io import beacon, discovery
from tavolata_protocol.io.discovery import ASKED_AT_ONCE, ASKED_IN_ALL, Search
from tavolata_protocol.io.interfaces import Interface
from tavolata_protocol.io.probing import PROBES
from tavolata_protocol.messages.beacons import TableReply
from tavolata_protocol.messages.packets import MAX_DATAGRAM
from tavolata_protocol.sightings import (
    MAX_ADDRESSES,
    Directory,
    Rung,
    Sighting,
)


def sighting(number: int, address: Address) -> Sighting:
    table = number.to_bytes(16, "big")
    said = Announcement(table, "Host", "zompa", address[1], private=False, free=1)
    return Sighting(address, Rung.MDNS, said)


def test_few_tables_of_one_machine_are_kept() -> None:
    """A thousand tables at a thousand ports: as many as a machine may have, and another's still fits."""
    directory = Directory()
    new = sum(directory.saw(sighting(port, ("10.0.0.1", port))) for port in range(1000, 2000))
    assert new == len(directory.addresses()) == LIMITS[Entrance.TABLES].source
    assert directory.saw(sighting(1, ("10.0.0.2", 1000)))


def test_few_addresses_of_one_table_are_kept() -> None:
    """One table at a thousand addresses, as announced, is at most at some of them."""
    directory = Directory()
    for number in range(1000):
        directory.saw(sighting(1, (f"10.0.{number >> 8}.{number & 255}", 8286)))
    assert len(directory.addresses()) == MAX_ADDRESSES


def test_a_full_list_forgets_only_what_is_silent() -> None:
    """From thousands of machines no more is kept; a table that answers stays, a silent one makes room."""
    directory = Directory()
    here = [(f"10.0.{number >> 8}.{number & 255}", 8286) for number in range(LIMITS[Entrance.TABLES].whole)]
    for number, address in enumerate(here):
        assert directory.saw(sighting(number, address))
        directory.answered(address, alive=True)
    assert not directory.saw(sighting(9999, ("10.1.0.1", 1)))
    directory.answered(here[5], alive=False)
    assert directory.saw(sighting(9999, ("10.1.0.1", 1)))
    assert len(directory.addresses()) == LIMITS[Entrance.TABLES].whole
    assert here[5] not in directory.addresses()
    assert len(directory.tables()) == LIMITS[Entrance.TABLES].whole - 1


@pytest.mark.battery
@pytest.mark.parametrize(("victim", "most"), [("127.0.0.1", ASKED_AT_ONCE * len(PROBES)), ("203.0.113.5", 0)])
def test_answers_in_the_name_of_another_flood_nobody(
    victim: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousand answers as if from one machine: less is sent there than came; off-link nothing is."""
    monkeypatch.setattr(discovery, "interfaces", list)

    async def main() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as there:
            there.bind(("127.0.0.1", 0))
            there.setblocking(False)
            port, brought = there.getsockname()[1], 0
            async with Search(os.urandom) as search:
                for number in range(1000):
                    here = TableReply(search.beacon._nonce, os.urandom(16), "x", "y", port, False, 1, 1)
                    answer = b"tavolata/1 " + codec.encode(here)
                    brought += len(answer)
                    search.beacon._take(answer, (victim, 5000 + number))
                    search._withdrew(here.table)
                await asyncio.sleep(sum(pause for _, pause in PROBES) + 0.3)
                assert len(search._tasks) <= 2 + LIMITS[Entrance.TABLES].source
            got = 0
            while True:
                try:
                    got += len(there.recv(2048))
                except BlockingIOError:
                    break
            assert got <= min(brought, most * MAX_DATAGRAM)
            assert bool(got) == bool(most)

    asyncio.run(main())


def test_a_group_that_could_not_be_joined_is_joined_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interface may not be ready at the first look; what is joined isn't joined again while it stays."""
    asked: list[int] = []

    def join_group(sock: socket.socket, group: str, index: int) -> None:
        asked.append(index)
        if asked.count(7) == 1:
            raise OSError("No such device")

    monkeypatch.setattr(beacon, "join_group", join_group)
    answerer = beacon.BeaconAnswerer(Announcement(bytes(16), "Host", "zompa", 8286))
    here = [
        Interface(name, index, ipv6=(IPv6Interface("fe80::1/64"),)) for name, index in (("a", 3), ("b", 7))
    ]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as answerer._groups:
        for seen in (here, here, here, here[:1], here):
            answerer.follow(seen)
    assert asked == [3, 7, 7, 7]


@pytest.mark.parametrize("first", [0, 63, 1000, 3999])
def test_four_thousand_lies_from_64_addresses_hide_no_table(
    first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Acceptance 8: whenever the true answer comes between them, its table is asked, and listed."""
    monkeypatch.setattr(discovery, "interfaces", list)

    async def main() -> None:
        answers: dict[Address, asyncio.Future[bool]] = {}
        true: Address = ("127.9.9.9", 8286)

        async def is_alive(address: Address) -> bool:
            return await answers.setdefault(address, asyncio.get_running_loop().create_future())

        async with Search(os.urandom) as search:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(search._prober, "is_alive", is_alive)
                for number in range(4000):
                    if number == first:
                        search._saw(sighting(99_999, true))
                    search._saw(sighting(number, (f"127.7.7.{number % 64}", 1000 + number)))
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                assert len(answers) <= ASKED_IN_ALL
                for address, alive in answers.items():
                    alive.set_result(address == true)
                await asyncio.gather(*answers.values())
                for _ in range(5):
                    await asyncio.sleep(0)
                assert not search._asking
                (listed,) = search.directory.tables()
                assert listed.addresses == [true]
                assert len(search.directory.silent()) < LIMITS[Entrance.TABLES].whole

    asyncio.run(asyncio.wait_for(main(), 60))
