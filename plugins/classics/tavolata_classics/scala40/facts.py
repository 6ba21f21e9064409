"""What machines say of hands in Scala 40: the melds that are in them, and the cards that fit."""

from __future__ import annotations

from collections.abc import Sequence

from tavolata import fact
from tavolata.decks import FrenchFace
from tavolata_classics.scala40.melds import Melds, best, fitted, points_of

LAY = "lay"


@fact
def found(hand: Sequence[FrenchFace], least: int) -> Melds:
    """Return the best melds that leave a card to discard and have `least` points; () if that can't be."""
    melds = best(tuple(hand))
    if 0 < points_of(hand, melds) < least:
        melds = best(tuple(hand), by_worth=True)
    return melds if points_of(hand, melds) >= least else ()


@fact
def may_act(answer: object, hand: Sequence[FrenchFace], least: int) -> bool:
    """Return True for anything but melds that the hand doesn't have."""
    return answer != LAY or bool(found(hand, least))


@fact
def may_lay(cards: Sequence[FrenchFace], _: Sequence[FrenchFace], least: int) -> bool:
    """Return True for no cards, or for melds with enough points."""
    melds = best(tuple(cards), whole=True)
    return not cards or (bool(melds) and points_of(cards, melds) >= least)


@fact
def may_add(card: FrenchFace | str, on_table: Sequence[FrenchFace]) -> bool:
    """Return True for nothing, or for a card that fits the meld."""
    return isinstance(card, str) or fitted(on_table, card) is not None
