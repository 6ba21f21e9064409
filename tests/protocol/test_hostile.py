"""Hostile datagrams against an endpoint: nothing is raised or delivered, little answered, nothing kept."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavolata_protocol import codec
from tavolata_protocol.addresses import Address, machine
from tavolata_protocol.admission import LIMITS, Entrance
from tavolata_protocol.events import Disconnected, DisconnectReason
from tavolata_protocol.handshake import Initiator, LocalPeer
from tavolata_protocol.identity import Identity
from tavolata_protocol.messages.packets import (
    HEADER_SIZE,
    MAX_DATAGRAM,
    PacketKind,
    pack_header,
)
from tavolata_protocol.messages.session import Ack, Close, CloseReason, Part, Slice, Whole
from tavolata_protocol.noise import KeyPair

from .lossy import Network, Node

STRANGER = ("10.0.0.66", 6666)


def state_of(node: Node) -> tuple[int, int, int, int]:
    endpoint = node.endpoint
    return (
        len(endpoint._handshakes.calls),
        len(endpoint._handshakes.answers),
        len(endpoint._links),
        len(endpoint._by_connection),
    )


def recorded(seed: int) -> tuple[Network, Node, Node, list[tuple[bytes, Address, Address]]]:
    """A session with some traffic, and every datagram of it."""
    network = Network(seed)
    seen: list[tuple[bytes, Address, Address]] = []
    network.tap = lambda data, source, target: seen.append((data, source, target))
    one, two = network.pair()
    for number in range(50):
        one.endpoint.send(two.endpoint.peer, b"%d" % number + bytes(1000))
        two.endpoint.send(one.endpoint.peer, b"%d" % number)
    network.run_for(3)
    return network, one, two, seen


def caller(number: int) -> Initiator:
    local = LocalPeer(Identity(bytes(32)), KeyPair.from_private(bytes(32)), bytes(8))
    return Initiator(local, number, number.to_bytes(8, "big"), KeyPair.from_private(b"\x05" * 32))


def test_spoofed_hellos_leave_no_state_and_get_back_less() -> None:
    """10,000 HELLOs from made-up addresses: at most 64 bytes for each 1200, and nothing is remembered."""
    network = Network(1)
    host = network.node(1)
    before = state_of(host)
    hello = caller(1).hello()
    for number in range(10_000):
        network.inject(hello, (f"10.{number >> 8}.{number & 255}.1", number), host.address)
    assert state_of(host) == before
    assert host.sent == LIMITS[Entrance.HELLOS].whole
    assert host.sent_bytes <= 64 * host.sent < host.received_bytes
    assert host.events == []


@pytest.mark.parametrize("kind", [kind for kind in PacketKind if kind is not PacketKind.HELLO])
def test_other_packets_of_strangers_get_nothing(kind: PacketKind) -> None:
    """No packet but a full HELLO makes an endpoint answer a stranger, whatever is in it."""
    network, one, _two, seen = recorded(2)
    chance = random.Random(2)
    bodies = [data[HEADER_SIZE:] for data, _, _ in seen] + [chance.randbytes(n) for n in range(0, 1186, 7)]
    before, sent = state_of(one), one.sent
    for body in bodies:
        for connection in (0, 1, *one.endpoint._by_connection):
            data = (pack_header(kind, connection, chance.getrandbits(64)) + body)[:MAX_DATAGRAM]
            network.inject(data, STRANGER, one.address)
    assert (state_of(one), one.sent) == (before, sent)


def test_short_hello_gets_nothing() -> None:
    """A HELLO that is not padded to 1200 bytes is not answered."""
    network = Network(3)
    host = network.node(1)
    hello = caller(1).hello()
    short = pack_header(PacketKind.HELLO) + codec.encode(
        (*msgspec.msgpack.decode(hello[HEADER_SIZE:])[:2], b"")
    )
    for data in (short, hello[:-1], hello + b"\0"):
        network.inject(data, STRANGER, host.address)
    assert host.sent == 0


def test_guessed_cookies_leave_no_state() -> None:
    """INITs without the cookie of their own address are dropped without an answer."""
    network = Network(4)
    host = network.node(1)
    replies: list[bytes] = []
    network.tap = lambda data, source, target: replies.append(data)
    initiator = caller(1)
    network.inject(initiator.hello(), STRANGER, host.address)
    init = initiator.read_retry(replies[0][HEADER_SIZE:])
    before = state_of(host)
    for number in range(1000):
        network.inject(init, ("10.0.0.67", number), host.address)
    assert (state_of(host), host.sent) == (before, 1)
    network.inject(init, STRANGER, host.address)
    assert host.sent == 2


def test_flood_of_proved_calls_is_limited() -> None:
    """With right cookies, 50 handshakes a second, 4 of a host and 64 in all are begun, then forgotten."""
    network = Network(5)
    host = network.node(1)
    replies: list[bytes] = []
    network.tap = lambda data, source, target: replies.append(data)

    def flood(first: int, addresses: list[tuple[str, int]]) -> int:
        for number, address in enumerate(addresses, first):
            initiator = caller(number)
            network.inject(initiator.hello(), address, host.address)
            network.inject(initiator.read_retry(replies[-1][HEADER_SIZE:]), address, host.address)
        return len(host.endpoint._handshakes.answers)

    assert flood(1, [("10.0.0.66", 1)] * 100) == LIMITS[Entrance.HANDSHAKES].source
    many = [(f"10.0.1.{number}", 1) for number in range(200)]
    assert flood(1000, many) == LIMITS[Entrance.BEGINNINGS].whole
    network.now += 1.0
    assert flood(2000, many) == LIMITS[Entrance.HANDSHAKES].whole
    network.run_for(15)
    assert state_of(host) == (0, 0, 0, 0)


@pytest.mark.parametrize("six", [False, True])
def test_garbage_after_a_right_cookie_keeps_nobody_out(*, six: bool) -> None:
    """1,000 INITs a second from 64 addresses with their cookies, and nonsense behind: four people get in."""
    network = Network(15)
    host = network.node(1)
    replies: list[bytes] = []
    network.tap = lambda data, source, target: replies.append(data)
    garbage: list[tuple[bytes, Address]] = []
    for number in range(64):
        where: Address = (f"fd00:{number:x}::1", 9, 0, 0) if six else (f"10.7.0.{number}", 9)
        initiator = caller(number)
        network.inject(initiator.hello(), where, host.address)
        init = bytearray(initiator.read_retry(replies[-1][HEADER_SIZE:]))
        init[-1] ^= 1
        garbage.append((bytes(init), where))
    discarded, sent = host.endpoint.discarded, host.sent
    for number in range(2, 6):
        guest = network.node(number)
        guest.endpoint.connect(host.address, network.now)
        for step in range(1000):
            network.inject(*garbage[step % 64], host.address)
            network.run_for(0.001)
        assert guest.endpoint.peer in host.endpoint.peers()
    assert host.endpoint.discarded - discarded == 4 * 1000
    assert host.sent - sent < 100
    assert state_of(host)[1] == 0


def test_a_machine_with_many_ipv6_addresses_is_one_machine() -> None:
    """The 2^64 addresses of one network have the share of one machine; a link's neighbours have their own."""
    assert machine(("2001:db8:1:2:3:4:5:6", 9, 0, 0)) == machine(("2001:db8:1:2::1", 1, 0, 0))
    assert machine(("2001:db8:1:2::1", 9, 0, 0)) != machine(("2001:db8:1:3::1", 9, 0, 0))
    assert machine(("fe80::1%eth0", 9, 0, 2)) != machine(("fe80::2%eth0", 9, 0, 2))
    assert machine(("::ffff:10.0.0.1", 9, 0, 0)) == machine(("10.0.0.1", 9)) != machine(("10.0.0.2", 9))
    network = Network(16)
    host = network.node(1)
    replies: list[bytes] = []
    network.tap = lambda data, source, target: replies.append(data)
    for number in range(1, 60):
        where = (f"2001:db8::{number:x}", 9, 0, 0)
        initiator = caller(number)
        network.inject(initiator.hello(), where, host.address)
        network.inject(initiator.read_retry(replies[-1][HEADER_SIZE:]), where, host.address)
    assert len(host.endpoint._handshakes.answers) == LIMITS[Entrance.HANDSHAKES].source


