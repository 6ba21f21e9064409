"""CPace against the vectors of draft-irtf-cfrg-cpace-21, appendix B.1, and what the points tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl import bindings

from tavolata_protocol.cpace import CPaceShare, _lv_cat, session_key
from tavolata_protocol.errors import HandshakeFailed

PRS = b"Password"
CI = b"\x0bA_initiator\x0bB_responder"
SID = bytes.fromhex("7e4b4791d6a8ef019b936c79fb7f2c57")
YA = bytes.fromhex("21b4f4bd9e64ed355c3eb676a28ebedaf6d8f17bdc365995b319097153044080")
YB = bytes.fromhex("848b0779ff415f0af4ea14df9dd1d3c29ac41d836c7808896c4eba19c51ac40a")
POINT_A = bytes.fromhex("1d13c89278cdadd826f6d8d7f887701430f8380ddc17611cdd6dc989ce0c9f32")
POINT_B = bytes.fromhex("248cccf6d5cdc3646f0ad593f9e6cef4e69d4945f8372e623512ecea32185623")
K = bytes.fromhex("5b067effbdc0b2a0e1d907b21ebb25cfedb96a852179a847c37e43ee71322c6b")
ISK = bytes.fromhex(
    "6e19b875f7a561d6b3ca3dbb9ef42ac55de3e717881018204b8922b4d5e53bb2"
    "aa82c300bea7b65d2b671da71922ddf6472301b79bc270adfa8bf413285f2263"
)
SMALL = [
    bytes(32),
    b"\x01" + bytes(31),
    b"\xec" + b"\xff" * 30 + b"\x7f",
    bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
    bytes.fromhex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
    b"\xed" + b"\xff" * 30 + b"\x7f",
    b"\xee" + b"\xff" * 30 + b"\x7f",
]
"""u0 to u5 and u7 of the draft: a point among these MUST abort."""


def test_vectors_of_the_draft() -> None:
    """Both messages, the secret point and the key are those of the draft."""
    one, two = CPaceShare.make(PRS, CI, SID, YA), CPaceShare.make(PRS, CI, SID, YB)
    assert (one.point, two.point) == (POINT_A, POINT_B)
    assert one.secret(two.point) == two.secret(one.point) == K
    assert session_key(SID, K, (POINT_A, b"ADa"), (POINT_B, b"ADb")) == ISK


@pytest.mark.parametrize("point", SMALL)
def test_points_of_small_order_abort(point: bytes) -> None:
    """The draft's weak points end the run, whatever the scalar."""
    share = CPaceShare.make(PRS, CI, SID, YA)
    with pytest.raises(HandshakeFailed):
        share.secret(point)


def test_other_points_of_the_draft() -> None:
    """Points that only look weak give the draft's results."""
    scalar = bytes.fromhex("af46e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449aff")
    share = CPaceShare(scalar, b"", SID)
    for point, result in (
        ("da" + "ff" * 31, "d8e2c776bbacd510d09fd9278b7edcd25fc5ae9adfba3b6e040e8d3b71b21806"),
        ("db" + "ff" * 31, "c85c655ebe8be44ba9c0ffde69f2fe10194458d137f09bbff725ce58803cdb38"),
        ("d9" + "ff" * 31, "db64dafa9b8fdd136914e61461935fe92aa372cb056314e1231bc4ec12417456"),
    ):
        assert share.secret(bytes.fromhex(point)).hex() == result


@given(st.binary(max_size=40), st.binary(max_size=40), st.binary(min_size=32, max_size=32))
def test_equal_codes_meet_and_others_do_not(one: bytes, two: bytes, scalar: bytes) -> None:
    """Two sides reach the same secret point exactly when their codes are equal."""
    a, b = CPaceShare.make(one, CI, SID, scalar), CPaceShare.make(two, CI, SID, YB)
    assert (a.secret(b.point) == b.secret(a.point)) is (one == two)


@given(st.binary(min_size=0, max_size=33))
def test_a_point_of_the_wrong_length_is_refused(point: bytes) -> None:
    """Whatever is no 32 bytes ends the run by the same error."""
    if len(point) != 32:
        with pytest.raises(HandshakeFailed):
            CPaceShare.make(PRS, CI, SID, YA).secret(point)


def test_lengths_are_written_in_leb128() -> None:
    """As the draft's lv_cat does it, also for parts of more than 127 bytes."""
    assert (
        _lv_cat(b"1234", b"", bytes(range(128))).hex()
        == "0431323334" + "00" + "8001" + bytes(range(128)).hex()
    )


def test_session_and_channel_change_everything() -> None:
    """The same code and scalar give another point in another run, or on another channel."""
    points = {
        CPaceShare.make(PRS, channel, session, YA).point
        for channel in (CI, b"", b"other")
        for session in (SID, b"", bytes(16))
    }
    assert len(points) == 9
    assert all(len(point) == bindings.crypto_scalarmult_BYTES for point in points)
