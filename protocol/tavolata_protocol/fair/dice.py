"""Dice: a point that nobody chose, opened by t parties. It takes one round, and nobody can bias the value.

The shares are those of `shares` (96 bytes). No choice of a player goes into the value. Each die has a point
of its own, derived from its context: match, lineage, epoch, T, and how many were thrown before it.
"""

from __future__ import annotations

from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.hashing import HG, below, numbers
from tavolata_protocol.fair.shares import Openable


def point(context: Context) -> Openable:
    """Return the point of a die, the same for all parties.

    P_k = HG("die", context), where k is `context.number`.
    """
    return Openable(HG(context.group, b"die", context.common))


def value(context: Context, opened: bytes, sides: int) -> int:
    """Return the die's value, uniform from 0 to sides - 1, computed from x·P_k, the sides and T.

    `opened` is x·P_k, from `shares.combine`; the context of the die contains T.
    """
    return below(sides, numbers(b"die value", context.common, opened, sides))
