"""Legal calls and cards as the owner of a hand knows them: pure functions of a view, not for rules."""

from __future__ import annotations

from tavolata import Card, Seat, View
from tavolata.decks import FrenchFace
from tavolata_conto.calls import legal
from tavolata_conto.menu import JOKER, Call, dish_of
from tavolata_conto.options import ContoOptions
from tavolata_conto.rules import Conto


def my_cards(view: View[Conto]) -> list[tuple[Card[FrenchFace], int]]:
    """The cards of the viewer's hand, each with its dish."""
    game, seat = _mine(view)
    faces = ((card, view.face(card)) for card in game.hands[seat])
    return [(card, dish_of(face)) for card, face in faces if face is not None]


def may_call(view: View[Conto]) -> dict[Call, list[Card[FrenchFace]]]:
    """What may I call in my turn, and which of my cards may I show with it (8, 20)?"""
    game, _ = _mine(view)
    assert isinstance(view.options, ContoOptions)
    cards = my_cards(view)
    held = frozenset(dish for _, dish in cards)
    anywhere = held & {JOKER} if view.options.saldo else frozenset[int]()
    served: dict[frozenset[int], list[Card[FrenchFace]]] = {}
    calls = {}
    for _, call in legal(game.last_call, game.cards):
        if dishes := held.intersection(call.dishes) | anywhere:
            if dishes not in served:
                served[dishes] = [card for card, dish in cards if dish in dishes]
            calls[call] = served[dishes]
    return calls


def _mine(view: View[Conto]) -> tuple[Conto, Seat]:
    assert view.seat is not None
    return view.game, view.seat
