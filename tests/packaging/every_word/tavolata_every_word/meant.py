"""Mistakes that type checkers must find: each comment is needed, and says which kind it is.

Nothing here is called.
"""

from __future__ import annotations

from collections.abc import Sequence

from tavolata import (
    N_,
    Game,
    Hand,
    Options,
    Outcome,
    Question,
    Seat,
    Table,
    View,
    amount,
    claim,
    interjection,
    one_of,
)
from tavolata.decks import FrenchFace, Suit
from tavolata.tricks import follows, holds, void


class Mistaken(Game[Options]):
    """A game of which each line is wrong in its type only."""

    hand: Hand[FrenchFace]

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """Values, facts and limits of other types than they have."""
        word: str = await t.ask(t.first_seat, amount(1, 6))  # type: ignore[arg-type]
        number: int = await t.ask(t.first_seat, amount(1, 6), otherwise="none")  # type: ignore[arg-type]
        claim(N_("Follow suit."), follows, self.hand)  # type: ignore[arg-type]
        await t.declare(t.first_seat, void, t.ring, Suit.CLUBS)  # type: ignore[arg-type]
        word = await t.declare(t.first_seat, holds, self.hand, word)  # type: ignore[arg-type]
        await t.declare(t.first_seat, is_black, self.hand.top, "three")  # type: ignore[arg-type]
        return number  # type: ignore[return-value]

    @interjection(N_("take {value}"))
    def take(self, t: Table[Options], seat: Seat, what: str) -> None:
        """Take something."""

    @take.choices  # type: ignore[arg-type]
    def may_take(self, t: Table[Options], seat: Seat) -> Question[int] | None:
        """The chooser offers numbers, and the rule takes words."""
        return one_of([1, 2])


def is_black(face: FrenchFace, least: int) -> bool:
    """A function that needs one argument more."""
    return face.suit in (Suit.CLUBS, Suit.SPADES) and face.rank > least


def points(view: View[Mistaken]) -> Sequence[str]:
    """A view knows its game."""
    print(view.game.points)  # type: ignore[attr-defined]
    return view.names
