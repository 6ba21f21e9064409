"""The codec: valid messages come back equal; anything else raises MalformedMessage and nothing more."""

from __future__ import annotations

import contextlib

import msgpack
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavolata_protocol import codec
from tavolata_protocol.errors import MalformedMessage
from tavolata_protocol.grouplog import storage
from tavolata_protocol.grouplog.snapshots import Snapshot
from tavolata_protocol.messages import entries, handshake, log
from tavolata_protocol.messages.session import (
    FRAGMENT_SIZE,
    MAX_DATAGRAM_MESSAGE,
    Ack,
    Challenge,
    Close,
    CloseReason,
    Frame,
    Loose,
    Packet,
    Pad,
    Part,
    Ping,
    Proved,
    Referral,
    Slice,
    Whole,
)

READ = codec.reader(Packet)
counters = st.integers(0, 2**62)
frames = st.one_of(
    st.builds(
        Ack,
        counters,
        st.integers(0, 10**7),
        st.lists(counters.filter(bool), min_size=1, max_size=31).map(tuple),
    ),
    st.builds(Whole, counters, st.binary(max_size=64)),
    st.builds(Part, counters, st.integers(0, 63), st.integers(2, 64), st.binary(max_size=64)),
    st.builds(Loose, st.binary(max_size=64)),
    st.builds(Ping),
    st.builds(
        Close,
        st.sampled_from(CloseReason),
        st.none()
        | st.builds(
            Referral, st.binary(min_size=32, max_size=32), st.text(max_size=64), st.integers(1, 65535)
        ),
    ),
    st.builds(Challenge, st.binary(min_size=8, max_size=8)),
    st.builds(Proved, st.binary(min_size=8, max_size=8)),
    st.builds(Slice, counters, st.integers(0, 3), st.integers(2, 4), st.binary(max_size=64)),
    st.builds(Pad, st.binary(max_size=64)),
)
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | st.binary(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text(), inner) | st.dictionaries(st.integers(0, 9), inner)
    ),
    max_leaves=12,
)


@given(st.lists(frames, max_size=8).map(tuple))
def test_frames_come_back_equal(packet: tuple[Frame, ...]) -> None:
    """Every packet of valid frames survives encoding and decoding."""
    raw = codec.encode(packet)
    if len(raw) <= codec.PACKET:
        assert READ(raw) == packet


@pytest.mark.parametrize(
    "kind", [Packet, handshake.Hello, handshake.Init, handshake.InitiatorProof, handshake.Welcome]
)
@given(st.binary(max_size=1300))
def test_garbage_raises_only_malformed(kind: type[object], data: bytes) -> None:
    """Random bytes never escape as any other error."""
    with contextlib.suppress(MalformedMessage):
        codec.decode(data, kind)


@pytest.mark.battery
@pytest.mark.parametrize("kind", [Packet, handshake.Hello, handshake.Retry, handshake.Init, handshake.Refuse])
@given(plain)
def test_valid_msgpack_of_wrong_shape_raises_only_malformed(kind: type[object], value: object) -> None:
    """Well-formed msgpack that is no message never escapes as any other error."""
    with contextlib.suppress(MalformedMessage):
        codec.decode(msgpack.packb(value), kind)


@given(st.lists(frames, min_size=1, max_size=4).map(tuple), st.data())
def test_damaged_packets_raise_only_malformed(packet: tuple[Frame, ...], data: st.DataObject) -> None:
    """A flipped byte or a cut end gives a valid packet or MalformedMessage."""
    raw = bytearray(codec.encode(packet))
    place = data.draw(st.integers(0, len(raw) - 1))
    raw[place] = data.draw(st.integers(0, 255))
    for damaged in (bytes(raw), bytes(raw[:place])):
        with contextlib.suppress(MalformedMessage):
            READ(damaged)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\xc1",
        b"\x90\x90",
        b"\x91" * 5000,
        b"\x91" * 1100,
        b"\xdc\xff\xff",
        b"\xdd\xff\xff\xff\xff",
        b"\xdf\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        b"\xc7\x00\x05",
        b"\xd6\xff\x00\x00\x00\x00",
        b"\x91\xa1\xff",
        b"\x81\x91\x01\x01",
        b"\x81\x81\x01\x01\x01",
        b"\x91\x93\x00",
    ],
)
def test_hostile_encodings_are_malformed(raw: bytes) -> None:
    """Truncated, nested, giant-length, extension and bad-text encodings are refused as malformed."""
    with pytest.raises(MalformedMessage):
        READ(raw)


@pytest.mark.parametrize(
    "value",
    [
        [[1, 2, "text for bytes"]],
        [[1, True, b""]],
        [[1, 1.0, b""]],
        [[1, -1, b""]],
        [[1, 2**62 + 1, b""]],
        [[1, 1, b"", 1]],
        [[1, 1]],
        [[99]],
        [["1", 1, b""]],
        [[1, 1, bytes(FRAGMENT_SIZE + 1)]],
        [[3, bytes(MAX_DATAGRAM_MESSAGE + 1)]],
        [[2, 1, 64, 64, b""]],
        [[2, 1, 0, 65, b""]],
        [[0, 1, 1, []]],
        [[0, 1, 1, [1] * 32]],
        [[0, 1, 1, [0]]],
        [[5, 9, ""]],
        {"a": 1},
    ],
)
def test_fields_out_of_bounds_are_malformed(value: object) -> None:
    """Wrong types, wrong counts and values out of bounds are refused field by field."""
    with pytest.raises(MalformedMessage):
        READ(msgpack.packb(value))


@pytest.mark.parametrize(
    "kind",
    [
        Packet,
        log.LogMessage,
        storage.Record,
        Snapshot,
        entries.ControlBody,
        entries.Placed,
        entries.ProposalShape,
    ],
    ids=str,
)
def test_every_array_of_every_message_is_bounded(kind: object) -> None:
    """No message's type lets a few bytes announce an array that takes the memory."""
    waiting: list[object] = [msgspec.inspect.type_info(kind)]
    seen: set[object] = set()
    while waiting:
        match waiting.pop():
            case msgspec.inspect.VarTupleType(item_type=item, max_length=most):
                assert most is not None
                waiting.append(item)
            case msgspec.inspect.TupleType(item_types=inner) | msgspec.inspect.UnionType(types=inner):
                waiting += inner
            case msgspec.inspect.StructType(cls=cls, fields=fields) if cls not in seen:
                seen.add(cls)
                waiting += [field.type for field in fields]
            case other:
                assert not isinstance(other, msgspec.inspect.CollectionType | msgspec.inspect.DictType)


def test_longer_than_the_limit_is_malformed() -> None:
    """Bytes over the size limit are refused before they are looked at."""
    with pytest.raises(MalformedMessage, match="longer than"):
        codec.decode(bytes(1201), bytes)
    assert codec.decode(codec.encode(bytes(1300)), bytes, codec.MESSAGE) == bytes(1300)


@pytest.mark.long
@settings(max_examples=1_000_000)
@given(st.binary(max_size=1300))
def test_a_million_cases_raise_only_malformed(data: bytes) -> None:
    """On demand: a million random inputs to the decoder of packets raise MalformedMessage or nothing."""
    with contextlib.suppress(MalformedMessage):
        READ(data)
