"""Rulings 22 to 34: purchases, trades, line-up, auctions, Objectives, loans, characters."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata_horse_fever.cards.characters import CHARACTERS
from tavolata_horse_fever.cards.horses import HORSES
from tavolata_horse_fever.cards.loans import Loan
from tavolata_horse_fever.rules.auctions import BUY_A_POINT, SELL_A_POINT, answers, auctions
from tavolata_horse_fever.rules.betting import tips
from tavolata_horse_fever.rules.counter import Buy
from tavolata_horse_fever.rules.ledger import Flow
from tavolata_horse_fever.rules.line_up import line_up
from tavolata_horse_fever.rules.market import OBJECTIVE
from tavolata_horse_fever.rules.purchases import purchases

from .paddock import B, G, K, Paddock, R, W, Y

PASSES = [Buy.PASS, Buy.PASS]


def shop(**options: Any) -> Paddock:
    """Three players with 5000 D; seat 0 is asked first."""
    return Paddock(board=True, **options).money(5000, 5000, 5000)


def open_all(paddock: Paddock, cards: Any) -> None:
    for card in cards:
        card._face = card.deck.faces[paddock.source._faces[card.id]]


def at_the_counter(paddock: Paddock, *answers: Any) -> Paddock:
    paddock.start(purchases)
    paddock.match.play(*answers)
    return paddock


def test_ruling_22_two_rounds_clockwise() -> None:
    """Everybody is asked twice, from the First Player on."""
    paddock = shop(first=1)
    paddock.start(purchases)
    asked = []
    while paddock.match.open:
        asked += paddock.asked()
        paddock.match.play(Buy.PASS)
    assert asked == [1, 2, 0, 1, 2, 0]
    assert paddock.purse == [5800] * 3


@pytest.mark.parametrize(("buy", "answer"), [
    (Buy.OBJECTIVE, "most money"), (Buy.ASSISTANT, "Daniel Jackson"), (Buy.HORSE, "Varonne"), (R, None),
])  # fmt: skip
def test_ruling_22_once_in_a_phase(buy: Any, answer: Any) -> None:
    """A second Objective, Assistant, Horse or stable can't be bought in the same phase, but in the next."""
    paddock = shop().deck(*[answer] if answer else [])
    at_the_counter(paddock, buy, *[answer] if answer else [], *PASSES)
    assert paddock.refusing(buy if answer else Y) == "once per turn"
    paddock.match.play(Buy.PASS, *PASSES)
    paddock.start(purchases)
    assert (buy if answer else Y) in paddock.kind.values


def test_ruling_22_twice_in_a_phase() -> None:
    """Action cards twice make four, and one may pass twice."""
    paddock = at_the_counter(shop(), Buy.ACTIONS, *PASSES, Buy.ACTIONS, *PASSES)
    assert len(paddock.game.hands[0]) == 4
    assert paddock.purse[:2] == [5000 - 800, 5000 + 800]


def test_ruling_22_each_loan_once_while_cards_last() -> None:
    """Both kinds may be taken, none twice; when six cards are out nobody gets one."""
    paddock = at_the_counter(shop(), Loan.BANK, *PASSES)
    assert paddock.refusing(Loan.BANK) == "once per match"
    assert Loan.UNDERWORLD in paddock.kind.values
    paddock = Paddock(4, board=True)
    paddock.game.loans = [(paddock.table.ring[seat], loan) for seat in (1, 2, 3) for loan in Loan]
    paddock.start(purchases)
    assert paddock.refusing(Loan.BANK) == "none left"


def test_ruling_22_prices() -> None:
    """Decks 400 D, stables by their odds; what is too dear is not to be had, and passing always is."""
    paddock = Paddock(2, board=True).money(0)
    paddock.start(purchases)
    assert paddock.kind.values == (Loan.BANK, Loan.UNDERWORLD, Buy.SALE, Buy.PASS)
    for stable, price in ((G, 1700), (R, 1500), (Y, 1300), (W, 1100)):
        paddock = at_the_counter(Paddock(2, board=True).money(price), stable)
        assert paddock.purse[0] == 0
        assert paddock.points[0] == 3


