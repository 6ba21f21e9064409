"""Talking with the dead: rulings 14 to 17, by offer and by chat."""

from __future__ import annotations

import pytest

from tavolata import Seat
from tavolata._ui.standing import standing
from tavolata.testing.playthrough import words_of
from tavolata_zompa.options import Talk, ZompaOptions
from tavolata_zompa.rules import LURES, Zompa

from .table import Stacked


def test_ruling_14_a_dead_player_addresses_one_living_player() -> None:
    """Offered are the living but the dealer; to those who live, nothing; addressing costs nothing."""
    table = Stacked(5, fiches=[4, 0, 4, 4, 0], talk="offer")
    assert table.offered(1, "speak") == [2, 3]
    assert table.offered(2, "speak") == []
    assert table.do(1, "speak", 3)
    assert table.fiches == [4, 0, 4, 4, 0]


def test_ruling_14_an_answer_costs_a_fiche() -> None:
    """Who answers gives one fiche to the dead player, who is alive at once and called in turn."""
    table = Stacked(4, fiches=[4, 0, 4, 4], talk="offer")
    assert table.do(1, "speak", 2)
    assert table.offered(2, "answer") == [1]
    assert table.do(2, "answer", 1)
    assert table.fiches == [4, 1, 3, 4]
    assert table.turn("3").calls() == [1]


def test_ruling_14_silence_is_free() -> None:
    """Who keeps silent until the next card is turned has lost nothing, and can't answer any more."""
    table = Stacked(4, fiches=[4, 0, 4, 4], talk="offer")
    assert table.do(1, "speak", 2)
    table.turn("3")
    assert table.offered(2, "answer") == []
    assert not table.do(2, "answer", 1)
    assert table.fiches == [4, 0, 4, 4]


def test_ruling_14_one_address_for_each_card() -> None:
    """A dead player speaks to one player between two cards, and again after the next."""
    table = Stacked(4, fiches=[4, 0, 4, 4], talk="offer")
    assert table.do(1, "speak", 2)
    assert table.offered(1, "speak") == []
    assert not table.do(1, "speak", 3)
    assert table.turn("3").do(1, "speak", 3)


def test_ruling_14_only_who_is_addressed_can_answer() -> None:
    """Nobody else has anything to answer."""
    table = Stacked(4, fiches=[4, 0, 4, 4], talk="offer")
    assert table.do(1, "speak", 2)
    assert table.offered(3, "answer") == []
    assert not table.do(3, "answer", 1)


def test_ruling_14_the_living_pay_when_they_speak_first() -> None:
    """In the chat a living player's words to a dead one cost a fiche without being asked."""
    table = Stacked(4, fiches=[4, 0, 4, 4], talk="chat")
    table.say(2, 1)
    assert table.fiches == [4, 1, 3, 4]


def test_ruling_14_one_fiche_for_each_exchange() -> None:
    """More words between the same two cost nothing until the next card, whoever is dead then."""
    table = Stacked(4, fiches=[4, 0, 1, 4], talk="chat")
    table.say(2, 1)
    table.say(2, 1)
    table.say(1, 2)
    assert table.fiches == [4, 1, 0, 4]
    table.turn("3")
    table.say(1, 2)
    assert table.fiches == [4, 0, 1, 4]


@pytest.mark.parametrize("talk", ["offer", "chat"])
def test_ruling_15_the_dealer_talks_freely(talk: str) -> None:
    """The dealer is not addressed, and his words to the dead cost nothing."""
    table = Stacked(3, fiches=[4, 0, 4], talk=talk)
    assert 0 not in table.offered(1, "speak")
    table.say(1, 0)
    table.say(0, 1)
    assert table.fiches == [4, 0, 4]


def test_ruling_15_who_becomes_the_dealer_answers_freely() -> None:
    """An address dies when its hearer gets the pack: nothing is left to answer."""
    table = Stacked(4, dealer=0, fiches=[4, 4, 0, 4], talk="chat").turn(" ".join(["3"] * 39))
    table.say(2, 1)
    assert table.game.callers_of(Seat(1)) == [2]
    table.turn("3")
    table.say(1, 2)
    assert (table.dealer, table.fiches) == (1, [4, 4, 0, 4])


def test_ruling_15_a_dead_dealer_may_lure() -> None:
    """A dead dealer addresses the living like any dead player, and is paid for an answer."""
    table = Stacked(3, fiches=[0, 4, 4], talk="offer")
    assert table.offered(0, "speak") == [1, 2]
    assert table.do(0, "speak", 1)
    assert table.do(1, "answer", 0)
    assert table.fiches == [1, 3, 4]


def test_ruling_16_dead_with_dead_is_nothing() -> None:
    """The dead are not offered the dead; their chat costs nothing."""
    table = Stacked(4, fiches=[4, 0, 4, 0], talk="chat")
    table.say(1, 3)
    table.say(3, 1)
    assert table.fiches == [4, 0, 4, 0]


