"""Statistics of a match: its entries are counted while it is played, and the figures are shown after it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tavolata._engine.match.entries import ANSWER, INTERJECT, SAY, SEALED, TIMEOUT, Entry


class Statistics(NamedTuple):
    """Figures of a match that is over.

    Attributes:
        turns: how many turns were completed.
        answers: by seat, how many questions it has answered, including keys that let the match go on.
        interjections: by seat, how many interjections it made.
        words: by seat, how often it spoke.
        late: how many questions nobody answered in time.
    """

    turns: int
    answers: tuple[int, ...]
    interjections: tuple[int, ...]
    words: tuple[int, ...]
    late: int


class StatisticsBuilder:
    """Counts entries as they are acted on.

    Args:
        seats: how many seats the match has.
        entries: the entries that were acted on before.
    """

    def __init__(self, seats: int, entries: Iterable[Entry] = ()) -> None:
        self._by_seat = {kind: [0] * seats for kind in (ANSWER, INTERJECT, SAY)}
        self._late = 0
        for entry in entries:
            self.note(entry)

    def note(self, entry: Entry) -> None:
        """Count one entry."""
        kind = ANSWER if entry[0] == SEALED else entry[0]
        counts = self._by_seat.get(kind)
        if counts is not None and entry[1] in range(len(counts)):
            counts[entry[1]] += 1
        self._late += kind == TIMEOUT

    def statistics(self, turns: int) -> Statistics:
        """The figures so far."""
        by_seat = {kind: tuple(counts) for kind, counts in self._by_seat.items()}
        return Statistics(turns, by_seat[ANSWER], by_seat[INTERJECT], by_seat[SAY], self._late)
