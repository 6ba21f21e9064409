"""Each entrance with each limit: what strangers may use, below it, at it, and far above it."""

from __future__ import annotations

import pytest
from tests.protocol.lossy import Network
from tests.protocol.test_hostile import caller

from tavolata_protocol.addresses import Address
from tavolata_protocol.admission import LIMITS, Admission, Entrance, Limit, source
from tavolata_protocol.announcements import Announcement
from tavolata_protocol.messages.packets import HEADER_SIZE
from tavolata_protocol.sightings import Directory, Rung, Sighting


def things(limit: Limit, many: int, sources: int) -> int:
    """Things of an `Admission`, none of which proves itself."""
    door = Admission[int](limit)
    for number in range(many):
        door.enter(number, str(number % sources))
    return len(door)


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


DRIVERS = {
    Entrance.HANDSHAKES: handshakes,
    Entrance.BEGINNINGS: handshakes,  # its whole is a rate: see test_hostile
    Entrance.SESSIONS: None,  # test_reflection: sessions need whole handshakes
    Entrance.CONNECTIONS: lambda many, sources: things(LIMITS[Entrance.CONNECTIONS], many, sources),
    Entrance.WATCHERS: None,  # tests/core/engine/table/test_companions, tests/network/test_hostile
    Entrance.SERVED: None,  # tests/core/engine/table/test_companions
    Entrance.TABLES: announced,
}


def test_every_row_has_a_driver() -> None:
    """A row without one fails here."""
    assert set(DRIVERS) == set(Entrance) == set(LIMITS)


@pytest.mark.parametrize("entrance", [one for one, drive in DRIVERS.items() if drive is not None])
@pytest.mark.parametrize("sources", [1, 64])
@pytest.mark.parametrize("factor", ["below", "at", "above", "ten times"])
def test_nobody_takes_more_than_its_row(entrance: Entrance, sources: int, factor: str) -> None:
    """From one source, and from 64: no more than its share, and no more than there is in all."""
    limit, drive = LIMITS[entrance], DRIVERS[entrance]
    assert drive is not None
    many = {"below": limit.source - 1, "at": limit.source, "above": limit.source + 1}.get(
        factor, 10 * limit.whole
    )
    taken = drive(many, sources)
    whole = LIMITS[Entrance.HANDSHAKES].whole if entrance is Entrance.BEGINNINGS else limit.whole
    assert taken <= min(whole, limit.source * sources)
    if sources == 1 and factor in ("below", "at"):
        assert taken == many
    if factor == "ten times" and entrance is not Entrance.BEGINNINGS:
        assert taken >= min(whole, limit.source * sources) // 2


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
