"""Peers that move: back at a new address at once, but only after they proved to be there."""

from __future__ import annotations

import os

import pytest

from tavolata_protocol.addresses import Address
from tavolata_protocol.events import Disconnected, DisconnectReason, Moved
from tavolata_protocol.paths import AGAIN, Path

from .lossy import STORM, TABLE, Network, Node

THERE: Address = ("10.0.9.9", 999)


def move(network: Network, node: Node, address: Address = THERE) -> None:
    del network.nodes[node.address]
    node.address = address
    network.nodes[address] = node


def test_a_peer_that_moved_is_reached_where_it_is() -> None:
    """What the mover says brings the other side after it, within a round trip or two, and nothing is lost."""
    network = Network(1)
    one, two = network.pair()
    move(network, two)
    two.endpoint.send(one.endpoint.peer, b"I am here")
    network.run_for(0.5)
    one.endpoint.send(two.endpoint.peer, b"I see")
    network.run_for(0.5)
    assert one.messages() == [b"I am here"]
    assert two.messages() == [b"I see"]
    assert one.of(Moved) == [Moved(two.endpoint.peer, THERE)]
    assert one.endpoint.path(two.endpoint.peer).address == THERE
    assert two.of(Moved) == []


@pytest.mark.parametrize("seed", range(10))
def test_moving_in_a_storm(seed: int) -> None:
    """Challenges and answers may be lost: the next packets bring others, and all messages arrive once."""
    network = Network(seed, STORM)
    one, two = network.pair()
    for number in range(20):
        one.endpoint.send(two.endpoint.peer, b"to %d" % number)
        two.endpoint.send(one.endpoint.peer, b"from %d" % number)
    move(network, two, ("10.0.9.9", 100 + seed))
    network.run_until(lambda: len(two.messages()) == len(one.messages()) == 20, 60)
    assert two.messages() == [b"to %d" % number for number in range(20)]
    assert one.messages() == [b"from %d" % number for number in range(20)]


def test_a_packet_that_somebody_sends_on_moves_nobody() -> None:
    """One that catches a packet and sends it from elsewhere first gets a challenge, and nothing else."""
    network = Network(2)
    one, two = network.pair()
    network.run_for(1)
    caught: list[bytes] = []
    network.tap = lambda data, source, target: caught.append(data) if source == two.address else None
    network.cut = lambda source, target: source == two.address
    two.endpoint.ping(one.endpoint.peer)
    network.run_for(0.01)
    network.cut = lambda source, target: False
    thief = network.node(66)
    before = one.sent
    network.inject(caught[0], thief.address, one.address)
    assert one.sent == before + 2  # the acknowledgement goes home, the challenge to the thief
    one.endpoint.send(two.endpoint.peer, b"for two alone")
    network.run_for(3)
    assert two.messages() == [b"for two alone"]
    assert one.of(Moved) == []
    assert one.endpoint.path(two.endpoint.peer).address == two.address
    assert thief.received_bytes < 200


def test_an_old_packet_from_elsewhere_asks_for_nothing() -> None:
    """Only the newest packet tells of a new place: one that was late on its way does not."""
    network = Network(3)
    one, two = network.pair()
    network.run_for(1)
    late: list[bytes] = []
    network.tap = lambda data, source, target: late.append(data) if source == two.address else None
    network.cut = lambda source, target: source == two.address and bool(late) and len(late) == 1
    two.endpoint.ping(one.endpoint.peer)
    network.run_for(0.01)
    network.cut = lambda source, target: False
    two.endpoint.send(one.endpoint.peer, b"newer")
    network.run_for(1)
    before = one.sent
    network.inject(late[0], THERE, one.address)
    network.run_for(0.005)
    assert one.of(Moved) == []
    assert one.sent - before <= 1  # at most an acknowledgement, and that goes home


def test_addresses_that_may_not_call_are_not_moved_to() -> None:
    """Where only sources on the own networks are answered, a session stays on them, too."""
    network = Network(4)
    one = network.node(1, accept=lambda address: address[0].startswith("10.0.0."))
    two = network.node(2)
    one.endpoint.connect(two.address, network.now)
    network.run_for(1)
    move(network, two)
    two.endpoint.send(one.endpoint.peer, b"hello")
    network.run_for(1)
    assert one.of(Moved) == []


def test_a_token_counts_once_and_from_its_address_alone() -> None:
    """Another address, another token, or the same once more: none of them moves anything."""
    home: Address = ("10.0.0.1", 1)
    path = Path(home)
    token = path.challenge(THERE, 0.0, os.urandom)
    assert token is not None
    assert path.challenge(THERE, AGAIN / 2, os.urandom) is None
    assert path.challenge(THERE, AGAIN, os.urandom) == token
    assert not path.prove(home, token)
    assert not path.prove(THERE, bytes(8))
    assert path.prove(THERE, token)
    assert path.address == THERE
    assert not path.prove(THERE, token)
    assert path.challenge(THERE, 1.0, os.urandom) is None


def test_coming_home_ends_the_question() -> None:
    """A packet from the known address withdraws what was asked elsewhere."""
    home: Address = ("10.0.0.1", 1)
    path = Path(home)
    token = path.challenge(THERE, 0.0, os.urandom)
    assert path.challenge(home, 0.1, os.urandom) is None
    assert token is not None
    assert not path.prove(THERE, token)


def test_who_slept_through_the_end_is_told_when_it_wakes_elsewhere() -> None:
    """Minutes after the other side gave a session up, the first packet learns that, from anywhere."""
    network = Network(5)
    one, two = network.pair()
    asleep = network.nodes.pop(two.address)
    network.run_for(300)
    assert [event.reason for event in one.of(Disconnected)] == [DisconnectReason.SILENT]
    two.address = THERE
    network.nodes[THERE] = asleep
    two.endpoint._links[one.endpoint.peer].session.last_heard = network.now  # its clock stood still, too
    two.endpoint.ping(one.endpoint.peer)
    network.run_for(1)
    assert [event.reason for event in two.of(Disconnected)] == [DisconnectReason.FORGOTTEN]
    two.endpoint.connect(one.address, network.now)
    network.run_for(1)
    assert two.endpoint.peers() == [one.endpoint.peer]
    assert TABLE in [event.table for event in two.events if hasattr(event, "table")]
