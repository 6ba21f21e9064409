"""Cucù: swaps, kings and horses, the deck, and lives that are lost."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from tavolata.bots import Chance
from tavolata.decks import ITALIAN_40
from tavolata.decks import ItalianRank as Rank
from tavolata.sim import Simulation
from tavolata.testing import Rehearsal, rehearse
from tavolata_classics.cucu.bots import EasyBot, HardBot, Sight
from tavolata_classics.cucu.rules import KEEP, SWAP, Cucu


def table(cards: str, *answers: str, **options: Any) -> Rehearsal:
    """Ann deals, so that Ben gets the first card."""
    seats = ["Ann", "Ben", "Cleo"]
    return rehearse(
        Cucu,
        seats=seats,
        first=0,
        options=options,
        decks={"deck": cards},
        turns=len(answers),
        answers=[*answers],
    )


def test_the_sample_round_is_what_the_rules_play() -> None:
    """A swap, a king that stops the next one, and a life."""
    played = table("2C 6D RS", SWAP, SWAP, KEEP)
    assert played.game.lives.values() == [3, 3, 2]
    assert "Cucù! Ann has a king: Cleo can't swap." in played.said()
    assert played.game.dealer == 1


@pytest.mark.parametrize(
    ("cards", "answers", "options", "lives"),
    [
        ("2C 6D RS", [SWAP, SWAP, KEEP], {"kings": False}, [2, 3, 3]),
        ("2C CD 6S", [SWAP, KEEP, KEEP], {"horses": True}, [2, 3, 3]),
        ("2C CD 6S", [SWAP, KEEP, KEEP], {}, [3, 3, 2]),
        ("2C 2D 6S", [KEEP, KEEP, KEEP], {}, [3, 2, 2]),
        ("5C 6D 2S 7B", [KEEP, KEEP, SWAP], {}, [3, 2, 3]),
        ("5C 6D 2S RB", [KEEP, KEEP, SWAP], {}, [2, 3, 3]),
        ("2C RD RS", [SWAP, KEEP, KEEP], {"horses": True}, [3, 2, 3]),
        ("2C CD CS", [SWAP, KEEP, KEEP], {"horses": True}, [3, 2, 3]),
        ("2C 2D 2S", [KEEP, KEEP, KEEP], {"lives": 1}, [1, 1, 1]),
    ],
)
def test_lives_are_lost_as_the_rulebook_has_it(
    cards: str, answers: list[str], options: dict[str, Any], lives: list[int]
) -> None:
    """Kings, horses, equal cards, the dealer's swap with the deck, and a hand that leaves no one."""
    assert table(cards, *answers, **options).game.lives.values() == lives


def test_only_the_two_who_swap_see_the_cards() -> None:
    """Each knows both cards, and the third player neither."""
    played = table("2C 6D 5S", SWAP)
    seen = [
        [str(view.face(card)) for seat in (1, 2) for card in played.game.hands[seat]]
        for view in map(played.views, range(3))
    ]
    assert seen == [["None", "None"], ["6D", "2C"], ["6D", "2C"]]
    assert Sight(played.views(1), played.table.ring[1]).lower


@pytest.mark.parametrize("horses", [False, True])
@pytest.mark.parametrize("kings", [False, True])
@pytest.mark.parametrize("card", ["2C", "5C", "CC"])
def test_the_odds_of_swapping_are_those_of_the_house_rules(card: str, kings: bool, horses: bool) -> None:
    """Within three in a hundred of those of all pairs of cards that the two others may have."""
    played = rehearse(
        Cucu, seats=3, first=0, options={"kings": kings, "horses": horses}, decks={"deck": card}, turns=1,
        answers=None,
    )  # fmt: skip
    (mine,) = [face for face in ITALIAN_40.faces if str(face) == card]
    lost = []
    for pair in permutations([face.rank for face in ITALIAN_40.faces if face != mine], 2):
        ranks = [mine.rank, *pair]
        jumps = [horses and rank == Rank.HORSE for rank in pair]
        to = 0 if all(jumps) else 2 if jumps[0] else 1
        if not kings or ranks[to] != Rank.KING:
            ranks[0], ranks[to] = ranks[to], ranks[0]
        lost.append(ranks[0] == min(ranks))
    sight = Sight(played.views(1), played.table.ring[1])
    assert sight.swapping() == pytest.approx(sum(lost) / len(lost), abs=0.03)


def test_the_last_one_alive_wins_and_the_others_rank_by_how_long_they_lasted() -> None:
    for seed in range(20):
        outcome = Simulation(Cucu, 6, seed=seed).rollout([HardBot()] * 6, Chance(seed))
        assert outcome is not None
        assert outcome.ranks is not None
        assert len(outcome.winners) == outcome.ranks.count(1) == 1


def test_the_hard_bot_beats_the_easy_one() -> None:
    """Over 400 matches of four with the seats changing, it wins more than half."""
    won = 0
    for seed in range(400):
        bots = [(HardBot(), EasyBot())[(seat + seed) % 2] for seat in range(4)]
        outcome = Simulation(Cucu, 4, seed=seed).rollout(bots, Chance(seed))
        assert outcome is not None
        won += (outcome.winners[0] + seed) % 2 == 0
    assert won > 210
