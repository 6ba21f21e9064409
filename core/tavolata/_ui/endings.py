from __future__ import annotations

from collections.abc import Sequence

from tavolata._engine.match.statistics import Statistics, seconds, time_awards
from tavolata._engine.match.updates import UNPROVEN, Ended
from tavolata._text import fields
from tavolata._ui.words import Words
from tavolata.messages import N_, NN_, Text
from tavolata.outcome import Award
from tavolata.ring import SEATS, Seat

WON = N_("{seats} has won.")
WON_TOGETHER = N_("{seats} have won.")
NOBODY = N_("No one won.")
NOT_IN = N_("{name} (absent)")
BROKEN_OFF = N_("The match was abandoned.")
SUSPENDED = N_("Match suspended. No one has lost.")
SCORES = N_("Points: {scores}.")
PLACES = N_("Places: {places}.")
TURNS = NN_("It took {n} turn.", "It took {n} turns.")
INTERJECTIONS = N_("Out-of-turn actions: {by_seat}.")
WORDS = N_("Messages sent: {by_seat}.")
STATISTIC = N_("{title}: {by_seat}.")
AWARD = N_("Award: {seat}, {title}.")
AWARD_WHY = N_("Award: {seat}, {title}: {why}.")
TIMES = N_("Typical time per answer, in seconds: {by_seat}.")
LATE = NN_("{n} question was answered too late.", "{n} questions were answered too late.")


def ending_lines(ended: Ended, words: Words, more: Sequence[str] = ()) -> list[str]:
    """Return the lines of an end: who has cheated, then the result.

    `more`, which a frontend adds, comes before the reason.
    """
    return [*charges(ended, words), *result_lines(ended, words, more)]


def result_lines(ended: Ended, words: Words, more: Sequence[str] = ()) -> list[str]:
    """Return the lines of a result: points and places, statistics, awards, `more`, the reason, the winner."""
    outcome = ended.outcome
    lines: list[str] = []
    if outcome is None:
        return [words.text(SUSPENDED if ended.suspended else BROKEN_OFF)]
    if outcome.scores is not None:
        lines.append(words.text(SCORES, {"scores": _by_seat(outcome.scores, words)}))
    if outcome.ranks is not None:
        lines.append(words.text(PLACES, {"places": _places(outcome.ranks, words)}))
    if ended.statistics is not None:
        lines += _figures(ended.statistics, words)
    lines += [
        words.text(STATISTIC, {"title": words.text(title), "by_seat": _by_seat(row, words)})
        for title, row in outcome.statistics.items()
    ]
    lines += [_award(award, words) for award in (*of_one(outcome.awards), *time_awards(ended.statistics))]
    lines += more
    if outcome.why is not None:
        lines.append(words.describe(outcome.why))
    message = (NOBODY, WON, WON_TOGETHER)[min(2, len(outcome.winners))]
    winners = tuple(called(seat, ended) for seat in outcome.winners)
    return [*lines, words.text(message, {"seats": winners})]


def charges(ended: Ended, words: Words) -> list[str]:
    """Return what precedes a result: who has cheated, and who hasn't proved what it said."""
    lines = [] if ended.conviction is None else [words.describe(ended.conviction.text)]
    if ended.unproven:
        lines.append(words.text(UNPROVEN, {"seats": tuple(SEATS[seat] for seat in ended.unproven)}))
    return lines


def kept_lines(title: str, names: Sequence[str], ended: Ended, words: Words) -> list[str]:
    return [title, ", ".join(names), "", *ending_lines(ended, words)]


def called(seat: int, ended: Ended) -> Seat | Text:
    """Return a seat as results name it: one that wasn't in the match that others continued with is marked."""
    return Text(NOT_IN, {"name": SEATS[seat]}) if seat in ended.not_in else SEATS[seat]


def of_one(awards: Sequence[Award]) -> list[Award]:
    """Return the awards without those that several seats have: they say nothing of any of them."""

    def title(one: Award) -> tuple[str, ...]:
        return one.message, *(str(one.params.get(name)) for name in sorted(fields(one.message)))

    return [one for one in awards if len({other.seat for other in awards if title(other) == title(one)}) == 1]


def _award(award: Award, words: Words) -> str:
    said = {"title": words.text(award.message, award.params), "seat": award.seat}
    if not award.why:
        return words.text(AWARD, said)
    return words.text(AWARD_WHY, {**said, "why": words.text(award.why, award.params)})


def _places(ranks: Sequence[int], words: Words) -> str:
    order = sorted(range(len(ranks)), key=lambda seat: (ranks[seat], seat))
    return ", ".join(f"{ranks[seat]} {words.describe(SEATS[seat])}" for seat in order)


def _by_seat(numbers: Sequence[int | None], words: Words) -> str:
    return ", ".join(
        f"{words.describe(SEATS[seat])} {said_number(number)}" for seat, number in enumerate(numbers)
    )


def said_number(number: int | None) -> str:
    """Return a number of a statistic, or a dash for a seat that has none."""
    return "–" if number is None else str(number)


def _figures(statistics: Statistics, words: Words) -> list[str]:
    """Return the statistics of the match, without those that are zero for everyone."""
    lines = [words.text(TURNS, {"n": statistics.turns})]
    done = (
        (INTERJECTIONS, statistics.interjections),
        (WORDS, statistics.words),
    )
    lines += [
        words.text(message, {"by_seat": _by_seat(counts, words)}) for message, counts in done if any(counts)
    ]
    if any(took is not None for took in statistics.times):
        times = [None if took is None else seconds(took) for took in statistics.times]
        lines.append(words.text(TIMES, {"by_seat": _by_seat(times, words)}))
    if statistics.late:
        lines.append(words.text(LATE, {"n": statistics.late}))
    return lines
