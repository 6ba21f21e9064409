"""The contract of a source, which brings the random values, the faces and the answers of a table.

Each method returns whether the input has come. If it has not, the match waits, and the table calls the method
again after the next entry. A source never reads game rules. The engine has the sources: a seed and bots in
one process, a file, or the log that all peers agree on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from tavolata.asks import Ask
from tavolata.assertions import Declaration, FaceProof, Narration
from tavolata.cards import Card
from tavolata.ring import Seat
from tavolata.windows import Window

Dealt = Sequence[tuple[Card[Any], Seat]]
"""Cards, each with the seat to which it is shown."""


class Source(Protocol):
    """The inputs that a table needs."""

    def lay(self, cards: list[Card[Any]]) -> None:
        """Take in new cards, whose faces are public."""

    def shuffle(self, cards: list[Card[Any]]) -> bool:
        """Hide these cards from everybody, in an order that nobody knows."""

    def shake(self, dice: list[Card[Any]]) -> bool:
        """Hide these dice from everybody, each on a side that nobody knows."""

    def reveal(self, card: Card[Any]) -> bool:
        """Make a card public."""

    def show(self, what: Dealt, number: int) -> bool:
        """Show cards to single seats."""

    def may_see(self, card: Card[Any], seat: Seat) -> bool:
        """Return True if this hidden card was shown to a seat, as everybody knows."""
        return False

    def keep(self, cards: Mapping[int, int]) -> None:
        """Cards must be shuffled of which something was said: keep what they are now.

        Args:
            cards: by card, the number under which it is stored.
        """

    def declare(self, what: list[Declaration]) -> bool:
        """Have the machines of some seats declare something."""

    def narrate(self, what: Narration) -> bool:
        """Get the value of a fact from the narrator's machine, for one seat or for all."""

    def prove(self, what: list[FaceProof]) -> dict[FaceProof, int | None] | None:
        """Open faces to judge what was said of them.

        Returns:
            By proof, the face number, None if it can't be opened any more; None while they are missing.
        """

    def number(self, sides: int, seat: Seat | None = None) -> int | None:
        """Return a random number below `sides`, drawn for a seat or for none; None while it is missing."""

    def answer(self, ask: Ask) -> bool:
        """Have a question answered."""

    def floor(self, asks: list[Ask], changed: Callable[[], bool]) -> bool:
        """Have all these questions answered, or an interjection made: then `changed` is true.

        At most one interjection takes effect, so that every machine asks again as often.
        """

    def seal(self, asks: list[Ask]) -> bool:
        """Have several questions answered under seal."""

    def unseal(self, asks: list[Ask]) -> bool:
        """Have sealed answers known to everybody."""

    def react(self, window: Window) -> bool:
        """Have a window decided."""
