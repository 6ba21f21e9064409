"""The rulings of Il Conto, Prego!, one by one, on tables whose cards are stacked."""

from __future__ import annotations

import pytest

from tavolata import Refused
from tavolata._engine.match.simulate import play
from tavolata.bots import RandomBot
from tavolata.decks import JOKER
from tavolata.errors import OptionError
from tavolata.options import problems_of
from tavolata.testing import rehearse
from tavolata.testing.script import Refuses
from tavolata_conto.calls import Please, Served, question
from tavolata_conto.menu import NOTHING_CALLED, Call, Move, dish_of
from tavolata_conto.options import ContoOptions
from tavolata_conto.rules import Conto

from .table import LETTERS, PLAIN, Dinner, called, stack

ACES = "A 2 3 4 5 6 | A 2 3 4 5 6 | A 7 8 9 10 J"
JOKERS = "W 2 3 4 5 6 | 7 8 9 10 J Q | 7 8 9 10 J Q"


def lost_by_opener(dinner: Dinner, dish: str = "2") -> Dinner:
    """The opener orders one card and spices it to what nobody has; whoever is next asks and wins."""
    return dinner.call(dish, f"1 {dish}").call(dish, f"1 {dish} 1 A").bill()


def test_ruling_1_three_to_eight_with_108_cards() -> None:
    """Three to eight sit down to six cards each, out of 108; five cards only with six players or more."""
    assert Conto.seats == (3, 8)
    game = Dinner(PLAIN).game
    assert [len(hand) for hand in game.hands] == [6, 6, 6]
    assert sum(map(len, [game.pack, *game.hands])) == 108
    for seats in range(3, 9):
        assert problems_of(ContoOptions(), seats, 0) == []
    for seats in (3, 5):
        (problem,) = problems_of(ContoOptions(cards=5), seats, 0)
        assert f"With {seats} players, cards must be 6. You can change it with 6 to 8" in str(problem)
    for seats in (6, 8):
        assert problems_of(ContoOptions(cards=5), seats, 0) == []
    six = " | ".join(["2 3 4 5 6"] * 6)
    assert [len(hand) for hand in Dinner(six, cards=5).game.hands] == [5] * 6
    with pytest.raises(OptionError, match="from 5 to 6"):
        ContoOptions.parse({"cards": 7})


@pytest.mark.battery
def test_ruling_2_first_dealer_by_lot_and_the_next_seat_after() -> None:
    """Over many seeds everybody is the first dealer; left of the dealer opens; then the next seat deals."""
    first = {int(play(Conto, ContoOptions(hands=1), [RandomBot()] * 3, seed).log[0][2]) for seed in range(30)}
    assert first == {0, 1, 2}
    dinner = Dinner(PLAIN, PLAIN)
    assert (int(dinner.game.dealer), dinner.seat) == (2, 0)
    lost_by_opener(dinner)
    assert (int(dinner.game.dealer), dinner.seat) == (0, 1)


def test_ruling_3_an_ace_is_above_a_king_and_a_two_below_all() -> None:
    """A king can be spiced to an ace, a two to anything."""
    dinner = Dinner("K 2 3 4 5 6 | A 2 3 4 5 6 | 2 2 3 3 4 4").call("K", "1 K").call("A", "1 A")
    assert str(dinner.game.last_call) == "1×A"
    dinner = Dinner(PLAIN).call("2", "1 2")
    assert {"1×5", "1×2 + 1×5", "2×5"} == set(dinner.offers("5"))


def test_ruling_4_who_opens_orders_one_card() -> None:
    """The only call that opens is one card of the dish shown."""
    assert Dinner(PLAIN).offers("7") == ["1×7"]


def test_ruling_5_one_card_of_another_rank_up_to_two_courses() -> None:
    """A second course is ordered beside the first as it is; a third, or a second of its rank, is refused."""
    dinner = Dinner(PLAIN).call("2", "1 2")
    dinner.refuses("2", "1 2 1 2", "Variety, please: the other course already uses 2.")
    dinner.call("2", "1 2 1 K").refuses("10", "1 2 1 K 1 10", "There are two courses already.")


