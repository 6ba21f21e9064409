"""Paths that drop long packets: what is counted, and sessions and calls that go on with shorter ones."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavolata_protocol import codec
from tavolata_protocol.errors import ProtocolViolation, RemoteError
from tavolata_protocol.fragments import SliceInbox
from tavolata_protocol.handshake import SessionKeys
from tavolata_protocol.messages.packets import parse_header
from tavolata_protocol.messages.session import MAX_CUT, MAX_PIECES, Pad, Part, Slice, Whole
from tavolata_protocol.packets import Sealer
from tavolata_protocol.path_size import LOSSES, RAISE_AFTER, SIZES, PathSize
from tavolata_protocol.session import SealedSession

KEYS = bytes(32), b"\x01" * 32


class Narrow:
    """Two sessions over a path with a round trip of 20 ms that drops what is longer than `most`."""

    def __init__(self, most: int) -> None:
        self.now, self.most = 0.0, most
        self.one = SealedSession(SessionKeys(KEYS[0], KEYS[1], 2), 0.0)
        self.two = SealedSession(SessionKeys(KEYS[1], KEYS[0], 1), 0.0)
        self._under_way: list[tuple[float, SealedSession, bytes]] = []

    def run(self, seconds: float) -> None:
        until = self.now + seconds
        while self.now < until:
            self.now += 0.005
            arrived = [one for one in self._under_way if one[0] <= self.now]
            self._under_way = [one for one in self._under_way if one[0] > self.now]
            for _, target, datagram in arrived:
                target.receive(parse_header(datagram), datagram, self.now)
            for source, target in ((self.one, self.two), (self.two, self.one)):
                if source.next_timer() <= self.now:
                    source.handle_timer(self.now)
                for datagram in source.packets_to_send(self.now):
                    assert len(datagram) <= source._flight.path.size or source._flight.path.size < SIZES[0]
                    if len(datagram) <= self.most:
                        self._under_way.append((self.now + 0.01, target, datagram))

    def received(self) -> list[bytes]:
        return list(self.two.deliveries)


@pytest.mark.parametrize("most", [972, 960, 720, 512])
def test_a_session_finds_what_a_path_carries(most: int) -> None:
    """Messages of all lengths arrive in order within seconds, by the largest size that gets through."""
    path = Narrow(most)
    sent = [bytes([number]) * (1 + 997 * number % 5000) for number in range(30)]
    for message in sent:
        path.one.send(message, reliable=True)
    path.run(12.0)
    assert path.received() == sent
    assert path.one._flight.path.size == max(size for size in SIZES if size <= most)


def test_a_path_that_narrows_in_the_middle_holds_up_a_message_for_two_seconds() -> None:
    """What was under way as the path narrowed is cut, and arrives once."""
    path = Narrow(1200)
    path.one.send(b"a" * 1000, reliable=True)
    path.run(1.0)
    path.most = 700
    path.one.send(b"b" * 1000, reliable=True)
    path.one.send(b"c", reliable=True)
    path.run(4.0)
    assert path.received() == [b"a" * 1000, b"b" * 1000, b"c"]


def test_a_path_that_widens_is_used_again() -> None:
    """A probe after a minute finds the larger size, in steps; one that fails changes nothing."""
    path = Narrow(960)
    for number in range(5):
        path.one.send(bytes([number]) * 1024, reliable=True)
        path.run(3.0)
    assert path.one._flight.path.size == 960
    path.run(RAISE_AFTER + 1)
    assert path.one._flight.path.size == 960
    path.most = 1200
    path.run(3 * RAISE_AFTER)
    assert path.one._flight.path.size == 1200


def test_a_loose_message_that_is_too_long_for_the_path_is_lost() -> None:
    """It blocks neither those behind it nor the session."""
    path = Narrow(512)
    path.one.begin_with(512, 0.0)
    path.one.send(b"x" * 1000, reliable=False)
    path.one.send(b"short", reliable=False)
    path.run(1.0)
    assert list(path.two.deliveries) == [b"short"]


def test_only_losses_in_a_row_of_large_packets_count() -> None:
    """A large packet that arrives begins the count anew; small ones and late ones mean nothing."""
    size = PathSize()
    for counter in range(0, 4 * LOSSES, 2):
        if counter == 2 * LOSSES - 2:
            size.arrived(counter + 1, 1200, 0.0)
        else:
            size.lost(counter, 1200, counter + 1, 0.0)
        size.lost(counter, 300, counter + 1, 0.0)
        if counter < 4 * LOSSES - 4:
            assert size.size == 1200, counter
    size = PathSize()
    for counter in range(LOSSES):
        size.lost(counter, 1200, 50, 0.0)
    assert size.size == 960
    size.arrived(49, 1200, 0.0)  # it left before the change
    assert size.size == 960


def test_pieces_make_a_frame_once() -> None:
    """In any order, repeated or not; what does not fit together is an error, and so is a flood."""
    pieces = SliceInbox()
    assert pieces.take(Slice(0, 1, 2, b"b")) is None
    assert pieces.take(Slice(0, 1, 2, b"b")) is None
    assert pieces.take(Slice(0, 0, 2, b"a")) == b"ab"
    assert pieces.take(Slice(0, 0, 2, b"a")) is None
    for wrong in (Slice(1, 3, 2, b""), Slice(10**6, 0, 2, b"")):
        with pytest.raises(ProtocolViolation):
            pieces.take(wrong)
    pieces.take(Slice(1, 0, 2, b"a"))
    with pytest.raises(ProtocolViolation):
        pieces.take(Slice(1, 0, 3, b"a"))
    for number in range(2, MAX_CUT + 1):
        pieces.take(Slice(number, 0, 2, b"a"))
    with pytest.raises(ProtocolViolation):
        pieces.take(Slice(MAX_CUT + 1, 0, 2, b"a"))


@given(st.lists(st.binary(max_size=600), max_size=6), st.randoms(use_true_random=False))
def test_pieces_in_any_order_make_each_message_once(bodies: list[bytes], chance: random.Random) -> None:
    """Messages that were cut anywhere, shuffled and repeated, are delivered once and in order."""
    pieces: list[Slice] = []
    for number, body in enumerate(bodies):
        frame, count = codec.encode(Whole(number, body)), chance.randint(2, MAX_PIECES)
        cuts = [0, *sorted(chance.randint(0, len(frame)) for _ in range(count - 1)), len(frame)]
        pieces += [Slice(number, at, count, frame[cuts[at] : cuts[at + 1]]) for at in range(count)]
    pieces += chance.choices(pieces, k=len(pieces) // 2) if pieces else []
    chance.shuffle(pieces)
    session, sealer = SealedSession(SessionKeys(KEYS[1], KEYS[0], 1), 0.0), Sealer(KEYS[0], 2, 0.0)
    for piece in pieces:
        _take(session, sealer.seal(codec.encode((piece, Pad(bytes(chance.randint(0, 300))))), 0.0))
    assert list(session.deliveries) == bodies


@settings(max_examples=200)
@given(
    st.lists(
        st.builds(Pad, st.binary(max_size=40))
        | st.builds(
            Slice,
            st.integers(0, 4) | st.integers(0, 2**62),
            st.integers(0, MAX_PIECES - 1),
            st.integers(2, MAX_PIECES),
            st.binary(max_size=20)
            | st.sampled_from([codec.encode(one) for one in (Whole(0, b"a"), Part(1, 1, 2, b"b"), Pad(b""))])
            | st.just(b""),
        ),
        max_size=12,
    )
)
def test_whatever_is_in_pieces_and_pads_is_taken_or_the_senders_fault(frames: list[Slice | Pad]) -> None:
    """Any pieces and pads of an authentic peer, one a packet: taken, or refused with a `RemoteError`."""
    session, sealer = SealedSession(SessionKeys(KEYS[1], KEYS[0], 1), 0.0), Sealer(KEYS[0], 2, 0.0)
    with suppress(RemoteError):
        for frame in frames:
            _take(session, sealer.seal(codec.encode((frame,)), 0.0))
    assert len(session.deliveries) <= len(frames)


def _take(session: SealedSession, datagram: bytes) -> None:
    session.receive(parse_header(datagram), datagram, 0.0)
