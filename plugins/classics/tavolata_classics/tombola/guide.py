"""A newcomer's guide to Tombola."""

from __future__ import annotations

from collections.abc import Iterator

from tavolata import N_, Ask, Event, Text, View, text
from tavolata_classics.tombola.rules import DRAWN, TAKES, Tombola, TombolaOptions

GOAL = N_("Numbers are marked on your cartelle as they're drawn. Two in the same row make an ambo.")
CALL = N_("You have {prize}! Call it before the next number is drawn.")
ONE_LEFT = N_("You're one number short of {prize}. Watch for it.")
SHARED = N_("Everyone who calls the same prize in time shares it.")


def hints(view: View[Tombola], about: Ask[object] | Event) -> Iterator[Text]:
    game, options, seat = view.game, view.options, view.seat
    assert isinstance(options, TombolaOptions)
    if seat is None or game.prize is None:
        return
    if isinstance(about, Event) and about.message == TAKES:
        yield text(SHARED)
    elif isinstance(about, Event) and about.message == DRAWN:
        if len(game.drawn) == 1:
            yield text(GOAL)
        if options.calls and game.has_prize(seat) and seat not in game.called:
            yield text(CALL, prize=game.prize)
        elif game.lacks(seat) == 1:
            yield text(ONE_LEFT, prize=game.prize)
