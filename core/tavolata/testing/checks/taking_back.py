"""The check of taking an answer back."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import ANSWER, INTERJECT, UNDONE, MatchEntry
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.match.take_back import last_answer
from tavolata._engine.match.worlds import new_match
from tavolata.errors import Refused
from tavolata.testing.cases import Case
from tavolata.testing.checks.check import each
from tavolata.testing.recording import Recorded, blamed, play, terms_of

EFFORT = 3_000
"""Roughly how many entries are followed again."""
FEWEST, MOST = 2, 12
"""The fewest and the most answers that are taken back in a match."""
PLAYED = ("turn", "ring", "faces", "pieces", "game")
"""The parts of a state that say the same when the same is played again, with other numbers of questions."""


@dataclass(frozen=True)
class _Place:
    """A place, after this many entries, at which a seat can take back its answer, which came after `at`."""

    entries: int
    seat: int
    ask: int
    at: int


@each(share=10)
def takes_back(case: Case) -> None:
    """Check that undoing an answer restores the state before it, and the match can continue as it did."""
    if not case.game.take_back:
        return
    whole = play(case)
    places = _places(whole)
    many = min(MOST, max(FEWEST, EFFORT // len(whole.log)))
    for place in places[:: max(1, len(places) // many)][:many]:
        _take_back(whole, place)


def _match(whole: Recorded, entries: Sequence[MatchEntry]) -> Match[LogSource]:
    """Return the match of these entries; nobody plays against a person."""
    match = new_match(
        whole.case.game, terms_of(whole.case), LogSource(whole.case.seats, OneDealer(), entries)
    )
    match.run()
    return match


def _alone(match: Match[LogSource], seat: int) -> None:
    match.terms = match.terms._replace(bots=frozenset(range(len(match.status))) - {seat})


def _places(whole: Recorded) -> list[_Place]:
    found: dict[tuple[int, int], _Place] = {}
    with blamed(whole):
        match = _match(whole, ())
        for number, entry in enumerate(whole.log, 1):
            match.feed(entry)
            chosen = entry[0] in (ANSWER, INTERJECT) and bool(match.source.open)
            for seat in range(whole.case.seats) if chosen else ():
                _alone(match, seat)
                with suppress(Refused):
                    taken = last_answer(match, seat)
                    # The latest place for each answer: most is undone there.
                    found[seat, taken.at] = _Place(number, seat, taken.ask, taken.at)
    return list(found.values())


def _take_back(whole: Recorded, place: _Place) -> None:
    log = whole.log
    with blamed(whole):
        match = _match(whole, log[: place.at])
        before, asked = _state(match), match.table._asks
        for entry in log[place.at : place.entries]:
            match.feed(entry)
        after, later = _state(match), match.table._asks - asked
        _alone(match, place.seat)
        match.feed((UNDONE, place.seat, place.ask, True))
        back = _state(match)
    _compare(whole, place, before, back, before.keys() - {"asks"}, "leaves another state than before it")
    with blamed(whole):
        for entry in log[place.at : place.entries]:
            renumbered = entry[0] == ANSWER and entry[2] > asked
            match.feed((*entry[:2], entry[2] + later, *entry[3:]) if renumbered else entry)
        again = _state(match)
    _compare(whole, place, after, again, PLAYED, "and given again leads to another state")


def _state(match: Match[LogSource]) -> dict[str, Any]:
    state: dict[str, Any] = unpack(pack(match.state()))
    return state


def _compare(
    whole: Recorded,
    place: _Place,
    these: dict[str, Any],
    those: dict[str, Any],
    parts: Sequence[str] | set[str],
    what: str,
) -> None:
    if all(these.get(part) == those.get(part) for part in parts):
        return
    name = next((name for name, value in these["game"].items() if those["game"].get(name) != value), "")
    where = f"{whole.case.game.__name__}.{name} differs" if name else "the pieces differ"
    raise whole.failure(
        f"Taken back, an answer of seat {place.seat} {what}: {where}. Is there state outside the attributes?",
        place.entries,
    )
