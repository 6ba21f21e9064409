"""The contract of a source: where the chance, the faces and the answers of a table come from.

Each method answers whether the input is there. If it is not, the match waits and the table asks again after
the next entry. A source never reads game rules. Sources themselves are the engine's: a seed and bots in one
process, a file, or the log that all peers agree on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from tavolata.asks import Ask
from tavolata.cards import Card
from tavolata.ring import Seat
from tavolata.windows import Window

Dealt = Sequence[tuple[Card[Any], Seat]]
"""Cards, each with the seat that it is shown to."""


class Source(Protocol):
    """What a table needs to go on."""

    def lay(self, cards: list[Card[Any]]) -> None:
        """New cards are on the table, faces public."""
        ...

    def shuffle(self, cards: list[Card[Any]]) -> bool:
        """Hide these cards from everybody, in an order that nobody knows."""
        ...

    def reveal(self, card: Card[Any]) -> bool:
        """Make a card public."""
        ...

    def show(self, what: Dealt, number: int) -> bool:
        """Show cards to single seats."""
        ...

    def number(self, sides: int) -> int | None:
        """A number below `sides` by chance, None while it is missing."""
        ...

    def answer(self, ask: Ask) -> bool:
        """Have a question answered."""
        ...

    def seal(self, asks: list[Ask]) -> bool:
        """Have several questions answered under seal."""
        ...

    def unseal(self, asks: list[Ask]) -> bool:
        """Have sealed answers known to everybody."""
        ...

    def react(self, window: Window) -> bool:
        """Have a window decided."""
        ...
