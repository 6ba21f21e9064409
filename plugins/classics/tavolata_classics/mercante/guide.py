"""A newcomer's guide to Mercante in fiera."""

from __future__ import annotations

from collections.abc import Iterator

from tavolata import N_, Ask, Branch, Event, Text, View, text
from tavolata_classics.mercante.bots import worth
from tavolata_classics.mercante.rules import GONE, Mercante

GOAL = N_(
    "A few cards from the second pack are set aside face down. Own the matching ones, and you win the prizes."
)
WORTH = N_("Each card that hasn't been turned up is worth about {n} chips now.")
SALE = N_("If you sell a card for more than its share of the pot, the odds are in your favour.")
LOST = N_("When the merchant turns up a picture, the matching card is lost, and the others are worth more.")


def hints(view: View[Mercante], about: Ask[object] | Event) -> Iterator[Text]:
    if isinstance(about, Event):
        if about.message == GONE:
            yield text(LOST)
        return
    yield text(GOAL)
    yield text(WORTH, n=round(worth(view.game)))
    if isinstance(about.question, Branch):
        yield text(SALE)
