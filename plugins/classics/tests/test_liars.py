"""Liar's Dice: what beats a bid, what counts, odds that can be worked out, and bots by level."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from tavolata.bots import Chance
from tavolata.sim import Simulation
from tavolata.testing import Rehearsal, refuses, rehearse
from tavolata_classics.liars.bots import EasyBot, HardBot, NormalBot, at_least
from tavolata_classics.liars.rules import Bid, Liars


def test_the_sample_round_is_what_the_rules_play() -> None:
    """The five points of the rulebook: three dice count, and the caller loses one."""
    table = rehearse(
        Liars,
        seats=["Ann", "Ben", "Cleo"],
        first=0,
        options={"dice": 2},
        dice=[4, 1, 3, 4, 6, 2],
        turns=3,
        answers=[Bid(2, 4), Bid(3, 4), "liar"],
    )
    assert [len(cup) for cup in table.game.cups] == [2, 2, 1]
    assert table.game.mover == 2
    assert "3 dice match; the bid was 3." in table.said()


def called(bid: Bid, call: str, **options: bool) -> Rehearsal:
    answers = [bid, call]
    return rehearse(
        Liars, seats=2, first=0, options={"dice": 2, **options}, dice=[5, 1, 5, 2], turns=2, answers=answers
    )


@pytest.mark.parametrize(
    ("bid", "call", "options", "left"),
    [
        (Bid(3, 5), "liar", {}, [2, 1]),  # two fives and a wild one
        (Bid(4, 5), "liar", {}, [1, 2]),
        (Bid(3, 5), "liar", {"wild": False}, [1, 2]),  # then the one is a one
        (Bid(1, 1), "liar", {"wild": False}, [2, 1]),
        (Bid(3, 5), "exact", {"exact": True}, [2, 2]),  # right, with all dice already
        (Bid(2, 5), "exact", {"exact": True}, [2, 1]),
    ],
)
def test_the_player_who_is_wrong_loses_a_die(
    bid: Bid, call: str, options: dict[str, bool], left: list[int]
) -> None:
    """By the default rules, without wild ones, and with a call that a bid is exact."""
    assert [len(cup) for cup in called(bid, call, **options).game.cups] == left


def test_a_bid_has_to_be_higher_and_wild_ones_are_not_bid_on() -> None:
    """Fewer dice, the same bid again, and ones are refused."""
    no = [Bid(1, 6), Bid(2, 3), Bid(3, 1)]
    refused = [refuses(bid, "That isn't one of the choices.") for bid in no]
    table = rehearse(
        Liars, seats=2, first=0, dice=[1] * 10, turns=2, answers=[Bid(2, 3), *refused, Bid(2, 4)]
    )
    assert table.game.bid == Bid(2, 4)


def test_a_die_comes_back_for_an_exact_call() -> None:
    """After a lost die an exact call brings it back, but no more than at the beginning."""
    answers = [Bid(4, 6), "liar", Bid(1, 5), "exact"]
    table = rehearse(
        Liars,
        seats=2,
        first=1,
        options={"dice": 2, "exact": True},
        dice=[2, 2, 3, 3, 2, 2, 5],
        turns=4,
        answers=answers,
    )
    assert [len(cup) for cup in table.game.cups] == [2, 1]  # seat 0 had all of its dice
    assert table.game.mover == 0


@pytest.mark.parametrize("dice", range(5))
@pytest.mark.parametrize("faces", [1, 2])
def test_the_odds_are_those_of_all_throws(dice: int, faces: int) -> None:
    """The formula agrees with counting every throw of up to four dice."""
    throws = [sum(face <= faces for face in throw) for throw in product(range(1, 7), repeat=dice)]
    for needed in range(dice + 2):
        share = Fraction(sum(hits >= needed for hits in throws), len(throws))
        assert at_least(needed, dice, faces) == pytest.approx(float(share))


def test_each_level_beats_the_one_below() -> None:
    """Over 120 matches of two, with the seats changing, a better bot wins more than half."""
    for better, worse in ((NormalBot(), EasyBot()), (HardBot(), NormalBot())):
        won = 0
        for seed in range(120):
            bots = [worse, better] if seed % 2 else [better, worse]
            outcome = Simulation(Liars, 2, seed=seed).rollout(bots, Chance(seed))
            assert outcome is not None
            won += outcome.winners == (seed % 2,)
        assert won > 66, (type(better).__name__, won)
