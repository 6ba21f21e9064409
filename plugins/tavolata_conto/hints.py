"""Legal calls and cards as the owner of a hand knows them: pure functions of a view, not for rules."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from tavolata import Card, Seat, View
from tavolata.decks import FrenchFace
from tavolata_conto.calls import legal
from tavolata_conto.menu import JOKER, Call, dish_of
from tavolata_conto.options import ContoOptions
from tavolata_conto.rules import Conto


def my_cards(view: View[Conto]) -> list[tuple[Card[FrenchFace], int]]:
    game, seat = _mine(view)
    faces = ((card, view.face(card)) for card in game.hands[seat])
    return [(card, dish_of(face)) for card, face in faces if face is not None]


def may_call(view: View[Conto]) -> dict[Call, list[Card[FrenchFace]]]:
    """Return the calls that I may make in my turn, and the cards I may show with each (8, 20)."""
    game, _ = _mine(view)
    assert isinstance(view.options, ContoOptions)
    cards = my_cards(view)
    held = _bits(dish for _, dish in cards)
    anywhere = held & _bits([JOKER]) if view.options.saldo else 0
    served: dict[int, list[Card[FrenchFace]]] = {}
    calls = {}
    for call, made_of in _with_bits(game.last_call, game.cards):
        if dishes := held & made_of | anywhere:
            if dishes not in served:
                served[dishes] = [card for card, dish in cards if dishes >> dish & 1]
            calls[call] = served[dishes]
    return calls


def _bits(dishes: Iterable[int]) -> int:
    """Return a set of dishes as a number: sets are compared for every call that could be made."""
    found = 0
    for dish in dishes:
        found |= 1 << dish
    return found


@lru_cache(maxsize=1 << 9)
def _with_bits(call: Call, cards: int) -> tuple[tuple[Call, int], ...]:
    """Return every legal call after this one, and its dishes."""
    return tuple((after, _bits(after.dishes)) for after in legal(call, cards))


def _mine(view: View[Conto]) -> tuple[Conto, Seat]:
    assert view.seat is not None
    return view.game, view.seat
