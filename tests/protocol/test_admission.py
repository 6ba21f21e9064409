"""Each entrance with each limit: what strangers may use, below it, at it, and far above it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from tests.protocol.lossy import Network
from tests.protocol.test_hostile import caller
from tests.protocol.test_reflection import session_of

from tavolata_protocol import beacons, codec
from tavolata_protocol.addresses import Address, anyone
from tavolata_protocol.admission import LIMITS, RESERVE, Admission, Entrance, Limit, connections, source
from tavolata_protocol.announcements import Announcement
from tavolata_protocol.io.beacon import BeaconAnswerer
from tavolata_protocol.limits import Attempts, Requests
from tavolata_protocol.links import one_too_many
from tavolata_protocol.messages.packets import HEADER_SIZE, PacketKind, parse_header
from tavolata_protocol.messages.session import Challenge
from tavolata_protocol.sightings import Directory, Rung, Sighting


def things(limit: Limit, many: int, sources: int) -> int:
    """Things of an `Admission`, none of which proves itself."""
    door = Admission[int](limit)
    for number in range(many):
        door.enter(number, str(number % sources))
    return len(door)


def hellos(many: int, sources: int) -> int:
    """Calls without a cookie at one moment; how many are answered."""
    network = Network(5)
    host = network.node(1)
    replies: list[bytes] = []
    network.tap = lambda data, source, target: replies.append(data)
    hello = caller(1).hello()
    for number in range(many):
        network.inject(hello, (f"10.9.{number % sources}.1", 1000 + number // sources), host.address)
    return len(replies)


def handshakes(many: int, sources: int) -> int:
    """Valid INITs over ten seconds, of which no FIN follows; the most that are unfinished at once."""
    network = Network(5)
    host = network.node(1)
    replies: list[bytes] = []
    network.tap = lambda data, source, target: replies.append(data)
    most = 0
    for number in range(many):
        address: Address = (f"10.9.{number % sources}.1", 1000 + number // sources)
        initiator = caller(number)
        network.inject(initiator.hello(), address, host.address)
        network.inject(initiator.read_retry(replies[-1][HEADER_SIZE:]), address, host.address)
        most = max(most, len(host.endpoint._handshakes.answers))
        network.now += 0.01
    return most


def announced(many: int, sources: int) -> int:
    """Tables that are announced and don't answer."""
    directory = Directory()
    for number in range(many):
        address: Address = (f"10.9.{number % sources}.1", 1000 + number)
        said = Announcement(number.to_bytes(16, "big"), "Host", "zompa", address[1])
        directory.saw(Sighting(address, Rung.MDNS, said))
        directory.answered(address, alive=False)
    return len(directory.silent())


