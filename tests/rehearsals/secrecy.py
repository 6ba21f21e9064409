"""What a screen may depend on: the cards of its own seats, and what all may know.

What a machine knows of other seats' cards, because it deals or because several people play on it, is changed
for a moment: then everybody else's screen must stay the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tests.rehearsals.people import AtLines, AtScreen, Person, Phone

from tavolata._engine.match.match import Match
from tavolata._ui.json_data import full_data, kind_data


def leak(person: Person, seats: frozenset[int], match: Match[Any]) -> str:
    """Return what this person's screen shows of cards that only others may see; "" for nothing."""
    before = drawn(person, match)
    with others_changed(seats, match):
        after = drawn(person, match)
    at = next((n for n, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), None)
    if at is not None:
        return f"...{before[max(0, at - 60) : at + 60]}..."
    return "" if len(before) == len(after) else "something is there only with these cards"


def drawn(person: Person, match: Match[Any]) -> str:
    """Return what a person's face draws of the match now."""
    if isinstance(person, AtLines):
        face = person.frontend
        people, words = tuple(face._session.people), face.words()
        asks = [ask for ask in match.source.open if int(ask.seat) in people]
        seen: list[Any] = [full_data(match, seat, people, words) for seat in people or (None,)]
        seen += [kind_data(ask.question, words, match.view(ask.seat), write=match.chosen) for ask in asks]
        return json.dumps(seen, default=str)
    if isinstance(person, AtScreen):
        return repr(person.zones())
    assert isinstance(person, Phone)
    frontend = person.seat._frontend
    return "" if frontend is None else json.dumps(frontend.state()["scene"], default=str)


@contextmanager
def others_changed(seats: frozenset[int], match: Match[Any]) -> Iterator[int]:
    """Give every hidden card that only other seats know its next face; yield how many there are."""
    known: Mapping[int, dict[int, int]] = match.source.known
    mine = {card for seat in seats for card in known.get(seat, ())}
    cards, changed = match.table._pieces.cards, 0
    kept = {seat: dict(faces) for seat, faces in known.items()}
    for seat, faces in known.items():
        for number in faces if seat not in seats else ():
            card = cards[number]
            if number not in mine and not card.is_public:
                faces[number] = (faces[number] + 1) % len(card.deck.faces)
                changed += 1
    try:
        yield changed
    finally:
        for seat, faces in kept.items():
            known[seat].clear()
            known[seat].update(faces)