def test_ruling_16_the_last_fiche_can_be_talked_away() -> None:
    """The payer is dead at once, the receiver alive, so the match can't end by it; the next call skips."""
    table = Stacked(4, fiches=[4, 0, 1, 0], talk="offer")
    assert table.do(1, "speak", 2)
    assert table.do(3, "speak", 2)
    assert table.do(2, "answer", 1)
    assert (table.fiches, table.winner) == ([4, 1, 0, 0], None)
    assert table.offered(2, "answer") == []  # now he is dead himself
    assert table.turn("3 3").calls() == [1, 0]


def test_ruling_17_talk_is_by_chat_at_a_table_and_by_offer_alone() -> None:
    """It is on unless a table leaves it out: `tt play`, where nobody writes, offers it."""
    assert ZompaOptions().talk is Talk.CHAT
    assert ZompaOptions.parse(Zompa.local).talk is Talk.OFFER


@pytest.mark.parametrize("lang", ["en", "it"])
def test_each_choice_names_whom_it_means(lang: str) -> None:
    """To speak to B or C and to answer B or C are four different sentences, in both languages."""
    table = Stacked(4, fiches=[0, 4, 4, 4], dealer=3, talk="offer")
    rows = [row.label for row in standing(table.match, 0, words_of(table.match, lang))]
    assert [[name for name in "ABCD" if name in row.split()] for row in rows] == [["B"], ["C"]]
    table = Stacked(4, fiches=[4, 0, 0, 4], dealer=3, talk="offer")
    assert table.do(1, "speak", 0)
    assert table.do(2, "speak", 0)
    rows = [row.label.replace(",", "") for row in standing(table.match, 0, words_of(table.match, lang))]
    assert [[name for name in "BCD" if name in row.split()] for row in rows] == [["B"], ["C"]]


def test_what_the_dead_say_varies() -> None:
    """From card to card another sentence is told, and each has its words in Italian."""
    table, told = Stacked(3, fiches=[4, 0, 9], talk="offer"), set()
    for _ in range(len(LURES)):
        assert table.do(1, "speak", 2)
        told.add(table.events[-1].message)
        table.turn("3")
    assert told == set(LURES)


def test_ruling_17_talk_can_be_left_out() -> None:
    """With `off` there is nothing to do at any time, and chat is chat."""
    table = Stacked(3, fiches=[4, 0, 4], talk="off")
    assert table.match.standing(1) == {}
    table.say(2, 1)
    assert table.fiches == [4, 0, 4]


def test_ruling_17_with_offers_chat_is_free() -> None:
    """Where talking is done by offer, words in the chat cost nothing; where by chat, nothing is offered."""
    table = Stacked(3, fiches=[4, 0, 4], talk="offer")
    table.say(2, 1)
    assert table.fiches == [4, 0, 4]
    assert Stacked(3, fiches=[4, 0, 4], talk="chat").match.standing(1) == {}


def test_ruling_17_words_to_all_are_free() -> None:
    """Only words directed to one dead player are talking to the dead."""
    table = Stacked(3, fiches=[4, 0, 4], talk="chat")
    table.say(2, -1)
    assert table.fiches == [4, 0, 4]


def test_ruling_17_words_to_several_are_free() -> None:
    """Words directed to two players cost nothing and address neither, though one of them could pay."""
    table = Stacked(5, fiches=[4, 0, 4, 4, 0], talk="chat")
    table.say(2, 1, 4)
    table.say(1, 2, 3)
    assert (table.fiches, table.game.addressed) == ([4, 0, 4, 4, 0], {})


def test_words_while_bets_are_open() -> None:
    """Talk between the question of a five and its answers counts: the risen did not bet, the bets stand."""
    table = Stacked(4, fiches=[4, 0, 1, 4], talk="chat", fives="yes").turn("5")
    table.say(3, 1)
    table.bet(A="KING", C="ACE", D="OTHER")
    table.turn("3")
    assert (table.fiches, table.centre) == ([3, 1, 0, 5], 0)


def test_a_loser_without_fiches_has_no_place_among_the_payers() -> None:
    """The first fiche paid goes to the first who was right, also if a loser before its payer is dead."""
    table = Stacked(6, fiches=[4, 0, 1, 4, 4, 4], talk="chat", fives="yes").turn("5")
    table.bet(C="ACE", D="ACE", E="OTHER", F="OTHER")
    table.say(2, 1)
    assert table.turn("3").fiches == [4, 1, 0, 3, 5, 4]


def test_a_bet_can_be_talked_away() -> None:
    """Who has bet and then given his last fiche for words owes nothing when his bet is wrong."""
    table = Stacked(4, fiches=[4, 0, 1, 4], talk="chat", fives="yes").turn("5")
    table.bet(C="ACE", D="OTHER")
    table.say(2, 1)
    assert table.turn("3").fiches == [4, 1, 0, 4]


def test_ruling_14_what_counts_as_an_address_in_the_chat() -> None:
    """Only the first words of a dead player to a living one who isn't the dealer; nothing else."""
    table = Stacked(5, fiches=[4, 0, 4, 4, 0], talk="chat")
    for speaker, to in ((2, 3), (1, 4), (1, 0), (0, 2)):
        table.say(speaker, to)
    assert table.game.addressed == {}
    table.say(1, 2)
    table.say(1, 3)
    assert table.game.addressed == {Seat(1): Seat(2)}
    assert (table.game.callers_of(Seat(2)), table.game.callers_of(Seat(3))) == ([1], [])