def begun(many: int, sources: int) -> int:
    """Valid INITs in one second; how many are answered."""
    network = Network(5)
    host = network.node(1)
    replies: list[bytes] = []
    network.tap = lambda data, source, target: replies.append(data)
    for number in range(many):
        address: Address = (f"10.9.{number % sources}.1", 1000 + number // sources)
        initiator, before = caller(number), len(replies)
        network.inject(initiator.hello(), address, host.address)
        if len(replies) > before:  # there are more calls than cookies
            network.inject(initiator.read_retry(replies[-1][HEADER_SIZE:]), address, host.address)
    return sum(parse_header(one).kind is PacketKind.RESP for one in replies)


def sessions(many: int, sources: int) -> int:
    """Strangers, each after the other; `test_reflection` has them with whole handshakes."""
    links: list[Any] = []
    for number in range(many):
        address: Address = (f"10.9.{number % sources}.1", 1000 + number // sources)
        if (gives_way := one_too_many(links, address)) is not None:
            links.remove(gives_way)
        links.append(SimpleNamespace(address=address, session=SimpleNamespace(last_heard=number)))
    return len(links)


def codes(many: int, sources: int) -> int:
    """Wrong codes within a minute; how many are looked at."""
    attempts, tried = Attempts(), 0
    for number in range(many):
        if attempts.may_try(str(number % sources), number * 0.01):
            attempts.failed(str(number % sources), number * 0.01)
            tried += 1
    return tried


def requests(many: int, sources: int) -> int:
    """Requests at one moment; half of what there is in all goes to machines that ask for the first time."""
    asked = Requests(LIMITS[Entrance.REQUESTS], 0.0)
    return sum(asked.may_ask(str(number % sources), 0.0) for number in range(many))


def places(many: int, sources: int) -> int:
    """Packets of a peer in one second, each from another place; how many are answered there."""
    network = Network(5)
    one, two = network.pair()
    network.run_for(1)
    left: list[bytes] = []
    network.tap = lambda data, source, target: left.append(data)
    for number in range(many):
        asks = session_of(two, one)._sealer.seal(codec.encode((Challenge(bytes(8)),)), network.now)
        network.inject(asks, (f"10.0.{number % sources}.7", 1000 + number), one.address)
    return len(left)


def searches(many: int, sources: int) -> int:
    """Searches for tables at one moment; how many are answered."""
    answered = list[Address]()

    async def play() -> None:
        loop: Any = asyncio.get_running_loop()
        answerer: Any = BeaconAnswerer(Announcement(bytes(16), "Host", "zompa", 8286))
        answerer._near = anyone
        answerer._ways = {False: SimpleNamespace(send=lambda _, to: answered.append(to))}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(loop, "time", lambda: 0.0)
            for number in range(many):
                answerer._take(
                    False, beacons.question(bytes(8)), (f"10.9.{number % sources}.1", 1000 + number)
                )

    asyncio.run(play())
    return len(answered)


Drive = Callable[[int, int], int]
DRIVERS: dict[Entrance, Drive] = {
    Entrance.HELLOS: hellos,
    Entrance.HANDSHAKES: handshakes,
    Entrance.BEGINNINGS: begun,
    Entrance.SESSIONS: sessions,
    Entrance.CONNECTIONS: lambda many, sources: things(LIMITS[Entrance.CONNECTIONS], many, sources),
    Entrance.SEATED: lambda many, sources: things(LIMITS[Entrance.SEATED], many, sources),
    Entrance.TABLES: announced,
    Entrance.CODES: codes,
    Entrance.REQUESTS: requests,
    Entrance.PLACES: places,
    Entrance.SEARCHES: searches,
}
"""Those of the protocol; `tests/core/test_door.py` has the others."""
FACTORS = ("below", "at", "above", "ten times")


def expect_row_kept(entrance: Entrance, drive: Drive, sources: int, factor: str) -> None:
    """From that many sources no more than their shares, and no more than there is in all; but as much."""
    limit = LIMITS[entrance]
    many = {"below": limit.source - 1, "at": limit.source, "above": limit.source + 1}.get(
        factor, 10 * limit.whole
    )
    taken, most = drive(many, sources), min(limit.whole, limit.source * sources)
    assert taken <= min(many, most)
    if factor in ("below", "at"):
        assert taken == many
    if factor == "ten times":
        assert taken >= most // 2  # those that flood leave half of some rows to the others


@pytest.mark.parametrize("entrance", list(DRIVERS))
@pytest.mark.parametrize("sources", [1, 64])
@pytest.mark.parametrize("factor", FACTORS)
def test_nobody_takes_more_than_its_row(entrance: Entrance, sources: int, factor: str) -> None:
    """Each entrance with each limit, from one source and from 64."""
    expect_row_kept(entrance, DRIVERS[entrance], sources, factor)


@pytest.mark.parametrize("descriptors", [0, 64, 80, 256, 1024, 4096])
def test_the_match_has_descriptors_that_no_stranger_gets(descriptors: int) -> None:
    """64 and half of the rest are left to it, but for a handful where the system gives hardly any."""
    strangers = connections(descriptors, Entrance.CONNECTIONS).whole
    seated = connections(descriptors, Entrance.SEATED).whole
    assert 8 <= strangers <= LIMITS[Entrance.CONNECTIONS].whole
    assert 8 <= seated <= LIMITS[Entrance.SEATED].whole
    most = strangers + seated
    assert strangers == seated == 8 or descriptors - most >= RESERVE + most


def test_what_proved_itself_gives_way_to_nobody() -> None:
    """The oldest unproved one of the greediest source goes first; where all are proved, nobody comes in."""
    door = Admission[str](Limit(4, 2))
    for thing, of in (("a1", "a"), ("a2", "a"), ("b1", "b"), ("c1", "c")):
        assert door.enter(thing, of) is None
    door.prove("a1")
    door.prove("b1")
    assert door.enter("a3", "a") == "a2"
    door.prove("a3")
    assert door.enter("a4", "a") == "a4"
    assert door.enter("d1", "d") == "c1"
    door.prove("d1")
    assert door.enter("e1", "e") == "e1"
    door.leave("b1")
    assert door.enter("e1", "e") is None
    assert len(door) == 4


def test_a_machine_is_one_source_but_for_loopback() -> None:
    """An IPv4 address, or an IPv6 /64; people who share this machine don't share a limit."""
    assert source(("10.0.0.1", 1)) == source(("10.0.0.1", 2)) != source(("10.0.0.2", 1))
    assert source(("2001:db8::1", 1, 0, 0)) == source(("2001:db8::2", 9, 0, 0))
    assert source(("127.0.0.1", 1)) != source(("127.0.0.1", 2))


@pytest.mark.battery
def test_everybody_gets_in_through_a_flood_of_proved_handshakes() -> None:
    """Acceptance 2: valid INITs at 300 a second from 64 addresses, and 20 of 20 join within 10 s each."""
    network = Network(6)
    host = network.node(1)
    replies: list[bytes] = []
    network.tap = lambda data, source, target: replies.append(data) if target[0].startswith("10.9.") else None
    number = 0
    for guest_number in range(2, 22):
        guest = network.node(guest_number)
        guest.endpoint.connect(host.address, network.now)
        began = network.now
        while guest.endpoint.peer not in host.endpoint.peers():
            assert network.now - began < 10, guest_number
            number += 1
            address: Address = (f"10.9.{number % 64}.1", 1000 + number // 64)
            initiator = caller(1000 + number)
            network.inject(initiator.hello(), address, host.address)
            network.inject(initiator.read_retry(replies[-1][HEADER_SIZE:]), address, host.address)
            network.run_for(1 / 300)
    assert len(host.endpoint._handshakes.answers) <= LIMITS[Entrance.HANDSHAKES].whole
