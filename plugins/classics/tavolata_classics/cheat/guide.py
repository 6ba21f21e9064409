"""A newcomer's guide to Cheat."""

from __future__ import annotations

from collections.abc import Iterator

from tavolata import N_, Ask, Event, Text, View, text
from tavolata_classics.cheat.rules import DOUBTS, LAYS, Cheat, number

GOAL = N_(
    "The first player to run out of cards wins. You have to lay at least one, even if you don't "
    "have the right rank."
)
TRUE = N_("You have {n} × {rank}. You can lay those, add other cards, or lay something else.")
LIE = N_("You have no {rank}, so you have to lie. Laying a single card looks least suspicious.")
MANY = N_("You hold {n} × {rank} yourself: at least one of the cards just laid is something else.")
WRONG = N_("Doubt a lie, and the liar takes the pile. Doubt the truth, and you take the pile.")


def hints(view: View[Cheat], about: Ask[object] | Event) -> Iterator[Text]:
    game, seat = view.game, view.seat
    if seat is None:
        return
    faces = [face.rank for card in game.hands[seat] if (face := view.face(card)) is not None]
    if isinstance(about, Event):
        if about.message == DOUBTS:
            yield text(WRONG)
        if about.message == LAYS and about.params["seat"] != seat and game.rank is not None:
            mine = faces.count(number(game.rank))
            if mine + len(game.laid) > 4:
                yield text(MANY, n=mine, rank=game.rank)
        return
    if (rank := about.params.get("rank")) is None:
        yield text(GOAL)
        return
    yield text(GOAL)
    mine = faces.count(number(rank))
    yield text(TRUE, n=mine, rank=rank) if mine else text(LIE, rank=rank)
