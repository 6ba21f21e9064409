"""Checks of secrecy: hidden facts can't be read, and each seat can follow the match with what it knows.

There is a third check of hidden facts in `permuting`. None of the three is enough alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import tavolata.cards
import tavolata.secret
from tavolata._engine.match.dealing import OneDealer, box_of
from tavolata._engine.match.entries import ANSWER, NARRATED, OPENED, SEALED, SHOWN, MatchEntry
from tavolata._engine.match.log_source import LogSource
from tavolata.errors import HiddenFact
from tavolata.testing.cases import Case, CheckFailed
from tavolata.testing.checks.check import each
from tavolata.testing.recording import (
    Recorded,
    entry_of_event,
    first_difference,
    follow,
    plain_ask,
    play,
    public_digest,
    run,
    told,
)

MOST_SEATS = 4
"""The most seats that are compared."""
TURNS_LOOKED_AT = 60

_NONCE = bytes(32)
_BOX = b"sealed to another seat"


@each(share=40)
def hidden_facts_raise(case: Case) -> None:
    """No rule and no bot reads a hidden face or a sealed answer, even if it catches the error."""
    kept = Recorded(case)
    with _noted_reads() as reads:
        try:
            play(case, into=kept)
        except CheckFailed:
            if not reads:
                raise
    if reads:
        raise kept.failure(f"Something hidden is read at {reads[0]}.")


@contextmanager
def _noted_reads() -> Iterator[list[str]]:
    """Note the places, by file and line, that read hidden things; `is_public` and `is_open` don't count."""
    reads: list[str] = []

    class Noted(HiddenFact):
        def __init__(self, sentence: str) -> None:
            super().__init__(sentence)
            reader = sys._getframe(2)
            if reader.f_code.co_name not in ("is_public", "is_open"):
                reads.append(f"{reader.f_code.co_filename}:{reader.f_lineno}")

    places: tuple[Any, ...] = (tavolata.cards, tavolata.secret)
    for place in places:
        place.HiddenFact = Noted
    try:
        yield reads
    finally:
        for place in places:
            place.HiddenFact = HiddenFact


@each(share=25)
def seats_side_by_side(case: Case) -> None:
    """Check that a seat can follow the match with what it knows, everything else sealed."""
    views: dict[int, dict[int | None, Any]] = {}
    digests: list[bytes] = []

    def look(kept: Recorded) -> None:
        if len(digests) < TURNS_LOOKED_AT:
            views[len(kept.turns)] = {seat: kept.match.view(seat).zones() for seat in _seats(case)}
        digests.append(public_digest(kept.match))

    whole = play(case, look)
    digests.append(public_digest(whole.match))
    for seat in _seats(case):
        _follow_as(whole, seat, digests, {turn: views[turn][seat] for turn in views})


def _seats(case: Case) -> list[int | None]:
    return [*range(min(case.seats, MOST_SEATS)), None]


def known_alone(seat: int, whole: Recorded) -> dict[int, Any]:
    """Return, by number, the sealed answers of a seat and the narrations for it."""
    return {e[2]: e[3] for e in whole.log if e[0] in (ANSWER, NARRATED) and e[1] == seat}


def known_to(seat: int | None, whole: Recorded) -> list[MatchEntry]:
    """Return the log as this seat has it: what it may not know is in boxes, and so are sealed answers."""
    sealed = {number for number, ask in whole.asked.items() if ask[2]}
    answers: dict[int, MatchEntry] = {}
    log: list[MatchEntry] = []
    for at in range(len(whole.log) + 1):
        for number in whole.openings.get(at, ()):
            _, owner, _, answer = answers[number]
            log.append((OPENED, owner, number, _NONCE, answer))
        if at == len(whole.log):
            break
        entry = whole.log[at]
        if entry[0] == SHOWN:
            to = whole.showings[entry[1]]
            log.append(
                (SHOWN, entry[1], tuple(f if s == seat else _BOX for f, s in zip(entry[2], to, strict=True)))
            )
        elif entry[0] == NARRATED and entry[1] is not None:
            answers[entry[2]] = entry
            log.append((NARRATED, *entry[1:3], _BOX))
        elif entry[0] == ANSWER and entry[2] in sealed:
            answers[entry[2]] = entry
            copies = tuple((_NONCE, entry[3]) if to == seat else _BOX for to in whole.asked[entry[2]][-1])
            box = box_of(entry[1], entry[2], _NONCE, entry[3])
            log.append((SEALED, entry[1], entry[2], box, *([copies] if copies else [])))
        else:
            log.append(entry)
    return log


def _follow_as(whole: Recorded, seat: int | None, digests: Sequence[bytes], views: dict[int, Any]) -> None:
    case = whole.case
    who = "One who only watches" if seat is None else f"Seat {seat}"
    mine = Recorded(case)
    source = LogSource(case.seats, OneDealer())
    if seat is not None:  # a peer remembers what it sealed itself
        source.sealed[seat].update(known_alone(seat, whole))
    turns: list[bytes] = []

    def look(kept: Recorded) -> None:
        turns.append(public_digest(kept.match))
        expected = views.get(len(kept.turns))
        if expected is not None and expected != kept.match.view(seat).zones():
            raise mine.failure(f"{who} sees other zones than on the machine that deals.")

    follow(mine, source, look)
    for entry in known_to(seat, whole):
        mine.log.append(entry)
        if entry[0] in (ANSWER, SEALED):
            _same_question(whole, mine, source, entry, who)
        source.feed(entry)
        run(mine)
        if source.voids:
            reason = next(iter(source.voids.values()))
            raise mine.failure(f"{who} can't follow: {told([entry], 0)} does not fit ({reason}).")
    if mine.match.over:
        turns.append(public_digest(mine.match))
    if (at := first_difference([e for _, e in whole.events], [e for _, e in mine.events])) is not None:
        raise whole.failure(f"{who} is told something else: event {at + 1}.", entry_of_event(whole, at))
    if (at := first_difference(digests, turns)) is not None:
        entries = whole.turns[min(at, len(whole.turns) - 1)].entries
        raise whole.failure(f"{who} has another state at the end of turn {at + 1}.", entries)


def _same_question(whole: Recorded, mine: Recorded, source: LogSource, entry: MatchEntry, who: str) -> None:
    ask = next((ask for ask in source.open if ask.id == entry[2]), None)
    if ask is None or plain_ask(ask, mine.match) != whole.asked[entry[2]]:
        raise mine.failure(f"{who} sees another question than seat {entry[1]}.")
