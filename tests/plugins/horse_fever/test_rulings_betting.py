"""Rulings 14 to 21: points and bets, Action cards, payments, who is out, who has won."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata import Refused
from tavolata_horse_fever.cards.action import PLAIN_ACTION
from tavolata_horse_fever.cards.assistants import ASSISTANT_DECK
from tavolata_horse_fever.cards.horses import HORSE_DECK
from tavolata_horse_fever.cards.objectives import OBJECTIVE_DECK
from tavolata_horse_fever.rules.bets import Stake
from tavolata_horse_fever.rules.betting import LAID, NO_TOKEN, first_bets, second_bets, tamper
from tavolata_horse_fever.rules.dealing import deal
from tavolata_horse_fever.rules.payments import new_odds

from .paddock import PLACE, WIN, B, G, K, Paddock, R, W, Y


def bet(horse: Any, side: Any = WIN, stake: int = 200) -> Stake:
    return Stake((horse, side), stake)


@pytest.mark.parametrize("board", [False, True])
def test_ruling_14_points_are_tokens_and_stables_and_make_the_minimum_bet(board: bool) -> None:
    """At the start one token and one stable: two points, and at least 200 D a bet; with four 400 D."""
    paddock = Paddock(board=board)
    assert paddock.points == [2, 2, 2]
    paddock.tokens(3).start(first_bets)
    assert (paddock.kind.fields["coins"].low, paddock.kind.fields["coins"].step) == (400, 100)
    for wrong in (300, 450, 3500):
        with pytest.raises(Refused):
            paddock.kind.answer_for(bet(R, WIN, wrong))
    assert paddock.kind.fields["coins"].default == 400


def test_ruling_14_never_below_100() -> None:
    """Who has no points, or fewer than none, bets 100 D at least."""
    paddock = Paddock().tokens(-2).start(first_bets)
    assert paddock.kind.fields["coins"].low == 100


def test_ruling_15_who_cannot_cover_the_first_bet_pays_two_points() -> None:
    """With two points or more: two less and no first bet; the second is open at the new minimum."""
    paddock = Paddock().money(100, 3000, 3000).play(first_bets, bet(R), bet(R))
    assert paddock.points == [0, 2, 2]
    assert paddock.game.tokens[0] == -1
    paddock.start(second_bets)
    paddock.match.play(None, None)
    assert paddock.asked() == [0]
    paddock.match.play((K, PLACE))
    assert paddock.kind.low == 100


def test_ruling_15_with_fewer_than_two_points_one_is_out() -> None:
    """One point: out of the match, and asked nothing any more."""
    paddock = Paddock().money(100, 3000, 3000).tokens(1)
    paddock.game.owners[K] = None
    paddock.money(0).play(first_bets, bet(R), bet(R))
    assert paddock.game.gone == [0]
    paddock.start(second_bets)
    assert paddock.asked() == [2]


def test_ruling_15_the_second_bet_is_not_owed() -> None:
    """Who can't cover it is not asked, and loses nothing."""
    paddock = Paddock().money(100, 3000, 100).start(second_bets)
    assert paddock.asked() == [1]
    assert paddock.points == [2, 2, 2]


@pytest.mark.parametrize(("seats", "tokens"), [(2, 1), (3, 2), (4, 3), (5, 4), (6, 4)])
def test_ruling_16_a_bet_needs_a_token(seats: int, tokens: int) -> None:
    """So many bets lie on a horse at most; then it can't be chosen, and it is said why."""
    paddock = Paddock(seats)
    for number in range(tokens):
        assert paddock.game.free_tokens(R) == tokens - number
        paddock.bets(number % seats, R, WIN if number < seats else PLACE, 200)
    paddock.start(first_bets)
    bets = paddock.kind.fields["on"]
    assert {value[0] for value in bets.values} == {K, B, G, Y, W}
    (no,) = bets.shape().unavailable
    assert (no.reason, no.values, no.params) == (NO_TOKEN, ((R, WIN), (R, PLACE)), {"horse": R})


def test_ruling_16_not_twice_on_the_same_side_of_a_horse() -> None:
    """Who has red to win may bet red to place, or anything else."""
    paddock = Paddock().bets(2, R, WIN, 200).start(second_bets)
    assert (R, WIN) not in paddock.kind.values
    assert (R, PLACE) in paddock.kind.values
    (no,) = paddock.kind.shape().unavailable
    assert (no.reason, no.values) == (LAID, ((R, WIN),))


