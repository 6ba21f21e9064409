"""Ballots: packs of cards by which seats vote in secret; `Table.ballot` holds the vote."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from tavolata.cards import Card, Hand, Pile

V = TypeVar("V")


class Ballots(Generic[V]):
    """A pack for each seat with one card for each value, and a pile to vote on.

    Attributes:
        name: its id among the pieces of the match.
        packs: by seat, its cards; all are open between two votes.
        laid: the cards that are laid in a vote.
        kept: the cards that are not laid in a vote.
    """

    __slots__ = ("kept", "laid", "name", "packs")

    def __init__(self, name: str, packs: Sequence[Hand[V]], laid: Pile[V], kept: Pile[V]) -> None:
        self.name = name
        self.packs = tuple(packs)
        self.laid = laid
        self.kept = kept

    def give_back(self, seats: Iterable[int]) -> None:
        """Give each of these seats one card of each value; all cards of both piles are public."""
        left: dict[V, list[Card[V]]] = {}
        for card in (*self.laid, *self.kept):
            left.setdefault(card.face, []).append(card)
        for pile in (self.laid, self.kept):
            pile.cards.clear()
        deck = next(iter(left.values()))[0].deck
        for seat in seats:
            self.packs[seat].cards[:] = [left[value].pop() for value in deck.faces]

    def _save(self) -> object:
        return None  # packs and piles are pieces of their own

    def _load(self, saved: object) -> None:
        """Nothing is left to do; see `_save`."""
