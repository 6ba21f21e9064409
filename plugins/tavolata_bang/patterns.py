"""The reasons to bang: what the cards of a pile can look like, seen from the top.

Each is a function of the cards that were played face up, in their order, the top one last; penalty
cards are not among them (ruling 3). An ace stands before the two and after the king; a joker
follows nothing and has no suit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from itertools import pairwise

from tavolata import N_, FrenchFace, Rank

Faces = Sequence[FrenchFace]


class Pattern(Enum):
    """A reason to bang; its value is what people call it."""

    DOUBLE = N_("double")
    SANDWICH = N_("sandwich")
    TOP_BOTTOM = N_("top and bottom")
    TEN = N_("ten")
    MARRIAGE = N_("marriage")
    DIVORCE = N_("divorce")
    RUN3 = N_("run of three")
    RUN4 = N_("run of four")
    FLUSH4 = N_("four of a suit")
    BIGMAC = N_("big sandwich")
    JACK = N_("jack")
    JOKER = N_("joker")


class Preset(Enum):
    """A set of reasons that tables agree on by one word."""

    CLASSIC = "classic"
    FAMILY = "family"
    JACK = "jack"
    FULL = "full"


_CLASSIC = frozenset({Pattern.DOUBLE, Pattern.SANDWICH})
PRESETS = {
    Preset.CLASSIC: _CLASSIC,
    Preset.FAMILY: _CLASSIC | {Pattern.TOP_BOTTOM},
    Preset.JACK: _CLASSIC | {Pattern.JACK},
    Preset.FULL: _CLASSIC | {Pattern.TOP_BOTTOM, Pattern.TEN, Pattern.MARRIAGE},
}


def _equal(cards: Faces, places: int) -> bool:
    """Whether the top card has the rank of the one so many places under it."""
    return len(cards) > places and cards[-1].rank == cards[-1 - places].rank


def _top_bottom(cards: Faces) -> bool:
    """The first card of the pile and the top one, in a pile of three or more (ruling 4)."""
    return len(cards) >= 3 and cards[0].rank == cards[-1].rank


def _ten(cards: Faces) -> bool:
    """Two cards from 2 to 8 that add up to ten."""
    if len(cards) < 2:
        return False
    low, high = sorted((cards[-1].rank, cards[-2].rank))
    return low >= 2 and low + high == 10


def _couple(cards: Faces, places: int) -> bool:
    """Whether one of the top card and the one so many places under it is a king, the other a queen."""
    return len(cards) > places and {cards[-1].rank, cards[-1 - places].rank} == {Rank.KING, Rank.QUEEN}


def _run(cards: Faces, length: int) -> bool:
    """Whether so many cards follow each other, all upwards or all downwards."""
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
    """Whether so many cards are of one suit."""
    top = cards[-length:]
    return len(top) == length and top[0].rank != Rank.JOKER and len({card.suit for card in top}) == 1


LOOKS: dict[Pattern, Callable[[Faces], bool]] = {
    Pattern.DOUBLE: lambda cards: _equal(cards, 1),
    Pattern.SANDWICH: lambda cards: _equal(cards, 2),
    Pattern.TOP_BOTTOM: _top_bottom,
    Pattern.TEN: _ten,
    Pattern.MARRIAGE: lambda cards: _couple(cards, 1),
    Pattern.DIVORCE: lambda cards: _couple(cards, 2),
    Pattern.RUN3: lambda cards: _run(cards, 3),
    Pattern.RUN4: lambda cards: _run(cards, 4),
    Pattern.FLUSH4: lambda cards: _flush(cards, 4),
    Pattern.BIGMAC: lambda cards: _equal(cards, 3),
    Pattern.JACK: lambda cards: cards[-1].rank == Rank.JACK if cards else False,
    Pattern.JOKER: lambda cards: cards[-1].rank == Rank.JOKER if cards else False,
}
"""How each is recognized."""


def reason(cards: Faces, among: Sequence[Pattern]) -> Pattern | None:
    """The first of these reasons to bang that the pile shows; None if it shows none."""
    return next((pattern for pattern in among if LOOKS[pattern](cards)), None)
