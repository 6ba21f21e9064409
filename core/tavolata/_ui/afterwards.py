"""What people can do with a match that is over; the command line brings it to the frontends."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from tavolata.messages import N_

AGAIN = N_("again")
"""The word for another match like the last one; the names of games are the other words."""
KEPT = N_("Kept in {path}.")
NOT_WRITTEN = N_("The result can't be kept: {problem}.")


class Afterwards(NamedTuple):
    """What can be done when a match is over.

    `watch` shows the match again, from its file, with all hands open if they may be, while a full screen is
    closed; it raises `MessageError` if it can't. `keep` writes these lines, the result, to a text file and
    returns its path, or raises `OSError`. `again` and `games` (by name, the title with the seats) can follow
    in this process.
    """

    watch: Callable[[], Awaitable[object]]
    keep: Callable[[Sequence[str]], str]
    history: Callable[[], list[str]]
    again: bool = False
    games: Mapping[str, str] = MappingProxyType({})
