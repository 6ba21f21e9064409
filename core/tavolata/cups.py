"""Cups with hidden dice: a die is a card that is shaken instead of shuffled.

So dice are dealt with as cards are: the same methods move, show and reveal them, and zones draw them.
`Table.shake` throws those of a cup again.
"""

from __future__ import annotations

from typing import TypeVar

from tavolata.cards import Deck, Hand
from tavolata.dice import Die
from tavolata.errors import GameError

F = TypeVar("F")


class DiceDeck(Deck[F]):
    """Some dice of a single kind as data; until they are shaken, each shows the die's first face.

    Args:
        name: the deck's id.
        die: what each of them is.
        dice: how many there are; fewer than one raise `GameError`.

    Attributes:
        sides: by side of the die, the number of its face; equally likely.
    """

    __slots__ = ("sides",)

    def __init__(self, name: str, die: Die[F], dice: int) -> None:
        if dice < 1:
            raise GameError(f"The cup {name} has {dice} dice: give it one or more; some may wait on a pile.")
        super().__init__(name, die.faces)
        self.sides = self.cards
        self.cards = self.sides[:1] * dice


class Cup(Hand[F]):
    """A hand of dice: only its owner sees what `Table.shake` throws."""

    __slots__ = ()
