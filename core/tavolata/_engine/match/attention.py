"""The time that bots leave to people: who was spoken to must be able to answer before the match goes on.

Only keys that let the match go on are held back, and only for people: between bots nothing waits.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from tavolata._engine.match.entries import SAY, Entry
from tavolata._engine.match.match import Match
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

    def hear(self, entry: Entry, people: Collection[int]) -> None:
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
