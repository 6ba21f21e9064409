"""Mercante in fiera: prizes, secret bids, offers at the fair, and chips that only change hands."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata import Branch, Refused
from tavolata._ui.answers import parse
from tavolata.bots import Chance, RandomBot
from tavolata.sim import Simulation
from tavolata.testing import Rehearsal, goes_on, rehearse
from tavolata_classics.mercante.bots import EasyBot, HardBot, NormalBot
from tavolata_classics.mercante.guide import SALE, hints
from tavolata_classics.mercante.pictures import MERCHANT, PACK, Picture, shares
from tavolata_classics.mercante.rules import CHIPS, NOTHING, SELL, Mercante, Offer

BY_SEAT = [*Picture]


@pytest.mark.parametrize(
    ("pot", "prizes", "values"),
    [(60, 3, [30, 20, 10]), (54, 3, [27, 18, 9]), (61, 3, [31, 20, 10]), (40, 1, [40]), (0, 2, [0, 0])],
)
def test_the_pot_is_split_into_prizes(pot: int, prizes: int, values: list[int]) -> None:
    """The fraction goes to the highest prize, and nothing is lost."""
    assert shares(pot, prizes) == values
    assert sum(values) == pot


def test_both_packs_have_the_same_pictures() -> None:
    assert PACK.faces == MERCHANT.faces
    assert len(PACK) == len(MERCHANT) == 40


def table(answers: Any, turns: int | None, merchant: list[Picture]) -> Rehearsal:
    """Ann, Ben, Cleo and Dan get nine pictures each, in the order of the pack, and four are left."""
    seats = ["Ann", "Ben", "Cleo", "Dan"]
    decks = {"pack": BY_SEAT, "merchant": merchant}
    return rehearse(Mercante, seats=seats, first=0, decks=decks, turns=turns, answers=answers)


LOTS = [
    {0: 0, 1: 3, 2: 5, 3: 0},
    {0: 4, 1: 4, 2: 0, 3: 0},
    {0: 0, 1: 0, 2: 5, 3: 1},
    {0: 0, 1: 0, 2: 0, 3: 0},
]
PRIZES = [BY_SEAT[36], BY_SEAT[0], BY_SEAT[39]]


def test_the_sample_round_is_what_the_rules_play() -> None:
    """The highest bid buys, at a tie the first player; a lot without bids is out; then a card loses."""
    rest = [one for one in BY_SEAT if one not in PRIZES and one is not BY_SEAT[30]]
    played = table(LOTS, 2, [*PRIZES, BY_SEAT[30], *rest])
    game = played.game
    assert game.chips.values() == [46, 50, 40, 50]
    assert [len(pile) for pile in game.owned] == [10, 9, 11, 8]
    assert game.pot.value == 54
    assert f"The merchant turns up {BY_SEAT[30].value}: Dan loses it." in played.said()


def test_the_fair_and_the_prizes() -> None:
    """A card changes hands for a bid that's high enough, and the hidden cards win the rest."""
    rest = [one for one in BY_SEAT if one not in PRIZES]
    played = table(None, None, [*PRIZES, *rest])
    played.play(*LOTS)
    game = played.game
    first = next(card for card in game.owned[0] if card.face is BY_SEAT[0])
    sellers = {ask.seat: (NOTHING,) for ask in played.open}
    assert 0 in sellers
    played.play(sellers | {0: (SELL, Offer(first, 8))}, {1: 7, 2: 9, 3: 8})
    assert first in game.owned[2]
    while played.outcome is None:
        played.play({ask.seat: (NOTHING,) for ask in played.open})
    assert game.won == [0, 0, 2, 0]  # the last card that is turned, BY_SEAT[39], no one has bought
    assert game.chips.values() == [46 + 9, 50, 40 - 9 + 27 + 18, 50]


def test_enter_alone_is_no_bid() -> None:
    """A bid has to be typed, 0 too: a key that's pressed once too often neither passes nor buys."""
    question = table(None, None, [*PRIZES, *(one for one in BY_SEAT if one not in PRIZES)]).open[0].question
    with pytest.raises(Refused):
        parse(question, "")
    assert parse(question, "0") == 0


def test_what_is_for_sale_lies_where_the_merchant_turns_cards() -> None:
    """The largest place of the table isn't blank once the auction is over."""
    played = table(None, None, [*PRIZES, *(one for one in BY_SEAT if one not in PRIZES)])
    seen = [played.views(0).zones()["last"]]
    played.play(*LOTS)
    seen.append(played.views(0).zones()["last"])
    assert [(zone.title, [card.face for card in zone.content]) for zone in seen] == [
        ("For sale", [BY_SEAT[36]]),
        ("Turned", [played.game.turned.top.face]),
    ]


def test_the_guide_advises_on_selling_only_where_a_card_can_be_sold() -> None:
    """At the fair, not where the merchant turns a card."""
    played = rehearse(Mercante, seats=3, options={"auctions": False}, pauses=True, answers=None)
    advice: list[str] = []
    while not isinstance(played.open[0].question, Branch):
        advice += [hint.message for hint in hints(played.views(0), played.open[0])]
        played.play(goes_on(1))
    assert advice
    assert SALE not in advice
    assert SALE in [hint.message for hint in hints(played.views(0), played.open[0])]


@pytest.mark.parametrize("seats", [3, 7, 12])
def test_chips_are_never_made_or_lost(seats: int) -> None:
    """All chips are in the pot or with someone, and every prize was hidden."""
    for seed in range(4):
        match = Simulation(Mercante, seats, seed=seed)
        assert match.rollout([RandomBot()] * seats, Chance(seed)) is not None
        assert sum(match.game.chips.values()) + match.game.pot.value == CHIPS * seats
        assert len(match.game.turned) == 40


def test_each_level_beats_the_one_below() -> None:
    """Over 300 matches of four with the seats changing, the better bots win more than half."""
    for better, worse in ((NormalBot(), EasyBot()), (HardBot(), NormalBot())):
        won = 0.0
        for seed in range(300):
            bots = [(better, worse)[(seat + seed) % 2] for seat in range(4)]
            outcome = Simulation(Mercante, 4, seed=seed).rollout(bots, Chance(seed))
            assert outcome is not None
            won += sum((seat + seed) % 2 == 0 for seat in outcome.winners) / len(outcome.winners)
        assert won > 165, (type(better).__name__, won)
