"""Hashing: to bytes, to scalars, to points, to unbiased numbers. Every field is length-prefixed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b

from tavolata_protocol.fair.group import Group, total

PERSON = b"tavolata fair v1"
DIGEST_SIZE = 64

Field = bytes | int | tuple[bytes, ...]
"""A value that can be hashed: bytes, a number below 2**64, or a list of byte strings."""


def frame(*fields: Field) -> bytes:
    """Return an injective encoding: different lists of fields give different bytes."""
    parts = list(map(_as_bytes, fields))
    return b"".join(piece for part in parts for piece in (len(part).to_bytes(8, "little"), part))


def _as_bytes(field: Field) -> bytes:
    if isinstance(field, int):
        return field.to_bytes(8, "little")
    return frame(len(field), *field) if isinstance(field, tuple) else field


def H(tag: bytes, *fields: Field) -> bytes:  # noqa: N802 - as the papers write it
    """Return the BLAKE2b hash, 64 bytes, of a tag and the fields; the tag separates the purposes."""
    return blake2b(frame(tag, *fields), person=PERSON).digest()


def HS(group: Group, tag: bytes, *fields: Field) -> int:  # noqa: N802
    """Return a scalar: `H` modulo the group's order."""
    return int.from_bytes(H(tag, *fields), "little") % group.order


def HG(group: Group, tag: bytes, *fields: Field) -> bytes:  # noqa: N802
    """Return a point with an unknown discrete logarithm."""
    return group.from_hash(H(tag, *fields))


def scalars(group: Group, count: int, tag: bytes, *fields: Field) -> list[int]:
    """`count` scalars; each depends on the tag and on all fields."""
    seed = H(tag, *fields)
    return [HS(group, b"scalar of a stream", seed, number) for number in range(count)]


def numbers(tag: bytes, *fields: Field) -> Iterator[int]:
    """Yield an endless stream of numbers below 2**64."""
    seed, block = H(tag, *fields), 0
    while True:
        digest = H(b"block of a stream", seed, block)
        yield from (int.from_bytes(digest[at : at + 8], "little") for at in range(0, DIGEST_SIZE, 8))
        block += 1


def below(limit: int, stream: Iterator[int]) -> int:
    """Return a uniform number from 0 to limit - 1, by rejection sampling."""
    fair = 2**64 // limit * limit
    return next(number for number in stream if number < fair) % limit


def permutation(size: int, stream: Iterator[int]) -> tuple[int, ...]:
    """Return a uniform permutation of 0 to size - 1 (Fisher and Yates)."""
    order = list(range(size))
    for left in range(size - 1, 0, -1):
        place = below(left + 1, stream)
        order[left], order[place] = order[place], order[left]
    return tuple(order)


@lru_cache(maxsize=16)
def generators(group: Group, size: int) -> tuple[bytes, ...]:
    """h_0 to h_size: independent generators, with no known relation between them; the same in every match."""
    return tuple(HG(group, b"gen", group.suite, number) for number in range(size + 1))


@lru_cache(maxsize=16)
def generators_total(group: Group, size: int) -> bytes:
    """h_1 + ... + h_size."""
    return total(group, generators(group, size)[1:])
