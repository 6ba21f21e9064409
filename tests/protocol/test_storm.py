"""Reliability in bad weather: 30 % lost, 30 % reordered, 10 % doubled, 80 ms of jitter."""

from __future__ import annotations

from functools import partial

import pytest

from tavolata_protocol.addresses import Address

from .lossy import STORM, Network


@pytest.mark.battery
@pytest.mark.parametrize("seed", range(4))
def test_thousands_of_messages_arrive_exactly(seed: int) -> None:
    """3,000 messages each way arrive once and in order, with at most 3 times the minimal datagrams."""
    network = Network(seed, STORM)
    one, two = network.pair()
    before = one.sent + two.sent
    messages = [b"%d " % number + bytes(400) for number in range(3000)]
    for message in messages:
        one.endpoint.send(two.endpoint.peer, message)
        two.endpoint.send(one.endpoint.peer, message)
    network.run_until(lambda: len(two.events) > 3000 and len(one.events) > 3000, 600)
    assert one.messages() == two.messages() == messages
    minimal = 2 * 3000 / 2  # two messages fit into a packet
    assert one.sent + two.sent - before <= 3 * minimal


@pytest.mark.parametrize("seed", range(4))
def test_lone_messages_arrive_with_bounded_effort(seed: int) -> None:
    """300 messages sent one at a time arrive, with at most 3 packets for each packet and its answer."""
    network = Network(seed, STORM)
    one, two = network.pair()
    before = one.sent + two.sent
    messages = [b"%d" % number for number in range(300)]
    for message in messages:
        one.endpoint.send(two.endpoint.peer, message)
        network.run_for(0.4)
    network.run_until(lambda: len(two.messages()) == 300, 60)
    assert two.messages() == messages
    assert one.sent + two.sent - before <= 3 * 2 * 300


@pytest.mark.parametrize("seed", range(3))
def test_largest_messages_arrive(seed: int) -> None:
    """Messages of 64 fragments arrive whole and in order through the storm."""
    network = Network(seed, STORM)
    one, two = network.pair()
    messages = [bytes((number,)) * 65536 for number in range(8)]
    for message in messages:
        one.endpoint.send(two.endpoint.peer, message)
    network.run_until(lambda: len(two.messages()) == len(messages), 300)
    assert two.messages() == messages


@pytest.mark.parametrize("seed", range(40))
def test_connecting_succeeds_in_a_storm(seed: int) -> None:
    """A call gets through the storm, and ends in one session."""
    network = Network(1000 + seed, STORM)
    one, two = network.pair()
    assert one.endpoint.peers() == [two.endpoint.peer]


def test_same_seed_same_run() -> None:
    """The simulation is a function of its seed: two runs send the same datagrams."""

    def note(seen: list[bytes], data: bytes, source: Address, target: Address) -> None:
        seen.append(data)

    runs = []
    for _ in range(2):
        network = Network(7, STORM)
        seen: list[bytes] = []
        network.tap = partial(note, seen)
        one, two = network.pair()
        one.endpoint.send(two.endpoint.peer, bytes(5000))
        network.run_for(5)
        runs.append(seen)
    assert runs[0] == runs[1]
