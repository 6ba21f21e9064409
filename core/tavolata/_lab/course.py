"""The course of a match: who leads after each turn, and the measures that follow from it.

A game need not say what counts. After each turn every attribute of its state that is one number for each seat
is a possible count: counters, piles, lists of numbers. The rows of the outcome's series are counts, too. Over
all matches the count whose leaders in the end were most often the winners tells who leads; see `best`.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tavolata.cards import Pile
from tavolata.counters import Counter, Counters

Row = tuple[int, ...]
ENOUGH = 0.8
"""In at least so many matches the leaders of the count in the end have to be the winners."""


@dataclass(frozen=True, slots=True)
class Course:
    """What one count says of one match; turns are counted in shares of the match, from 0 to 1.

    Attributes:
        count: the name of the count, with "-" before it if the fewest lead.
        changes: how often somebody else became the only leader.
        trailing: in which share of the turns no winner was among the leaders.
        behind: whether no winner was among the leaders at half-time.
        last: whether a winner was among the last at half-time, and behind.
        for_good: when a winner came to lead and did so until the end.
        decided: when a winner was further ahead of the mean than any loser ever was; 1 if never.
    """

    count: str
    changes: int
    trailing: float
    behind: bool
    last: bool
    for_good: float
    decided: float


def counts(state: Mapping[str, Any], seats: int) -> dict[str, Row]:
    """By name, each attribute of a state that is one number for each seat."""
    found = {}
    for name, value in state.items():
        row = _row(value)
        if row is not None and len(row) == seats:
            found[name] = row
    return found


def _row(value: Any) -> Row | None:
    if isinstance(value, Counters):
        return tuple(value.values())
    if isinstance(value, Mapping):
        value = [*value.values()]
    if not isinstance(value, list | tuple) or not value:
        return None
    row: list[int] = []
    for one in value:
        if type(one) is int:
            row.append(one)
        elif isinstance(one, Counter):
            row.append(one.value)
        elif isinstance(one, Pile):
            row.append(len(one))
        else:
            return None
    return tuple(row)


def courses(rows: Mapping[str, Sequence[Row]], winners: Sequence[int]) -> tuple[Course, ...]:
    """The course by each count whose leaders in the end are the winners.

    Args:
        rows: by count, a row for each turn, the last one of the end.
        winners: who has won; () gives none.
    """
    found = []
    for name, course in rows.items():
        if not winners or len(course) < 2:
            continue
        for sign, mark in ((1, ""), (-1, "-")):
            last = [sign * one for one in course[-1]]
            if {seat for seat, one in enumerate(last) if one == max(last)} == set(winners):
                found.append(_course(mark + name, [[sign * one for one in row] for row in course], winners))
    return tuple(found)


def _course(count: str, rows: Sequence[Sequence[int]], winners: Sequence[int]) -> Course:
    last = len(rows) - 1
    leaders = [{seat for seat, one in enumerate(row) if one == max(row)} for row in rows]
    only = [min(those) for those in leaders if len(those) == 1]
    leads = [not those.isdisjoint(winners) for those in leaders]
    good = last
    while good and leads[good - 1] and len(leaders[good - 1]) < len(rows[0]):
        good -= 1
    ahead = [[one - sum(row) / len(row) for one in row] for row in rows]
    losers = [seat for seat in range(len(rows[0])) if seat not in winners]
    most = max((row[seat] for row in ahead for seat in losers), default=0.0)
    decided = next((at for at, row in enumerate(ahead) if max(row[seat] for seat in winners) > most), last)
    half = last // 2
    return Course(
        count,
        sum(one != other for one, other in pairwise(only)),
        leads.count(False) / len(rows),
        not leads[half],
        not leads[half] and min(rows[half]) in (rows[half][seat] for seat in winners),
        good / last,
        decided / last,
    )


def best(matches: Iterable[Sequence[Course]], of: int) -> str | None:
    """The count that tells best who leads; None if none does often enough.

    Args:
        matches: the courses of each match.
        of: how many matches have winners.
    """
    tally = Tally(course.count for match in matches for course in match)
    if not tally:
        return None
    count, agreed = min(tally.items(), key=lambda one: (-one[1], one[0].startswith("-"), one[0]))
    return count if agreed >= ENOUGH * of else None
