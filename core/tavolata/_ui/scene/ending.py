"""The ending of a match in a scene: the order of all seats, and awards from the numbers of the turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from tavolata._engine.match.statistics import stands_out, time_awards
from tavolata._engine.match.updates import Ended
from tavolata._text import Verbatim
from tavolata._ui.endings import ending_lines, of_one, said_number
from tavolata._ui.scene.say import SceneWords
from tavolata._ui.scene.scene import AwardLine, Decisive, Ending, SeatStanding, StatisticLine, Value
from tavolata.messages import N_
from tavolata.outcome import Award, Outcome

NOT_IN = N_("(absent)")
RAN_AWAY = N_("frontrunner")
LED = N_("led for {n} turns")
LED_AT = N_("led {n} times out of {all}")
HELD_ON = N_("so close")
COMEBACK = N_("comeback")
CLIMBED = N_("from place {first} to place {last}")
LOUDEST, SPOKE = N_("loudest"), N_("spoke {n} times")
BY = N_("{name} wins, {n} to {m}")
BY_LESS = N_("{name} wins. {title}: {n} to {m}")
"""The headline where the rules give no reason."""
MOST: Final = 3
LEAST: Final = 3
"""The fewest numbers that make a course, and the fewest occasions that deserve an award."""
CLIMB: Final = 2
"""The fewest places of a comeback."""


def make_ending(
    ended: Ended,
    mains: Sequence[Value | None],
    series: Mapping[int, tuple[int, ...]],
    say: SceneWords,
    turns: int = 0,
    decisive: Decisive | None = None,
) -> Ending:
    """Return the ending of a match.

    By seat, `mains` has the main number, and `series` that after each turn, or as often as the game has
    counted it. `turns` is 0 if that isn't known.
    """
    lines = ending_lines(ended._replace(statistics=None), say.words)
    headline = say.plainly(lines[-1] if lines else "")
    if ended.outcome is None:
        return Ending(headline)
    winners = tuple(map(int, ended.outcome.winners))
    less = any(main is not None and main.better == "less" for main in mains)
    order = tuple(_order(ended, mains, say, less=less))
    places = {one.seat: one.place for one in order}
    backwards = _is_backwards(ended.outcome, series, less=less)
    course = () if backwards else _derived(series, places, say, turns, winners, less=less)
    own, thinkers = of_one(ended.outcome.awards), time_awards(ended.statistics)
    awards: dict[int, AwardLine] = {}  # the first of each seat
    for award in chain(_lines(own, say), course, _lines(thinkers, say), _loudest(ended, say)):
        awards.setdefault(award.seat, award)
    statistics = tuple(
        StatisticLine(say(title), tuple(map(said_number, row)))
        for title, row in ended.outcome.statistics.items()
        if any(number is not None for number in row)  # of what nobody did there is nothing to tell
    )
    why = ended.outcome.why
    title = next((main.title for main in mains if main is not None), "")
    # Without any of these, no number of the board is a result.
    counts = ended.outcome.scores or ended.outcome.ranks or ended.outcome.series
    if why is not None:
        headline = say(why.message, why.params)
    elif counts and not ended.not_in and len(winners) == 1 < len(order) and order[0].text != order[1].text:
        n, m = (Verbatim(one.text) for one in order[:2])
        said = {"name": ended.outcome.winners[0], "n": n, "m": m, "title": Verbatim(title)}
        headline = say(BY_LESS if less and title else BY, said)
    declared = next(iter(ended.outcome.series), "") if course_of(ended, len(mains)) else ""
    return Ending(
        headline, order, tuple(awards.values())[:MOST], statistics,
        say(declared) if declared else title, decisive,
    )  # fmt: skip


def course_of(ended: Ended, seats: int) -> dict[int, tuple[int, ...]]:
    """Return the course of the match that the game itself declares, by seat: its first series.

    It's empty without one, or if that is too short to show a course.
    """
    rows = () if ended.outcome is None else next(iter(ended.outcome.series.values()), ())
    return {seat: tuple(row[seat] for row in rows) for seat in range(seats)} if len(rows) >= LEAST else {}


def _order(
    ended: Ended, mains: Sequence[Value | None], say: SceneWords, *, less: bool
) -> Iterator[SeatStanding]:
    """Yield all seats, the best first: by the outcome's places, otherwise winners first, then by points.

    A main number orders seats of one place only: what the game doesn't call a result makes no place.
    """
    outcome = ended.outcome
    assert outcome is not None
    sign = 1 if less else -1

    def key(seat: int) -> tuple[int, int]:
        if outcome.ranks is not None:
            return outcome.ranks[seat], 0
        return 0 if seat in outcome.winners else 1, 0 if outcome.scores is None else -outcome.scores[seat]

    numbers = [0 if main is None else sign * (main.number or 0) for main in mains]
    place, before = 0, None
    for number, seat in enumerate(sorted(range(len(mains)), key=lambda seat: (key(seat), numbers[seat])), 1):
        if key(seat) != before:
            place, before = number if outcome.ranks is None else outcome.ranks[seat], key(seat)
        main = mains[seat]
        text = main.text if main is not None else ""
        if outcome.scores is not None:
            text = str(outcome.scores[seat])
        if seat in ended.not_in:
            text = f"{text} {say(NOT_IN)}".lstrip()
        yield SeatStanding(place, seat, text, seat in outcome.winners)


def _lines(awards: Iterable[Award], say: SceneWords) -> Iterator[AwardLine]:
    for award in awards:
        why = say(award.why, award.params) if award.why else ""
        yield AwardLine(say(award.message, award.params), int(award.seat), why)


def _loudest(ended: Ended, say: SceneWords) -> Iterator[AwardLine]:
    words = () if ended.statistics is None else ended.statistics.words
    seat = _standing_out(dict(enumerate(words)), LEAST) if len(words) > 1 else None
    if seat is not None:
        yield AwardLine(say(LOUDEST), seat, say(SPOKE, {"n": words[seat]}))


def _is_backwards(outcome: Outcome, series: Mapping[int, tuple[int, ...]], *, less: bool) -> bool:
    """Return True if all winners are last in these numbers: the game hasn't said that less is better.

    Then no one has led in them or come back.
    """
    last = {seat: -numbers[-1] if less else numbers[-1] for seat, numbers in series.items() if numbers}
    worst = min(last.values(), default=0)
    found = {last.get(seat) for seat in outcome.winners}
    return found == {worst} and worst < max(last.values(), default=0)


def _derived(
    series: Mapping[int, tuple[int, ...]],
    places: Mapping[int, int],
    say: SceneWords,
    turns: int,
    winners: Sequence[int],
    *,
    less: bool,
) -> Iterator[AwardLine]:
    """Yield awards that every table can give, to a seat that stands out.

    A seat's final place may depend on more than its numbers over time (`series`). A game may have counted
    them less often than at each of the `turns`; then nothing is said of turns.
    """
    rows = min((len(numbers) for numbers in series.values()), default=0)
    if rows < LEAST or len(series) < 2:
        return
    sign = -1 if less else 1
    led = dict.fromkeys(series, 0)
    for turn in range(rows):
        best = max(sign * numbers[turn] for numbers in series.values())
        leaders = [seat for seat, numbers in series.items() if sign * numbers[turn] == best]
        if len(leaders) == 1:
            led[leaders[0]] += 1
    longest = _standing_out(led, LEAST)
    if longest is not None:
        title, how = RAN_AWAY if longest in winners else HELD_ON, LED_AT if turns > 2 * rows else LED
        times = rows - (len({numbers[0] for numbers in series.values()}) == 1)  # without the start
        yield AwardLine(say(title), longest, say(how, {"n": led[longest], "all": times}))

    def rank(seat: int, turn: int) -> int:
        return 1 + sum(sign * numbers[turn] > sign * series[seat][turn] for numbers in series.values())

    climbs = {seat: max(rank(seat, turn) for turn in range(rows)) - places[seat] for seat in series}
    back = _standing_out(climbs, CLIMB)
    if back is not None and (less or series[back][-1] > 0):  # who ends with nothing has not come back
        first, last = places[back] + climbs[back], places[back]
        yield AwardLine(say(COMEBACK), back, say(CLIMBED, {"first": first, "last": last}))


def _standing_out(numbers: Mapping[int, int], least: int) -> int | None:
    """Return the seat whose number is at least so large and half as much again as any other; None without."""
    (most, seat), (second, _) = sorted(((number, seat) for seat, number in numbers.items()), reverse=True)[:2]
    return seat if most >= least and stands_out(most, second) else None
