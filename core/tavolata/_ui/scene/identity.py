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
PLAIN_MARKS: Final = "o^#%v&i@"
"""The same where only ASCII may be drawn."""


def looks_of(chosen: Sequence[tuple[int, int] | None]) -> tuple[tuple[int, int], ...]:
    """Return, by seat, the number of its hue and of its mark; no two seats have both in common.

    Without a choice, a player keeps what the seat usually has, unless someone chose that hue.
    """
    usual = [(seat % HUES, (seat + seat // HUES) % len(MARKS)) for seat in range(HUES * len(MARKS))]
    looks: dict[int, tuple[int, int]] = {seat: look for seat, look in enumerate(chosen) if look is not None}
    wanted = {hue for hue, _ in looks.values()}
    for seat in range(len(chosen)):
        if usual[seat][0] not in wanted:
            looks.setdefault(seat, usual[seat])
    for seat in range(len(chosen)):
        if seat not in looks:
            taken, hues = set(looks.values()), {hue for hue, _ in looks.values()}
            free = [look for look in usual if look not in taken]
            looks[seat] = next((look for look in free if look[0] not in hues), free[0])
    return tuple(looks[seat] for seat in range(len(chosen)))


def next_look(looks: Sequence[tuple[int, int]], seat: int, *, mark: bool) -> tuple[int, int]:
    """Return the look with the next colour (or mark) that no one else has together with the other part."""
    hue, now = looks[seat]
    others = {look for at, look in enumerate(looks) if at != seat}
    steps = range(1, len(MARKS) if mark else HUES)
    found = ((hue, (now + by) % len(MARKS)) if mark else ((hue + by) % HUES, now) for by in steps)
    return next((look for look in found if look not in others), looks[seat])


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return each name's shortest beginning, of at least two letters, that begins no other name."""
    shorts = []
    for seat, name in enumerate(names):
        others = [other for at, other in enumerate(names) if at != seat]
        sizes = range(min(2, len(name)), len(name))
        begins = (name[:size] for size in sizes)
        shorts.append(
            next((one for one in begins if not any(other.startswith(one) for other in others)), name)
        )
    return tuple(shorts)
