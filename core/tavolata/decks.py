"""The common decks as data: French 52, 54 and 108, Italian 40. A game can describe any other."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

from tavolata.cards import Deck
from tavolata.messages import N_


class Suit(Enum):
    """A suit; its value is its English word, its letter what a screen shows."""

    CLUBS = N_("clubs")
    DIAMONDS = N_("diamonds")
    HEARTS = N_("hearts")
    SPADES = N_("spades")
    JOKER = N_("joker")


class Rank(IntEnum):
    """A rank of the French pack; games that order them otherwise say how."""

    JOKER = 0
    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13


class ItalianSuit(Enum):
    """A suit of the Italian pack; shown by the letters D C S B and its word."""

    DENARI = "D"
    COPPE = "C"
    SPADE = "S"
    BASTONI = "B"


class ItalianRank(IntEnum):
    """A rank of the Italian pack of 40: 1 to 7, fante, horse, king."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    FANTE = 8
    HORSE = 9
    KING = 10


@dataclass(frozen=True, slots=True)
class FrenchFace:
    """What a French card shows; both jokers of a pack are one face."""

    rank: Rank
    suit: Suit

    def __str__(self) -> str:
        short = {Rank.ACE: "A", Rank.JACK: "J", Rank.QUEEN: "Q", Rank.KING: "K", Rank.JOKER: "Joker"}
        rank = short.get(self.rank, str(int(self.rank)))
        return rank if self.rank is Rank.JOKER else f"{rank}{'♣♦♥♠'[list(Suit).index(self.suit)]}"


@dataclass(frozen=True, slots=True)
class ItalianFace:
    """What an Italian card shows."""

    rank: ItalianRank
    suit: ItalianSuit

    def __str__(self) -> str:
        short = {ItalianRank.ACE: "A", ItalianRank.FANTE: "F", ItalianRank.HORSE: "C", ItalianRank.KING: "R"}
        return f"{short.get(self.rank, str(int(self.rank)))}{self.suit.value}"


JOKER = FrenchFace(Rank.JOKER, Suit.JOKER)


def _french() -> list[FrenchFace]:
    suits = [Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES]
    return [FrenchFace(rank, suit) for suit in suits for rank in Rank if rank is not Rank.JOKER]


FRENCH_52 = Deck("french52", _french())
"""One French pack without jokers."""
FRENCH_54 = Deck("french54", [*_french(), JOKER, JOKER])
"""One French pack with two jokers."""
FRENCH_108 = Deck("french108", [*_french(), *_french(), *[JOKER] * 4])
"""Two French packs with four jokers."""
ITALIAN_40 = Deck("italian40", [ItalianFace(rank, suit) for suit in ItalianSuit for rank in ItalianRank])
"""One Italian pack of 40."""
