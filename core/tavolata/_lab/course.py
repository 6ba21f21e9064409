"""The course of a match: who leads after each turn, and the measures that follow from it.

A game need not say what counts. After each turn every attribute of its state that is one number for each seat
is a possible count: counters, piles, lists of numbers. The rows of the outcome's series are counts, too. Over
all matches the count whose leaders in the end were most often the winners says who leads; see `best`.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import eq, methodcaller, sub
from typing import Any

from tavolata.cards import Pile
from tavolata.counters import Counter, Counters

Row = tuple[int, ...]
ENOUGH = 0.8
"""In at least so many matches the leaders of the count in the end have to be the winners."""


@dataclass(frozen=True, slots=True)
class Course:
    """What one count says of a single match; turns are counted in shares of the match, from 0 to 1.

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
    """Return, by name, each attribute of a state that is one number for each seat."""
    found = {}
    for name, value in state.items():
        kind = type(value)
        if kind not in _READERS:
            _READERS[kind] = _reader(kind)
        read = _READERS[kind]
        if read is not None and len(value) == seats:
            row = _row(read(value))
            if row is not None:
                found[name] = row
    return found


# Every attribute of a state is looked at after every turn: what a class can say is therefore found out once.

_READERS: dict[type, Callable[[Any], Collection[Any]] | None] = {}
_INT = {int}


def _reader(kind: type) -> Callable[[Any], Collection[Any]] | None:
    if issubclass(kind, Counters):
        return kind.values
    if issubclass(kind, Mapping):
        return methodcaller("values")
    return tuple if issubclass(kind, list | tuple) else None


def _row(parts: Collection[Any]) -> Row | None:
    """Return the numbers of these parts; None if one of them has none."""
    if set(map(type, parts)) == _INT:
        return tuple(parts)
    row: list[int] = []
    for one in parts:
        if type(one) is int:
            row.append(one)
        elif isinstance(one, Counter):
            row.append(one.value)
        elif isinstance(one, Pile):
            row.append(len(one))
        else:
            return None
    return tuple(row)


def courses(by_count: Mapping[str, Sequence[Row]], winners: Sequence[int]) -> tuple[Course, ...]:
    """Return the course by each count with the winners as its leaders in the end.

    Each count has a row for each turn, the last one of the end; no winner, or no loser, gives none.
    """
    found = []
    for name, course in by_count.items():
        if len(course) < 2 or not 0 < len(winners) < len(course[-1]):
            continue
        for sign, mark in ((1, ""), (-1, "-")):
            most = max(course[-1]) if sign > 0 else min(course[-1])
            if {seat for seat, one in enumerate(course[-1]) if one == most} == set(winners):
                rows = course if sign > 0 else [[-one for one in row] for row in course]
                found.append(_course(mark + name, rows, winners))
    return tuple(found)


def _course(count: str, rows: Sequence[Sequence[int]], winners: Sequence[int]) -> Course:
    last, seats = len(rows) - 1, range(len(rows[0]))
    columns = [*zip(*rows, strict=True)]
    tops, means = [*map(max, rows)], [sum(row) / len(row) for row in rows]
    ahead = _greatest([columns[seat] for seat in winners])
    behind = _greatest([columns[seat] for seat in seats if seat not in winners])
    level = [row.count(top) for row, top in zip(rows, tops, strict=True)]
    only = [row.index(top) for row, top, many in zip(rows, tops, level, strict=True) if many == 1]
    leads = [*map(eq, ahead, tops)]
    good = last
    while good and leads[good - 1] and level[good - 1] < len(seats):
        good -= 1
    most = max(map(sub, behind, means), default=0.0)
    decided = next((at for at, one in enumerate(map(sub, ahead, means)) if one > most), last)
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


def _greatest(columns: Sequence[Sequence[int]]) -> Sequence[int]:
    """Return, after each turn, the most that one of these seats has."""
    return [*map(max, *columns)] if len(columns) > 1 else columns[0] if columns else []


def best(matches: Iterable[Sequence[Course]], of: int) -> str | None:
    """Return the count that shows best who leads; None if none does often enough.

    `of` is the number of matches with winners and losers.
    """
    tally = Tally(course.count for match in matches for course in match)
    if not tally:
        return None
    count, agreed = min(tally.items(), key=lambda one: (-one[1], one[0].startswith("-"), one[0]))
    return count if agreed >= ENOUGH * of else None
