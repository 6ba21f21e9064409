"""Endpoints: sessions come to be, carry messages, replace each other and end, over a calm virtual network."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tavolata_protocol.addresses import Address
from tavolata_protocol.errors import MessageTooLong, NotConnected, QueueFull
from tavolata_protocol.events import (
    CallFailure,
    Connected,
    ConnectFailed,
    Disconnected,
    DisconnectReason,
    Received,
)
from tavolata_protocol.handshake import VERSIONS, open_table_psk
from tavolata_protocol.identity import Identity, PeerId
from tavolata_protocol.messages.packets import PacketKind
from tavolata_protocol.messages.session import CloseReason, Referral

from .lossy import PSK, STORM, TABLE, Network, Node


def disconnected(node: Node) -> list[DisconnectReason]:
    return [event.reason for event in node.events if isinstance(event, Disconnected)]


def failures(node: Node) -> list[CallFailure]:
    return [event.reason for event in node.events if isinstance(event, ConnectFailed)]


def test_two_peers_connect_and_know_each_other() -> None:
    """Both sides learn the other's proved id, address and profile; the caller also the table."""
    network = Network(1)
    one, two = network.pair()
    assert one.events == [Connected(two.endpoint.peer, two.address, b"node 2", TABLE)]
    assert two.events == [Connected(one.endpoint.peer, one.address, b"node 1", b"")]


def test_messages_of_all_sizes_arrive_in_order_both_ways() -> None:
    """Empty, small, and 64 KiB messages arrive in order in both directions."""
    network = Network(2)
    one, two = network.pair()
    messages = [
        bytes((number % 251,)) * size for number, size in enumerate([0, 1, 1024, 1025, 65536, 3, 30000])
    ]
    for message in messages:
        one.endpoint.send(two.endpoint.peer, message)
        two.endpoint.send(one.endpoint.peer, message[::-1])
    network.run_until(lambda: len(one.messages()) == len(two.messages()) == len(messages), 5)
    assert two.messages() == messages
    assert one.messages() == [message[::-1] for message in messages]
    network.run_for(1)
    assert one.endpoint.path(two.endpoint.peer).unacknowledged == 0


def test_loose_messages_arrive_but_are_not_repeated() -> None:
    """A loose message arrives on a calm network, and a lost one is gone."""
    network = Network(3)
    one, two = network.pair()
    one.endpoint.send(two.endpoint.peer, b"here", reliable=False)
    network.run_for(0.1)
    assert two.events[-1] == Received(one.endpoint.peer, b"here")
    network.cut = lambda source, target: True
    one.endpoint.send(two.endpoint.peer, b"gone", reliable=False)
    network.run_for(0.1)
    network.cut = lambda source, target: False
    network.run_for(5)
    assert len(two.of(Received)) == 1


def test_wrong_sizes_are_mistakes_of_the_caller() -> None:
    """Keys, table ids and profiles of a wrong size raise ValueError at once."""
    network = Network(24)
    one = network.node(1)
    for use in (
        lambda: one.endpoint.listen(b"short"),
        lambda: one.endpoint.listen(PSK, bytes(33)),
        lambda: one.endpoint.connect(("10.0.0.2", 1), network.now, b""),
        lambda: network.node(3, profile=bytes(513)),
    ):
        with pytest.raises(ValueError, match="bytes, not"):
            use()


def test_misuse_raises_local_errors() -> None:
    """Strangers, long messages and endless queues are refused with local errors, and nothing is queued."""
    network = Network(4)
    one, two = network.pair()
    peer = two.endpoint.peer
    for use in (one.endpoint.disconnect, one.endpoint.ping, one.endpoint.path):
        with pytest.raises(NotConnected):
            use(PeerId(bytes(32)))
    with pytest.raises(NotConnected):
        one.endpoint.send(PeerId(bytes(32)), b"")
    with pytest.raises(MessageTooLong):
        one.endpoint.send(peer, bytes(65537))
    with pytest.raises(MessageTooLong):
        one.endpoint.send(peer, bytes(1101), reliable=False)
    for _ in range(63):
        one.endpoint.send(peer, bytes(65536))
    with pytest.raises(QueueFull):
        one.endpoint.send(peer, bytes(65536))


