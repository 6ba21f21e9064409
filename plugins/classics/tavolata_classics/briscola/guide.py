"""A newcomer's guide to Briscola."""

from __future__ import annotations

from collections.abc import Iterator

from tavolata import N_, Ask, Event, Text, View, text
from tavolata_classics.briscola.bots import Sight
from tavolata_classics.briscola.rules import TAKES, Briscola, worth

GOAL = N_("Only aces (11), threes (10), kings (4), horses (3) and fanti (2) are worth points.")
FREE = N_(
    "You don't have to follow suit. The highest briscola wins; without one, the highest card of the suit led."
)
LEAD = N_("Lead a card worth nothing, and save your briscole for the others' aces and threes.")
RICH = N_("There are {n} points on the table. A briscola wins them, unless a higher one follows.")
DRAW = N_("The winner of a trick draws first. The last card drawn is the briscola on the table.")


def hints(view: View[Briscola], about: Ask[object] | Event) -> Iterator[Text]:
    if isinstance(about, Event):
        if about.message == TAKES:
            yield text(DRAW)
        return
    sight = Sight(view, about.seat)
    if not sight.on_table:
        yield text(GOAL)
        yield text(LEAD)
        return
    yield text(FREE)
    trumps = [face for card in view.game.hands[about.seat] if (face := view.face(card)) and sight.wins(face)]
    if sight.points >= 10 and any(face.suit == sight.trumps and not worth(face) for face in trumps):
        yield text(RICH, n=sight.points)
