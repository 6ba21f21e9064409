"""What machines say of hands in Scala 40: the melds that are in them, and the cards that fit."""

from __future__ import annotations

from collections.abc import Sequence

from tavolata import fact
from tavolata.decks import FrenchFace
from tavolata_classics.scala40.melds import fitted, layable, meld_of

LAY = "lay"


@fact
def may_act(answer: object, hand: Sequence[FrenchFace], least: int) -> bool:
    """Return True for anything but melds that the hand doesn't have."""
    return answer != LAY or bool(layable(hand, least))


@fact
def may_lay(card: FrenchFace | str, hand: Sequence[FrenchFace]) -> bool:
    """Return True for nothing, or for a card with a meld."""
    return isinstance(card, str) or bool(meld_of(hand, hand.index(card)))


@fact
def opening(hand: Sequence[FrenchFace], least: int) -> tuple[tuple[int, ...], ...]:
    """Return the places of the melds that open."""
    return tuple(layable(hand, least))


@fact
def meld(hand: Sequence[FrenchFace], place: int) -> tuple[int, ...]:
    """Return the places of the best meld with a card."""
    return meld_of(hand, place)


@fact
def may_add(card: FrenchFace | str, on_table: Sequence[FrenchFace]) -> bool:
    """Return True for nothing, or for a card that fits the meld."""
    return isinstance(card, str) or fitted(on_table, card) is not None
