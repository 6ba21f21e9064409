"""The identity of seats on a screen: a hue, a mark of one cell, and the shortest beginning of the name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

HUES: Final = 8
"""The number of hues; the theme gives each a colour."""
NO_HUE: Final = HUES
"""The hue of every seat where the things of the game have the hues."""
MARKS: Final = "●▲■✚▼◐▮✦"
"""Marks of one cell. None looks like a suit of cards or like the winner's star."""


def hue_of(seat: int) -> int:
    """The number of the seat's hue."""
    return seat % HUES


def mark_of(seat: int) -> str:
    """The seat's mark; with the hue or the short name it is unlike every other seat's."""
    return MARKS[(seat + seat // HUES) % len(MARKS)]


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """For each name its shortest beginning, of at least two letters, that begins no other name."""
    shorts = []
    for seat, name in enumerate(names):
        others = [other for at, other in enumerate(names) if at != seat]
        sizes = range(min(2, len(name)), len(name))
        begins = (name[:size] for size in sizes)
        shorts.append(
            next((one for one in begins if not any(other.startswith(one) for other in others)), name)
        )
    return tuple(shorts)