def test_ruling_6_spicing_goes_up_with_as_many_cards() -> None:
    """Any distance upwards; not down, not to itself, not to the other's rank; an ace never."""
    dinner = Dinner(PLAIN).call("5", "1 5").call("5", "1 5 1 K")
    dinner.refuses("8", "1 4 1 K", "To spice a course, go above 5.")
    dinner.refuses("8", "1 5 1 K", "To spice a course, go above K.")
    dinner.refuses("8", "1 K 1 K", "Variety, please: the other course already uses K.")
    dinner.call("8", "1 8 1 K")
    Dinner(ACES).call("A", "1 A").refuses("A", "1 K", "Nothing is hotter than an ace.")


def test_ruling_7_upsizing_adds_one_card_of_any_rank_but_the_others() -> None:
    """The rank may stay, rise and fall; two cards more, or the other course's rank, are not to be had."""
    dinner = Dinner(PLAIN).call("5", "1 5")
    assert "2×5" in dinner.offers("5")
    assert "2×2" in dinner.offers("2")
    dinner.call("5", "1 5 1 3")
    assert {"2×8 + 1×3", "1×5 + 2×8"} <= set(dinner.offers("8"))
    assert "3×8 + 1×3" not in dinner.offers("8")
    dinner.refuses("8", "2 3 1 3", "Variety, please: the other course already uses 3.")


def test_ruling_8_a_natural_card_of_a_called_rank_is_shown() -> None:
    """It may belong to the unchanged course and may be the one shown before; a joker is refused."""
    dinner = Dinner("W 2 3 4 5 6 | 2 7 8 9 10 J | 2 7 8 9 10 J")
    dinner.refuses("W", "1 2", "You have to show a card whose rank is in your call.")
    dinner.call("2", "1 2").call("2", "1 2 1 9")  # the two is the course that stays
    dinner.call("2", "1 2 1 10")
    shown = dinner.card("2")
    assert shown.is_public
    dinner.call("2", "1 2 1 J")
    assert dinner.game.shown[dinner.match.table.ring[0]] is shown
    dinner.refuses("9", "1 2 1 Q", "You have to show a card whose rank is in your call.")


def test_ruling_8_a_seat_that_nobody_plays_asks_for_the_bill() -> None:
    """An absent player shows no card, because nobody knows which one would be of a called dish."""
    dinner = Dinner(PLAIN).call("2", "1 2")
    assert dinner.match.open[0].otherwise == (Please.BILL,)


@pytest.mark.parametrize("cards", ["K 3 4 5 6 7", "W K 3 4 5 6", "2 K 3 4 5 6"])
def test_ruling_8_a_seat_that_nobody_plays_opens_with_the_dish_of_its_first_card(cards: str) -> None:
    """Nobody may ask for the bill before the first call, and the card shown is of the dish called."""
    dinner = Dinner(f"{cards} | 2 3 4 5 6 7 | 8 9 10 J Q K")
    ask = dinner.match.open[0]
    ask.answer = ask.late  # as where nobody plays the seat: it claims nothing
    dinner.match.match.run()
    dish = next(card for card in cards.split() if card != "W")
    shown = dinner.game.shown[dinner.match.table.ring[0]]
    assert dinner.game.calls == [(0, called(f"1 {dish}"))]
    assert dish_of(shown.face) == LETTERS[dish]
    assert dinner.seat == 1


def test_ruling_9_a_shown_card_goes_back_at_the_next_turn_and_counts() -> None:
    """It lies there until its owner's turn, stays known to all, and is part of the hand in the bill."""
    dinner = Dinner(ACES).call("A", "1 A").call("A", "2 A")
    assert list(dinner.game.shown) == [0, 1]
    dinner.call("A", "3 A")
    assert list(dinner.game.shown) == [1, 2]
    assert dinner.card("A").is_public
    assert len(dinner.game.hands[0]) == 6
    dinner.bill()
    assert dinner.losses == [1, 0, 0]


def test_ruling_10_nobody_passes_and_without_a_call_there_is_the_bill() -> None:
    """Each turn is a call or the bill; when the menu is at its end, the bill comes without a question."""
    dinner = Dinner(PLAIN).call("2", "1 2")
    assert dinner.may_ask
    assert all(dinner.offers(dish) for dish in "234567")
    match = rehearse(Conto, seats=3, first=2, decks={"pack": [stack(PLAIN)]}, turns=1)
    match.play(((Move.ORDER, 0), Served(called("1 2"), match.game.hands[0].cards[0])))
    match.game.calls[-1] = (match.game.calls[-1][0], called("12 A 6 K"))
    match.play_turns(1)
    assert match.game.losses.values() == [1, 0, 0]
    assert "P1 snaps their fingers: “Il conto, prego!”" in match.said()


