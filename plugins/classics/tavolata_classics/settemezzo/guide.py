"""A newcomer's guide to Sette e mezzo."""

from __future__ import annotations

from collections.abc import Iterator

from tavolata import N_, Amount, Ask, Event, Text, View, text
from tavolata_classics.settemezzo.bots import Sight
from tavolata_classics.settemezzo.rules import BUST, GOAL, Settemezzo, written

AIM = N_("Get as close to 7½ as you can without going over. Fante, horse and king count ½ each.")
STAKE = N_("You know your first card. A 7 or a face card deserves a higher stake than a 4.")
SCORE = N_("You have {points}. The next card busts you {n} times in 100.")
FULL = N_("You have 7½. Stay!")
TIES = N_("If you go bust, you lose your stake at once. The bank wins ties.")


def hints(view: View[Settemezzo], about: Ask[object] | Event) -> Iterator[Text]:
    if isinstance(about, Event):
        if about.message == BUST:
            yield text(TIES)
        return
    sight = Sight(view, about.seat)
    if isinstance(about.question, Amount):
        yield text(AIM)
        yield text(STAKE)
    elif sight.total() == GOAL:
        yield text(FULL)
    else:
        yield text(SCORE, points=written(sight.total()), n=round(100 * sight.risk()))