def test_nobody_there_fails_after_bounded_tries() -> None:
    """A call that nobody answers fails within ten seconds, after nine packets."""
    network = Network(5)
    one = network.node(1)
    one.endpoint.connect(("10.0.0.9", 4711), network.now)
    start = network.now
    network.run_until(lambda: bool(one.events), 10)
    assert one.events == [ConnectFailed(("10.0.0.9", 4711), CallFailure.NO_ANSWER)]
    assert one.sent == 9
    assert network.now - start > 5


def test_another_table_is_refused() -> None:
    """A caller with another key learns who refused it; the host says nothing to its user."""
    network = Network(6)
    one, two = network.node(1), network.node(2)
    one.endpoint.connect(two.address, network.now, open_table_psk(b"another"))
    network.run_until(lambda: bool(one.events), 5)
    assert one.events == [
        ConnectFailed(two.address, CallFailure.REFUSED, two.endpoint.peer, TABLE, b"node 2")
    ]
    assert two.events == []


def test_garbage_in_between_does_not_end_a_call() -> None:
    """Forged answers from the right addresses, with the right connection ids, do not hinder the call."""
    network = Network(25)
    one, two = network.node(1), network.node(2)

    def forge(data: bytes, source: Address, target: Address) -> None:
        kind = data[0] & 0xFE
        if kind in {PacketKind.RESP, PacketKind.FIN}:
            for body in (bytes(len(data) - 14), data[14:-1] + bytes((data[-1] ^ 1,)), b""):
                network.nodes[target].endpoint.receive_datagram(data[:14] + body, source, network.now)

    network.tap = forge
    one.endpoint.connect(two.address, network.now)
    network.run_until(lambda: bool(one.endpoint.peers() and two.endpoint.peers()), 5)
    assert one.endpoint.discarded >= 3 <= two.endpoint.discarded


def test_private_table_needs_a_key() -> None:
    """A table that names no id can't be joined without a key, and can with it."""
    network = Network(7)
    one, two = network.node(1), network.node(2, psk=bytes(32), table=b"")
    one.endpoint.connect(two.address, network.now)
    network.run_until(lambda: bool(one.events), 5)
    assert failures(one) == [CallFailure.NOT_OPEN]
    one.endpoint.connect(two.address, network.now, bytes(32))
    network.run_until(lambda: bool(two.endpoint.peers()), 5)


def test_who_does_not_listen_is_silent() -> None:
    """An endpoint without a key sends nothing to callers until it listens."""
    network = Network(8)
    one, two = network.node(1), network.node(2, psk=None, table=b"")
    one.endpoint.connect(two.address, network.now)
    network.run_for(2)
    assert two.sent == 0
    two.endpoint.listen(PSK, TABLE)
    network.run_until(lambda: bool(two.endpoint.peers()), 5)


def test_sources_off_the_link_get_nothing() -> None:
    """A source that the predicate refuses gets no byte back."""
    network = Network(9)
    one, two = network.node(1), network.node(2, accept=lambda address: address[0] != "10.0.0.1")
    one.endpoint.connect(two.address, network.now)
    network.run_for(10)
    assert (failures(one), two.sent) == ([CallFailure.NO_ANSWER], 0)


