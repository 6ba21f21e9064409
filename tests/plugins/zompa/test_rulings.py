"""The rulings of Zompa, one by one, on tables whose cards are stacked."""

from __future__ import annotations

import pytest

from tavolata._engine.match.simulate import play
from tavolata.bots import RandomBot
from tavolata.errors import OptionError
from tavolata_zompa.options import ZompaOptions
from tavolata_zompa.rules import Zompa

from .table import Stacked


def test_ruling_1_two_to_twenty_with_four_fiches_each() -> None:
    """Two to twenty sit down, each with four fiches or what was agreed, the pack has all 40 cards."""
    assert Zompa.seats == (2, 20)
    table = Stacked(20)
    assert table.fiches == [4] * 20
    assert (table.centre, len(table.game.deck)) == (0, 40)
    assert Stacked(2, fiches_each=7).fiches == [7, 7]
    with pytest.raises(OptionError, match="from 1 to 20"):
        ZompaOptions.parse({"fiches": 0})


def test_ruling_1_first_dealer_is_drawn_by_lot() -> None:
    """Over many seeds every seat is first dealer of some match."""
    first = {int(play(Zompa, ZompaOptions(), [RandomBot()] * 3, seed).log[0][2]) for seed in range(30)}
    assert first == {0, 1, 2}


def test_ruling_2_the_dealer_is_called_like_anybody() -> None:
    """Once around a table of three, the third name is the dealer's own."""
    assert Stacked(3, dealer=1).turn("3 3 3").calls() == [2, 0, 1]


def test_ruling_3_calls_skip_the_dead() -> None:
    """The dead are passed over, be it one or several side by side."""
    assert Stacked(5, fiches=[2, 0, 3, 0, 0]).turn("3 3 3 3").calls() == [2, 0, 2, 0]


def test_ruling_3_a_dead_dealer_goes_on_dealing() -> None:
    """The dealer dies of an ace and still has the pack; the first call went to his right."""
    table = Stacked(3, dealer=2, fiches=[4, 4, 2]).turn("3 3 A 3")
    assert table.fiches == [4, 4, 0]
    assert (table.dealer, table.calls()) == (2, [0, 1, 2, 0])


def test_ruling_4_an_ace_costs_two() -> None:
    """The called player pays two fiches to the centre."""
    table = Stacked(3).turn("A")
    assert (table.fiches, table.centre) == ([4, 2, 4], 2)


def test_ruling_4_the_next_living_one_helps_with_an_ace() -> None:
    """With one fiche only, the second is paid by the next living player, over the heads of the dead."""
    table = Stacked(5, fiches=[3, 1, 0, 0, 2]).turn("A")
    assert (table.fiches, table.centre) == ([3, 0, 0, 0, 1], 2)


def test_ruling_4_helping_with_an_ace_is_not_being_called() -> None:
    """Who paid the second fiche of an ace is still the next to be called."""
    assert Stacked(3, fiches=[3, 1, 2]).turn("A 3").calls() == [1, 2]


def test_ruling_5_the_survivor_pays_nothing() -> None:
    """The first fiche of an ace kills the last opponent: the survivor has won and keeps all he has."""
    table = Stacked(2, fiches=[1, 1], centre=6).turn("A")
    assert (table.winner, table.fiches, table.centre) == (0, [1, 0], 7)


def test_ruling_5_the_second_fiche_of_an_ace_can_end_the_match() -> None:
    """A player who pays both fiches of an ace and has no more leaves the last one alive."""
    table = Stacked(2, fiches=[3, 2], centre=3).turn("A")
    assert (table.winner, table.fiches) == (0, [3, 0])


def test_ruling_6_a_fante_goes_one_seat_back() -> None:
    """One fiche to the seat before the called one, though it is a dead one."""
    assert Stacked(4, dealer=1, fiches=[4, 0, 4, 4]).turn("F").fiches == [4, 1, 3, 4]


def test_ruling_7_a_horse_jumps_over_a_seat() -> None:
    """One fiche to the second seat after the called one, counting the dead, living or dead."""
    assert Stacked(4, fiches=[4, 4, 0, 0]).turn("H").fiches == [4, 3, 0, 1]


def test_ruling_7_a_horse_between_two_goes_nowhere() -> None:
    """With two players the second seat after is one's own: nothing moves, not even a last fiche."""
    table = Stacked(2, fiches=[4, 1]).turn("H")
    assert (table.fiches, table.winner) == ([4, 1], None)


def test_ruling_7_a_horse_among_three_is_a_fante() -> None:
    """With three players the second seat after is the seat before."""
    assert Stacked(3).turn("H").fiches == Stacked(3).turn("F").fiches == [5, 3, 4]


def test_ruling_8_the_risen_are_called_at_once() -> None:
    """A dead seat that gets a fiche is called as soon as the calling reaches it."""
    table = Stacked(4, fiches=[4, 4, 4, 0]).turn("H 3 3")
    assert table.fiches == [4, 3, 4, 1]
    assert table.calls() == [1, 2, 3]


