"""Verification of the three proofs, from bytes; each function only says whether a proof is valid.

Each announced value is written as one sum of points with scalars.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce

from tavolata_protocol.fair.group import Group
from tavolata_protocol.fair.hashing import HG, HS, Field, H

Term = tuple[int, bytes]
Card = tuple[bytes, bytes]


def add_up(group: Group, *terms: Term) -> bytes:
    """Return the sum of points times scalars."""
    return reduce(group.add, [group.multiply(scalar, point) for scalar, point in terms], group.identity)


def stream(group: Group, count: int, tag: bytes, *fields: Field) -> list[int]:
    """Scalars that depend on the tag and on all fields."""
    root = H(tag, *fields)
    return [HS(group, b"scalar of a stream", root, number) for number in range(count)]


def cut(data: bytes, size: int = 32) -> list[bytes]:
    """Return the bytes in pieces of `size`."""
    return [data[at : at + size] for at in range(0, len(data), size)]


def numbers_in(group: Group, data: bytes) -> list[int] | None:
    """Return the scalars in these bytes, or None if one is invalid."""
    found = [int.from_bytes(piece, "little") for piece in cut(data)]
    return found if all(map(group.is_scalar, found)) else None


def cards_in(group: Group, data: object, count: int) -> list[Card] | None:
    """`count` cards from these bytes, or None if they are invalid."""
    if not isinstance(data, bytes) or len(data) != 64 * count or not all(map(group.is_point, cut(data))):
        return None
    pieces = cut(data)
    return list(zip(pieces[::2], pieces[1::2], strict=True))


def knows(
    group: Group, context: bytes, purpose: bytes, point: bytes, proof: bytes, *statement: Field
) -> bool:
    """Return True if the author of a proof of 64 bytes knows the logarithm of a point."""
    found = numbers_in(group, proof)
    if found is None or len(found) != 2:
        return False
    x, s = found
    t = add_up(group, (s, group.base), (-x, point))
    return HS(group, b"knowledge", context, purpose, point, t, len(statement), *statement) == x


def same_logarithm(
    group: Group,
    context: bytes,
    purpose: bytes,
    key: bytes,
    bases: Sequence[bytes],
    images: Sequence[bytes],
    proof: bytes,
) -> bool:
    """Return True if all images have the same logarithm to their bases as the key has to G."""
    found = numbers_in(group, proof)
    if found is None or len(found) != 2 or not bases or len(bases) != len(images):
        return False
    x, s = found
    said = (context, purpose, key, tuple(bases), tuple(images))
    w = [1, *stream(group, len(bases) - 1, b"equality weights", *said)]
    base, image = (add_up(group, *zip(w, points, strict=True)) for points in (bases, images))
    t = (add_up(group, (s, group.base), (-x, key)), add_up(group, (s, base), (-x, image)))
    return HS(group, b"equality", *said, *t) == x


@lru_cache(maxsize=8)
def _generators(group: Group, cards: int) -> tuple[bytes, ...]:
    return tuple(HG(group, b"gen", group.suite, number) for number in range(cards + 1))


def is_shuffle(
    group: Group, context: bytes, joint: bytes, before: Sequence[Card], after: Sequence[Card], proof: object
) -> bool:
    """Return True if a proof shows that `after` is `before`, permuted and re-masked."""
    n = len(before)
    if not isinstance(proof, bytes) or len(proof) != 128 * n + 160 or len(after) != n:
        return False
    points, numbers = cut(proof[: 64 * n]), numbers_in(group, proof[64 * n :])
    if numbers is None or not all(map(group.is_point, points)):
        return False
    c, chain = points[:n], points[n:]
    x, s1, s2, s3, s4, *rest = numbers
    own, s = rest[:n], rest[n:]
    h = _generators(group, n)
    said = (
        context,
        joint,
        h,
        tuple(p for card in before for p in card),
        tuple(p for card in after for p in card),
    )
    u = stream(group, n, b"shuffle weights", *said, tuple(c))
    minus = [-x * weight for weight in u]
    product = reduce(lambda one, other: one * other % group.order, u, 1)
    links = [h[0], *chain]

    def turned(half: int, mask: bytes) -> bytes:
        news, olds = ([card[half] for card in deck] for deck in (after, before))
        return add_up(group, *zip(s, news, strict=True), (-s4, mask), *zip(minus, olds, strict=True))

    sums = (
        group.subtract(
            group.multiply_base(s1), group.multiply(x, group.subtract(_plain(group, c), _plain(group, h[1:])))
        ),
        add_up(group, (s2, group.base), (-x, links[-1]), (x * product, h[0])),
        add_up(group, (s3, group.base), *zip(s, h[1:], strict=True), *zip(minus, c, strict=True)),
        turned(0, group.base),
        turned(1, joint),
    )
    steps = tuple(add_up(group, (own[i], group.base), (s[i], links[i]), (-x, links[i + 1])) for i in range(n))
    return HS(group, b"shuffle challenge", *said, tuple(c), tuple(chain), *sums, steps) == x


def _plain(group: Group, points: Sequence[bytes]) -> bytes:
    return reduce(group.add, points, group.identity)


def words(tag: bytes, *fields: Field) -> Iterator[int]:
    """Yield an endless stream of numbers of 64 bits."""
    root, block = H(tag, *fields), 0
    while True:
        yield from (int.from_bytes(piece, "little") for piece in cut(H(b"block of a stream", root, block), 8))
        block += 1


def even(words: Iterator[int], limit: int) -> int:
    """Return a uniform number below a limit, rejecting words beyond the last complete run of its values."""
    while True:
        word = next(words)
        if word < 2**64 - 2**64 % limit:
            return word % limit


def permuted(words: Iterator[int], count: int) -> list[int]:
    """Return the numbers below `count`, in an order drawn from the words."""
    order = [*range(count)]
    for last in reversed(range(1, count)):
        drawn = even(words, last + 1)
        order[last], order[drawn] = order[drawn], order[last]
    return order
