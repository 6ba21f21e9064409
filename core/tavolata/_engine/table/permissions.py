"""Permissions for the entries of a match, also of those who stand in for a seat.

An entry without permission is void on every peer.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
    MatchEntry,
)  # fmt: skip
from tavolata.messages import N_
from tavolata.reaction_times import GOES

ANSWERS_FOR: Final = N_("The machine of {keeper} answers for {owner}.")
_CHOICES: Final = frozenset({ANSWER, SEALED, DECLARED, INTERJECT, REACT})
"""The kinds with which a seat chooses something; what opens a seal chooses nothing."""
BY_SEAT: Final = frozenset({ANSWER, SEALED, DECLARED, INTERJECT, SAY, REACT, QUIET, UNDONE})
"""The entries of players, whose second item is the seat."""


def may_say(
    entry: list[Any], *, party: int | None, seats: Collection[int], coordinator: bool, host: bool
) -> bool:
    """Return True if a peer may send an entry, which is not checked yet.

    `party` is its number among those that deal together (None if it doesn't deal), `seats` those it plays,
    including those of stand-ins.
    """
    kind = entry[0] if entry and type(entry[0]) is int else None
    if kind == DEAL:
        return party is not None and len(entry) > 1 and entry[1] == party
    if kind in BY_SEAT:
        return len(entry) > 2 and type(entry[1]) is int and entry[1] in seats
    if kind == OPENED:
        return True  # only the peer that sealed it knows the opening, if only as a stand-in
    return coordinator if kind == TIMEOUT else kind in CHANCE and host


def is_stood_in(entry: MatchEntry, author: bytes, keys: Sequence[bytes]) -> bool:
    """Return True if the author chose this entry, which counted, for the seat of another.

    `keys` has, by seat, the peer that it belongs to; empty in a match of one process.
    """
    if not keys or entry[0] not in _CHOICES or keys[entry[1]] == author:
        return False
    return not (entry[0] == REACT and entry[3] == GOES)
