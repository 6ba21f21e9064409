"""Stand-ins: which entries of a match another machine than the seat's own chose, and the line for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tavolata._engine.match.entries import ANSWER, DECLARED, INTERJECT, REACT, SEALED, Entry
from tavolata.messages import N_
from tavolata.reaction_times import GOES

ANSWERS_FOR: Final = N_("The machine of {keeper} answers for {owner}.")

_CHOICES: Final = frozenset({ANSWER, SEALED, DECLARED, INTERJECT, REACT})
"""The kinds with which a seat chooses something; what opens a seal chooses nothing."""


def is_stood_in(entry: Entry, author: bytes, keys: Sequence[bytes]) -> bool:
    """Return True if the author chose this entry, which counted, for the seat of another.

    `keys` has, by seat, the peer that it belongs to; empty in a match of one process.
    """
    if not keys or entry[0] not in _CHOICES or keys[entry[1]] == author:
        return False
    return not (entry[0] == REACT and entry[3] == GOES)