def test_ruling_23_four_are_drawn_one_is_kept() -> None:
    """The buyer alone sees them; the rest goes under the deck, in an order that nobody knows."""
    paddock = shop().deck("Varonne", "The Fury", "Troy", "Napoleon")
    at_the_counter(paddock, Buy.HORSE)
    cards = paddock.kind.values
    seen = [str(paddock.match.views(0).face(card)) for card in cards]
    assert seen == ["Varonne", "The Fury", "Troy", "Napoleon"]
    assert not any(paddock.match.views(seat).face(card) for card in cards for seat in (1, 2, None))
    paddock.match.play("The Fury")
    under: Any = paddock.game.horse_deck.cards[:3]
    assert set(under) == set(cards) - {cards[1]}
    assert not any(paddock.match.views(0).face(card) for card in under)
    assert len(paddock.game.horse_deck) == len(HORSES) - 1


def test_ruling_23_with_fewer_than_four_there_are_fewer_and_an_empty_deck_sells_nothing() -> None:
    """Two are drawn from two; from none nothing can be bought."""
    paddock = shop()
    while len(paddock.game.horse_deck) > 2:
        paddock.game.horses[1].put(paddock.game.horse_deck.take_top())
    open_all(paddock, paddock.game.horses[1])
    at_the_counter(paddock, Buy.HORSE)
    assert len(paddock.kind.values) == 2
    paddock = shop()
    paddock.game.horse_deck.move_to(paddock.game.horses[1])
    open_all(paddock, paddock.game.horses[1])
    paddock.start(purchases)
    assert paddock.refusing(Buy.HORSE) == "none left"


def test_ruling_23_the_buyer_may_shuffle_a_deck_that_was_put_back_under() -> None:
    """The first purchase asks nothing; the second one from the same deck does."""
    paddock = at_the_counter(shop().deck("Varonne"), Buy.HORSE, "Varonne", Buy.HORSE)
    assert paddock.kind.values == (True, False)
    paddock.match.play(True)
    assert "P1 shuffles the deck first." in paddock.match.said()
    assert len(paddock.kind.values) == 4


def test_ruling_24_a_trade_needs_the_seller_and_costs_double() -> None:
    """A card at 800 D, from player to player; the purchase is used up."""
    paddock = at_the_counter(shop().has(1, "Varonne"), Buy.TRADE)
    offer = (1, paddock.card("Varonne"))
    paddock.match.play(offer)
    assert paddock.asked() == [1]
    paddock.match.play(True)
    assert paddock.purse == [4200, 5800, 5000]
    assert paddock.card("Varonne") in paddock.game.horses[0]
    assert paddock.asked() == [1]


@pytest.mark.parametrize(("stable", "row", "price"), [
    (B, 2, 4200), (B, 3, 3800), (B, 4, 3400), (B, 5, 3000), (B, 6, 2600), (B, 7, 2200),
])  # fmt: skip
def test_ruling_24_stables_at_double_their_price_without_discount(stable: Any, row: int, price: int) -> None:
    """By the odds of now; Franz Galopp makes nothing cheaper here."""
    paddock = at_the_counter(shop().has(0, "Franz").odds(B=row), Buy.TRADE, (1, stable), True)
    assert paddock.purse[:2] == [5000 - price, 5000 + price]
    assert paddock.points[:2] == [3, 1]


def test_ruling_24_who_does_not_sell_is_not_asked_twice() -> None:
    """The buyer chooses something else, and the same offer is not among it; nothing was paid."""
    paddock = at_the_counter(shop().has(1, "Varonne"), Buy.TRADE, (1, B), False)
    assert paddock.asked() == [0]
    paddock.match.play(Buy.TRADE)
    assert (1, B) not in paddock.kind.values
    assert (1, paddock.card("Varonne")) in paddock.kind.values
    paddock.match.play(None, Buy.PASS)
    assert paddock.purse[:2] == [5400, 5000]


def test_ruling_24_a_seat_that_nobody_plays_trades_nothing() -> None:
    """An absent player refuses each offer and passes each purchase."""
    paddock = at_the_counter(shop().has(1, "Varonne"), Buy.TRADE, (1, B))
    while paddock.match.open:
        paddock.match.play(paddock.match.open[0].otherwise)
    assert paddock.purse == [5800] * 3
    assert paddock.game.owners[B] == 1


def test_ruling_24_trades_are_free_of_the_limits_of_purchases() -> None:
    """Who has bought a Horse from the deck may buy another from a player."""
    paddock = shop().has(1, "The Fury").deck("Varonne")
    at_the_counter(paddock, Buy.HORSE, "Varonne", *PASSES, Buy.TRADE, (1, paddock.card("The Fury")), True)
    assert len(paddock.game.horses[0]) == 2


