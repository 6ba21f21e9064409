"""Checks with whole random matches: each must end, and be consistent until then."""

from __future__ import annotations

from typing import assert_never

from tavolata._engine.match.outcomes import OutcomeError
from tavolata._text import fields
from tavolata.errors import GameError
from tavolata.ring import Seat
from tavolata.testing.cases import Case
from tavolata.testing.checks.check import each
from tavolata.testing.checks.compare import same
from tavolata.testing.errors import CheckFailed
from tavolata.testing.patience import patience
from tavolata.testing.recording import Recorded, blamed, play
from tavolata.zones import CardRow, CardStack, Cells, Count, Lanes, Rows, Sentence, Zone, ZoneShape


@each(share=100, stops=True)
def random_playouts(case: Case) -> None:
    """Matches between random players end, and their zones can be drawn."""
    kept = Recorded(case)
    try:
        with patience(kept):
            play(case, look, kept)
    except CheckFailed as failure:
        if isinstance(failure.__cause__, OutcomeError):
            return  # it has ended; `outcomes` says what is wrong
        raise
    _outcome(kept)


@each(share=20)
def twice_the_same(case: Case) -> None:
    """The same seed, options and players give the same match: the rules use no clock and no own chance."""
    same(play(case), play(case), "Played twice with one seed, it is not the same match")


def look(kept: Recorded) -> None:
    """Raise `CheckFailed` if the zones can't be drawn at the end of a turn."""
    if kept.match.table.turn > 40 and kept.match.table.turn % 23:
        return  # enough of a long match is looked at
    for seat in (*range(kept.case.seats), None):
        with blamed(kept):
            zones = list(kept.match.game.zones(kept.match.table, None if seat is None else Seat(seat)))
            kept.match.view(seat).zones()
        ids = [zone.id for zone in zones]
        for zone in zones:
            if ids.count(zone.id) > 1:
                raise kept.failure(f"Two zones are called {zone.id!r}.")
            with blamed(kept):
                fault = _fault_of(zone)
            if fault:
                raise kept.failure(fault)


def _fault_of(zone: Zone) -> str:
    """Why no frontend can show the zone; "" if each can."""
    try:
        problem = _problem_of(zone, zone.shape())
    except GameError as error:
        return str(error)
    return problem and f"The zone {zone.id!r} {problem}."


def _problem_of(zone: Zone, shape: ZoneShape) -> str:
    match shape:
        case Count(number):
            return "" if isinstance(number, int) else "is a counter and holds no number"
        case Sentence(message, params):
            missing = fields(str(message)) - set(params)
            return f"has no value for {{{min(missing)}}}" if missing else ""
        case CardStack() | CardRow() | Rows() | Lanes() | Cells():
            if not isinstance(zone.content, tuple):
                return f"is a {zone.kind} and holds no tuple"
            if isinstance(shape, Rows) and any(len(row) != 2 for row in shape.rows):
                return "has rows that are not (label, number)"
            return ""
        case _ as never:
            assert_never(never)


def _outcome(kept: Recorded) -> None:
    if kept.match.outcome is None or kept.match.conviction is not None:
        raise kept.failure(f"Bots that play by the rules were caught: {kept.match.conviction}")