def test_ruling_10_who_has_no_card_for_any_call_must_ask() -> None:
    """Three cards are left in all hands: a six and two kings can only be spiced, and a five is no help."""
    one_each = "6 2 3 4 7 8 | K 2 3 4 7 8 | 5 2 3 4 7 8"
    dinner = lost_by_opener(Dinner(PLAIN, one_each, saldo=True).tabs([5, 4, 5]))
    for seat in (1, 2, 0):
        dinner.discard(seat, "2 3 4 7 8")
    dinner.call("6", "1 6").call("K", "1 6 1 K").call("5", "1 6 2 5").call("6", "1 6 2 J").call(
        "K", "1 6 2 K"
    )
    assert dinner.offers("5") == []
    assert dinner.may_ask  # and others can't know that the bill is all there is
    dinner.refuses("5", "1 7 2 K", "You have to show a card whose rank is in your call.")
    assert dinner.bill().losses == [5, 5, 6]


def test_ruling_11_the_bill_is_for_who_is_in_turn_and_not_before_the_first_call() -> None:
    """The opener is not offered it, and is told why; after a call only the next player is asked."""
    dinner = Dinner(PLAIN)
    dinner.match.play(Refuses((Please.BILL,), "Nothing has been called yet."))
    dinner.call("2", "1 2")
    assert [int(ask.seat) for ask in dinner.match.open] == [1]


def test_ruling_12_an_opener_always_has_a_card_to_show() -> None:
    """Without Saldo a hand has more cards than there are jokers; with Saldo a joker serves: no new deal."""
    assert ContoOptions.parse({"cards": 5}).cards > 4
    dinner = Dinner("W W W W 2 3 | 2 3 4 5 6 7 | 2 3 4 5 6 7")
    dinner.refuses("W", "1 2", "You have to show")
    assert dinner.offers("2") == ["1×2"]
    only_a_joker = "W 2 3 4 5 6 | 2 3 4 5 6 7 | 2 3 4 5 6 7"
    dinner = lost_by_opener(Dinner(PLAIN, only_a_joker, saldo=True).tabs([0, 4, 0]))
    dinner.discard(1, "2 3 4 5 6")
    assert (dinner.seat, len(dinner.offers("W"))) == (1, 13)


def test_ruling_13_no_course_above_twelve_and_no_call_above_all_cards() -> None:
    """Twelve of a rank is the most, and as many as there are cards in all hands."""
    hand = Dinner(PLAIN).game.hands[0]

    def why_not(before: Call, cards: int, words: str) -> str:
        move = (Move.UPSIZE, 0)
        with pytest.raises(Refused) as refused:
            question(before, cards, hand).answer_for((move, Served(called(words), hand.cards[0])))
        return str(refused.value)

    assert why_not(called("12 2"), 18, "13 2") == "A course can't have more than 12 cards."
    assert why_not(called("11 2 7 3"), 18, "12 4 7 3") == "There are only 18 cards in all the hands together."


@pytest.mark.parametrize(("third", "losses"), [("A", [1, 0, 0]), ("J", [0, 0, 1])])
def test_ruling_14_true_costs_the_asker_and_false_the_caller(third: str, losses: list[int]) -> None:
    """All hands are shown; the one of the two who was wrong loses, nobody else."""
    dinner = (
        Dinner(ACES)
        .call("A", "1 A")
        .call("A", "2 A")
        .call(third, f"2 A 1 {third}" if third == "J" else "3 A")
    )
    if third == "J":
        dinner.call("A", "3 A 1 J").call("A", "4 A 1 J").call("J", "5 A 1 J")
    dinner.bill()
    assert dinner.losses == losses
    assert sum("lays down" in line for line in dinner.match.said()) == 3
    assert dinner.game.hand == 2


