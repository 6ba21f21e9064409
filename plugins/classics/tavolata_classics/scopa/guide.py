"""A newcomer's guide to Scopa."""

from __future__ import annotations

from collections.abc import Iterator

from tavolata import N_, Ask, Event, Text, View, text
from tavolata_classics.scopa.bots import Sight
from tavolata_classics.scopa.rules import SCOPA, Scopa

EQUAL = N_(
    "A card takes one of the same rank, or several that add up to it. Fante counts 8, horse 9, king 10."
)
POINTS = N_(
    "You score a point each for the most cards, the most denari, the settebello (7 of denari), "
    "the primiera and every scopa."
)
SWEEP = N_("You can take everything on the table with {card}: that's a scopa.")
NOTHING = N_("None of your cards takes anything, so you have to lay one.")
CLEAN = N_("A scopa clears the table and scores a point.")


def hints(view: View[Scopa], about: Ask[object] | Event) -> Iterator[Text]:
    if isinstance(about, Event):
        if about.message == SCOPA:
            yield text(CLEAN)
        return
    sight = Sight(view, about.seat)
    if view.game.played:
        return
    yield text(EQUAL)
    yield text(POINTS)
    ways = {face: sight.ways(face, sight.table) for face in sight.mine}
    if not any(ways.values()):
        yield text(NOTHING)
    for face, found in ways.items():
        sweeps = sight.table and any(len(way) == len(sight.table) for way in found)
        if sweeps and not sight.ace and not sight.ends:
            yield text(SWEEP, card=face)