def test_ruling_8_a_last_fiche_may_change_places() -> None:
    """The payer dies and the dead receiver rises: as many are alive as before, and the match goes on."""
    table = Stacked(4, fiches=[0, 1, 4, 0]).turn("F")
    assert (table.fiches, table.winner) == ([1, 0, 4, 0], None)


def test_ruling_9_a_king_takes_one_back() -> None:
    """One fiche from the centre to the called player, who may have more than he began with."""
    table = Stacked(2, fiches=[1, 6], centre=1).turn("K")
    assert (table.fiches, table.centre) == ([1, 7], 0)


def test_ruling_9_a_king_and_an_empty_centre() -> None:
    """By default nothing happens."""
    table = Stacked(3).turn("K A")
    assert (table.fiches, table.centre) == ([4, 4, 2], 2)


def test_ruling_9_the_next_fiche_goes_to_the_king() -> None:
    """With `empty_pot=next` kings wait in line, and the fiches of an ace go to them first."""
    table = Stacked(4, empty_pot="next").turn("K K 3 A")
    assert (table.fiches, table.centre) == ([2, 5, 5, 4], 0)
    assert table.game.owed == []
    assert Stacked(4, empty_pot="next").turn("K A").fiches == [4, 5, 2, 4]
    assert Stacked(4, empty_pot="next").turn("K A").centre == 1


def test_ruling_9_a_king_may_wait_for_his_own_fiche() -> None:
    """Who is owed the next fiche and pays it himself keeps it; the second of the ace is gone."""
    table = Stacked(2, fiches=[4, 1], empty_pot="next").turn("K 3 A")
    assert (table.winner, table.fiches, table.centre) == (0, [4, 0], 1)


def test_ruling_9_a_waiting_king_rises_from_the_dead() -> None:
    """A dead player to whom the next fiche is owed lives as soon as it is paid."""
    table = Stacked(4, fiches=[4, 1, 4, 4], empty_pot="next").turn("K 3 3 3 F A")
    assert (table.fiches, table.centre) == ([5, 1, 2, 4], 1)


def test_ruling_9_the_dealer_pays_the_king() -> None:
    """With `empty_pot=dealer` he pays; himself he pays nothing, and dead he can't."""
    assert Stacked(3, empty_pot="dealer").turn("K").fiches == [3, 5, 4]
    assert Stacked(2, empty_pot="dealer").turn("3 K").fiches == [4, 4]
    assert Stacked(3, fiches=[0, 4, 4], empty_pot="dealer").turn("K").fiches == [0, 4, 4]


def test_ruling_9_a_king_can_kill_the_dealer() -> None:
    """The dealer's last fiche, paid to the king, ends the match like any other."""
    table = Stacked(2, fiches=[1, 3], empty_pot="dealer").turn("K")
    assert (table.winner, table.fiches) == (1, [0, 4])


def test_ruling_10_other_cards_do_nothing() -> None:
    """Twos to sevens move no fiche."""
    table = Stacked(4).turn("2 3 4 5 6 7")
    assert (table.fiches, table.centre) == ([4] * 4, 0)


def test_ruling_11_a_round_ends_with_the_last_card() -> None:
    """After 40 cards the next seat deals, dead or alive, and the first call goes to its right."""
    table = Stacked(4, dealer=0, fiches=[4, 0, 4, 4]).finish_round()
    assert len(table.game.deck) == 40
    assert (table.dealer, table.game.round) == (1, 2)
    before = len(table.calls())
    assert table.turn("3 3").calls()[before:] == [2, 3]


def test_ruling_11_all_forty_are_shuffled_and_the_centre_stays() -> None:
    """The centre keeps its fiches; the new pack has every card once, faces hidden."""
    table = Stacked(4).turn("A").finish_round()
    assert table.centre == 2
    assert sorted(card.id for card in table.game.deck) == list(range(40))
    table.turn("3")
    assert (len(table.game.deck), len(table.game.discard)) == (39, 1)


def test_ruling_12_no_fiches_is_death_and_the_seat_stays() -> None:
    """Who pays his last fiche is dead at once, is shown so, and is paid like a living one."""
    table = Stacked(4, fiches=[4, 1, 4, 4]).turn("F")
    zones = table.match.view(None).zones()
    assert zones["dead"].params["seats"] == [1]
    assert table.turn("F").fiches == [5, 1, 3, 4]


def test_ruling_13_the_last_one_alive_has_won() -> None:
    """As soon as one is left, in mid-round too, he has won, and the centre is nobody's."""
    table = Stacked(3, fiches=[2, 1, 0], centre=9, dealer=0).turn("F")
    assert (table.winner, table.fiches, table.centre) == (0, [3, 0, 0], 9)
    assert table.match.over
