"""The reasons to bang: what the cards of a pile can look like, seen from the top.

Each is a function of the cards that were played face up, in their order, the top one last; penalty
cards are not among them (ruling 3). An ace is before the two and after the king; a joker
follows nothing and has no suit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from itertools import pairwise
from typing import Self

from tavolata import N_
from tavolata.decks import FrenchFace, Rank

Faces = Sequence[FrenchFace]


def _equal(cards: Faces, places: int) -> bool:
    """Return True if the top card has the rank of the one `places` under it."""
    return len(cards) > places and cards[-1].rank == cards[-1 - places].rank


def _top_bottom(cards: Faces) -> bool:
    """Compare the first card of the pile and the top one, in a pile of three or more (ruling 4)."""
    return len(cards) >= 3 and cards[0].rank == cards[-1].rank


def _ten(cards: Faces) -> bool:
    """Return True for two cards from 2 to 8 that add up to ten."""
    if len(cards) < 2:
        return False
    low, high = sorted((cards[-1].rank, cards[-2].rank))
    return low >= 2 and low + high == 10


def _couple(cards: Faces, places: int) -> bool:
    """Return True if, of the top card and the one `places` under it, one is a king, the other a queen."""
    return len(cards) > places and {cards[-1].rank, cards[-1 - places].rank} == {Rank.KING, Rank.QUEEN}


def _run(cards: Faces, length: int) -> bool:
    """Return True if `length` cards follow each other, all upwards or all downwards."""
    if len(cards) < length:
        return False
    ranks = [card.rank for card in cards[-length:]]
    if Rank.JOKER in ranks:
        return False
    high = [Rank.KING + 1 if rank == Rank.ACE else rank for rank in ranks]
    return any(
        all(other - one == step for one, other in pairwise(row)) for row in (ranks, high) for step in (1, -1)
    )


def _flush(cards: Faces, length: int) -> bool:
    top = cards[-length:]
    return len(top) == length and top[0].rank != Rank.JOKER and len({card.suit for card in top}) == 1


def _at_sight(cards: Faces, rank: int) -> bool:
    return bool(cards) and cards[-1].rank == rank


class Pattern(Enum):
    """A reason to bang. A new one is a line here; options, bots and guide read this table.

    Attributes:
        value: its name for people.
        looks: its look, in a sentence.
        harder: how many milliseconds longer a bot takes to see it than to see a double.
        shown_by: returns True if the cards of a pile show it.
    """

    looks: str
    harder: int
    shown_by: Callable[[Faces], bool]

    def __new__(cls, called: str, looks: str, harder: int, shown_by: Callable[[Faces], bool]) -> Self:
        pattern = object.__new__(cls)
        pattern._value_ = called
        pattern.looks, pattern.harder, pattern.shown_by = looks, harder, shown_by
        return pattern

    # fmt: off
    DOUBLE = (N_("double"), N_("The top two cards have the same rank."),
        0, lambda cards: _equal(cards, 1))
    SANDWICH = (N_("sandwich"), N_("The top card and the third one have the same rank."),
        60, lambda cards: _equal(cards, 2))
    TOP_BOTTOM = (N_("top and bottom"), N_("The top card has the same rank as the first card of the pile."),
        150, _top_bottom)
    TEN = (N_("ten"), N_("The top two cards add up to ten."),
        120, _ten)
    MARRIAGE = (N_("marriage"), N_("A king and a queen are next to each other."),
        50, lambda cards: _couple(cards, 1))
    DIVORCE = (N_("divorce"), N_("There's one card between a king and a queen."),
        110, lambda cards: _couple(cards, 2))
    RUN3 = (N_("run of three"), N_("The top three cards are in sequence."),
        130, lambda cards: _run(cards, 3))
    RUN4 = (N_("run of four"), N_("The top four cards are in sequence."),
        150, lambda cards: _run(cards, 4))
    FLUSH4 = (N_("four of a suit"), N_("The top four cards have the same suit."),
        130, lambda cards: _flush(cards, 4))
    BIGMAC = (N_("big sandwich"), N_("The top card and the fourth one have the same rank."),
        150, lambda cards: _equal(cards, 3))
    ANY_JACK = (N_("jack"), N_("There's a jack on top."),
        0, lambda cards: _at_sight(cards, Rank.JACK))
    ANY_JOKER = (N_("joker"), N_("There's a joker on top."),
        0, lambda cards: _at_sight(cards, Rank.JOKER))
    # fmt: on


class Preset(Enum):
    """A set of reasons that tables agree on by one word."""

    CLASSIC = N_("classic")
    FAMILY = N_("family")
    SLAPJACK = N_("slapjack")
    FULL = N_("full")


_CLASSIC = frozenset({Pattern.DOUBLE, Pattern.SANDWICH})
PRESETS = {
    Preset.CLASSIC: _CLASSIC,
    Preset.FAMILY: _CLASSIC | {Pattern.TOP_BOTTOM},
    Preset.SLAPJACK: _CLASSIC | {Pattern.ANY_JACK},
    Preset.FULL: _CLASSIC | {Pattern.TOP_BOTTOM, Pattern.TEN, Pattern.MARRIAGE},
}


def reason(cards: Faces, among: Sequence[Pattern]) -> Pattern | None:
    """Return the first of these reasons to bang that the pile shows; None if it shows none."""
    return next((pattern for pattern in among if pattern.shown_by(cards)), None)
