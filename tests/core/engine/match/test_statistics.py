"""Statistics: every entry counts once, for the seat that it is of."""

from __future__ import annotations

from tavolata._engine.match.entries import ANSWER, FACE, INTERJECT, SAY, SEALED, TIMEOUT, MatchEntry
from tavolata._engine.match.statistics import Statistics, StatisticsBuilder


def test_entries_are_counted_by_kind_and_seat() -> None:
    """Sealed answers are answers; faces and seats that there are not count nothing."""
    before: list[MatchEntry] = [(ANSWER, 0, 1, 2), (SEALED, 1, 2, b""), (ANSWER, 0, 3, 0)]
    builder = StatisticsBuilder(2, before)
    for entry in [(INTERJECT, 1, "x", 0), (SAY, 0, (), "hi"), (SAY, 0, (1,), "you"), (TIMEOUT, 4),
                  (TIMEOUT, 5), (FACE, 1, 1), (ANSWER, 2, 6, 0)]:  # fmt: skip
        builder.note(entry)
    assert builder.statistics(7) == Statistics(7, (2, 1), (0, 1), (2, 0), 2, (None, None))


def test_three_answers_that_say_their_time_show_how_long_a_seat_usually_takes() -> None:
    """The median of what its machine said, under seals, too; fewer than three such answers show nothing."""
    said: list[MatchEntry] = [
        (ANSWER, 0, 1, 2, 900),
        (SEALED, 0, 2, b"", [], 40_000),
        (ANSWER, 0, 3, 0, 1_100),
    ]
    said += [(ANSWER, 1, 4, 0, 5), (ANSWER, 1, 5, 0), (ANSWER, 1, 6, 0, 7)]
    assert StatisticsBuilder(2, said).statistics(7).times == (1_100, None)
