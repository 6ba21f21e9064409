"""What a newcomer to Horse Fever is told, and that it tells nothing that the seat does not know."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata import Event
from tavolata.testing.playthrough import words_of
from tavolata_horse_fever.guide import ASKED, TOLD, hints, shares
from tavolata_horse_fever.rules import HorseFever
from tavolata_horse_fever.rules.auctions import auctions
from tavolata_horse_fever.rules.betting import first_bets, second_bets, tamper
from tavolata_horse_fever.rules.line_up import line_up
from tavolata_horse_fever.rules.purchases import purchases

from .paddock import K, Paddock


def told(paddock: Paddock) -> list[str]:
    """The hints for the question that is open, in words."""
    (ask,) = paddock.match.open
    words, view = words_of(paddock.match.match, "en"), paddock.match.views(ask.seat)
    return [words.text(one.message, one.params) for one in hints(view, ask)]


@pytest.mark.parametrize("chapter", [purchases, line_up, first_bets, tamper, second_bets, auctions])
def test_every_question_of_a_turn_has_a_hint(chapter: Any) -> None:
    """Purchases, line-up, bets, cards and auctions: a newcomer is told what it is about."""
    paddock = Paddock(board=True).has(0, "Varonne")
    card = paddock.move("Magna", paddock.game.hands[0])
    card._face = paddock._hidden
    paddock.source.known[0][card.id] = paddock.source._faces[card.id]
    assert told(paddock.start(chapter))


def test_the_chances_are_those_that_the_seat_can_know() -> None:
    """A favourite wins most of a hundred races; less for who has slipped Globus behind it, not for others."""
    paddock = Paddock().behind(K, "Globus")
    card = paddock.card("Globus")
    paddock.source.known[1][card.id] = paddock.source._faces[card.id]
    mine, other = (shares(paddock.match.views(seat)) for seat in (1, 0))
    assert mine[0].params["n"] < other[0].params["n"]
    assert 98 <= sum(one.params["n"] for one in mine) <= 102  # each is rounded
    assert mine[1:] != other[1:]
    sentence = told(paddock.start(first_bets))[-1]
    assert sentence.startswith("Wins in 100 races like this, going by what you know: black (K) ")


def test_events_are_explained_and_the_first_match_is_short() -> None:
    """A movement card, an arrival, new odds have their word; anything else has none."""
    view = Paddock().match.views(0)
    for message, sentence in TOLD.items():
        assert [one.message for one in hints(view, Event(message, {}))] == [sentence]
    assert not list(hints(view, Event("Something else.", {})))
    assert HorseFever.first_match == {"turns": 2}
    assert ASKED
    assert () not in ASKED.values()
