"""Permissions for the entries of a match.

An entry without permission is void on every peer.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from tavolata._engine.match.entries import (
    ANSWER,
    CHANCE,
    DEAL,
    DECLARED,
    INTERJECT,
    OPENED,
    QUIET,
    REACT,
    SAY,
    SEALED,
    TIMEOUT,
    UNDONE,
    UNOPENED,
)  # fmt: skip

BY_SEAT: Final = frozenset({ANSWER, SEALED, DECLARED, INTERJECT, SAY, REACT, QUIET, UNDONE, UNOPENED})
"""The entries of players, whose second item is the seat."""


def may_say(
    entry: list[Any], *, party: int | None, seats: Collection[int], coordinator: bool, host: bool
) -> bool:
    """Return True if a peer may send an entry, which is not checked yet.

    `party` is its number among those that deal together (None if it doesn't deal), `seats` those it plays.
    """
    kind = entry[0] if entry and type(entry[0]) is int else None
    if kind == DEAL:
        return party is not None and len(entry) > 1 and entry[1] == party
    if kind in BY_SEAT:
        return len(entry) > 2 and type(entry[1]) is int and entry[1] in seats
    if kind == OPENED:
        return host or entry[3:4] != [b""]  # only its author knows the opening; a narrator may lack it
    return coordinator if kind == TIMEOUT else kind in CHANCE and host
