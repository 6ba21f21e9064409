"""Hashing: no two lists of fields give the same, and chance is even."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from tavolata_protocol.fair.group import ED25519
from tavolata_protocol.fair.hashing import HG, HS, H, below, frame, generators, numbers, permutation, scalars

FIELD = st.one_of(
    st.binary(max_size=9), st.integers(0, 2**64 - 1), st.lists(st.binary(max_size=9), max_size=3).map(tuple)
)


def as_bytes(field: bytes | int | tuple[bytes, ...]) -> object:
    """A field up to what is meant to be equal: a number is its eight bytes, a list its frame."""
    if isinstance(field, int):
        return field.to_bytes(8, "little")
    return frame(len(field), *field) if isinstance(field, tuple) else field


@given(st.lists(FIELD, max_size=4), st.lists(FIELD, max_size=4))
def test_frames_tell_lists_of_fields_apart(
    first: list[bytes | int | tuple[bytes, ...]], second: list[bytes | int | tuple[bytes, ...]]
) -> None:
    """Two framings are equal only if field by field they are."""
    same = list(map(as_bytes, first)) == list(map(as_bytes, second))
    assert (frame(*first) == frame(*second)) == same


def test_tags_keep_purposes_apart() -> None:
    """Another tag gives other bytes, scalars and points, and a tag is no field."""
    assert len({H(b"a", b"b"), H(b"b", b"a"), H(b"ab"), H(b"a", b"b", b""), H(b"", b"a", b"b")}) == 5
    assert H(b"a" + frame(b"b"), b"c") != H(b"a", b"b", b"c")
    assert HS(ED25519, b"a") != HS(ED25519, b"b")
    assert HG(ED25519, b"a") != HG(ED25519, b"b")
    assert ED25519.is_point(HG(ED25519, b"a"))


def test_streams_of_scalars_begin_alike_and_do_not_repeat() -> None:
    """A longer stream has the shorter one as its beginning, and no scalar twice."""
    long = scalars(ED25519, 50, b"x", b"y")
    assert long[:20] == scalars(ED25519, 20, b"x", b"y")
    assert len(set(long)) == 50
    assert all(0 < number < ED25519.order for number in long)


def test_numbers_that_would_favour_some_are_drawn_again() -> None:
    """Of a stream's numbers, those beyond the last whole multiple of the limit are passed over."""
    stream = iter([2**64 - 1, 2**64 // 7 * 7, 2**64 // 7 * 7 - 1, 3])
    assert below(7, stream) == 6
    assert below(7, stream) == 3
    assert below(8, iter([2**64 - 1])) == 7


def test_numbers_are_even() -> None:
    """Of 12,000 numbers below 6 each face comes about 2,000 times (five deviations allowed)."""
    stream = numbers(b"test", 1)
    faces = Counter(below(6, stream) for _ in range(12_000))
    assert all(abs(faces[face] - 2000) < 5 * (12_000 * 5 / 36) ** 0.5 for face in range(6))


def test_permutations_are_even() -> None:
    """Of 12,000 permutations of four each of the 24 comes about 500 times."""
    stream = numbers(b"test", 2)
    seen = Counter(permutation(4, stream) for _ in range(12_000))
    assert set(seen) == set(permutations(range(4)))
    assert all(abs(count - 500) < 5 * 22 for count in seen.values())


def test_generators_are_points_all_different() -> None:
    """h_0 to h_60 are valid points, no two alike, and a shorter list is the beginning of a longer one."""
    points = generators(ED25519, 60)
    assert len(set(points)) == 61
    assert all(map(ED25519.is_point, points))
    assert generators(ED25519, 10) == points[:11]
