"""Nobody is flooded through an endpoint: little leaves for unproven places and for repeated packets."""

from __future__ import annotations

import os

import pytest

from tavolata_protocol import codec
from tavolata_protocol.addresses import Address
from tavolata_protocol.admission import LIMITS, Entrance
from tavolata_protocol.calls import RESP_AGAIN, RESPS
from tavolata_protocol.events import Connected, Disconnected, DisconnectReason, Moved, Received
from tavolata_protocol.identity import PeerId
from tavolata_protocol.limits import HostLimits
from tavolata_protocol.messages.packets import PacketKind, pack_header
from tavolata_protocol.messages.session import Challenge, CloseReason, Referral
from tavolata_protocol.session import PLACE_PACKET, SealedSession

from .lossy import STORM, Network, Node

VICTIM: Address = ("10.0.7.7", 777)
FAR: Address = ("192.0.2.7", 777)


def session_of(node: Node, other: Node) -> SealedSession:
    return node.endpoint._links[other.endpoint.peer].session


def watched(network: Network) -> list[tuple[bytes, Address]]:
    """Everything that leaves from now on, and where to."""
    left: list[tuple[bytes, Address]] = []
    network.tap = lambda data, source, target: left.append((data, target))
    return left


def careful(seed: int) -> tuple[Network, Node, Node]:
    """A session of two that answer callers at 10.0 alone."""
    network = Network(seed)
    host, guest = network.pair(accept=lambda address: address[0].startswith("10.0."))
    network.run_for(1)
    return network, host, guest


def test_a_forged_fin_is_neither_answered_nor_kept() -> None:
    """The header of a FIN, which everybody can make who saw a packet: no byte leaves, nothing waits."""
    network = Network(1)
    host, guest = network.pair()
    network.run_for(1)
    left = watched(network)
    fin = pack_header(PacketKind.FIN, host.endpoint._links[guest.endpoint.peer].connection)
    for number in range(1000):
        network.inject(fin + bytes(number % 700), guest.address, host.address)
    assert (left, session_of(host, guest)._flight.in_flight) == ([], 0)
    assert host.endpoint.discarded == 1000


def test_the_true_fin_is_answered_again_until_the_caller_is_heard() -> None:
    """Whoever saw it may repeat it: a few answers, and none at all once the caller has sent anything."""
    network = Network(2)
    host, guest = network.node(1), network.node(2)
    fins: list[bytes] = []
    network.tap = lambda data, source, target: fins.append(data) if data[0] == PacketKind.FIN else None
    network.cut = lambda source, target: source == host.address and bool(host.endpoint.peers())
    guest.endpoint.connect(host.address, network.now)
    network.run_until(lambda: bool(host.endpoint.peers()), 5)
    network.nodes.pop(guest.address)  # it does not hear, and somebody else repeats its FIN
    left = watched(network)
    for _ in range(5000):
        network.now += 0.001
        network.inject(fins[0], guest.address, host.address)
    answers = len(left)
    network.nodes[guest.address] = guest
    network.cut = lambda source, target: False
    network.run_until(lambda: bool(guest.endpoint.peers()), 5)
    network.run_for(1)
    left.clear()
    network.inject(fins[0], guest.address, host.address)
    assert 1 <= answers <= 9
    assert left == []


@pytest.mark.parametrize("seed", range(5))
def test_calls_get_through_storms(seed: int) -> None:
    """With the first sealed packets lost, or INIT doubled, a call still becomes a session on both sides."""
    network = Network(seed, STORM)
    one, two = network.pair()
    assert one.of(Connected)
    assert two.of(Connected)


def test_pings_do_not_pile_up() -> None:
    """A peer that is asked without end and does not answer costs no more than a window or two."""
    network = Network(3)
    one, two = network.pair()
    network.cut = lambda source, target: True
    for _ in range(1000):
        one.endpoint.ping(two.endpoint.peer)
        network.run_for(0.0001)
    assert session_of(one, two)._flight.in_flight <= 128


def test_many_challenges_get_one_answer_and_none_where_nobody_may_call() -> None:
    """64 in a packet of a member, as if from elsewhere: one answer, shorter; none off the own networks."""
    network, host, guest = careful(4)
    left = watched(network)

    def packet() -> bytes:
        frames = tuple(Challenge(os.urandom(8)) for _ in range(64))
        return session_of(guest, host)._sealer.seal(codec.encode(frames), network.now)

    network.inject(packet(), FAR, host.address)
    assert left == []
    asks = packet()
    network.inject(asks, VICTIM, host.address)
    [(data, target)] = left
    assert target == VICTIM
    assert len(data) <= len(asks)


