"""Sessions of two sides, directly: what a packet holds, what asks for an answer, and what waits for what."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tavolata_protocol import codec
from tavolata_protocol.errors import NotAuthentic
from tavolata_protocol.flight import MAX_WINDOW
from tavolata_protocol.handshake import SessionKeys
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages.packets import MAX_DATAGRAM, parse_header
from tavolata_protocol.messages.session import (
    MAX_DATAGRAM_MESSAGE,
    MAX_FRAMES,
    Ack,
    Close,
    CloseReason,
    Loose,
    Packet,
    Part,
    Ping,
    Referral,
    Whole,
)
from tavolata_protocol.pacing import BURST
from tavolata_protocol.packets import Opener
from tavolata_protocol.session import SealedSession

_READ: Callable[[bytes], Packet] = codec.reader(Packet)
KEYS = bytes(32), b"\x01" * 32


class Pair:
    """Two sessions of one handshake, and a third party that knows the keys."""

    def __init__(self) -> None:
        self.now = 0.0
        self.one = SealedSession(SessionKeys(KEYS[0], KEYS[1], 2), 0.0)
        self.two = SealedSession(SessionKeys(KEYS[1], KEYS[0], 1), 0.0)
        self._openers = {2: Opener(KEYS[0]), 1: Opener(KEYS[1])}

    def frames(self, datagram: bytes) -> tuple[object, ...]:
        header = parse_header(datagram)
        plain = self._openers[header.connection].open(header, datagram)
        return _READ(plain)

    def pass_on(self, source: SealedSession, target: SealedSession) -> list[tuple[object, ...]]:
        """Carry everything that `source` would send; returns the frames of each packet."""
        datagrams = list(source.packets_to_send(self.now))
        for datagram in datagrams:
            assert len(datagram) <= MAX_DATAGRAM
            target.receive(parse_header(datagram), datagram, self.now)
        return [self.frames(datagram) for datagram in datagrams]


def test_small_messages_share_a_packet() -> None:
    """Messages queued together leave together, with the acknowledgement that is owed."""
    pair = Pair()
    pair.two.send(b"first", reliable=True)
    pair.pass_on(pair.two, pair.one)
    for number in range(5):
        pair.one.send(b"%d" % number, reliable=True)
    pair.one.send(b"loose", reliable=False)
    (frames,) = pair.pass_on(pair.one, pair.two)
    assert [type(frame) for frame in frames] == [Ack, Loose] + [Whole] * 5
    assert list(pair.two.deliveries) == [b"loose", *(b"%d" % n for n in range(5))]


def test_many_tiny_messages_stay_within_the_limits_of_a_packet() -> None:
    """Hundreds of empty messages are split over packets that the other side accepts."""
    pair = Pair()
    for _ in range(500):
        pair.one.send(b"", reliable=True)
    packets = [len(frames) for frames in pair.pass_on(pair.one, pair.two)]
    assert len(packets) > 1
    assert max(packets) <= MAX_FRAMES
    assert len(pair.two.deliveries) == 500


def test_long_acknowledgement_does_not_squeeze_out_a_full_fragment() -> None:
    """With 16 ranges to acknowledge, a full fragment and a full loose message still leave."""
    pair = Pair()
    for number in range(64):
        pair.two.ping()
        (datagram,) = pair.two.packets_to_send(pair.now)
        if number % 2:
            pair.one.receive(parse_header(datagram), datagram, pair.now)
    pair.one.send(bytes(4096), reliable=True)
    pair.one.send(bytes(MAX_DATAGRAM_MESSAGE), reliable=False)
    sent = [type(frame) for frames in pair.pass_on(pair.one, pair.two) for frame in frames]
    assert sorted(kind.__name__ for kind in sent) == ["Ack", "Loose", "Part", "Part", "Part", "Part"]
    assert Part in sent
    assert len(pair.two.deliveries) == 2


def test_loose_messages_ask_for_nothing() -> None:
    """Neither side owes or waits for an acknowledgement after a loose message."""
    pair = Pair()
    pair.one.send(b"heartbeat", reliable=False)
    pair.pass_on(pair.one, pair.two)
    assert pair.pass_on(pair.two, pair.one) == []
    assert pair.two.next_timer() == pair.one.next_timer() == 5.0


def test_loose_messages_pass_a_full_window() -> None:
    """A heartbeat leaves at once even when the window is full; the oldest go when 64 wait."""
    pair = Pair()
    pair.one.send(bytes(60_000), reliable=True)
    assert len(list(pair.one.packets_to_send(0.0))) <= BURST
    for number in range(100):
        pair.one.send(b"%d" % number, reliable=False)
    pair.pass_on(pair.one, pair.two)
    assert list(pair.two.deliveries) == [b"%d" % number for number in range(36, 100)]


def test_pings_are_answered_at_once() -> None:
    """A ping asks for an acknowledgement without the usual delay."""
    pair = Pair()
    pair.one.ping()
    [frames] = pair.pass_on(pair.one, pair.two)
    assert {type(frame) for frame in frames} == {Ping}
    pair.now = 0.004
    assert [[type(frame) for frame in frames] for frames in pair.pass_on(pair.two, pair.one)] == [[Ack]]
    assert pair.one.rtt.srtt == pytest.approx(0.004)


def test_probe_repeats_the_oldest_message_in_a_new_packet() -> None:
    """When nothing is acknowledged, the oldest message goes again under a new counter, and arrives once."""
    pair = Pair()
    pair.one.send(b"lost at first", reliable=True)
    (first,) = pair.one.packets_to_send(0.0)
    when = pair.one.next_timer()
    assert when == pytest.approx(0.32)
    pair.one.handle_timer(when)
    pair.now = when
    (second,) = pair.one.packets_to_send(when)
    assert parse_header(second).counter == parse_header(first).counter + 1
    for datagram in (second, first):
        pair.two.receive(parse_header(datagram), datagram, when)
    assert list(pair.two.deliveries) == [b"lost at first"]
    with pytest.raises(NotAuthentic):
        pair.two.receive(parse_header(first), first, when)


def test_window_bounds_what_is_in_flight() -> None:
    """However much is queued, never more than 64 packets are unacknowledged."""
    pair = Pair()
    for _ in range(10):
        pair.one.send(bytes(65536), reliable=True)
    flying = 0
    for step in range(400):
        pair.now = step * 0.002
        pair.pass_on(pair.one, pair.two)
        flying = max(flying, len(pair.one._flight._sent))
        pair.now += 0.001
        if step % 7 == 0:
            pair.two.handle_timer(pair.now)
            pair.pass_on(pair.two, pair.one)
    assert MAX_WINDOW / 2 < flying <= MAX_WINDOW
    assert len(pair.two.deliveries) == 10


def test_close_carries_reason_and_referral() -> None:
    """The farewell tells the other side why, and whom to ask instead."""
    pair = Pair()
    close = Close(CloseReason.ELSEWHERE, Referral(PeerId(bytes(32)), "192.168.1.5", 4711))
    farewell = pair.one.close(close, 0.0)
    pair.two.receive(parse_header(farewell), farewell, 0.0)
    assert pair.two.closed == close