def test_ruling_24_actions_loans_and_characters_are_not_traded() -> None:
    """What may be asked for is stables, Assistants, Horses, and Objectives."""
    paddock = shop().has(1, "Varonne", "Daniel", "most money")
    paddock.move("Magna", paddock.game.hands[1])
    paddock.game.loans.append((paddock.table.ring[1], Loan.BANK))
    at_the_counter(paddock, Buy.TRADE)
    wares = [value[1] for value in paddock.kind.values if value is not None and value[0] == 1]
    assert wares == [B, paddock.card("Daniel"), paddock.card("Varonne"), OBJECTIVE]


def test_ruling_24_the_seller_chooses_the_objective_and_only_two_know_it() -> None:
    """Of two Objectives the seller gives one; the buyer sees it, nobody else does."""
    paddock = shop().has(1, "most money", "fewest points")
    at_the_counter(paddock, Buy.TRADE, (1, OBJECTIVE), True)
    assert paddock.asked() == [1]
    paddock.match.play("fewest points")
    (card,) = paddock.game.objectives[0]
    assert [str(paddock.match.views(seat).face(card)) for seat in (0, 1)] == ["fewest points"] * 2
    assert paddock.match.views(2).face(card) is None
    assert not card.is_public


@pytest.mark.parametrize(("row", "price"), [(2, 1000), (3, 900), (4, 800), (5, 700), (6, 600), (7, 500)])
def test_ruling_25_the_bank_pays_half_rounded_down(row: int, price: int) -> None:
    """Stables by their odds; cards 200 D; what is sold is on offer again."""
    paddock = at_the_counter(shop().odds(K=row), Buy.SALE, K)
    assert paddock.purse[0] == 5000 + price
    assert paddock.game.owners[K] is None


@pytest.mark.parametrize(("ware", "deck"), [
    ("Varonne", "horse_deck"), ("Daniel", "assistant_deck"), ("most money", "objective_deck"),
])  # fmt: skip
def test_ruling_25_a_card_brings_200_and_goes_under_its_deck(ware: str, deck: str) -> None:
    """Half of 400 D; what was sold is the undermost card of its deck, face down."""
    paddock = shop().has(0, ware)
    piles: list[Any] = [paddock.game.horses[0], paddock.game.assistants[0], paddock.game.objectives[0]]
    (card,) = (card for pile in piles for card in pile)
    at_the_counter(paddock, Buy.SALE, card)
    assert getattr(paddock.game, deck).bottom is card
    assert not card.is_public
    assert paddock.purse[0] == 5200


def test_ruling_26_a_swap_is_a_must_if_anybody_has_a_card() -> None:
    """There is no choice of none; with nobody to swap with the buyer keeps the card."""
    paddock = at_the_counter(shop().has(1, "Varonne").deck("Troy"), Buy.HORSE, "Troy")
    assert paddock.kind.values == ((1, paddock.card("Varonne")),)
    paddock = at_the_counter(shop().deck("Troy"), Buy.HORSE, "Troy")
    assert paddock.asked() == [1]
    assert paddock.card("Troy") in paddock.game.horses[0]


def test_ruling_26_who_got_it_by_a_swap_cannot_use_it_but_who_buys_it_can() -> None:
    """Bought from a player Cédric is swapped again, also for another card of the one who sold him."""
    paddock = shop().has(1, "Cédric", "Tommy").has(2, "Daniel")
    cedric, daniel = paddock.card("Cédric"), paddock.card("Daniel")
    at_the_counter(paddock, Buy.TRADE, (1, cedric), True)
    assert set(paddock.kind.values) == {(1, paddock.card("Tommy")), (2, daniel)}
    paddock.match.play((2, daniel))
    assert daniel in paddock.game.assistants[0]
    assert cedric in paddock.game.assistants[2]
    assert paddock.asked() == [1]


def test_ruling_26_riche_pays_when_bought_from_the_deck_only() -> None:
    """Who buys him from another player gets nothing but him."""
    paddock = shop().has(1, "François")
    at_the_counter(paddock, Buy.TRADE, (1, paddock.card("François")), True)
    assert paddock.purse[0] == 5000 - 800


def bid(paddock: Paddock, answers: str) -> list[tuple[int, int]]:
    """Play the auctions with y and n; who was asked for which sum."""
    paddock.start(auctions)
    asked = []
    for answer in answers:
        (ask,) = paddock.match.open
        asked.append((int(ask.seat), ask.params["n"]))
        paddock.match.play(answer == "y")
    return asked


def test_ruling_27_the_low_auction() -> None:
    """From 1000 D down by 100; who passes is out, the last one sells a point."""
    paddock = shop()
    assert bid(paddock, "ynyyn")[:5] == [(0, 1000), (1, 900), (2, 900), (0, 800), (2, 700)]
    assert paddock.purse[0] == 5800
    assert paddock.game.tokens == [0, 1, 1]


