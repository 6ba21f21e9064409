"""`Table.turn_up` without detours, for each of the sources that a simulation or a replay consists of.

Games in which a card decides turn one in every step. These tables do what `Table` and the source do
together, in one call instead of two, and leave what is out of the ordinary to them. No other word is
worth a second way, and nothing else may live here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from tavolata._engine.match.entries import FACE
from tavolata.cards import Card, Pile
from tavolata.ring import Seat
from tavolata.table import Table

if TYPE_CHECKING:
    from tavolata._engine.match.log_source import LogSource
    from tavolata._engine.match.source import Record

F = TypeVar("F")


class AtOnceTable(Table[Any]):
    """The table of an open dealer where nothing can come between: no pause, no talker, no waiting."""

    order: list[int]
    """By handle, the number of the face that the dealer knows it to have."""
    record: Record

    # A method called on an attribute (`self.x.append(y)`) is found quickly only if it belongs to the
    # attribute's class; what is a bound method itself is read first and called then.

    async def turn_up(self, pile: Pile[F], onto: Pile[F] | None = None, by: Seat | None = None) -> Card[F]:
        """See `Table`."""
        cards = pile.cards
        card = cards.pop() if cards else pile.top
        number = card.id
        face = self.order[number]
        record = self.record
        record((FACE, number, face))
        card._face = card.deck.faces[face]
        if onto is not None:
            onto.cards.append(card)
        if self._claims:
            self._judge(card)
        return card


class FollowingTable(Table[Any]):
    """The table of a match that follows a log: the next entry is there as a rule, and is that card's."""

    _source: LogSource

    async def turn_up(self, pile: Pile[F], onto: Pile[F] | None = None, by: Seat | None = None) -> Card[F]:
        """See `Table`."""
        source, cards = self._source, pile.cards
        try:
            kind, number, face = source.entries[source.at]
            card = cards[-1]
            shown = card.deck.faces[face]
        except (IndexError, ValueError, TypeError):  # none there yet, another one, an empty pile
            return await Table.turn_up(self, pile, onto, by)
        if number != card.id or kind != FACE or type(face) is not int or face < 0:
            return await Table.turn_up(self, pile, onto, by)
        source.at += 1
        source.dealt += 1
        card._face = shown
        cards.pop()
        if onto is not None:
            onto.cards.append(card)
        if self._claims:
            self._judge(card)
        return card
