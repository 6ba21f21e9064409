"""Statistics of a match: its entries are counted while it is played, and the figures are shown after it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Final, NamedTuple

from tavolata._engine.match.entries import ANSWER, INTERJECT, SAY, SEALED, TIMEOUT, MatchEntry, time_of
from tavolata.messages import N_, NN_
from tavolata.outcome import Award
from tavolata.ring import SEATS

QUICKEST = N_("quickest to answer")
SLOWEST = N_("most thoughtful")
TOOK = NN_("usually took {n} second", "usually took {n} seconds")
USUAL: Final = 3
"""The fewest answers that show how long a seat usually takes."""


def stands_out(most: int, second: int) -> bool:
    """Return True if a number is half as much again as the next one: only then it deserves an award."""
    return most > 0 and 2 * most >= 3 * second


class Statistics(NamedTuple):
    """Figures of a match that is over, by seat.

    `answers` include keys that let the match continue; `late` counts questions no one answered in time.
    `times` are the default milliseconds for an answer: the median of its machine's times; None for a bot,
    and for a seat with fewer than `USUAL` such answers.
    """

    turns: int
    answers: tuple[int, ...]
    interjections: tuple[int, ...]
    words: tuple[int, ...]
    late: int
    times: tuple[int | None, ...] = ()


def seconds(milliseconds: int) -> int:
    """Return a time as people read it: in whole seconds, one at least."""
    return max(1, round(milliseconds / 1000))


def time_awards(figures: Statistics | None) -> list[Award]:
    """Return the awards for the quickest and the slowest answers, if they're known of two seats."""
    known = (
        [] if figures is None else [(took, at) for at, took in enumerate(figures.times) if took is not None]
    )
    if len(known) < 2:
        return []
    known.sort()
    (first, quickest), (last, slowest) = known[0], known[-1]
    ends = ((QUICKEST, first, quickest, known[1][0], first), (SLOWEST, last, slowest, last, known[-2][0]))
    return [
        Award(message, SEATS[seat], why=TOOK, n=seconds(took))
        for message, took, seat, long, short in ends
        if stands_out(seconds(long), seconds(short))
    ]


class StatisticsBuilder:
    def __init__(self, seats: int, entries: Iterable[MatchEntry] = ()) -> None:
        self._by_seat = {kind: [0] * seats for kind in (ANSWER, INTERJECT, SAY)}
        self._late = 0
        self._times: list[list[int]] = [[] for _ in range(seats)]
        for entry in entries:
            self.note(entry)

    def note(self, entry: MatchEntry) -> None:
        kind = ANSWER if entry[0] == SEALED else entry[0]
        counts = self._by_seat.get(kind)
        if counts is not None and entry[1] in range(len(counts)):
            counts[entry[1]] += 1
            if kind == ANSWER:
                with suppress(ValueError):
                    if (took := time_of(entry)) is not None:
                        self._times[entry[1]].append(took)
        self._late += kind == TIMEOUT

    def statistics(self, turns: int) -> Statistics:
        by_seat = {kind: tuple(counts) for kind, counts in self._by_seat.items()}
        times = tuple(_usual(took) if len(took) >= USUAL else None for took in self._times)
        return Statistics(turns, by_seat[ANSWER], by_seat[INTERJECT], by_seat[SAY], self._late, times)


def _usual(took: list[int]) -> int:
    """Return the median, the lower one of two: `statistics` would bring fractions to each table."""
    return sorted(took)[(len(took) - 1) // 2]
