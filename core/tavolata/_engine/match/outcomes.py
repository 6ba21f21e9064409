"""The outcome of a match, checked where the rules return it and where a file is read."""

from __future__ import annotations

from tavolata.errors import GameError
from tavolata.game import Outcome

SERIES, ROWS = 4, 200
"""The most series of an outcome, and the most rows of one."""


def checked(outcome: object, seats: int) -> Outcome:
    """The outcome, if it can be that of a match of so many seats.

    Raises:
        GameError: it can't; the sentence says why.
    """
    if not isinstance(outcome, Outcome):
        raise GameError(f"The match ends with {outcome!r}, which is no `Outcome`.")
    taken = range(seats)
    if any(winner not in taken for winner in outcome.winners):
        raise GameError(f"A winner has no seat: {outcome.winners!r}.")
    if len(set(outcome.winners)) < len(outcome.winners):
        raise GameError(f"A winner is named twice: {outcome.winners!r}.")
    for name, row in (("scores", outcome.scores), ("ranks", outcome.ranks)):
        if row is not None and not _is_row(row, seats):
            raise GameError(f"The {name} of {seats} seats are a tuple of {seats} whole numbers, not {row!r}.")
    if outcome.ranks is not None and not all(1 <= rank <= seats for rank in outcome.ranks):
        raise GameError(f"Ranks of {seats} seats lie between 1 and {seats}: {outcome.ranks!r}.")
    if outcome.ranks is not None and any(outcome.ranks[seat] != 1 for seat in outcome.winners):
        raise GameError(f"The winners {outcome.winners!r} have not all rank 1: {outcome.ranks!r}.")
    if any(award.seat not in taken for award in outcome.awards):
        raise GameError("An award goes to no seat.")
    if len(outcome.series) > SERIES or any(len(rows) > ROWS for rows in outcome.series.values()):
        raise GameError(f"An outcome has at most {SERIES} series of at most {ROWS} rows.")
    for message, rows in outcome.series.items():
        if not all(_is_row(row, seats) for row in rows):
            raise GameError(f"A row of {message!r} is a tuple of {seats} whole numbers.")
    return outcome


def _is_row(row: object, seats: int) -> bool:
    return isinstance(row, tuple) and len(row) == seats and all(type(number) is int for number in row)
