"""The optional cards: ruling 18, and what this package decided where it is open."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tavolata import Seat
from tavolata._engine.match.entries import TIMEOUT
from tavolata.options import OptionSpec
from tavolata_zompa.options import ZompaOptions
from tavolata_zompa.rules import CALLS, Bet, bet_on

from .table import Stacked


def test_ruling_18_is_off_by_default() -> None:
    """Each extra card must be asked for; the others stay quiet then."""
    assert Stacked(3, fiches=[4, 1, 0], sevens="following").turn("2 5").fiches == [4, 1, 0]
    assert Stacked(3, fiches=[4, 1, 0], twos="preceding").turn("7 5").fiches == [4, 1, 0]
    assert Stacked(3, fiches=[4, 1, 0], fives="yes").turn("7 2").fiches == [4, 1, 0]


@pytest.mark.parametrize("side", ["following", "preceding"])
def test_ruling_18_seven_that_does_nothing_says_nothing(side: str) -> None:
    """Each living player gives one and gets one: where the called one has more, nothing is told."""
    table = Stacked(4, fiches=[1, 2, 0, 1], sevens=side).turn("7")
    assert table.fiches == [1, 2, 0, 1]
    assert [event.message for event in table.events[-1:]] == [CALLS]


@pytest.mark.parametrize(("side", "fiches"), [("following", [2, 0, 4, 0]), ("preceding", [3, 0, 3, 0])])
def test_ruling_18_seven_kills_only_the_called_player(side: str, fiches: list[int]) -> None:
    """Who begins with his last fiche is dead when the round comes back, which goes past him."""
    assert Stacked(4, fiches=[2, 1, 3, 0], sevens=side).turn("7").fiches == fiches


def goes_round(fiches: list[int], called: int, step: int) -> list[int]:
    """The seven as its sentence says it, fiche by fiche; until one is left."""
    seats = [(called + step * places) % len(fiches) for places in range(len(fiches))]
    for payer in [seat for seat in seats if fiches[seat]]:
        fiches[payer] -= 1
        after = [(payer + step * places) % len(fiches) for places in range(1, len(fiches) + 1)]
        fiches[next(seat for seat in after if fiches[seat])] += 1
        if len([seat for seat in seats if fiches[seat]]) == 1:
            break
    return fiches


@pytest.mark.parametrize(("side", "step"), [("following", 1), ("preceding", -1)])
def test_ruling_18_seven_is_what_fiche_by_fiche_would_be(side: str, step: int) -> None:
    """For all tables of four with up to two fiches each, as if every fiche were moved."""
    tables = [list(each) for each in product(range(3), repeat=4) if each[1] and sum(map(bool, each)) > 1]
    assert len(tables) > 50
    for fiches in tables:
        assert Stacked(4, fiches=fiches, sevens=side).turn("7").fiches == goes_round(fiches[:], 1, step)


def test_ruling_18_seven_can_end_the_match() -> None:
    """The end is tested after each fiche: the other one of two gives nothing back."""
    table = Stacked(2, fiches=[3, 1], centre=4, sevens="following").turn("7")
    assert (table.winner, table.fiches) == (0, [4, 0])


def test_ruling_18_two_feeds_the_dead() -> None:
    """Each dead player takes one from the living seat before him."""
    assert Stacked(4, fiches=[0, 4, 0, 3], twos="preceding").turn("2").fiches == [1, 3, 1, 2]


def test_ruling_18_two_takes_from_the_other_side_too() -> None:
    """By option each dead player takes one from the living seat after him."""
    assert Stacked(4, fiches=[0, 4, 0, 3], twos="following").turn("2").fiches == [1, 3, 1, 2]
    assert Stacked(4, fiches=[0, 5, 3, 4], twos="following").turn("2").fiches == [1, 4, 3, 4]
    assert Stacked(4, fiches=[0, 5, 3, 4], twos="preceding").turn("2").fiches == [1, 5, 3, 3]


def test_ruling_18_two_among_dead_neighbours() -> None:
    """The second of two dead neighbours robs the first, who has just risen and is nearest."""
    assert Stacked(5, fiches=[4, 3, 0, 0, 2], twos="preceding").turn("2").fiches == [4, 2, 0, 1, 2]


def test_ruling_18_two_never_ends_a_match() -> None:
    """Though it kills, one rises for each that dies."""
    table = Stacked(3, fiches=[1, 1, 0], twos="preceding").turn("2")
    assert (table.fiches, table.winner) == ([1, 0, 1], None)


def test_ruling_18_five_asks_the_living() -> None:
    """All living players, and they alone, may bet or not; nothing moves before the next card."""
    table = Stacked(4, fiches=[4, 4, 0, 4], fives="yes").turn("5")
    assert [int(ask.seat) for ask in table.source.open] == [1, 3, 0]
    table.bet(A="OTHER", B="KING")
    assert table.game.bets == {Seat(1): Bet.KING, Seat(0): Bet.OTHER}
    assert table.fiches == [4, 4, 0, 4]


@pytest.mark.parametrize(
    ("card", "fiches", "centre"),
    [
        ("3", [5, 3, 4, 4], 0),
        ("K", [3, 5, 4, 4], 0),
        ("F", [3, 4, 3, 4], 2),  # nobody was right; then seat 2 is called and its fante pays seat 1
    ],
)
def test_ruling_18_the_wrong_pay_the_right(card: str, fiches: list[int], centre: int) -> None:
    """A wrong bet costs a fiche; it goes to who was right, else to the centre; then the card acts."""
    table = Stacked(4, fives="yes").turn("5")
    table.bet(A="OTHER", B="KING")
    told = len(table.events)
    table.turn(card)
    assert (table.fiches, table.centre) == (fiches, centre)
    assert table.events[told].message == "The bets are on this card: {card}."


def test_ruling_18_the_right_share_in_turn() -> None:
    """Three wrong bets among two right ones: one each in calling order, and the odd one to the first."""
    table = Stacked(5, fives="yes").turn("5")
    table.bet(A="ACE", B="KING", C="OTHER", D="KING", E="OTHER")
    table.turn("3")
    assert table.fiches == [3, 3, 6, 3, 5]


def test_ruling_18_a_bet_can_end_the_match() -> None:
    """The loser's last fiche is tested like any other, before the card does anything."""
    table = Stacked(2, fiches=[1, 4], fives="yes").turn("5")
    table.bet(A="HORSE", B="KING")
    table.turn("K")
    assert (table.winner, table.fiches, table.centre) == (1, [0, 5], 0)


