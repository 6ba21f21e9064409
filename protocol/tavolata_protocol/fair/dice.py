"""Dice: a point that nobody chose, opened by t parties. One round, one possible value, nothing to bias.

Shares are those of `shares` (96 bytes). No player's choice goes in, and the joint key is no coin: each die
has a point of its own, from its context.
"""

from __future__ import annotations

from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.hashing import HG, below, numbers
from tavolata_protocol.fair.shares import Openable


def point(context: Context) -> Openable:
    """The point of a die, the same whoever speaks: P_k = HG("die", context), k being `context.object`."""
    return Openable(HG(context.group, b"die", context.common))


def value(context: Context, opened: bytes, sides: int) -> int:
    """What the die shows, from 0 to sides - 1, each exactly as likely: from x·P_k, the sides, and T.

    Args:
        context: of the die; T is in it.
        opened: x·P_k, from `shares.combine`.
        sides: how many there are.
    """
    return below(sides, numbers(b"die value", context.common, opened, sides))