def test_ruling_27_limits_go_the_way_of_their_auction() -> None:
    """A seller's limit lies below the price, a buyer's above it, and the choice says so."""
    labels = [answers(question, 1000).choices[2].label for question in (SELL_A_POINT, BUY_A_POINT)]
    assert labels == ["yes, and keep bidding down to a limit", "yes, and keep bidding up to a limit"]


def test_ruling_27_the_high_auction() -> None:
    """From 1000 D up by 100, to who stays; a point is bought."""
    paddock = shop().tokens(0, 0, 0)
    assert bid(paddock, "yyny") == [(0, 1000), (1, 1100), (2, 1200), (0, 1200)]
    paddock.match.play(False)
    assert paddock.purse[0] == 5000 - 1200
    assert paddock.game.tokens == [1, 0, 0]
    assert paddock.game.point_books[Flow.AUCTION] == [1, 0, 0]


def test_ruling_27_who_may_bid() -> None:
    """Only who has a token sells; only who has the cash buys; one bidder closes at the own price."""
    paddock = shop().tokens(0, 1, 0).money(1000, 900, 1000)
    assert bid(paddock, "y") == [(1, 1000)]
    assert paddock.purse[1] == 1900
    assert paddock.asked() == [0]  # in the high auction
    paddock = shop().tokens(0, 0, 0).money(900, 1000, 900)
    assert bid(paddock, "y") == [(1, 1000)]
    assert not paddock.match.open
    assert paddock.purse[1] == 0


def test_ruling_27_nobody_goes_below_the_floor() -> None:
    """At 100 D nobody can undercut any more."""
    paddock = Paddock(2, board=True).money(0, 0)
    asked = bid(paddock, "y" * 10)
    assert [price for _, price in asked] == [1000, 900, 800, 700, 600, 500, 400, 300, 200, 100]
    assert not paddock.match.open
    assert paddock.purse == [0, 100]


def test_ruling_27_without_bids_nothing_happens() -> None:
    """All pass: the auctions end."""
    paddock = shop()
    assert len(bid(paddock, "nnnnnn")) == 6
    assert paddock.purse == [5000] * 3
    assert paddock.match.said().count("No one bids.") == 2


def test_ruling_27_a_seat_that_nobody_plays_bids_nothing() -> None:
    """An absent player neither sells a point nor buys one."""
    paddock = shop()
    paddock.start(auctions)
    while paddock.match.open:
        paddock.match.play(paddock.match.open[0].otherwise)
    assert paddock.match.said().count("No one bids.") == 2


def test_ruling_28_the_line_up_is_optional_one_horse_a_stable() -> None:
    """Stable by stable, from the First Player on; each Horse runs once; whoever has none is not asked."""
    paddock = shop(first=1).owns(1, R).has(1, "Varonne", "The Fury").has(0, "Troy")
    paddock.start(line_up)
    assert paddock.asked() == [1]
    paddock.match.play("Varonne")
    assert paddock.kind.values == (None, paddock.card("The Fury"))
    paddock.match.play(None)
    assert paddock.asked() == [0]
    paddock.match.play("Troy")
    assert not paddock.match.open
    assert paddock.game.lined_up(B) is not None
    assert paddock.game.lined_up(R) is None


def test_ruling_28_horses_that_change_odds_do_it_at_once_and_for_good() -> None:
    """After the turn the Horse goes home, and the odds stay."""
    paddock = shop().has(1, "El Guapo").play(line_up, "El Guapo")
    assert paddock.game.odds[B] == 2
    paddock.start(auctions)
    while paddock.match.open:
        paddock.match.play(False)
    assert paddock.game.odds[B] == paddock.game.before[B] == 2
    assert paddock.card("El Guapo") in paddock.game.horses[1]


def test_ruling_29_objectives_are_paid_after_all_are_compared() -> None:
    """Points won by an Objective do not make another one fail; equal cards count once."""
    paddock = shop().money(500, 400, 300).tokens(1, 1, 1)
    paddock.has(0, "most money", "fewest points").has(1, "fewest points")
    paddock.finish()
    assert paddock.game.point_books[Flow.GOAL] == [2 + 1, 1, 0]
    paddock = shop().money(500, 400, 300).has(0, "most money")
    paddock.has(0, "most money")
    paddock.finish()
    assert len(paddock.game.objectives[0]) == 2
    assert paddock.game.point_books[Flow.GOAL] == [2, 0, 0]