def test_hundred_thousand_replays_deliver_nothing() -> None:
    """100,000 replayed datagrams of a session, from either address, deliver and change nothing."""
    network, one, two, seen = recorded(6)
    before, events = state_of(two), list(two.events)
    sealed = [
        data for data, _, target in seen if target == two.address and data[0] & 0xFE == PacketKind.SEALED
    ]
    sent = two.sent
    chance = random.Random(6)
    for number in range(100_000):
        two.endpoint.receive_datagram(
            sealed[chance.randrange(len(sealed))], STRANGER if number % 2 else one.address, network.now
        )
    network.run_for(0.5)
    assert (state_of(two), two.events) == (before, events)
    assert two.sent == sent
    assert two.endpoint.discarded >= 100_000


def test_replayed_handshakes_change_nothing() -> None:
    """The whole recorded traffic played again, from its own addresses, leaves the sessions as they are."""
    network, one, two, seen = recorded(7)
    events = list(one.events), list(two.events)
    for data, source, target in seen * 5:
        network.inject(data, source, target)
    network.run_for(15)
    assert (one.events, two.events) == events
    one.endpoint.send(two.endpoint.peer, b"still here")
    network.run_for(1)
    assert two.messages()[-1] == b"still here"
    assert state_of(one) == state_of(two) == (0, 0, 1, 1)