def test_another_wire_version_is_said_on_both_ends() -> None:
    """A caller of a host with another wire version fails at once with that reason, unless it was forged."""
    network = Network(23)
    one, two = network.node(1), network.node(2)
    hellos: list[bytes] = []
    network.tap = lambda data, source, target: hellos.append(data)
    one.endpoint.connect(two.address, network.now)
    network.cut = lambda source, target: True
    network.run_for(0.1)
    foreign = bytearray(hellos[0])
    foreign[1] = 9
    network.inject(bytes(foreign), one.address, two.address)
    answer = bytearray(hellos[-1])
    assert len(answer) == 14
    answer[1] = 9
    network.inject(bytes((*answer[:13], answer[13] ^ 1)), two.address, one.address)
    network.run_for(0.5)
    assert failures(one) == []
    network.inject(bytes(answer), two.address, one.address)
    network.run_for(0.5)
    assert failures(one) == [CallFailure.VERSION]


def test_machines_without_a_common_version_of_the_messages_have_no_session() -> None:
    """So no peer gets a message that it can't know: the caller is told to update the older one."""
    network = Network(24)
    one, two = network.node(1), network.node(2)
    handshakes = two.endpoint._handshakes
    handshakes._local = replace(handshakes._local, versions=bytes((max(VERSIONS) + 1,)))
    one.endpoint.connect(two.address, network.now)
    network.run_until(lambda: bool(one.events), 10)
    assert failures(one) == [CallFailure.VERSION]
    assert not two.endpoint.peers()


def test_calling_oneself_fails() -> None:
    """An endpoint that calls its own address says so."""
    network = Network(10)
    one = network.node(1)
    one.endpoint.connect(one.address, network.now)
    network.run_until(lambda: bool(one.events), 5)
    assert failures(one) == [CallFailure.SELF]


@pytest.mark.parametrize("seed", range(8))
def test_simultaneous_calls_end_in_one_session(seed: int) -> None:
    """Two peers calling each other at any offset get one session, one Connected each, and messages flow."""
    network = Network(seed)
    one, two = network.node(1), network.node(2)
    one.endpoint.connect(two.address, network.now)
    network.run_for(seed * 0.0007)
    two.endpoint.connect(one.address, network.now)
    network.run_for(3)
    assert len(one.events) == len(two.events) == 1
    (first,), (second,) = one.of(Connected), two.of(Connected)
    assert bool(first.table) is not bool(second.table)  # one of them called
    one.endpoint.send(two.endpoint.peer, b"ping")
    two.endpoint.send(one.endpoint.peer, b"pong")
    network.run_for(1)
    assert (one.messages(), two.messages()) == ([b"pong"], [b"ping"])


@pytest.mark.parametrize("seed", range(30))
def test_simultaneous_calls_in_a_storm_end_in_one_session(seed: int) -> None:
    """Also with loss, doubles and reordering both sides end with the same session, and it works."""
    network = Network(seed, STORM)
    one, two = network.node(1), network.node(2)
    one.endpoint.connect(two.address, network.now)
    network.run_for(seed * 0.02)
    two.endpoint.connect(one.address, network.now)
    network.run_for(20)
    assert one.endpoint.peers() == [two.endpoint.peer]
    assert two.endpoint.peers() == [one.endpoint.peer]
    one.endpoint.send(two.endpoint.peer, b"ping")
    two.endpoint.send(one.endpoint.peer, b"pong")
    network.run_for(10)
    assert one.messages()[-1:] == [b"pong"]
    assert two.messages()[-1:] == [b"ping"]


def test_restarted_peer_replaces_its_old_session() -> None:
    """A new process with the same identity at a new address takes over soon, though the old one was heard."""
    network = Network(11)
    identity = Identity(bytes(32))
    host, old = network.node(1), network.node(2, identity=identity)
    old.endpoint.connect(host.address, network.now)
    network.run_until(lambda: bool(host.endpoint.peers()), 5)
    network.cut = lambda source, target: old.address in (source, target)
    new = network.node(3, identity=identity)
    new.endpoint.connect(host.address, network.now)
    network.run_for(1)
    assert disconnected(host) == [DisconnectReason.REPLACED]
    assert host.endpoint.path(identity.peer).address == new.address
    new.endpoint.send(host.endpoint.peer, b"again")
    network.run_for(1)
    assert host.messages() == [b"again"]