def test_ruling_29_money_counts_after_loans_are_repaid() -> None:
    """3000 D less 2500 D is less than 600 D."""
    paddock = shop().money(3000, 500, 600).has(2, "most money")
    paddock.game.loans = [(paddock.table.ring[0], Loan.BANK)]
    paddock.finish()
    assert paddock.game.point_books[Flow.GOAL] == [0, 0, 2]
    assert paddock.game.loans == []  # the card goes back with the money


def test_ruling_30_who_cannot_repay_has_lost_and_counts_for_nothing() -> None:
    """The ruined has no points, and no cards for the Objectives of the others."""
    paddock = shop().money(100, 500, 500).tokens(9, 1, 1)
    paddock.has(0, "Varonne", "Troy").has(1, "The Fury", "most horses")
    paddock.game.loans = [(paddock.table.ring[0], Loan.UNDERWORLD)]
    paddock.finish()
    outcome = paddock.match.outcome
    assert outcome is not None
    assert outcome.winners == (1,)
    assert outcome.scores == (0, 4, 2)
    assert outcome.ranks == (3, 1, 2)


def test_ruling_30_if_all_are_ruined_nobody_wins() -> None:
    """Everybody owes more than there is."""
    paddock = Paddock(2, board=True).money(0, 0)
    paddock.game.loans = [(seat, Loan.BANK) for seat in paddock.table.ring]
    outcome = paddock.finish().match.outcome
    assert outcome is not None
    assert outcome.winners == ()


def test_ruling_31_eric_acts_every_turn_after_the_first_bets() -> None:
    """His chapter stands between first bets and Action cards; nobody else is asked in it."""
    paddock = Paddock(board=True, starred=True, characters=("Steve", "Eric", "Viktor")).start(tips)
    assert paddock.asked() == [1]
    names = [chapter.__name__ for chapter in paddock.chapters]
    assert names[names.index("tips") - 1 : names.index("tips") + 2] == ["first_bets", "tips", "tamper"]


def test_ruling_31_miss_double_has_limits_in_the_first_round() -> None:
    """Her limits are lifted in the second round; those of the others are not."""
    paddock = Paddock(board=True, starred=True, characters=("Miss Double", "Steve", "Viktor")).money(5000)
    at_the_counter(paddock.deck("Varonne"), Buy.HORSE, "Varonne", *PASSES)
    assert Buy.HORSE in paddock.kind.values
    other = Paddock(board=True, starred=True, characters=("Steve", "Miss Double", "Viktor")).money(5000)
    at_the_counter(other.deck("Varonne"), Buy.HORSE, "Varonne", *PASSES)
    assert other.refusing(Buy.HORSE) == "once per turn"


def test_ruling_31_what_costs_nothing_uses_the_purchase() -> None:
    """A free Horse is the purchase of this round, and the only Horse of this phase."""
    paddock = shop().has(0, "Francisco").deck("Varonne")
    at_the_counter(paddock, Buy.HORSE, "Varonne")
    assert paddock.asked() == [1]
    paddock.match.play(*PASSES)
    assert paddock.refusing(Buy.HORSE) == "once per turn"


def test_ruling_32_aronne_and_michele() -> None:
    """The bank is content with 1500 D, the underworld with 4000 D; both loans are 5500 D then."""
    paddock = shop().has(0, "Aronne", "Michele").money(6000, 0, 0)
    paddock.game.loans = [(paddock.table.ring[0], loan) for loan in Loan]
    assert paddock.finish().purse[0] == 500


def test_ruling_33_defaults_follow_the_rulebook() -> None:
    """Cranéo 1:6 with 4200 D, Sigvard 1:7 with 4400 D, Miss Paris 5000 D."""
    found = {card.name: (card.odds, card.money) for card in CHARACTERS}
    assert found["Cranéo Cervantes"] == (6, 4200)
    assert found["Sigvard Skalle"] == (7, 4400)
    assert found["Miss Paris"] == (None, 5000)


def test_ruling_34_characters_come_after_the_odds() -> None:
    """Cranio owns whichever stable is at 1:2; later several may stand on one row."""
    for letter, colour in zip("KBGRYW", (K, B, G, R, Y, W), strict=True):
        rest = "KBGRYW".replace(letter, "")
        assert Paddock(odds=letter + rest).game.stables_of(0) == [colour]  # type: ignore[arg-type]
    said = Paddock().match.said()
    assert said[0].startswith("The blackboard")
    paddock = shop().has(0, "El Guapo").odds(K=4).play(line_up, "El Guapo")
    assert [paddock.game.odds[c] for c in (K, B)] == [2, 3]
