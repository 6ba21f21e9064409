"""Briscola: what a card is worth, what takes a trick, and hands won alone and in teams."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata.bots import Chance, RandomBot
from tavolata.decks import ITALIAN_40
from tavolata.sim import Simulation
from tavolata.testing import Rehearsal, rehearse
from tavolata_classics.briscola.bots import EasyBot, HardBot, NormalBot
from tavolata_classics.briscola.rules import ALL, ITALIAN_39, Briscola, BriscolaOptions, height, worth


def test_the_pack_has_120_points() -> None:
    """With three players, too: the card that is left out has none."""
    assert sum(map(worth, ITALIAN_40.faces)) == sum(map(worth, ITALIAN_39.faces)) == ALL
    assert len(ITALIAN_39) == 39


def test_the_order_is_that_of_the_points_and_then_of_the_numbers() -> None:
    """Ace, three, king, horse, fante, and seven to two."""
    suit = sorted((face for face in ITALIAN_40.faces if str(face)[-1] == "D"), key=height, reverse=True)
    assert "".join(str(face)[0] for face in suit) == "A3RCF76542"


def first_tricks(*answers: str, **options: Any) -> Rehearsal:
    """Ann deals, so that Ben leads."""
    return rehearse(
        Briscola,
        seats=["Ann", "Ben"],
        first=0,
        options=options,
        decks={"deck": "7C RC 3B 5D FD 2S 4S 2B 6D 7S 5S"},
        turns=len(answers) // 2,
        answers=[*answers],
    )


def test_the_sample_round_is_what_the_rules_play() -> None:
    """The five points of the rulebook: a king, a three that follows suit, and a trump."""
    played = first_tricks("7C", "RC", "2B", "3B", "FD", "2S")
    taken = [[str(card.face) for card in pile] for pile in played.game.taken]
    assert taken == [["7C", "RC", "FD", "2S"], ["2B", "3B"]]
    assert played.game.points == [6, 10]
    assert played.game.lead == 0


def test_a_card_of_another_suit_takes_nothing() -> None:
    """Even a three gives way to the card that was led."""
    played = first_tricks("7C", "5D")
    assert played.game.lead == 1


def test_the_briscola_is_drawn_last() -> None:
    """It's at the bottom of the deck, and both players get all forty cards between them."""
    match = Simulation(Briscola, 2, seed=5)
    while match.game.deck:
        card = match.game.briscola
        match.step(match.open[0].question.nth(0))
    assert card is not None
    assert any(card in hand for hand in match.game.hands)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_points_of_each_hand_are_120(seats: int) -> None:
    """Whatever is played, every card is taken by someone."""
    match = Simulation(Briscola, seats, options=BriscolaOptions(wins=1), seed=seats)
    match.rollout([RandomBot()] * seats, Chance(seats))
    assert sum(worth(card.face) for pile in match.game.taken for card in pile) == ALL


def test_partners_win_together_and_may_look_at_their_last_cards() -> None:
    """In teams the points of both count, and each sees the partner's cards when the deck is used up."""
    match = Simulation(Briscola, 4, options=BriscolaOptions(look=True, wins=1), teams=2, seed=3)
    while match.outcome is None:
        if match.game.hands[0] and not match.game.deck:
            views = [match.view(seat) for seat in range(4)]
            assert all(views[0].face(card) is not None for card in match.game.hands[2])
            assert all(views[0].face(card) is None for card in match.game.hands[1])
        match.step(match.open[0].question.nth(0))
    assert match.outcome.winners in ((0, 2), (1, 3))


@pytest.mark.parametrize(("seats", "teams", "tricks"), [(2, 0, 17), (4, 0, 7), (4, 2, 7)])
def test_only_partners_look_at_each_others_cards(seats: int, teams: int, tricks: int) -> None:
    """Without teams, nobody looks when the deck is used up, and no message claims it."""
    bots = dict.fromkeys(range(seats), EasyBot())
    played = rehearse(Briscola, seats=seats, teams=teams, options={"look": True}, bots=bots, turns=tricks)
    assert not played.game.deck
    assert ("Partners look at each other's cards." in played.said()) == bool(teams)


def test_between_two_hands_nothing_counts_twice() -> None:
    """If the match ends while cards are shuffled, the points of the hand that's over have won it already."""
    played = rehearse(Briscola, seats=2, bots=dict.fromkeys(range(2), EasyBot()), turns=20)
    assert not any(played.game.hands)
    assert played.game.unfinished(played.table).scores == tuple(ALL * wins for wins in played.game.wins)


def test_each_level_beats_the_one_below() -> None:
    """Over 40 matches of two with the seats changing, a better bot wins more than half."""
    for better, worse in ((NormalBot(), EasyBot()), (HardBot(), NormalBot())):
        won = 0
        for seed in range(40):
            bots = [worse, better] if seed % 2 else [better, worse]
            outcome = Simulation(Briscola, 2, seed=seed).rollout(bots, Chance(seed))
            assert outcome is not None
            won += outcome.winners == (seed % 2,)
        assert won > 22, (type(better).__name__, won)


def test_in_teams_the_hard_bots_beat_the_normal_ones() -> None:
    """Over 100 matches with the seats changing, they win more than half."""
    won = 0
    for seed in range(100):
        hard = seed % 2
        bots = [HardBot() if seat % 2 == hard else NormalBot() for seat in range(4)]
        outcome = Simulation(Briscola, 4, teams=2, seed=seed).rollout(bots, Chance(seed))
        assert outcome is not None
        won += outcome.winners == (hard, hard + 2)
    assert won > 50, won