@pytest.mark.parametrize("caller", ["the clone", "the host"])
def test_a_clone_is_refused_while_the_first_run_answers(caller: str) -> None:
    """Two runs with one key would vote twice: the later one is told so, and the first one notices nothing."""
    network = Network(12)
    identity = Identity(bytes(32))
    host, first = network.node(1), network.node(2, identity=identity)
    first.endpoint.connect(host.address, network.now)
    network.run_until(lambda: bool(host.endpoint.peers()), 5)
    clone = network.node(3, identity=identity)
    one, other = (clone, host) if caller == "the clone" else (host, clone)
    clone.endpoint.listen(PSK)
    one.endpoint.connect(other.address, network.now, psk=PSK)
    network.run_for(3)
    assert disconnected(clone) == [DisconnectReason.PLAYED_ELSEWHERE]
    assert not disconnected(host)
    assert not disconnected(first)
    assert host.endpoint.path(identity.peer).address == first.address
    first.endpoint.send(host.endpoint.peer, b"still here")
    network.run_for(1)
    assert host.messages() == [b"still here"]


def test_restarted_host_is_called_again_by_address() -> None:
    """Calling a restarted host replaces the session that its guest still holds."""
    network = Network(12)
    identity = Identity(bytes(32))
    host, guest = network.node(1, identity=identity), network.node(2)
    guest.endpoint.connect(host.address, network.now)
    network.run_until(lambda: bool(guest.endpoint.peers()), 5)
    again = network.node(1, identity=identity)
    guest.endpoint.connect(again.address, network.now)
    network.run_for(2)
    assert disconnected(guest) == [DisconnectReason.REPLACED]
    assert [type(event) for event in guest.events] == [Connected, Disconnected, Connected]
    guest.endpoint.send(identity.peer, b"hello again")
    network.run_for(1)
    assert again.messages() == [b"hello again"]


def test_peer_that_dropped_us_can_call_again_from_the_same_run() -> None:
    """When only one side ended the session unheard, the next call of either side gives a new one."""
    network = Network(13)
    one, two = network.pair()
    network.cut = lambda source, target: True
    one.endpoint.disconnect(two.endpoint.peer)
    network.run_for(5)
    network.cut = lambda source, target: False
    one.endpoint.connect(two.address, network.now)
    network.run_until(lambda: bool(one.endpoint.peers()), 5)
    network.run_for(1)
    assert disconnected(two) == [DisconnectReason.REPLACED]
    one.endpoint.send(two.endpoint.peer, b"back")
    network.run_for(1)
    assert two.messages() == [b"back"]


def test_calling_a_connected_peer_changes_nothing() -> None:
    """Calling a connected peer again, here or there, fails with that reason; the session stays."""
    network = Network(14)
    one, two = network.pair()
    network.nodes["10.0.0.77", 4711] = alias = Node(two.endpoint, ("10.0.0.77", 4711))
    for address in (alias.address, two.address):
        one.endpoint.connect(address, network.now)
        network.run_for(1)
        assert one.events[-1] == ConnectFailed(
            address, CallFailure.ALREADY_CONNECTED, two.endpoint.peer, TABLE, b"node 2"
        )
    assert one.endpoint.peers() == [two.endpoint.peer]


def test_leaving_tells_both_sides() -> None:
    """A disconnect is an event on both sides, with the reason for the other, and whom it is to ask."""
    for reason, said, referral in (
        (CloseReason.LEFT, DisconnectReason.LEFT, None),
        (CloseReason.FULL, DisconnectReason.FULL, None),
        (CloseReason.LOCKED, DisconnectReason.LOCKED, None),
        (CloseReason.BANNED, DisconnectReason.BANNED, None),
        (
            CloseReason.ELSEWHERE,
            DisconnectReason.ELSEWHERE,
            Referral(PeerId(bytes(range(32))), "10.0.0.9", 4711),
        ),
    ):
        network = Network(15)
        one, two = network.pair()
        one.endpoint.disconnect(two.endpoint.peer, reason, referral)
        network.run_for(0.1)
        assert one.events[-1] == Disconnected(two.endpoint.peer, DisconnectReason.LOCAL)
        assert two.events[-1] == Disconnected(one.endpoint.peer, said, referral)
    with pytest.raises(NotConnected):
        one.endpoint.send(two.endpoint.peer, b"")