def test_ruling_16_without_a_token_the_bet_is_skipped() -> None:
    """When all tokens lie on the table, nobody is asked and nobody is punished."""
    paddock = Paddock(2)
    for horse in (K, B, G, R, Y, W):
        paddock.bets(0, horse, WIN, 100)
    paddock.start(first_bets)
    assert not paddock.match.open
    assert paddock.points == [2, 2]


def test_ruling_17_action_cards_go_around_until_all_are_played() -> None:
    """Two cards each, one at a time, clockwise from the First Player; none is kept."""
    paddock = Paddock(first=1).play(deal)
    paddock.start(tamper)
    asked = []
    while paddock.match.open:
        asked += paddock.asked()
        card = paddock.kind.fields["card"].values[0]
        paddock.match.play({"card": card, "lane": R})
    assert asked == [1, 2, 0, 1, 2, 0]
    assert len(paddock.game.lanes[R]) == 6
    assert not any(paddock.game.hands)


def test_ruling_17_who_has_no_card_is_skipped() -> None:
    """In the Board Game hands differ."""
    paddock = Paddock(board=True)
    for name in ("Magna", "Herba", "XIII"):
        paddock.move(name, paddock.game.hands[1])
    paddock.move("Alfio", paddock.game.hands[2])
    paddock.start(tamper)
    asked = []
    while paddock.match.open:
        asked += paddock.asked()
        paddock.match.play({"card": paddock.kind.fields["card"].values[0], "lane": R})
    assert asked == [1, 2, 1, 1]


def test_ruling_18_the_order_of_payments() -> None:
    """Clockwise from the First Player: bets, prizes, income; only then debts, to players before the bank."""
    paddock = Paddock(board=True, starred=True, characters=("Steve", "Viktor", "César"), first=1)
    paddock.money(0, 0, 0).has(0, "Pedro Pugno").has(1, "Daniel Jackson").behind(R, "Armand")
    paddock.game.bets = []
    paddock.money(0, 100, 100).bets(1, R, WIN, 100)
    paddock.pay_out("KGWYBR")
    # Seat 1 gets 400 for green, 300 from Daniel, and pays 200 to seat 0 and 400 to the bank.
    assert paddock.purse == [200, 100, 100]
    said = [line for line in paddock.match.said() if line.startswith(("P1", "Everyone"))][-5:]
    assert said == [
        "P1 loses this bet: red (R) to win, 100 D.",
        "P1 gets 400 D for the green stable (G).",
        "P1's Assistants earn 300 D.",
        "P1 pays 200 D to their neighbour P0.",
        "P1 pays 400 D, like everyone who bet on red (R).",
    ]


def test_ruling_18_who_cannot_pay_a_debt_loses_two_points_or_is_out() -> None:
    """The debt is not paid then, and nothing else is taken."""
    paddock = Paddock(board=True).money(0, 0, 100).tokens(1, 1, 1).has(1, "Brian O'Fist")
    paddock.pay_out("RYWGBK")
    assert (paddock.points, paddock.purse[:2]) == ([0, 2, 2], [0, 0])
    paddock = Paddock(board=True).money(0, 0, 100).tokens(0, 1, 1).has(1, "Brian O'Fist")
    paddock.pay_out("RYWGBK")
    assert paddock.game.gone == [0]
    assert paddock.game.owners[K] is None


def test_ruling_18_a_player_is_paid_before_the_bank() -> None:
    """With 200 D for two debts the neighbour gets them, and the bank's debt costs points."""
    paddock = Paddock(board=True, starred=True, characters=("Steve", "Viktor", "César"))
    paddock.has(1, "Brian").behind(R, "Armand").money(300, 0, 0).bets(0, R, WIN, 100)
    paddock.pay_out("KWGYBR")
    assert paddock.purse[:2] == [0, 200 + 200]
    assert paddock.points[0] == 0


def test_ruling_19_the_bank_never_runs_dry() -> None:
    """It pays whatever is won: here 7 times 90,000 D."""
    paddock = Paddock().odds(R=7).money(90_000, 0, 0).bets(0, R, WIN, 90_000)
    assert paddock.pay_out("RYWGBK").purse[0] == 630_000


