"""Encoding and decoding of points and scalars: each is checked, and `Cheat` names the sender of a bad one."""

from __future__ import annotations

from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.group import POINT_SIZE, SCALAR_SIZE
from tavolata_protocol.fair.offences import Item, Offence


def scalar_bytes(*numbers: int) -> bytes:
    """Return the scalars as bytes, 32 bytes each."""
    return b"".join(number.to_bytes(SCALAR_SIZE, "little") for number in numbers)


class FieldReader:
    """Reads a message of fixed layout from front to back: bytes of exactly this size.

    Each method raises `Cheat`, which names `context.party`, and `item` as the kind of message.
    """

    def __init__(self, context: Context, data: object, size: int, item: Item) -> None:
        self._context = context
        self._item = item
        if type(data) is not bytes:
            raise Cheat(context.party, Offence.MALFORMED, item=item)
        if len(data) != size:
            raise Cheat(context.party, Offence.WRONG_SIZE, item=item, given=len(data), size=size)
        self._data = data
        self._at = 0

    def raw(self, size: int) -> bytes:
        """Return the next `size` bytes, without a check."""
        self._at += size
        return self._data[self._at - size : self._at]

    def point(self) -> bytes:
        """Return the next point, 32 bytes; raise `Cheat` if it isn't one."""
        point = self.raw(POINT_SIZE)
        if not self._context.group.is_point(point):
            raise Cheat(self._context.party, Offence.INVALID_POINT, item=self._item)
        return point

    def points(self, count: int) -> tuple[bytes, ...]:
        """Return the next points."""
        return tuple([self.point() for _ in range(count)])

    def scalar(self) -> int:
        """Return the next scalar, below the group's order; raise `Cheat` if it isn't."""
        number = int.from_bytes(self.raw(SCALAR_SIZE), "little")
        if not self._context.group.is_scalar(number):
            raise Cheat(self._context.party, Offence.INVALID_SCALAR, item=self._item)
        return number

    def scalars(self, count: int) -> tuple[int, ...]:
        """Return the next scalars."""
        return tuple([self.scalar() for _ in range(count)])
