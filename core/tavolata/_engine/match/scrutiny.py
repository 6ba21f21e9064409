"""Scrutiny: what was said of hidden things, compared with what one machine sees itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tavolata._engine.match.match import Match
from tavolata.assertions import Assertion
from tavolata.cards import Card


class Scrutiny:
    """Finds what others have said and what this machine sees to be false, when it is said.

    It convicts no one: only what all see does. And it looks with the eyes of people: a machine that plays for
    someone who is away shows that hand to no person.
    """

    def __init__(self) -> None:
        self._read = 0

    def look(self, match: Match[Any], seats: Iterable[int]) -> list[Assertion]:
        """Return what was said since the last look and is false, as these seats of people here see."""
        facts = match.table._facts
        new = [said for said in facts.said if said.ask > self._read]
        self._read = max((said.ask for said in new), default=self._read)
        open_ = [said for said in new if not facts.seals_of([said])]
        seats = tuple(seats)
        return [said for said in open_ if any(_is_false(match, said, seat) for seat in seats)]


def _is_false(match: Match[Any], said: Assertion, seat: int) -> bool:
    """Return True if something is false as a seat sees; not if it can't tell, or if it has said so itself."""
    view = match.view(seat)
    now = {card.id: view.face(card) for card in said.cards if card.id not in said.kept}
    then = {card.id: card.deck.faces[said.faces[card.id]] for card in said.cards if card.id in said.faces}
    faces = {**dict.fromkeys(said.kept), **now, **then}
    if int(said.seat) == seat or None in faces.values():
        return False

    def face(card: Card[Any]) -> Any:
        return faces[card.id]

    try:
        return not match.table._facts.holds(said, face)
    except Exception:  # noqa: BLE001 - the rules' fault, which all machines find when they judge
        return False
