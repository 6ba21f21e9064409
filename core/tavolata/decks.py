"""The common decks as data: French 52, 54 and 108, Italian 40. A game can describe any other."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from tavolata import french_rank as Rank  # noqa: N812 - used and named like the class it stands for
from tavolata import italian_rank as ItalianRank  # noqa: N812 - as above
from tavolata.cards import Deck
from tavolata.messages import N_

__all__ = [
    "FRENCH_52",
    "FRENCH_54",
    "FRENCH_108",
    "ITALIAN_40",
    "JOKER",
    "FrenchFace",
    "ItalianFace",
    "ItalianRank",
    "ItalianSuit",
    "Rank",
    "Suit",
]


class Suit(Enum):
    """A suit; its value is its English word."""

    CLUBS = N_("clubs")
    DIAMONDS = N_("diamonds")
    HEARTS = N_("hearts")
    SPADES = N_("spades")
    JOKER = N_("joker")


class ItalianSuit(Enum):
    """A suit of the Italian pack; its value is the letter that a screen shows."""

    DENARI = "D"
    COPPE = "C"
    SPADE = "S"
    BASTONI = "B"


@dataclass(frozen=True, slots=True)
class FrenchFace:
    """The face of a French card; both jokers of a pack have the same face.

    Attributes:
        rank: 1 (ace) to 13 (king), a `Rank`.
        suit: its suit.
    """

    rank: int
    suit: Suit

    def __str__(self) -> str:
        if self.rank == Rank.JOKER:
            return "Joker"
        return f"{'A23456789TJQK'[self.rank - 1] if self.rank != Rank.TEN else '10'}{_SYMBOLS[self.suit]}"


@dataclass(frozen=True, slots=True)
class ItalianFace:
    """The face of an Italian card.

    Attributes:
        rank: 1 (ace) to 7, then 8 (knave), 9 (horse) and 10 (king), an `ItalianRank`.
        suit: its suit.
    """

    rank: int
    suit: ItalianSuit

    def __str__(self) -> str:
        return f"{'A234567FCR'[self.rank - 1]}{self.suit.value}"


_SYMBOLS: Final = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}


JOKER = FrenchFace(Rank.JOKER, Suit.JOKER)


def _french() -> list[FrenchFace]:
    return [FrenchFace(rank, suit) for suit in _SYMBOLS for rank in range(Rank.ACE, Rank.KING + 1)]


FRENCH_52 = Deck("french52", _french())
"""One French pack without jokers."""
FRENCH_54 = Deck("french54", [*_french(), JOKER, JOKER])
"""One French pack with two jokers."""
FRENCH_108 = Deck("french108", [*_french(), *_french(), *[JOKER] * 4])
"""Two French packs with four jokers."""
ITALIAN_40 = Deck("italian40", [ItalianFace(rank, suit) for suit in ItalianSuit for rank in range(1, 11)])
"""One Italian pack of 40."""
