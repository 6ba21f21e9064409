"""The outcome of a match, checked where the rules return it and where a file is read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any

from tavolata._engine.match.state import Writer
from tavolata._text import fields
from tavolata.errors import GameError
from tavolata.messages import Text
from tavolata.outcome import Award, Outcome
from tavolata.ring import Seat

STATISTICS, SERIES, ROWS = 24, 4, 200
"""The most statistics of an outcome, the most series, and the most rows of one."""
LEAST, MOST = -(1 << 63), (1 << 63) - 1
"""The least and the greatest number of an outcome, which a match file and the history can hold."""
_WHOLE = frozenset({int})
_MAPPINGS = (dict, Mapping)
"""A dict first: mostly it is one, and whether something is any mapping takes long to find out."""
_TUPLE = frozenset({tuple})
_WHOLE_OR_NONE = _WHOLE | {type(None)}
"""The types in a row: `bool` is no whole number."""


class OutcomeError(GameError):
    """What the rules return at the end can't be the outcome of their match."""


def checked(outcome: object, seats: int, teams: Collection[tuple[Seat, ...]] = ()) -> Outcome:
    """Return the outcome if it can be that of a match of this many seats, in these teams.

    Raise `OutcomeError`, which says why, if it can't.
    """
    if not isinstance(outcome, Outcome):
        raise OutcomeError(f"The match ends with {outcome!r}, which is no `Outcome`.")
    winners: object = outcome.winners  # a program may have put anything there, whatever the annotations say
    taken = range(seats)
    if not isinstance(winners, tuple) or not all(isinstance(one, int) and one in taken for one in winners):
        raise OutcomeError(f"A winner has no seat: {winners!r}.")
    winning = set(winners)
    if len(winning) < len(winners):
        raise OutcomeError(f"A winner is named twice: {winners!r}.")
    for team in teams if len(teams) < seats else ():  # with as many teams as seats, each seat is alone
        if 0 < len(winning.intersection(team)) < len(team):
            raise OutcomeError(f"A team wins whole, and {winners!r} has only some of {team!r}.")
    for name, row in (("scores", outcome.scores), ("ranks", outcome.ranks)):
        if row is not None and not _is_row(row, seats):
            raise OutcomeError(
                f"The {name} of {seats} seats are a tuple of as many whole numbers of 64 bits, not {row!r}."
            )
    if outcome.team_scores is not None and not _is_row(outcome.team_scores, len(teams) or seats):
        raise OutcomeError(
            f"Team scores are a whole number of 64 bits for each team, not {outcome.team_scores!r}."
        )
    if outcome.ranks is not None and not all(1 <= rank <= seats for rank in outcome.ranks):
        raise OutcomeError(f"Ranks of {seats} seats lie between 1 and {seats}: {outcome.ranks!r}.")
    if outcome.ranks is not None and any(outcome.ranks[seat] != 1 for seat in winners):
        raise OutcomeError(f"The winners {winners!r} have not all rank 1: {outcome.ranks!r}.")
    _check_numbers(outcome, seats)
    _check_words(outcome, seats)
    return outcome


def _check_numbers(outcome: Outcome, seats: int) -> None:
    statistics, series = _mapping(outcome.statistics, "statistics"), _mapping(outcome.series, "series")
    if len(statistics) > STATISTICS:
        raise OutcomeError(f"An outcome has at most {STATISTICS} statistics.")
    for message, row in statistics.items():
        if not _is_row(row, seats, _WHOLE_OR_NONE):
            raise OutcomeError(
                f"{message!r} is a tuple of {seats} whole numbers of 64 bits or None, not {row!r}."
            )
    for message, rows in series.items():
        if not isinstance(rows, tuple):
            raise OutcomeError("A series is a tuple of rows.")
        if len(series) > SERIES or len(rows) > ROWS:
            raise OutcomeError(f"An outcome has at most {SERIES} series of at most {ROWS} rows.")
        if not _are_rows(rows, seats):
            raise OutcomeError(f"A row of {message!r} is a tuple of {seats} whole numbers of 64 bits.")


def _check_words(outcome: Outcome, seats: int) -> None:
    awards: object = outcome.awards
    if not isinstance(awards, tuple):
        raise OutcomeError(f"The awards are a tuple of `Award`, not {awards!r}.")
    for award in awards:
        if not isinstance(award, Award):
            raise OutcomeError(f"The awards are a tuple of `Award`, not {awards!r}.")
        if award.seat not in range(seats):
            raise OutcomeError(f"An award goes to no seat: {award!r}.")
        _check_message(award.message, award.params)
        _check_message(award.why, award.params)
    why: object = outcome.why
    if isinstance(why, Text):
        _check_message(why.message, why.params)
    elif why is not None:
        raise OutcomeError(f"The reason of an outcome is a `Text`, not {why!r}.")


def _check_message(message: object, params: Mapping[str, object]) -> None:
    """Check that a message has all its fields, and that their values are plain data."""
    if not isinstance(message, str):
        raise OutcomeError(f"A message is a text, not {message!r}.")
    if missing := fields(message) - set(params):
        raise OutcomeError(f"{message!r} has no value for {{{min(missing)}}}.")
    for name, value in params.items():
        try:
            Writer(None).write(value, f"{{{name}}} of {message!r}")
        except GameError as error:
            raise OutcomeError(str(error)) from error


def _mapping(value: object, what: str) -> Mapping[str, Any]:
    if isinstance(value, _MAPPINGS) and all(map(_is_bare, value)):
        return value
    raise OutcomeError(f"The {what} of an outcome map messages without fields, which {value!r} does not.")


@lru_cache(maxsize=1024)
def _is_bare(message: object) -> bool:
    return isinstance(message, str) and not fields(message)


def _is_row(row: object, seats: int, types: frozenset[type] = _WHOLE) -> bool:
    return isinstance(row, tuple) and len(row) == seats and _are_numbers(row, types)


def _are_rows(rows: tuple[Any, ...], seats: int) -> bool:
    """Return True if each is a row of whole numbers; all at once: each match of a simulation asks."""
    return (
        (_TUPLE.issuperset(map(type, rows)) or all(isinstance(row, tuple) for row in rows))
        and {seats}.issuperset(map(len, rows))
        and _are_numbers(tuple(chain.from_iterable(rows)))
    )


def _are_numbers(row: tuple[Any, ...], types: frozenset[type] = _WHOLE) -> bool:
    """Return True if these are numbers between `LEAST` and `MOST`, or None if `types` has that."""
    return types.issuperset(map(type, row)) and (
        min(filter(None, row), default=0) >= LEAST and max(filter(None, row), default=0) <= MOST
    )