@pytest.mark.battery
@settings(max_examples=300, deadline=None)
@given(st.data())
def test_damaged_traffic_of_both_sides_is_harmless(data: st.DataObject) -> None:
    """Any flipped, cut, swapped or prolonged datagram leaves session and messages intact."""
    network, one, two, seen = recorded(8)
    before = len(one.events), len(two.events)
    for _ in range(20):
        original, source, target = data.draw(st.sampled_from(seen))
        damaged = bytearray(original)
        damaged[data.draw(st.integers(0, len(damaged) - 1))] ^= data.draw(st.integers(1, 255))
        cut = damaged[: data.draw(st.integers(0, len(damaged)))]
        for hostile in (damaged, cut, damaged + bytes(data.draw(st.integers(1, 3000)))):
            network.inject(bytes(hostile), source, target)
    assert (len(one.events), len(two.events)) == before
    one.endpoint.send(two.endpoint.peer, b"after")
    network.run_for(2)
    assert two.messages()[-1] == b"after"


@given(st.binary(max_size=1500))
def test_garbage_is_dropped(data: bytes) -> None:
    """Arbitrary bytes never raise, and never get more back than they were."""
    network = Network(9)
    host = network.node(1)
    network.inject(data, STRANGER, host.address)
    assert host.sent_bytes <= len(data)
    assert state_of(host) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    "plain",
    [
        b"",
        b"\xc1",
        b"\x91" * 900,
        codec.encode((Ack(2**50, 0, (1,)),)),
        codec.encode((Ack(1, 0, (5,)),)),
        codec.encode((Part(5, 9, 3, bytes(1024)),)),
        codec.encode((Slice(0, 3, 2, b""),)),
        codec.encode((Slice(10**6, 0, 2, b""),)),
        codec.encode((Slice(0, 0, 2, b"no"), Slice(0, 1, 2, b"frame"))),
        codec.encode((Slice(0, 0, 2, codec.encode(Close(CloseReason.LEFT))), Slice(0, 1, 2, b""))),
        codec.encode(tuple(Whole(number, b"") for number in range(65))),
        codec.encode({"frames": []}),
    ],
)
def test_misbehaving_peer_is_cut_off_and_told(plain: bytes) -> None:
    """What an authenticated peer may not send ends the session on both sides, with the reason."""
    network = Network(10)
    one, two = network.pair()
    session = one.endpoint._links[two.endpoint.peer].session
    network.inject(session._sealer.seal(plain, network.now), one.address, two.address)
    network.run_for(0.1)
    assert [event.reason for event in two.events if isinstance(event, Disconnected)] == [
        DisconnectReason.VIOLATION
    ]
    assert [event.reason for event in one.events if isinstance(event, Disconnected)] == [
        DisconnectReason.ACCUSED
    ]


def test_duplicate_acknowledgements_are_answered_by_nothing() -> None:
    """Acknowledgements, fresh or repeated, make the receiver send no packet."""
    network = Network(11)
    one, two = network.pair()
    network.run_for(1)
    session = two.endpoint._links[one.endpoint.peer].session
    sent = one.sent
    for _ in range(50):
        data = session._sealer.seal(codec.encode((Ack(0, 0, (1,)),)), network.now)
        network.inject(data, two.address, one.address)
        network.inject(data, two.address, one.address)
    assert one.sent == sent