def test_ruling_15_two_hands_for_each_and_fewest_losses_win() -> None:
    """By default 2 hands a player, or as many as agreed; who has lost least has won."""
    assert [ContoOptions().hand_limit(seats) for seats in (3, 8)] == [6, 16]
    assert ContoOptions(hands=5).hand_limit(3) == 5
    dinner = Dinner(PLAIN, hands=1).tabs([0, 0, 1])
    lost_by_opener(dinner)  # seat 1 has called what is not there
    assert dinner.losses == [0, 1, 1]
    assert dinner.outcome is not None
    assert dinner.outcome.winners == (0,)
    assert dinner.outcome.ranks == (1, 2, 2)


def test_ruling_15_extra_hands_break_a_tie() -> None:
    """All play on; the loss of one who is not tied decides nothing, that of one who is puts him behind."""
    dinner = Dinner(PLAIN, PLAIN, PLAIN, hands=1).tabs([0, 0, 5])
    game, t = dinner.game, dinner.match.table
    game.hand = 1
    assert game.result(t) is None
    assert (game.tied, game.extra_hands) == ([0, 1], 1)
    game.losses._load([0, 0, 6])
    assert game.result(t) is None
    assert (game.tied, game.extra_hands) == ([0, 1], 2)
    game.losses._load([0, 1, 6])
    outcome = game.result(t)
    assert outcome is not None
    assert outcome.winners == (0,)


def test_ruling_15_who_falls_behind_stays_behind_and_three_extra_hands_share() -> None:
    """Of three who tie one loses and is out of the tie; after the third extra hand the win is shared."""
    dinner = Dinner(PLAIN, hands=1).tabs([1, 1, 1])
    game, t = dinner.game, dinner.match.table
    game.hand = 1
    assert game.result(t) is None
    game.losses._load([1, 2, 1])
    assert game.result(t) is None
    assert game.tied == [0, 2]
    game.losses._load([2, 2, 2])  # impossible in one hand; but seat 1 would not come back into the tie
    assert game.result(t) is None
    assert (game.tied, game.extra_hands) == ([0, 2], 3)
    outcome = game.result(t)
    assert outcome is not None
    assert outcome.winners == (0, 2)


OSTE = {
    "true without jokers": ("9 2 3 4 5 6 | A 9 8 7 5 6 | W 7 8 9 10 J", "1 9 1 A", 1, True),
    "true with a joker": ("9 2 3 4 5 6 | A 9 8 7 5 6 | W 7 8 9 10 J", "1 9 2 A", 1, False),
    "false with a joker there": ("9 2 3 4 5 6 | A 9 8 7 5 6 | W 7 8 9 10 J", "1 9 3 A", 2, False),
    "false without a joker": ("9 2 3 4 5 6 | A 9 8 7 5 6 | 7 7 8 9 10 J", "1 9 2 A", 2, True),
}


@pytest.mark.parametrize(("hands", "call", "oste", "bonus"), OSTE.values(), ids=OSTE)
def test_ruling_16_the_winner_of_the_dispute_is_the_oste(
    hands: str, call: str, oste: int, bonus: bool
) -> None:
    """He deals next; a card more is his if no joker was needed, or none was there when it was false."""
    dinner = Dinner(hands, PLAIN + "; K", oste=True).call("9", "1 9").call("9", "1 9 1 A")
    dinner.game.calls[-1] = (dinner.game.calls[-1][0], called(call))
    dinner.bill()
    assert int(dinner.game.dealer) == oste
    assert [len(hand) for hand in dinner.game.hands] == [6 + (bonus and seat == oste) for seat in range(3)]


@pytest.mark.parametrize(
    ("call", "counted"),
    [("1 9 1 A", [2, 1, 1]), ("2 9 2 A", [2, 2]), ("3 9 3 A", [3, 1]), ("1 9 3 A", [2, 2])],
)
def test_ruling_14_a_joker_is_counted_for_what_is_missing(call: str, counted: list[int]) -> None:
    """On the board it fills up the first course that lacks a card; one that nothing lacks is on its own."""
    dinner = Dinner("9 2 3 4 5 6 | A 9 8 7 5 6 | W 7 8 4 10 J", PLAIN).call("9", "1 9").call("9", "1 9 1 A")
    dinner.game.calls[-1] = (dinner.game.calls[-1][0], called(call))
    dinner.bill()
    marks = [mark for event in dinner.match.events for mark in event.marks if mark.kind == "counted"]
    assert [len(mark.cards) for mark in marks] == counted


