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
    cards = my_cards(view)
    calls = {
        call: [card for card, dish in cards if _serves(view, dish, call.dishes)]
        for _, call in legal(game.last_call, game.cards)
    }
    return {call: shown for call, shown in calls.items() if shown}


def _serves(view: View[Conto], dish: int, dishes: tuple[int, ...]) -> bool:
    assert isinstance(view.options, ContoOptions)
    return dish in dishes or (dish == JOKER and view.options.saldo)


def _mine(view: View[Conto]) -> tuple[Conto, Seat]:
    assert view.seat is not None
    return view.game, view.seat
