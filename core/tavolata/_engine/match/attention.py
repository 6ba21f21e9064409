"""What a machine watches for the people at it: news that they must be able to answer, and false statements.

Bots leave time to people: who was spoken to must be able to answer before the match continues. Only keys that
let the match continue are held back, and only for people: between bots nothing waits.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from tavolata._engine.match.entries import SAY, MatchEntry
from tavolata._engine.match.match import Match
from tavolata.assertions import Assertion
from tavolata.kinds.question import choices_of

TO_ANSWER: Final = 4.0
"""Seconds that bots wait when a person has read words to it, or may do something new out of turn."""
TO_READ: Final = 1.1
"""Seconds that bots leave for the reading of an event: else a match of bots runs away from who watches it."""
LONGEST_READ: Final = 6.0


class Attention:
    """The latest news of the people of a match.

    Until the time `until`, bots hold back the keys that continue, so that a person can act.
    """

    def __init__(self) -> None:
        self.until = float("-inf")
        self._offers: frozenset[tuple[Any, ...]] = frozenset()
        self._spoken_to = False
        self._read_until = float("-inf")
        self._events = 0

    def holds(self, since: float) -> float:
        """Return until when a bot leaves a key alone that it could have pressed from `since` on."""
        return max(since, self.until, self._read_until)

    def hear(self, entry: MatchEntry, people: Collection[int]) -> None:
        """Take an entry of the log: words to a person, by anyone else, call for an answer."""
        if entry[0] == SAY and any(one in people for one in entry[2]) and entry[1] not in people:
            self._spoken_to = True

    def look(self, match: Match[Any], people: Collection[int], now: float) -> None:
        """Look at the news, and at what people may do out of turn: anything new needs time.

        Screens show one event after the other, so the time to answer begins once all can have been read.
        """
        told, self._events = len(match.told) - self._events, len(match.told)
        if told > 0:
            self._read_until = min(now + LONGEST_READ, max(self._read_until, now) + TO_READ * told)
        offers = frozenset(
            (seat, name, repr(choice.value))
            for seat in people
            for name, question in match.standing(seat).items()
            for choice in choices_of(question)
        )
        if self._spoken_to or offers - self._offers:
            self.until = max(now, self._read_until) + TO_ANSWER
            self._spoken_to = False
        elif not offers and self._offers:
            self.until = now  # it was done, or it is too late: there is nothing to wait for
        self._offers = offers


class Scrutiny:
    """Finds what others have said of hidden things and what this machine sees to be false, when it is said.

    It convicts no one: only what all see does. And it looks with the eyes of people: a machine that plays for
    someone who is away shows that hand to no person.
    """

    def __init__(self) -> None:
        self._read = 0

    def look(self, match: Match[Any], seats: Collection[int]) -> list[Assertion]:
        """Return what was said since the last look and is false, as these seats of people here see."""
        facts = match.table._facts
        new = [said for said in facts.said if said.ask > self._read]
        self._read = max((said.ask for said in new), default=self._read)
        open_ = [said for said in new if not facts.seals_of([said])]
        return [said for said in open_ if any(_is_false(match, said, seat) for seat in seats)]


def _is_false(match: Match[Any], said: Assertion, seat: int) -> bool:
    """Return True if something is false as a seat sees; not if it can't tell, or if it has said so itself."""
    view = match.view(seat)
    now = {card.id: view.face(card) for card in said.cards if card.id not in said.kept}
    then = {card.id: card.deck.faces[said.faces[card.id]] for card in said.cards if card.id in said.faces}
    faces = {**dict.fromkeys(said.kept), **now, **then}
    if said.seat == seat or None in faces.values():
        return False

    try:
        return not match.table._facts.holds(said, lambda card: faces[card.id])
    except Exception:  # noqa: BLE001 - the rules' fault, which all machines find when they judge
        return False