def test_ruling_17_the_card_more_is_for_one_hand() -> None:
    """It comes with the next deal and is gone with it; the Oste himself goes with the next dispute."""
    dinner = Dinner(PLAIN, PLAIN + "; K", PLAIN.replace("2", "W", 1), oste=True)
    lost_by_opener(dinner)
    assert [len(hand) for hand in dinner.game.hands] == [6, 6, 7]
    dinner.call("2", "1 2").call("2", "1 2 1 A").call("8", "1 8 1 A").bill()
    assert int(dinner.game.dealer) == 0
    assert sorted(len(hand) for hand in dinner.game.hands) == [6, 6, 7]
    assert len(dinner.game.hands[0]) == 7


def test_ruling_18_the_oste_acts_last_in_the_first_round() -> None:
    """Left of the Oste, who deals, opens."""
    dinner = Dinner(PLAIN, PLAIN + "; K", oste=True)
    lost_by_opener(dinner)
    assert (int(dinner.game.dealer), dinner.seat) == (2, 0)


def test_ruling_19_a_card_less_for_each_saldo() -> None:
    """One is discarded face down for each; it counts in no bill and is dealt again with the next hand."""
    dinner = Dinner(PLAIN, ACES, saldo=True).tabs([0, 1, 0])
    lost_by_opener(dinner)
    assert dinner.losses == [0, 2, 0]
    assert [int(ask.seat) for ask in dinner.match.open] == [1]
    assert dinner.seat == 1
    dinner.discard(1, "A 2")
    assert [len(hand) for hand in dinner.game.hands] == [6, 4, 6]
    assert len(dinner.game.scraps) == 2
    assert not any(card.is_public for card in dinner.game.scraps)
    assert dinner.game.cards == 16


def test_ruling_19_without_cards_one_is_out_and_the_last_one_wins() -> None:
    """The sixth Saldo of six cards is the end; it goes on without that seat, until one is left."""
    dinner = Dinner(PLAIN, "2 3 4 5 6 7 | 2 3 4 5 6 7", saldo=True).tabs([0, 5, 5])
    lost_by_opener(dinner)
    assert dinner.game.gone == [1]
    assert [len(hand) for hand in dinner.game.hands] == [6, 0, 6]
    dinner.discard(2, "2 3 4 5 6")
    assert dinner.seat == 2  # seat 0 deals: seat 1, which should, is out
    dinner.call("7", "1 7").call("7", "2 7").bill()
    assert dinner.game.gone == [1, 2]
    assert dinner.outcome is not None
    assert (dinner.outcome.winners, dinner.outcome.ranks) == ((0,), (1, 3, 2))


def test_ruling_19_with_a_number_of_hands_fewest_saldi_win() -> None:
    """Where hands are counted too, the match ends with them."""
    dinner = Dinner(PLAIN, saldo=True, hands=1).tabs([1, 0, 2])
    lost_by_opener(dinner)
    assert dinner.losses == [1, 1, 2]
    assert dinner.outcome is None
    assert dinner.game.tied == [0, 1]


def test_ruling_20_with_saldo_a_joker_shows_any_called_card() -> None:
    """The opener may show it and order anything; it serves for every legal call."""
    dinner = Dinner(JOKERS, saldo=True)
    assert dinner.offers("W") == [f"1×{dish}" for dish in "2 3 4 5 6 7 8 9 10 J Q K A".split()]  # noqa: SIM905
    dinner.call("W", "1 K")
    assert dinner.game.shown[dinner.match.table.ring[0]].face == JOKER


def test_ruling_21_omaggi_are_drawn_and_discarded() -> None:
    """Who was right has one, draws one card more and discards one; the number agreed on wins at once."""
    dinner = Dinner(PLAIN, PLAIN + "; K", omaggi=True)
    lost_by_opener(dinner)
    assert dinner.game.omaggi.values() == [0, 0, 1]
    assert len(dinner.game.hands[2]) == 7
    dinner.discard(2, "K")
    assert [len(hand) for hand in dinner.game.hands] == [6, 6, 6]
    dinner = Dinner(PLAIN, omaggi=True).tabs([0, 0, 0], [0, 0, 2])
    lost_by_opener(dinner)
    assert dinner.outcome is not None
    assert dinner.outcome.winners == (2,)


