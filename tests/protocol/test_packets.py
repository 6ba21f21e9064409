"""Packets: what one side seals the other opens once; anything else changes nothing."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl import bindings

from tavolata_protocol.errors import MalformedMessage, NotAuthentic
from tavolata_protocol.messages.packets import (
    HEADER_SIZE,
    MAX_DATAGRAM,
    PacketHeader,
    PacketKind,
    pack_header,
    parse_header,
)
from tavolata_protocol.packets import REKEY_AFTER, REPLAY_WINDOW, ROOM, Opener, ReplayWindow, Sealer

KEY = bytes(range(32))


def pair() -> tuple[Sealer, Opener]:
    return Sealer(KEY, 7, 0.0), Opener(KEY)


def opened(opener: Opener, datagram: bytes) -> bytes:
    return opener.open(parse_header(datagram), datagram)


def test_header_is_fourteen_bytes_in_the_documented_order() -> None:
    """Kind and phase, wire major, connection id, counter: 1 + 1 + 4 + 8 bytes."""
    packed = pack_header(PacketKind.SEALED, 0x01020304, 5, 1)
    assert packed == bytes.fromhex("71 02 01020304 0000000000000005")
    assert parse_header(packed) == PacketHeader(PacketKind.SEALED, 1, 0x01020304, 5)


@given(st.binary(max_size=1400))
def test_header_of_garbage_is_malformed_or_fits(data: bytes) -> None:
    """Random bytes raise MalformedMessage, or are a header of a known kind."""
    try:
        header = parse_header(data)
    except MalformedMessage:
        return
    assert header.kind in PacketKind


def test_full_packet_has_1200_bytes() -> None:
    """ROOM bytes of plaintext fill exactly one datagram."""
    sealer, _ = pair()
    assert len(sealer.seal(bytes(ROOM), 0.0)) == MAX_DATAGRAM


def test_nonce_and_associated_data_are_those_of_the_specification() -> None:
    """An independent decryption with connection id and counter as nonce and the header as data succeeds."""
    sealer, _ = pair()
    sealer.counter = 9
    datagram = sealer.seal(b"hello", 0.0)
    nonce = (7).to_bytes(4, "big") + (9).to_bytes(8, "big")
    plain = bindings.crypto_aead_chacha20poly1305_ietf_decrypt(
        datagram[HEADER_SIZE:], datagram[:HEADER_SIZE], nonce, KEY
    )
    assert plain == b"hello"


@given(st.integers(0, 10**6), st.integers(1, 255))
def test_any_flipped_byte_is_not_authentic(place: int, flip: int) -> None:
    """No byte of a datagram, header included, can change unnoticed; and nothing changes by trying."""
    sealer, opener = pair()
    datagram = bytearray(sealer.seal(b"some text", 0.0))
    good = bytes(datagram)
    datagram[place % len(datagram)] ^= flip
    header = PacketHeader(PacketKind.SEALED, datagram[0] & 1, 7, int.from_bytes(datagram[6:14], "big"))
    with pytest.raises(NotAuthentic):
        opener.open(header, bytes(datagram))
    assert opened(opener, good) == b"some text"


@pytest.mark.parametrize("size", range(HEADER_SIZE, HEADER_SIZE + 17))
def test_packets_cut_short_are_not_authentic(size: int) -> None:
    """Even less than a tag is no crash."""
    sealer, opener = pair()
    datagram = sealer.seal(b"", 0.0)[: size - 1 or 1].ljust(HEADER_SIZE, b"\0")
    with pytest.raises(NotAuthentic):
        opener.open(PacketHeader(PacketKind.SEALED, 0, 7, 0), datagram)


def test_ten_thousand_replays_open_nothing() -> None:
    """Of 10,000 repeated packets none is opened a second time."""
    sealer, opener = pair()
    datagrams = [sealer.seal(b"%d" % number, 0.0) for number in range(2000)]
    assert datagrams
    assert all(opened(opener, datagram) for datagram in datagrams)
    shuffled = random.Random(5).choices(datagrams, k=10_000)
    for datagram in shuffled:
        with pytest.raises(NotAuthentic):
            opened(opener, datagram)


@given(st.lists(st.integers(0, 5000), max_size=60))
def test_replay_window_equals_a_set(counters: list[int]) -> None:
    """The bit window agrees with a set of all counters, cut at 1024 below the largest."""
    window = ReplayWindow()
    seen: set[int] = set()
    for counter in counters:
        fresh = counter not in seen and counter > max(seen, default=-1) - REPLAY_WINDOW
        assert window.is_new(counter) == fresh
        if fresh:
            window.mark(counter)
            seen.add(counter)


def test_forged_counter_does_not_move_the_window() -> None:
    """A forged packet far ahead leaves the window where it was."""
    sealer, opener = pair()
    datagram = sealer.seal(b"first", 0.0)
    forged = pack_header(PacketKind.SEALED, 7, 2**60) + datagram[HEADER_SIZE:]
    with pytest.raises(NotAuthentic):
        opened(opener, forged)
    assert opened(opener, datagram) == b"first"


def test_keys_change_hourly_and_late_packets_still_open() -> None:
    """Over several hours the phase flips each hour, and packets reordered around a flip open."""
    sealer, opener = pair()
    phases = []
    for hour in range(5):
        now = hour * REKEY_AFTER
        batch = [sealer.seal(b"%d" % number, now + number) for number in range(3)]
        phases.append({datagram[0] & 1 for datagram in batch})
        late = sealer.seal(b"late", now + 10)
        assert [opened(opener, datagram) for datagram in reversed(batch)] == [b"2", b"1", b"0"]
        following = sealer.seal(b"next", now + REKEY_AFTER)
        assert opened(opener, following) == b"next"
        assert opened(opener, late) == b"late"
    assert phases == [{0}, {1}, {0}, {1}, {0}]


def test_forged_phase_does_not_change_keys() -> None:
    """A packet with the other phase that does not open leaves the keys as they are."""
    sealer, opener = pair()
    datagram = sealer.seal(b"a", 0.0)
    assert opened(opener, datagram) == b"a"
    forged = bytearray(sealer.seal(b"b", 0.0))
    forged[0] |= 1
    with pytest.raises(NotAuthentic):
        opened(opener, bytes(forged))
    assert opened(opener, sealer.seal(b"c", 0.0)) == b"c"