def test_ruling_18_bets_outlive_the_pack() -> None:
    """A five as the last card is a bet on the first card of the next round."""
    table = Stacked(3, fives="yes").turn(" ".join(["3"] * 39) + " 5")
    table.bet(A="FANTE", B="FANTE")
    table.turn("3")
    assert (table.fiches, table.centre, table.game.round) == ([3, 3, 4], 2, 2)


def test_every_rank_can_be_bet_on() -> None:
    """The four figures have a bet each, all other cards one together."""
    assert [bet_on(rank).name for rank in range(1, 11)] == ["ACE", *["OTHER"] * 6, "FANTE", "HORSE", "KING"]


def test_ruling_18_silence_is_no_bet() -> None:
    """When the twenty seconds are over, who has not answered has not bet."""
    table = Stacked(2, fives="yes").turn("5")
    for ask in list(table.source.open):
        assert ask.seconds == 20
        table.match.feed((TIMEOUT, ask.id))
    assert table.game.bets == {}
    assert table.turn("K").fiches == [4, 4]


USUAL = {"fiches", "empty_pot", "talk"}
EXTRA = [spec for spec in ZompaOptions.describe() if spec.name not in USUAL]


@pytest.mark.parametrize("spec", EXTRA, ids=lambda spec: spec.name)
def test_each_optional_card_does_something(spec: OptionSpec) -> None:
    """Whatever is set for it, some card does what it does not do without: no option is without a rule."""
    on = [word for word in spec.choices() if spec.read(word) != spec.default]
    assert on
    cards = "2 3 4 5 6 7"
    usual = [len(Stacked(4, fiches=[0, 1, 3, 0]).turn(card).events) for card in cards.split()]
    for word in on:
        set_: Any = {spec.name: word}
        tables = [Stacked(4, fiches=[0, 1, 3, 0], **set_).turn(card) for card in cards.split()]
        assert [len(table.events) + len(table.source.open) for table in tables] != usual
