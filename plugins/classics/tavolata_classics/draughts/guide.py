"""A newcomer's guide to Draughts."""

from __future__ import annotations

from collections.abc import Iterator

from tavolata import N_, Ask, Event, Text, View, text
from tavolata_classics.draughts.rules import CROWNED, Draughts, DraughtsOptions, National

GOAL = N_("You win when your opponent has no pieces left or can't move. Men move diagonally forward.")
CAPTURE = N_(
    "You have to capture: jump over a piece onto the free square behind it, and keep jumping if you can."
)
ITALIAN = N_(
    "You have to make the capture that takes the most pieces. If there's a tie, capture with a king if "
    "you can."
)
KING = N_("A man that reaches the far row becomes a king. Kings can also move backward.")


def hints(view: View[Draughts], about: Ask[object] | Event) -> Iterator[Text]:
    options = view.options
    assert isinstance(options, DraughtsOptions)
    if isinstance(about, Event):
        if about.message == CROWNED:
            yield text(KING)
        return
    if not view.game.last:
        yield text(GOAL)
    if view.game.legal(italian=options.rules is National.ITALIAN)[0].taken:
        yield text(ITALIAN if options.rules is National.ITALIAN else CAPTURE)