def test_new_places_get_no_more_than_came_from_them_and_little_in_all() -> None:
    """A peer sends from a thousand places at once: a few answers, none longer than its packet."""
    network = Network(5)
    one, two = network.pair()
    network.run_for(1)
    left = watched(network)
    for number in range(1000):
        ping = session_of(two, one)._sealer.seal(codec.encode(()), network.now)
        network.inject(ping, ("10.0.7.7", 1000 + number), one.address)
    assert left == []
    for number in range(1000):
        whole = session_of(two, one)._sealer.seal(codec.encode((Challenge(bytes(8)),)), network.now)
        network.inject(whole, ("10.0.7.7", 1000 + number), one.address)
        assert all(len(data) <= len(whole) for data, _ in left)
    assert 1 <= len(left) <= LIMITS[Entrance.PLACES].whole


def test_a_ping_is_long_enough_to_show_a_move() -> None:
    """A peer that moved and has nothing to say is followed by its first ping."""
    network = Network(6)
    one, two = network.pair()
    network.run_for(1)
    del network.nodes[two.address]
    two.address = VICTIM
    network.nodes[VICTIM] = two
    left = watched(network)
    two.endpoint.ping(one.endpoint.peer)
    network.run_for(0.01)
    assert len(left[0][0]) >= PLACE_PACKET
    assert one.of(Moved) == [Moved(two.endpoint.peer, VICTIM)]


def test_repeated_inits_are_answered_seldom() -> None:
    """5,000 copies of an INIT within half a second: a few RESPs, and not for ever."""
    network = Network(7)
    host, guest = network.node(1), network.node(2)
    inits: list[bytes] = []
    network.tap = lambda data, source, target: inits.append(data) if data[0] == PacketKind.INIT else None
    guest.endpoint.connect(host.address, network.now)
    network.run_until(lambda: bool(inits), 5)
    left = watched(network)
    network.cut = lambda source, target: True
    start = network.now
    for number in range(5000):
        network.now = start + number / 10_000
        network.inject(inits[0], guest.address, host.address)
    assert 1 <= len(left) <= 0.5 / RESP_AGAIN + 1
    for number in range(900):
        network.now = start + number / 100
        network.inject(inits[0], guest.address, host.address)
    assert len(left) <= RESPS


def test_one_machine_does_not_use_up_the_handshakes_of_all() -> None:
    """The rate of one leaves the other's alone, and machines are forgotten in time."""
    limits = HostLimits(25)
    assert sum(limits.take("a", 0.0) for _ in range(100)) == 25
    assert limits.take("b", 0.0)
    for number in range(1000):
        limits.take(f"c{number}", 1.0)
    assert len(limits._limits) <= 256


def call(network: Network, host: Node, address: Address) -> Node:
    guest = network.attach(network.node(99).endpoint, address)
    network.nodes.pop(("10.0.0.99", 4711))
    guest.endpoint.connect(host.address, network.now)
    network.run_until(lambda: bool(guest.endpoint.peers()), 10)
    network.run_for(0.05)
    return guest


def test_strangers_have_no_more_than_their_share_of_sessions() -> None:
    """The one silent for longest goes, of the same machine where that has too many; members never do."""
    network = Network(8)
    host = network.node(1)
    members = {host.endpoint.peer}
    host.endpoint.is_member = members.__contains__
    member = call(network, host, ("10.0.9.9", 1))
    members.add(member.endpoint.peer)
    bystander = call(network, host, ("10.0.8.8", 1))
    crowd = [
        call(network, host, ("10.0.9.9", 10 + number)) for number in range(LIMITS[Entrance.SESSIONS].source)
    ]
    assert host.of(Disconnected) == []
    crowd[0].endpoint.send(host.endpoint.peer, b"still here")
    network.run_for(0.05)
    call(network, host, ("10.0.9.9", 1000))
    assert [gone.peer for gone in host.of(Disconnected)] == [crowd[1].endpoint.peer]
    assert [gone.reason for gone in crowd[1].of(Disconnected)] == [DisconnectReason.FORGOTTEN]
    assert host.of(Received)[-1].message == b"still here"
    for number in range(LIMITS[Entrance.SESSIONS].whole):
        call(network, host, (f"10.0.6.{number}", 1))
    assert member.endpoint.peer in host.endpoint.peers()
    assert bystander.endpoint.peer not in host.endpoint.peers()
    assert len(host.endpoint.peers()) == LIMITS[Entrance.SESSIONS].whole + 1
    assert len(host.endpoint._by_connection) == len(host.endpoint._links)


def test_a_farewell_to_a_new_place_is_no_longer_than_what_asked_for_it() -> None:
    """An ended session, asked from elsewhere: fewer bytes than came, eight times, and off-link none."""
    network, host, guest = careful(9)
    network.cut = lambda source, target: True
    host.endpoint.disconnect(
        guest.endpoint.peer, CloseReason.ELSEWHERE, Referral(PeerId(bytes(32)), "f" * 64, 1)
    )
    network.run_for(0.1)
    left = watched(network)

    def ping() -> bytes:
        return session_of(guest, host)._sealer.seal(codec.encode((Challenge(bytes(8)),)), network.now)

    network.inject(ping(), FAR, host.address)
    assert left == []
    for number in range(20):
        network.inject(asks := ping(), ("10.0.7.7", 1000 + number), host.address)
        assert all(len(data) <= len(asks) for data, _ in left)
    assert len(left) == 8