def test_lost_goodbye_is_said_again() -> None:
    """A peer that missed the goodbye is told again when it next writes."""
    network = Network(16)
    one, two = network.pair()
    network.cut = lambda source, target: True
    one.endpoint.disconnect(two.endpoint.peer)
    network.run_for(0.1)
    network.cut = lambda source, target: False
    two.endpoint.send(one.endpoint.peer, b"still there?")
    network.run_for(0.1)
    assert disconnected(two) == [DisconnectReason.LEFT]


def test_closed_endpoint_is_dead() -> None:
    """After close the peers know, and nothing more is sent, answered or raised."""
    network = Network(17)
    one, two = network.pair()
    one.endpoint.close(network.now)
    network.run_for(0.1)
    assert disconnected(two) == [DisconnectReason.SHUTDOWN]
    sent = one.sent
    two.endpoint.connect(one.address, network.now)
    network.run_for(10)
    assert one.sent == sent
    assert failures(two) == [CallFailure.NO_ANSWER]
    assert one.endpoint.next_timer() is None


def test_quiet_session_lives_by_pings_and_dies_in_silence() -> None:
    """Pings keep an idle session; 90 seconds of silence end it."""
    network = Network(18)
    one, two = network.pair()
    network.run_for(300)
    assert one.endpoint.peers()
    assert network.now - one.endpoint.path(two.endpoint.peer).last_heard < 6
    network.cut = lambda source, target: True
    network.run_for(89)
    assert one.endpoint.peers()
    network.run_for(12)
    assert disconnected(one) == disconnected(two) == [DisconnectReason.SILENT]


def test_session_survives_a_partition_of_a_minute() -> None:
    """Messages queued during a cut of 60 seconds arrive within two seconds after it."""
    network = Network(19)
    one, two = network.pair()
    network.cut = lambda source, target: True
    messages = [b"%d" % number for number in range(500)]
    for message in messages:
        one.endpoint.send(two.endpoint.peer, message)
    network.run_for(60)
    network.cut = lambda source, target: False
    network.run_for(2)
    assert two.messages() == messages


def test_round_trip_is_measured() -> None:
    """The estimate comes close to the network's true round trip, and a ping renews it."""
    network = Network(20)
    one, two = network.pair()
    for _ in range(30):
        one.endpoint.ping(two.endpoint.peer)
        network.run_for(0.2)
    assert one.endpoint.path(two.endpoint.peer).srtt == pytest.approx(0.002, rel=0.2)


def test_hours_of_play_renew_the_keys() -> None:
    """Over three hours, with keys renewed hourly, every message arrives."""
    network = Network(21)
    one, two = network.pair()
    for number in range(40):
        one.endpoint.send(two.endpoint.peer, b"%d" % number)
        two.endpoint.send(one.endpoint.peer, b"%d" % number)
        network.run_for(300)
    assert one.messages() == two.messages() == [b"%d" % number for number in range(40)]
    assert disconnected(one) == disconnected(two) == []


def test_sixteen_peers_form_a_full_mesh() -> None:
    """Sixteen endpoints, all calling each other at once, end with one session a pair."""
    network = Network(22)
    nodes = [network.node(number) for number in range(1, 17)]
    for node in nodes:
        for other in nodes:
            if other is not node:
                node.endpoint.connect(other.address, network.now)
    network.run_for(8)
    assert nodes
    assert all(len(node.endpoint.peers()) == 15 for node in nodes)
    assert all(len(node.of(Connected)) == 15 for node in nodes)
