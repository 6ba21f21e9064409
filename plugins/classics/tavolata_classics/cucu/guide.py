"""A newcomer's guide to Cucù."""

from __future__ import annotations

from collections.abc import Iterator

from tavolata import N_, Ask, Event, Text, View, text
from tavolata_classics.cucu.bots import Sight
from tavolata_classics.cucu.rules import CUCU, Cucu

GOAL = N_("The lowest card loses a life. The ace is the lowest, then two to seven, fante, horse and king.")
SAFE = N_("Someone has a lower card than you, so keep yours.")
ODDS = N_("If you keep your card, you lose a life about {n} times in 100; if you swap, about {m} times.")
DECK = N_("You're the dealer, so you'd swap for the top card of the deck.")
STOP = N_("A king stops the swap, and now everyone knows where it is.")


def hints(view: View[Cucu], about: Ask[object] | Event) -> Iterator[Text]:
    if isinstance(about, Event):
        if about.message == CUCU:
            yield text(STOP)
        return
    sight = Sight(view, about.seat)
    yield text(GOAL)
    if sight.lower:
        yield text(SAFE)
    else:
        yield text(ODDS, n=round(100 * sight.keeping()), m=round(100 * sight.swapping()))
    if sight.deck:
        yield text(DECK)
