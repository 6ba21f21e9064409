"""Entries about a window, and how every source applies them to the window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tavolata._engine.match.entries import QUIET, REACT, TIMEOUT, Entry
from tavolata._players import GO_ON, Reflex
from tavolata.choices import Answer
from tavolata.errors import GameError, Refused
from tavolata.messages import N_
from tavolata.reaction_times import GOES, LONGEST
from tavolata.ring import SEATS
from tavolata.windows import Window

TimedAnswer = tuple[Answer, int]
"""A reaction in its index form, or GOES; and its time in milliseconds."""


def party_of(seat: int, parties: Sequence[int]) -> int:
    """Return the number of the peer that plays a seat; in one process, a single peer plays all seats."""
    return parties[seat] if parties else 0


ABOUT_WINDOWS: Final = frozenset({TIMEOUT, REACT, QUIET})
"""The kinds of entries about a window."""


def enter(window: Window, entry: Entry, parties: Sequence[int] = ()) -> Entry:
    """Apply an entry of a kind in `ABOUT_WINDOWS`; return it in the form in which it is kept.

    `parties` has, by seat, the number of the peer that plays it. Raise `Refused` if it's about another
    window, or not legal now (nothing has changed), `ValueError`, `TypeError` or `IndexError` if it isn't an
    entry about a window.
    """
    kind = entry[0]
    if kind == TIMEOUT:
        _, number = entry
        _same(window, number)
        window.end()
        return entry
    if kind == REACT:
        _, seat, number, answer, milliseconds = entry
        _same(window, number)
        answer = window.claim(SEATS[seat], answer, milliseconds, party_of(seat, parties))
        return (REACT, seat, number, answer, milliseconds)
    _, seat, number, of, gap, trip = entry
    _same(window, number)
    mine = party_of(seat, parties)
    window.vouch(SEATS[of], mine, gap, trip, own=mine == party_of(of, parties))
    return entry


def _same(window: Window, number: object) -> None:
    if number != window.id:
        raise Refused(N_("It is too late for that."))


def reflex_of(said: Reflex | None, window: Window, seat: int) -> TimedAnswer | None:
    """Check a bot's reaction in a window; the seat with the next move continues if its bot does nothing.

    Raise `Refused` if the bot may not react like this, `GameError` if it didn't return a reflex.
    """
    if said is None:
        return (GOES, window.hurry) if window.go == seat and window.seconds is None else None
    if not isinstance(said, Reflex):
        raise GameError("A bot reacts with a Reflex, or not at all.")
    milliseconds = said.ms
    if type(milliseconds) is not int or not 0 <= milliseconds <= LONGEST:
        raise Refused(N_("No reaction takes that long."))
    if said.value is GO_ON and seat == window.go:
        return GOES, milliseconds
    if SEATS[seat] not in window.questions:
        raise Refused(N_("You can't do that now."))
    return window.questions[SEATS[seat]].answer_for(said.value), milliseconds
