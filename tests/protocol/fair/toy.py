"""The subgroup of order 5 of the integers modulo 11, zero and identity allowed: for vectors made by hand."""

from __future__ import annotations

from typing import Final


def element(number: int) -> bytes:
    """A number as an element."""
    return number.to_bytes(32, "little")


def number(point: bytes) -> int:
    """An element as a number."""
    return int.from_bytes(point, "little")


class Mod11:
    """Written as a sum, what the vectors write as a product."""

    suite: Final = b"integers modulo 11"
    order: Final = 5
    base: Final = element(3)
    identity: Final = element(1)

    def multiply(self, scalar: int, point: bytes) -> bytes:
        return element(pow(number(point), scalar % 5, 11))

    def multiply_base(self, scalar: int) -> bytes:
        return self.multiply(scalar, self.base)

    def add(self, first: bytes, second: bytes) -> bytes:
        return element(number(first) * number(second) % 11)

    def subtract(self, first: bytes, second: bytes) -> bytes:
        return self.add(first, self.multiply(4, second))

    def is_point(self, data: object) -> bool:
        return type(data) is bytes and len(data) == 32 and number(data) in {1, 3, 4, 5, 9}

    def is_scalar(self, number: int) -> bool:
        return 0 <= number < 5

    def from_hash(self, digest: bytes) -> bytes:
        return self.multiply_base(1 + int.from_bytes(digest, "little") % 4)


MOD11: Final = Mod11()
