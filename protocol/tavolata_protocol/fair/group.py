"""The cyclic group of all computations in this package, behind a few functions.

`ED25519` is the subgroup of prime order of edwards25519, through libsodium. Points are 32 bytes, scalars
are integers modulo the order (32 bytes little-endian in messages). A faster group would need a suite id of
its own, which goes into every context.

libsodium's `add` and `sub` accept points outside the subgroup. Old versions accept a point of order 2 even in
functions that claim to check (CVE-2025-69277); the first shuffler could then mark cards. So every received
point is checked with `is_point` (see `encoding`), and the import of this module fails if the library accepts
points of small order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Protocol

from nacl import bindings
from nacl.exceptions import CryptoError

from tavolata_protocol.errors import LocalError

POINT_SIZE = 32
SCALAR_SIZE = 32


class UnsafeLibrary(LocalError):
    """The installed libsodium accepts points with which cards could be marked."""


class Group(Protocol):
    """A cyclic group of prime order in which discrete logarithms are hard.

    Every method but `is_point` takes only checked points or the identity.
    """

    @property
    def suite(self) -> bytes:
        """The suite id, which every context contains."""

    @property
    def order(self) -> int:
        """The number of elements, a prime."""

    @property
    def base(self) -> bytes:
        """The generator G."""

    @property
    def identity(self) -> bytes:
        """The neutral element; it is never accepted in a message."""

    def multiply(self, scalar: int, point: bytes) -> bytes:
        """`scalar` times `point`; `scalar` may be any integer."""

    def multiply_base(self, scalar: int) -> bytes:
        """`scalar` times G; `scalar` may be any integer."""

    def add(self, first: bytes, second: bytes) -> bytes:
        """Return the sum of two points."""

    def subtract(self, first: bytes, second: bytes) -> bytes:
        """Return the difference of two points."""

    def is_point(self, data: object) -> bool:
        """Return True if these are the canonical bytes of an element other than the identity."""

    def is_scalar(self, number: int) -> bool:
        """Return True if a message may carry this number as a scalar: 0 < number < order."""

    def from_hash(self, digest: bytes) -> bytes:
        """Return a point with an unknown discrete logarithm, from 64 uniform bytes."""

    def __hash__(self) -> int:
        """Return a hash, since groups are keys of dictionaries and caches."""


class Ed25519:
    """The subgroup of prime order of edwards25519."""

    suite: Final = b"ed25519 1"
    order: Final = 2**252 + 27742317777372353535851937790883648493
    base: Final = bindings.crypto_scalarmult_ed25519_base_noclamp((1).to_bytes(32, "little"))
    identity: Final = (1).to_bytes(32, "little")

    def multiply(self, scalar: int, point: bytes) -> bytes:
        """`scalar` times `point`."""
        scalar %= self.order
        if not scalar or point == self.identity:
            return self.identity
        return bindings.crypto_scalarmult_ed25519_noclamp(scalar.to_bytes(32, "little"), point)

    def multiply_base(self, scalar: int) -> bytes:
        """`scalar` times G."""
        scalar %= self.order
        if not scalar:
            return self.identity
        return bindings.crypto_scalarmult_ed25519_base_noclamp(scalar.to_bytes(32, "little"))

    def add(self, first: bytes, second: bytes) -> bytes:
        """Return the sum of two points."""
        return bindings.crypto_core_ed25519_add(first, second)

    def subtract(self, first: bytes, second: bytes) -> bytes:
        """Return the difference of two points."""
        return bindings.crypto_core_ed25519_sub(first, second)

    def is_point(self, data: object) -> bool:
        """Return True if these are the canonical bytes of a point of the subgroup other than the identity."""
        return (
            type(data) is bytes
            and len(data) == POINT_SIZE
            and bindings.crypto_core_ed25519_is_valid_point(data)
        )

    def is_scalar(self, number: int) -> bool:
        """Return True if 0 < number < order."""
        return 0 < number < self.order

    def from_hash(self, digest: bytes) -> bytes:
        """Return the sum of the two points that Elligator 2 makes from the two halves."""
        half = bindings.crypto_core_ed25519_from_uniform
        return bindings.crypto_core_ed25519_add(half(digest[:32]), half(digest[32:]))


def weighted_sum(group: Group, scalars: Iterable[int], points: Iterable[bytes]) -> bytes:
    """Return the sum of the products of each point and its scalar; the identity if there aren't any.

    Raise `ValueError` if the numbers of scalars and points differ.
    """
    return total(group, (group.multiply(k, p) for k, p in zip(scalars, points, strict=True)))


def total(group: Group, points: Iterable[bytes]) -> bytes:
    """Return the sum of points; the identity if there aren't any."""
    so_far: bytes | None = None
    for point in points:
        so_far = point if so_far is None else group.add(so_far, point)
    return group.identity if so_far is None else so_far


TORSION = {
    2: bytes.fromhex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    4: bytes(32),
    8: bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
}
"""One point for each small order, by order."""


def refuse_torsion(
    is_point: Callable[[bytes], bool] = bindings.crypto_core_ed25519_is_valid_point,
    multiply: Callable[[bytes, bytes], bytes] = bindings.crypto_scalarmult_ed25519_noclamp,
) -> None:
    """Check that libsodium refuses points of small order, in its validity check and in its multiplication.

    Raise `UnsafeLibrary` if either accepts a valid point plus a point of order 2, 4 or 8.
    """
    one = (1).to_bytes(32, "little")
    for order, torsion in TORSION.items():
        tainted = bindings.crypto_core_ed25519_add(Ed25519.base, torsion)
        refused = not is_point(tainted)
        try:
            multiply(one, tainted)
        except CryptoError:
            pass
        else:
            refused = False
        if not refused:
            raise UnsafeLibrary(
                f"The installed libsodium accepts points of order {order}, with which cards can be marked: "
                "install PyNaCl 1.6.2 or newer."
            )


refuse_torsion()
ED25519: Final = Ed25519()
"""The group of every match."""
