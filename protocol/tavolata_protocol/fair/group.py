"""The group that everything here is computed in, behind a handful of functions.

`ED25519` is the subgroup of prime order of edwards25519, through libsodium. Points are 32 bytes, scalars
are integers modulo the order (32 bytes little-endian in messages). Whoever adds a faster group gives it a
suite id of its own, which goes into every context.

libsodium's `add` and `sub` accept points outside the subgroup, and old versions let a point of order 2 pass
even where they say they check (CVE-2025-69277): the first shuffler could then mark cards. So every received
point passes `is_point` (see `encoding`), and importing this module fails unless the library refuses torsion.
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
    """The installed libsodium accepts points that would let cards be marked."""


class Group(Protocol):
    """A cyclic group of prime order in which logarithms can't be found.

    Everything but `is_point` is called with checked points, or with the identity, only.
    """

    @property
    def suite(self) -> bytes:
        """The id that contexts carry."""

    @property
    def order(self) -> int:
        """How many elements it has, a prime."""

    @property
    def base(self) -> bytes:
        """The generator G."""

    @property
    def identity(self) -> bytes:
        """The neutral element; never accepted from anybody."""

    def multiply(self, scalar: int, point: bytes) -> bytes:
        """`scalar` times `point`; any integer will do."""

    def multiply_base(self, scalar: int) -> bytes:
        """`scalar` times G; any integer will do."""

    def add(self, first: bytes, second: bytes) -> bytes:
        """The sum of two points."""

    def subtract(self, first: bytes, second: bytes) -> bytes:
        """The difference of two points."""

    def is_point(self, data: object) -> bool:
        """Whether these are the canonical bytes of an element other than the identity."""

    def is_scalar(self, number: int) -> bool:
        """Whether a message may carry this number as a scalar: 0 < number < order."""

    def from_hash(self, digest: bytes) -> bytes:
        """A point whose logarithm nobody knows, from 64 uniform bytes."""

    def __hash__(self) -> int:
        """Groups are kept in tables."""


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
        """The sum of two points."""
        return bindings.crypto_core_ed25519_add(first, second)

    def subtract(self, first: bytes, second: bytes) -> bytes:
        """The difference of two points."""
        return bindings.crypto_core_ed25519_sub(first, second)

    def is_point(self, data: object) -> bool:
        """Whether these are the canonical bytes of a point of the subgroup, not the identity."""
        return (
            type(data) is bytes
            and len(data) == POINT_SIZE
            and bindings.crypto_core_ed25519_is_valid_point(data)
        )

    def is_scalar(self, number: int) -> bool:
        """Whether 0 < number < order."""
        return 0 < number < self.order

    def from_hash(self, digest: bytes) -> bytes:
        """The sum of what Elligator 2 makes of either half."""
        half = bindings.crypto_core_ed25519_from_uniform
        return bindings.crypto_core_ed25519_add(half(digest[:32]), half(digest[32:]))


def weighted_sum(group: Group, scalars: Iterable[int], points: Iterable[bytes]) -> bytes:
    """The sum of each point times its scalar; the identity if there are none.

    Raises:
        ValueError: when there are more of one than of the other.
    """
    return total(group, (group.multiply(k, p) for k, p in zip(scalars, points, strict=True)))


def total(group: Group, points: Iterable[bytes]) -> bytes:
    """The sum of points; the identity if there are none."""
    so_far: bytes | None = None
    for point in points:
        so_far = point if so_far is None else group.add(so_far, point)
    return group.identity if so_far is None else so_far


TORSION = {
    2: bytes.fromhex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    4: bytes(32),
    8: bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
}
"""A point of each small order, by order."""


def refuse_torsion(
    is_point: Callable[[bytes], bool] = bindings.crypto_core_ed25519_is_valid_point,
    multiply: Callable[[bytes, bytes], bytes] = bindings.crypto_scalarmult_ed25519_noclamp,
) -> None:
    """Check that libsodium refuses torsion, both by its question and by its multiplication.

    Raises:
        UnsafeLibrary: when a valid point plus a point of order 2, 4 or 8 passes either of them.
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
