"""The house rules of Il Conto, Prego!: what a table may agree on before it plays."""

from __future__ import annotations

from dataclasses import dataclass

from tavolata import N_, Options, option
from tavolata.errors import OptionError

SMALL_HAND_FROM = 6
"""With so many players or more a hand may be one card smaller (1)."""

SMALL_TABLE = N_("Hands of {most} cards are for {low} players or more, not for {seats}.")


@dataclass(frozen=True, kw_only=True)
class ContoOptions(Options):
    """What a table agrees on (rulings 1, 15, 16 to 22)."""

    cards: int = option(6, "How many cards a hand has: 6; with six players or more also 5.", low=5, high=6)
    hands: int = option(
        0,
        "How many hands are played. 0: two for each player; with saldo or omaggi, until somebody has won.",
        low=0,
        high=100,
    )
    oste: bool = option(False, "Who has won the dispute deals, and has a card more if no joker was needed.")
    saldo: bool = option(
        False, "Who loses discards one card more in every hand to come; without cards one is out."
    )
    omaggi: bool = option(
        False, "Who is right about the bill draws one card more in every hand, and discards one."
    )
    target: int = option(3, "With omaggi: how many of them win the match.", low=1, high=20)

    def check_seats(self, seats: int) -> None:
        """Refuse hands of five where fewer than six sit at the table (1)."""
        if self.cards < 6 and seats < SMALL_HAND_FROM:
            raise OptionError(SMALL_TABLE, most=self.cards, low=SMALL_HAND_FROM, seats=seats)

    def hand_limit(self, seats: int) -> int:
        """How many hands a match has, 0 if it goes on until somebody has won (15, 19, 21)."""
        if self.hands or self.saldo or self.omaggi:
            return self.hands
        return 2 * seats
