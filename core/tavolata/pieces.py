"""The pieces of a single match: the named things on its table, and its cards."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from tavolata.cards import Card, Deck, handles
from tavolata.cups import DiceDeck
from tavolata.errors import GameError

F = TypeVar("F")
P = TypeVar("P", bound="Piece")


class Piece(Protocol):
    """A named thing on the table whose state can be saved and loaded."""

    name: str

    def _save(self) -> object: ...

    def _load(self, saved: Any) -> None: ...


class Pieces:
    """All pieces that were laid in setup.

    Attributes:
        named: the pieces by name.
        names: the names, by the `id` of the piece.
        cards: all cards, by the number of their handle.
        mixed: whether some of them can't be shuffled together: cards of several decks, or dice.
        laid: whether setup is over; after that nothing is added.
    """

    __slots__ = ("cards", "laid", "mixed", "named", "names")

    def __init__(self) -> None:
        self.named: dict[str, Piece] = {}
        self.names: dict[int, str] = {}
        self.cards: list[Card[Any]] = []
        self.laid = False
        self.mixed = False

    def add(self, piece: P) -> P:
        """Put a piece on the table.

        Raises:
            GameError: setup is over, or there is a piece of this name already.
        """
        if self.laid:
            raise GameError(f"The piece {piece.name!r} was made in mid-match; pieces are made in setup.")
        if piece.name in self.named:
            raise GameError(f"Two pieces are called {piece.name!r}.")
        self.named[piece.name] = piece
        self.names[id(piece)] = piece.name
        return piece

    def add_cards(self, deck: Deck[F]) -> list[Card[F]]:
        """Make the cards of a deck; they are in no pile yet."""
        cards = handles(deck, len(self.cards))
        self.cards += cards
        self.mixed = self.mixed or isinstance(deck, DiceDeck) or self.cards[0].deck is not deck
        return cards
