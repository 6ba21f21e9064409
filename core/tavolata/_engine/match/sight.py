"""Sights: what one seat may know of a match, as data for another process.

A bot that thinks for a while does so in a process of its own. That process gets the log without the faces
that were shown to others, without answers of others that are still under seal, without words to others, and
without the seed. It follows the log, and has a match of which this seat's view is the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from tavolata._engine.match.entries import ANSWER, SAY, MatchEntry
from tavolata._engine.match.match import Match, SeatKnowledge, Terms
from tavolata._engine.match.shadow import UNSEEN, Shadow, ShadowSource
from tavolata._engine.match.worlds import new_match
from tavolata.choices import Answer
from tavolata.errors import GameError
from tavolata.game import Game


@dataclass(frozen=True, slots=True)
class Sight:
    """One seat's knowledge of a match, as data that can be pickled; `entries` leave out what it may not know.

    `known` has, by card, the faces that the seat was shown and that are hidden from others, `sealed`, by
    question, the sealed answers that it knows, `forgotten`, for each shuffle, by seat, the faces that it knew
    until then. `before` is what the seats knew where the log begins; of the others only which cards and
    questions. The rest is public.
    """

    rules: type[Game[Any]]
    terms: Terms
    seat: int
    entries: Sequence[MatchEntry]
    known: Mapping[int, int]
    sealed: Mapping[int, Answer]
    forgotten: Sequence[Mapping[int, Mapping[int, int]]]
    before: SeatKnowledge
    said_by: Mapping[int, int | None]
    opened: Mapping[int, Answer]
    origin: Mapping[str, Any] | None
    status: tuple[str, ...]


def sight(match: Match[Any], seat: int) -> Sight:
    """Return this seat's knowledge of a running match.

    Raise `GameError` if it can't be followed, because its state holds more than plain data.
    """
    shadow = match.shadows.get(seat)
    if not isinstance(shadow, Shadow):
        shadow = match.shadows[seat] = Shadow(match, seat)
    followed = shadow.follow(match)
    source, before = match.source, match.source.before
    secret = {
        ask.id: ask.question.answer_at(0)
        for ask in followed.closed.values() if seat != ask.seat and seat not in ask.shown_to
    }  # fmt: skip
    return Sight(
        match.rules, match.terms, seat, [_heard(entry, seat, secret) for entry in followed.entries],
        dict(source.known[seat]), dict(source.sealed[seat]),
        [{seat: dict(known[seat])} if seat in known else {} for known in source.forgotten],
        SeatKnowledge(
            {one: dict(known) if one == seat else dict.fromkeys(known, UNSEEN)
             for one, known in before.known.items()},
            {one: dict(answers) if one == seat else dict.fromkeys(answers, ())
             for one, answers in before.sealed.items()},
        ),
        dict(source.said_by), dict(source.opened), match.origin, tuple(match.status),
    )  # fmt: skip


def _heard(entry: MatchEntry, seat: int, secret: Mapping[int, Answer]) -> MatchEntry:
    """Return an entry as this seat may know it, with any legal answer in place of a secret one."""
    if entry[0] == ANSWER and entry[2] in secret:
        return (*entry[:3], secret[entry[2]])
    if entry[0] == SAY and entry[2] and seat not in (entry[1], *entry[2]) and isinstance(entry[3], str):
        return (*entry[:3], "")
    return entry


def seen_match(seen: Sight) -> Match[ShadowSource]:
    """Return the match as its seat knows it: its view is that seat's, and worlds are imagined from it.

    Raise `GameError` if the log doesn't lead where it led.
    """
    of: Any = SimpleNamespace(said_by=seen.said_by, forgotten=seen.forgotten, opened=seen.opened)
    source = ShadowSource(of, len(seen.status), seen.seat)
    match: Match[ShadowSource] = new_match(seen.rules, seen.terms, source)
    if seen.origin is not None:
        source.begin_at(match.load(seen.origin), seen.before)
    source.before = seen.before
    source.entries += seen.entries
    match.run()
    if source.voids:
        raise GameError(f"{seen.rules.__name__} can't be followed: {next(iter(source.voids.values()))}")
    source.known[seen.seat].update(seen.known)
    source.sealed[seen.seat] = dict(seen.sealed)
    source.said_by = dict(seen.said_by)
    source.opened = seen.opened
    if seen.forgotten:
        source.forgotten = [dict(known) for known in seen.forgotten]  # type: ignore[arg-type] # it is only read
    match.status = list(seen.status)
    return match
