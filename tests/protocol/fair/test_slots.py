"""Junk in every slot of every message ends as one error that names its sender."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.group import ED25519, TORSION
from tavolata_protocol.fair.offences import Offence

from .messages import messages

NAMES = list(messages())
POINTS = [(name, at) for name, message in messages().items() for at in message.places("p")]
SCALARS = [(name, at) for name, message in messages().items() for at in message.places("s")]
NOT_CANONICAL = (2**255 - 19 + 4).to_bytes(32, "little")


def refused(name: str, data: object) -> Offence:
    """What offence `Cheat` finds in a message; it has to name party 1."""
    with pytest.raises(Cheat) as caught:
        messages()[name].read(data)
    assert caught.value.party == 1
    return caught.value.charge.offence


def with_part(name: str, at: int, part: bytes) -> bytes:
    """The honest message with other bytes at a place."""
    data = messages()[name].data
    return data[:at] + part + data[at + len(part) :]


@pytest.mark.parametrize("name", NAMES)
def test_honest_messages_are_read(name: str) -> None:
    """Each message here is accepted as it is, so that what follows tests what it says."""
    message = messages()[name]
    message.read(message.data)
    assert len(message.data) >= 32 * len(message.layout.rstrip("-"))


@pytest.mark.parametrize(("name", "at"), POINTS)
@pytest.mark.parametrize("order", TORSION)
def test_torsion_is_refused_in_every_slot(name: str, at: int, order: int) -> None:
    """The honest point plus one of order 2, 4 or 8 is refused as no point, in each slot of each message."""
    honest = messages()[name].data[at : at + 32]
    tainted = ED25519.add(honest, TORSION[order])
    assert refused(name, with_part(name, at, tainted)) is Offence.INVALID_POINT
    assert refused(name, with_part(name, at, TORSION[order])) is Offence.INVALID_POINT


@pytest.mark.parametrize(("name", "at"), POINTS)
@pytest.mark.parametrize("junk", [ED25519.identity, NOT_CANONICAL, b"\xff" * 32, bytes(31) + b"\x80"])
def test_identity_and_other_encodings_are_refused_in_every_slot(name: str, at: int, junk: bytes) -> None:
    """Identity, encodings that are not canonical, and what is no point at all, are refused as no point."""
    assert refused(name, with_part(name, at, junk)) is Offence.INVALID_POINT


@pytest.mark.parametrize(("name", "at"), SCALARS)
def test_scalars_out_of_range_are_refused_in_every_slot(name: str, at: int) -> None:
    """Zero, L, the honest scalar + L, and the largest number are refused as no scalar, in each slot."""
    honest = int.from_bytes(messages()[name].data[at : at + 32], "little")
    for number in (0, ED25519.order, honest + ED25519.order, 2**256 - 1):
        assert refused(name, with_part(name, at, number.to_bytes(32, "little"))) is Offence.INVALID_SCALAR


@pytest.mark.parametrize(
    ("name", "at"),
    [
        (name, at)
        for name, message in messages().items()
        if message.proven
        for at in message.places("p") + message.places("s")
    ],
)
def test_every_other_point_and_scalar_of_what_is_proven_is_refused(name: str, at: int) -> None:
    """One more G on any point, or one more on any scalar, and the message is refused."""
    message = messages()[name]
    honest = message.data[at : at + 32]
    if at in message.places("p"):
        other = ED25519.add(honest, ED25519.base)
    else:
        other = (int.from_bytes(honest, "little") % ED25519.order + 1).to_bytes(32, "little")
    refused(name, with_part(name, at, other))


@pytest.mark.parametrize("name", [name for name in NAMES if messages()[name].proven])
def test_every_byte_of_what_is_proven_counts(name: str) -> None:
    """A bit changed in any byte of a message, and it is refused."""
    data = messages()[name].data
    for at in range(0, len(data), 1 if len(data) < 300 else 7):
        refused(name, data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])


@pytest.mark.parametrize("name", NAMES)
def test_other_lengths_and_types_are_refused(name: str) -> None:
    """Nothing, less, more, and what is no bytes, is refused for each message."""
    data = messages()[name].data
    for junk in (b"", data[:-1], data + b"\0", data[32:], data * 2):
        assert refused(name, junk) is Offence.WRONG_SIZE
    for odd in (None, 7, 1.5, "text", bytearray(data), memoryview(data), [data], {"data": data}):
        assert refused(name, odd) is Offence.MALFORMED


@given(st.sampled_from(NAMES), st.data())
def test_random_bytes_raise_nothing_else(name: str, data: st.DataObject) -> None:
    """Random bytes of the right length give a value or `Cheat`, and no other error."""
    size = len(messages()[name].data)
    with suppress(Cheat):
        messages()[name].read(data.draw(st.binary(min_size=size, max_size=size)))
