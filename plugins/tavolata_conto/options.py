"""The house rules of Il Conto, Prego!: what a table may agree on before it plays."""

from __future__ import annotations

from dataclasses import dataclass

from tavolata import N_, Options, option


@dataclass(frozen=True, kw_only=True)
class ContoOptions(Options):
    """What a table agrees on (rulings 1, 15, 16 to 22)."""

    cards: int = option(
        6,
        "Cards in each hand, for six or more players.",
        title=N_("cards in a hand"),
        low=5,
        high=6,
        seats=(6, 8),
    )
    hands: int = option(
        0,
        "Number of hands. 0 means two for each player; with saldo or omaggi, you play until someone wins.",
        title=N_("hands"),
        low=0,
        high=100,
    )
    oste: bool = option(
        False,
        "The winner of the dispute over the bill deals next, and gets an extra card if no joker was needed.",
        title=N_("oste"),
    )
    saldo: bool = option(
        False,
        "Each hand you lose costs you a card in every later hand; with no cards left, you're out.",
        title=N_("saldo"),
    )
    omaggi: bool = option(
        False,
        (
            "Each time you're right to ask for the bill, you draw an extra card in every later hand, then "
            "discard one."
        ),
        title=N_("omaggi"),
    )
    target: int = option(
        3,
        "Number of Omaggi needed to win the match.",
        title=N_("omaggi to win"),
        low=1,
        high=20,
        when={"omaggi": True},
    )

    def hand_limit(self, seats: int) -> int:
        """Return how many hands a match has, 0 if it continues until someone has won (15, 19, 21)."""
        if self.hands or self.saldo or self.omaggi:
            return self.hands
        return 2 * seats
