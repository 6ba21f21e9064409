"""Who may say what in a match: an entry by anybody else is void, on every peer alike."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from tavolata._engine.match.entries import (
    ANSWER,
    CHANCE,
    DEAL,
    INTERJECT,
    OPENED,
    QUIET,
    REACT,
    SAY,
    SEALED,
    TIMEOUT,
)  # fmt: skip

BY_SEAT: Final = frozenset({ANSWER, SEALED, INTERJECT, SAY, REACT, QUIET})
"""What a player says: the entry's second item is the seat."""


def may_say(
    entry: list[Any], *, party: int | None, seats: Collection[int], steward: bool, host: bool
) -> bool:
    """Whether a peer may say an entry.

    Args:
        entry: what it says; so far it may be anything.
        party: its number among those who deal together, None if it is none of them.
        seats: the seats that it plays, stand-ins' included.
        steward: whether it looks after the clock.
        host: whether it is the host.
    """
    kind = entry[0] if entry and type(entry[0]) is int else None
    if kind == DEAL:
        return party is not None and len(entry) > 1 and entry[1] == party
    if kind in BY_SEAT:
        return len(entry) > 2 and type(entry[1]) is int and entry[1] in seats
    if kind == OPENED:
        return True  # whoever knows what opens the seal has sealed it, if only as a stand-in
    if kind == TIMEOUT:
        return steward
    return kind in CHANCE and host
