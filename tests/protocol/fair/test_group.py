"""The group: its constants, its edges, and the self-test that keeps an unsafe library out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl import bindings
from nacl.exceptions import CryptoError

from tavolata_protocol.fair.group import (
    ED25519,
    TORSION,
    UnsafeLibrary,
    refuse_torsion,
    total,
    weighted_sum,
)

L = ED25519.order
NOT_CANONICAL = (2**255 - 19 + 4).to_bytes(32, "little")
ANY = st.integers(-(2**260), 2**260)


def test_base_point_is_that_of_rfc_8032() -> None:
    """G is the base point of RFC 8032, section 5.1."""
    assert ED25519.base.hex() == "58" + "66" * 31
    assert ED25519.is_point(ED25519.base)


def test_order_takes_the_base_to_the_identity() -> None:
    """(L - 1)·G + G is the identity, and (L - 1)·G is not."""
    last = ED25519.multiply_base(L - 1)
    assert last != ED25519.identity
    assert ED25519.add(last, ED25519.base) == ED25519.identity


@given(ANY, ANY)
def test_multiplication_distributes(first: int, second: int) -> None:
    """(j + k)·A = j·A + k·A for any integers, zero and negative ones included."""
    point = ED25519.from_hash(bytes(range(64)))
    together = ED25519.multiply(first + second, point)
    assert together == ED25519.add(ED25519.multiply(first, point), ED25519.multiply(second, point))
    assert ED25519.subtract(together, ED25519.multiply(second, point)) == ED25519.multiply(first, point)
    assert ED25519.multiply_base(first) == ED25519.multiply(first, ED25519.base)


def test_sums_of_nothing_are_the_identity() -> None:
    """Empty sums are the identity, and lists of two lengths are refused."""
    assert total(ED25519, []) == weighted_sum(ED25519, [], []) == ED25519.identity
    with pytest.raises(ValueError, match="shorter"):
        weighted_sum(ED25519, [1], [])


@pytest.mark.parametrize("order", TORSION)
def test_torsion_points_have_the_order_they_are_named_by(order: int) -> None:
    """Each torsion point comes to the identity after just so many additions."""
    point, steps = TORSION[order], 1
    while point != ED25519.identity:
        point, steps = bindings.crypto_core_ed25519_add(point, TORSION[order]), steps + 1
    assert steps == order


@pytest.mark.parametrize("order", TORSION)
def test_torsion_is_no_point_though_the_library_adds_it(order: int) -> None:
    """A torsion point, alone or added to a good point, is refused by `is_point` but not by `add`."""
    tainted = ED25519.add(ED25519.multiply_base(7), TORSION[order])
    assert not ED25519.is_point(tainted)
    assert not ED25519.is_point(TORSION[order])
    with pytest.raises(CryptoError):
        ED25519.multiply(3, tainted)


@pytest.mark.parametrize(
    "junk",
    [
        ED25519.identity,
        NOT_CANONICAL,
        bytes(32),
        b"\xff" * 32,
        ED25519.base[:31],
        ED25519.base + b"\0",
        b"",
        bytearray(ED25519.base),
        None,
        7,
        ED25519.base.hex(),
    ],
)
def test_junk_is_no_point(junk: object) -> None:
    """Identity, other encodings, wrong lengths and wrong types are no points, and raise nothing."""
    assert not ED25519.is_point(junk)


def test_scalars_of_messages_lie_between_zero_and_the_order() -> None:
    """0 and L are no scalars of a message, 1 and L - 1 are."""
    assert [ED25519.is_scalar(number) for number in (-1, 0, 1, L - 1, L, L + 1)] == [
        False,
        False,
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize("order", TORSION)
def test_a_library_that_calls_torsion_valid_is_refused(order: int) -> None:
    """Where the question accepts torsion of just one order, as old libsodium did, the self-test stops."""
    tainted = ED25519.add(ED25519.base, TORSION[order])

    def lenient(point: bytes) -> bool:
        return point == tainted or bindings.crypto_core_ed25519_is_valid_point(point)

    with pytest.raises(UnsafeLibrary, match=f"order {order}"):
        refuse_torsion(is_point=lenient)


@pytest.mark.parametrize("order", TORSION)
def test_a_library_that_multiplies_torsion_is_refused(order: int) -> None:
    """Where the multiplication accepts torsion of just one order, the self-test stops."""
    tainted = ED25519.add(ED25519.base, TORSION[order])

    def lenient(scalar: bytes, point: bytes) -> bytes:
        return point if point == tainted else bindings.crypto_scalarmult_ed25519_noclamp(scalar, point)

    with pytest.raises(UnsafeLibrary, match=f"order {order}"):
        refuse_torsion(multiply=lenient)
