"""The pieces of one match: what lies on its table, each under its name, and the cards among them."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from tavolata.cards import Card, Deck, handles
from tavolata.errors import GameError

F = TypeVar("F")
P = TypeVar("P", bound="Piece")


class Piece(Protocol):
    """Something on the table that knows how to be put away and laid out again."""

    name: str

    def _save(self) -> object: ...

    def _load(self, saved: Any) -> None: ...


class Pieces:
    """What was laid in setup.

    Attributes:
        named: the pieces by name.
        cards: all cards, by the number of their handle.
        decks: the decks that they are of.
        laid: whether setup is over; from then on nothing is added.
    """

    __slots__ = ("cards", "decks", "laid", "named")

    def __init__(self) -> None:
        self.named: dict[str, Piece] = {}
        self.cards: list[Card[Any]] = []
        self.decks: set[Deck[Any]] = set()
        self.laid = False

    def add(self, piece: P) -> P:
        """Put a piece on the table.

        Raises:
            GameError: setup is over, or there is one of this name.
        """
        if self.laid:
            raise GameError(f"The piece {piece.name!r} was made in mid-match; pieces are made in setup.")
        if piece.name in self.named:
            raise GameError(f"Two pieces are called {piece.name!r}.")
        self.named[piece.name] = piece
        return piece

    def add_cards(self, deck: Deck[F]) -> list[Card[F]]:
        """Make the cards of a deck; they lie nowhere yet."""
        cards = handles(deck, len(self.cards))
        self.cards += cards
        self.decks.add(deck)
        return cards
