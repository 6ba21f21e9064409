"""What a table of Zompa shows: its zones, and what it tells."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata.decks import ItalianRank
from tavolata.zones import CardView
from tavolata_zompa.guide import CARDS, GOAL, NOTHING, YOUR_NAME
from tavolata_zompa.rules import (
    CALLS,
    DIES,
    JUMPS,
    PAYS_IN,
    RISEN,
    SELF,
    TAKES,
    TAKES_BACK,
    WAITED,
    WINS,
    Zompa,
)

from .table import Stacked


def told(table: Stacked, cards: str) -> list[str]:
    """The messages of these cards."""
    before = len(table.events)
    table.turn(cards)
    return [event.message for event in table.events[before:]]


def test_each_card_is_told_with_whom_it_is_for() -> None:
    """A quiet card is one line, with the seat and the card as data."""
    table = Stacked(3)
    assert told(table, "3") == [CALLS]
    params = table.events[-1].params
    assert params["seat"] == 1
    assert params["card"].face.rank == 3


def test_what_the_figures_do_is_told() -> None:
    """Each figure says what it does after its card; an ace says how many fiches one paid."""
    table = Stacked(4, fiches=[4, 4, 4, 4])
    assert told(table, "A K F H") == [CALLS, PAYS_IN, CALLS, TAKES, CALLS, TAKES_BACK, CALLS, JUMPS]
    assert [event.params["n"] for event in table.events if event.message == PAYS_IN] == [2]
    assert told(Stacked(3, fiches=[4, 1, 4]), "A") == [CALLS, PAYS_IN, DIES, PAYS_IN]


def test_death_resurrection_and_victory_are_told() -> None:
    """Who pays his last fiche is said to die, who had none to rise, and the last one alive to win."""
    assert told(Stacked(3, fiches=[0, 1, 4]), "F") == [CALLS, TAKES_BACK, RISEN, DIES]
    assert told(Stacked(3, fiches=[1, 2, 4]), "F") == [CALLS, TAKES_BACK]
    assert told(Stacked(2, fiches=[4, 1]), "F") == [CALLS, TAKES_BACK, WINS]
    waiting = Stacked(4, fiches=[4, 1, 4, 4], empty_pot="next").turn("K 3 3 3 F")
    assert told(waiting, "A") == [CALLS, WAITED, RISEN, PAYS_IN]


def test_paying_oneself_is_told_as_nothing() -> None:
    """A horse between two says that nothing has moved, and nobody dies or rises of it."""
    assert told(Stacked(2, fiches=[4, 1]), "H") == [CALLS, SELF]


def test_the_zones_of_a_fresh_table() -> None:
    """The whole pack face down, nothing turned, nobody called, no dead, no debts."""
    zones = Stacked(3, dealer=2).match.view(0).zones()
    assert list(zones) == ["deck", "discard", "centre", "fiches", "dealer"]
    assert {card.face for card in zones["deck"].content} == {None}
    assert zones["discard"].content == ()
    assert zones["fiches"].content == ((0, 4), (1, 4), (2, 4))
    assert zones["dealer"].params == {"seat": 2}


def test_nothing_is_turned_while_the_first_pack_is_shuffled() -> None:
    """The first sentence of a match stood beside an open king that nobody had turned, and a called dealer."""
    match = Stacked(3, dealer=2).match
    game = match.game
    assert isinstance(game, Zompa)
    game.round = 0
    game.discard.cards[:], game.deck.cards[:] = list(game.deck.cards), []
    zones = match.view(0).zones()
    assert list(zones) == ["deck", "discard", "centre", "fiches", "dealer"]
    assert zones["discard"].content == ()


def test_the_zones_in_mid_match() -> None:
    """The last card turned, who was called, who is dead and who waits for a fiche are on view."""
    table = Stacked(4, fiches=[4, 4, 0, 4], empty_pot="next").turn("3 K")
    zones = table.match.view(None).zones()
    assert list(zones) == ["deck", "discard", "centre", "fiches", "dealer", "called", "dead", "owed"]
    (top,) = zones["discard"].content
    assert isinstance(top, CardView)
    assert top.face.rank == 10
    assert len(zones["deck"].content) == 38
    assert zones["called"].params == {"seat": 3}
    assert zones["dead"].params == {"seats": [2]}
    assert zones["owed"].params == {"seat": 3}
    assert table.turn("3 K").match.view(None).zones()["owed"].params == {"seat": 3}  # the oldest debt


def test_a_dealers_hand_is_on_the_deck() -> None:
    """At a table with a pace each card waits for the dealer's key, and for nobody else's."""
    table = Stacked(3, dealer=1, pace=0)
    assert [int(ask.seat) for ask in table.source.open] == [1]


def hinted(table: Stacked, cards: str, seat: int = 0) -> list[str]:
    """The hints for a seat on all that these cards tell."""
    before = len(table.events)
    table.turn(cards)
    views = table.match.view(seat)
    return [hint.message for event in table.events[before:] for hint in table.game.hints(views, event)]


def test_what_a_card_does_is_explained() -> None:
    """A card has one hint, beside that it's your own; the aim names the fiches of this table."""
    table = Stacked(3, fiches_each=2)
    (hint,) = table.game.hints(table.match.view(0), table.events[0])
    assert (hint.message, hint.params) == (GOAL, {"n": 2})
    assert hinted(table, "3", seat=1) == [YOUR_NAME, NOTHING]
    assert hinted(table, "F") == [CARDS[ItalianRank.FANTE]]


@pytest.mark.parametrize(("card", "option"), [("2", "twos"), ("5", "fives"), ("7", "sevens")])
def test_no_card_of_a_house_rule_is_hinted_to_do_nothing(card: str, option: str) -> None:
    """A two, five or seven does nothing only where its option is off."""
    on: Any = {option: "yes" if option == "fives" else "following"}
    assert hinted(Stacked(3), card) == [NOTHING]
    assert NOTHING not in hinted(Stacked(3, fiches=[0, 1, 4], **on), card)


def test_a_card_with_bets_on_it_is_explained_once() -> None:
    """That bets are on a card has no hint; the call after it has."""
    table = Stacked(3, fives="yes").turn("5")
    table.bet(A="KING")
    assert hinted(table, "3").count(NOTHING) == 1