def test_ruling_21_a_wrong_asker_gets_nothing() -> None:
    """Neither a true call nor a lie is worth an Omaggio: only a right doubt."""
    dinner = Dinner(ACES, PLAIN, omaggi=True).call("A", "1 A").call("A", "2 A").bill()
    assert dinner.game.omaggi.values() == [0, 0, 0]


def test_ruling_22_saldi_and_omaggi_work_in_every_hand() -> None:
    """They are paid and drawn at the start of each hand, not of the match."""
    dinner = Dinner(PLAIN, PLAIN, PLAIN, saldo=True).tabs([0, 0, 1])
    lost_by_opener(dinner)
    assert {int(ask.seat) for ask in dinner.match.open} == {1, 2}
    dinner.discard(1, "2").discard(2, "3")
    assert [len(hand) for hand in dinner.game.hands] == [6, 5, 5]
    lost_by_opener(dinner, "5")
    assert {int(ask.seat): ask.question.low for ask in dinner.match.open} == {1: 1, 2: 2}  # type: ignore[attr-defined] # SomeOf


def test_ruling_23_all_discards_are_sealed_and_made_at_once() -> None:
    """Deal, the Oste's card, the Omaggi, then one sealed question to all who owe debts and presents."""
    dinner = Dinner(PLAIN, PLAIN + "; K Q J", oste=True, saldo=True, omaggi=True).tabs([2, 0, 1], [0, 1, 0])
    lost_by_opener(dinner)
    game = dinner.game
    assert [len(hand) for hand in game.hands] == [6, 7, 8]  # seat 2: the Oste's card and an Omaggio
    owed = {int(ask.seat): (ask.question.low, ask.sealed) for ask in dinner.match.open}  # type: ignore[attr-defined] # SomeOf
    assert owed == {0: (2, True), 1: (2, True), 2: (2, True)}


def test_ruling_24_when_the_pack_is_used_up_what_is_left_is_drawn() -> None:
    """Of more Omaggi than cards, one each in turn is drawn while there are any; as many are discarded."""
    eight = " | ".join(["2 3 4 5 6 7"] * 4 + ["8 9 10 J Q K"] * 4)
    dinner = Dinner(eight, omaggi=True, target=20).tabs([0] * 8, [18] * 7 + [0])
    lost_by_opener(dinner)
    assert len(dinner.game.pack) == 0
    extra = [len(hand) - 6 for hand in dinner.game.hands]
    assert sum(extra) == 60
    assert max(extra[:2] + extra[3:7]) - min(extra[:2] + extra[3:7]) <= 1
    assert {int(ask.seat): ask.question.low for ask in dinner.match.open} == {  # type: ignore[attr-defined] # SomeOf
        seat: more for seat, more in enumerate(extra) if more
    }


def test_ruling_25_the_next_seat_still_in_deals() -> None:
    """The seat that should deal is out: the one after it does."""
    dinner = Dinner(PLAIN, PLAIN, saldo=True)
    dinner.game.gone.append(dinner.match.table.ring[0])
    dinner.game.hand_over(dinner.match.table, dinner.match.table.ring[1], clean=True)
    assert int(dinner.game.dealer) == 1


def test_ruling_26_a_call_may_be_false_in_all_but_the_card_shown() -> None:
    """With one two in hand anybody may say anything that has twos in it."""
    dinner = Dinner("2 3 4 5 6 7 | 2 8 9 10 J Q | 8 9 10 J Q K").call("2", "1 2")
    assert {"1×2 + 1×A", "2×2"} <= set(dinner.offers("2"))
    assert dinner.game.last_call != NOTHING_CALLED


def test_ruling_27_two_players_go_on_as_before() -> None:
    """With two left the turns go to and fro, and either may ask."""
    dinner = Dinner(PLAIN, "2 3 4 5 6 7 | 2 3 4 5 6 7", saldo=True).tabs([0, 5, 0])
    lost_by_opener(dinner)
    assert dinner.seat == 2
    dinner.call("2", "1 2").call("2", "2 2").call("3", "2 2 1 3")
    assert dinner.seat == 0
    assert dinner.bill().losses == [1, 6, 0]