def test_ruling_20_who_is_out_loses_stakes_and_cards() -> None:
    """Bets are gone, cards are back in their decks, stables on offer, and the First Player card goes on."""
    paddock = Paddock(board=True).has(0, "Varonne", "Daniel", "most money")
    paddock.money(100, 3000, 3000).tokens(0, 1, 1)
    paddock.game.owners[R] = paddock.table.ring[0]
    paddock.lines_up(R, "Troy")
    paddock.game.owners[R] = paddock.table.ring[0]
    paddock.move("Magna", paddock.game.hands[0])
    paddock.game.owners[K] = None
    paddock.bets(0, Y, WIN, 100)
    paddock.start(first_bets)
    assert paddock.game.gone == [0]
    assert paddock.game.first == 1
    assert not [one for one in paddock.game.bets if one.seat == 0]
    game = paddock.game
    sizes = [len(deck) for deck in (game.horse_deck, game.assistant_deck, game.objective_deck)]
    assert sizes == [len(HORSE_DECK.faces), len(ASSISTANT_DECK.faces), 2 * len(OBJECTIVE_DECK.faces)]
    assert len(game.spent) + len(game.action) == len(PLAIN_ACTION.faces)
    assert paddock.game.owners[R] is None
    assert paddock.purse[0] == 0


def test_ruling_20_the_last_one_left_has_won() -> None:
    """When the others are out the match is over at once, whatever the points."""
    paddock = Paddock(2).money(0, 0).tokens(0, -5).start(first_bets)
    assert paddock.match.outcome is not None
    assert paddock.match.outcome.winners == (1,)
    assert paddock.match.outcome.ranks == (2, 1)


def ended(board: bool, tokens: tuple[int, ...], money: tuple[int, ...], lot: int = 0) -> Any:
    paddock = Paddock(board=board).tokens(*tokens).money(*money)
    paddock.source._lots = [lot]
    if board:
        paddock.finish()
    else:
        paddock.game.turn_number = paddock.game.last_turn(paddock.table.options)
        paddock.arrived("KBGRYW").play(new_odds)
    outcome = paddock.match.outcome
    assert outcome is not None
    level = outcome.why is not None and "level on points" in outcome.why.message
    assert level is (not board and tokens[0] == tokens[1] and money[0] != money[1])
    return outcome


def test_ruling_21_family_ties_go_to_money_then_to_the_die() -> None:
    """Most points; then most Danari; then a lot among those who are level."""
    assert ended(False, (3, 4, 2), (500, 0, 900)).winners == (1,)
    assert ended(False, (3, 3, 2), (500, 600, 900)).winners == (1,)
    for lot in (0, 1):
        outcome = ended(False, (3, 3, 2), (500, 500, 900), lot)
        assert outcome.winners == (lot,)
        assert sorted(outcome.ranks) == [1, 2, 3]
        assert outcome.ranks[2] == 3


def test_ruling_21_board_ties_go_to_the_die_alone() -> None:
    """Money decides nothing."""
    for lot in (0, 1):
        assert ended(True, (0, 0, -1), (500, 600, 900), lot).winners == (lot,)


def test_the_second_bets_begin_with_the_last_player() -> None:
    """Against the clock, the First Player last."""
    paddock = Paddock(4, first=1).start(second_bets)
    asked = []
    while paddock.match.open:
        asked += paddock.asked()
        paddock.match.play(None)
    assert asked == [0, 3, 2, 1]


def test_bets_pay_by_odds_or_double() -> None:
    """To win: the stake times the odds and three points; to place: double and one point."""
    paddock = Paddock().money(1000, 1000, 1000)
    paddock.bets(0, R, WIN, 300).bets(1, R, PLACE, 300).bets(2, Y, WIN, 300)
    paddock.pay_out("RYWGBK")
    assert paddock.purse == [700 + 1500, 700 + 600, 700]
    assert paddock.game.tokens == [4, 2, 1]


def test_stables_win_prizes() -> None:
    """600, 400 and 200 D for the first three, to their owners, in the Family Game, too."""
    assert Paddock().money(0, 0, 0).pay_out("GKBRYW").purse == [400, 200, 600]


@pytest.mark.parametrize(("seats", "turns"), [(2, 6), (3, 6), (4, 4), (5, 5), (6, 6)])
def test_so_many_turns(seats: int, turns: int) -> None:
    """By the number of players; or as the option says."""
    paddock = Paddock(seats)
    assert paddock.game.last_turn(paddock.table.options) == turns
    paddock = Paddock(seats, turns=2)
    assert paddock.game.last_turn(paddock.table.options) == 2


def test_the_first_player_card_goes_to_the_left() -> None:
    """After each turn, and to somebody who is still in."""
    paddock = Paddock(first=1).arrived("KBGRYW").play(new_odds)
    assert (paddock.game.first, paddock.game.turn_number) == (2, 2)
