"""Cheat: the rank in turn, lies and doubts, both orders, and odds that can be counted."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from tavolata.bots import Chance, RandomBot
from tavolata.sim import Simulation
from tavolata.testing import Rehearsal, goes_on, reacts, rehearse
from tavolata_classics.cheat.bots import EasyBot, HardBot, NormalBot, at_least
from tavolata_classics.cheat.rules import Cheat, Rank

DEAL = "A♥ 2♠ 9♦ K♣ 4♠ 5♦"


def table(*answers: Any, turns: int, **options: Any) -> Rehearsal:
    """Ann begins with an ace and a king, Ben with 2 and 4, Cleo with 9 and 5, among other cards."""
    seats = ["Ann", "Ben", "Cleo"]
    return rehearse(
        Cheat, seats=seats, first=0, options=options, decks={"deck": DEAL}, turns=turns, answers=[*answers]
    )


def test_the_sample_round_is_what_the_rules_play() -> None:
    """A lie that nobody sees, a truth, and a lie that costs four cards."""
    doubt = reacts(0, 900)
    played = table(["A♥", "K♣"], goes_on(), ["2♠"], goes_on(), ["9♦"], doubt, turns=3)
    assert [len(hand) for hand in played.game.hands] == [18 - 2, 17 - 1, 17 - 1 + 4]
    assert played.game.lied == [0, 0, 1]
    assert (played.game.rank, played.game.mover) == (Rank.THREE, 0)
    assert "It was a lie: Cleo takes the pile." in played.said()
    assert None not in {card.face for card in played.views(2).zones()["hand.2"].content}
    assert {card.face for card in played.views(0).zones()["hand.2"].content} == {None}


def test_anyone_who_doubts_the_truth_takes_the_pile() -> None:
    """The fastest of two counts, and play continues with the next rank."""
    played = table(["A♥"], reacts(2, 800), turns=1)
    assert [len(hand) for hand in played.game.hands] == [17, 17, 18]
    assert played.game.wrong == [0, 0, 1]
    assert played.game.mover == 1


def test_with_the_same_rank_the_round_is_over_at_a_doubt() -> None:
    """The first player names a rank, the others claim it, and the player who was right begins."""
    played = table(Rank.KING, ["K♣"], goes_on(), ["2♠"], reacts(2, 900), turns=2, order="same")
    assert played.game.rank is None
    assert played.game.mover == 2
    assert len(played.game.hands[1]) == 17 - 1 + 2


@pytest.mark.parametrize(("answer", "winners"), [(goes_on(), (0,)), (reacts(1, 700), None)])
def test_the_last_card_counts_only_if_it_is_true_or_believed(answer: Any, winners: Any) -> None:
    """A player without cards has won, but not if a doubt gives the pile back."""
    played = rehearse(Cheat, seats=3, first=0, decks={"deck": DEAL}, answers=None, turns=4)
    played.play(["A♥", "K♣"], goes_on(), ["2♠"], goes_on(), ["9♦"], goes_on())
    hand = played.game.hands[0]
    hand.move_to(played.game.hands[1], hand.cards[1:])
    lie = hand.cards[0]
    face = played.views(0).face(lie)
    assert face is not None
    assert face.rank != 4
    played.play([lie], answer)
    assert (played.outcome and played.outcome.winners) == winners
    assert (len(played.game.hands[0]) == 0) == bool(winners)


@pytest.mark.parametrize("good", range(5))
def test_the_odds_are_those_of_all_hands(good: int) -> None:
    """The formula agrees with counting every hand of three from eight cards."""
    hands = [sum(card < good for card in hand) for hand in combinations(range(8), 3)]
    for needed in range(1, 5):
        share = sum(hits >= needed for hits in hands) / len(hands)
        assert at_least(needed, good, 8, 3) == pytest.approx(share)


def test_no_card_is_lost() -> None:
    """Over whole matches by chance, all 52 cards are in the hands and the pile."""
    for seed in range(6):
        match = Simulation(Cheat, 5, seed=seed)
        assert match.rollout([RandomBot()] * 5, Chance(seed)) is not None
        assert sum(map(len, match.game.hands)) + len(match.game.pile) == 52


def test_each_level_beats_the_one_below() -> None:
    """Over 60 matches of four with the seats changing, the better bots win more than half."""
    for better, worse in ((NormalBot(), EasyBot()), (HardBot(), NormalBot())):
        won = 0
        for seed in range(60):
            bots = [(better, worse)[(seat + seed) % 2] for seat in range(4)]
            outcome = Simulation(Cheat, 4, seed=seed).rollout(bots, Chance(seed))
            assert outcome is not None
            won += (outcome.winners[0] + seed) % 2 == 0
        assert won > 34, (type(better).__name__, won)
