"""Tressette: the order and worth of the cards, suits that are followed, declarations, and deals of eleven."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata.bots import Chance, RandomBot
from tavolata.decks import ITALIAN_40, ItalianFace
from tavolata.sim import Simulation
from tavolata.testing import Rehearsal, refuses, rehearse
from tavolata_classics.tressette.bots import EasyBot, HardBot, NormalBot
from tavolata_classics.tressette.rules import POINT, Tressette, declared, height, thirds

FACES = {str(face): face for face in ITALIAN_40.faces}


def faces(names: str) -> list[ItalianFace]:
    return [FACES[name] for name in names.split()]


def test_a_deal_has_eleven_points_and_two_thirds() -> None:
    """The cards have ten points and two thirds, the last trick one; every split has eleven whole ones."""
    total = sum(map(thirds, ITALIAN_40.faces)) + POINT
    assert total == 35
    assert {one // POINT + (total - one) // POINT for one in range(total + 1)} == {11}


def test_the_three_is_the_highest() -> None:
    suit = sorted(faces("AD 2D 3D 4D 5D 6D 7D FD CD RD"), key=height, reverse=True)
    assert "".join(str(face)[0] for face in suit) == "32ARCF7654"
    assert [thirds(face) for face in suit] == [1, 1, 3, 1, 1, 1, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("hand", "found"),
    [
        ("3D 3C 3S 4B", ((3, 3),)),
        ("3D 3C 3S 3B AD AC AB", ((3, 4), (1, 3))),
        ("3D 2D AD", ((0, 0),)),
        ("3B 2B AB 2D 2C", ((2, 3), (0, 3))),
        ("3D 3C 2S AB RD", ()),
    ],
)
def test_declarations_are_found(hand: str, found: tuple[tuple[int, int], ...]) -> None:
    """Three or four of a rank, and three, two and ace of a suit."""
    assert declared(faces(hand)) == found


def table(*answers: Any, turns: int = 1, **options: Any) -> Rehearsal:
    """Dan deals; the cards go round from seat 0, which leads."""
    own = ("3C 3D 3S 4B 5B 6B 7B RB CB FB", "4C 5C 6C 7C RC CC FC 2C 6S 7S", "AC 4D 5D 6D 7D RD CD FD AD AB",
           "5S 2D 2S 2B 4S RS CS FS AS 3B")  # fmt: skip
    hands = [names.split() for names in own]
    deck = " ".join(hands[seat][place] for place in range(10) for seat in range(4))
    names = ["Ann", "Ben", "Cleo", "Dan"]
    return rehearse(
        Tressette,
        seats=names,
        teams=2,
        first=3,
        options=options,
        decks={"deck": deck},
        turns=turns,
        answers=[*answers],
    )


def test_the_sample_round_is_what_the_rules_play() -> None:
    """Three threes are declared, the ace goes to the partner, and the three takes the trick."""
    played = table("3C", "4C", "AC", "5S")
    game = played.game
    assert game.lead == 0
    assert game.score == [3 + 3, 3]  # three aces, too, and the others have three twos
    assert sum(thirds(card.face) for card in game.taken[0]) == POINT + 1
    assert "Ann declares 3 threes." in played.said()


def test_without_declarations_nothing_is_scored_before_the_end() -> None:
    assert table("3C", "4C", "AC", "5S", declare=False).game.score == [0, 0]


def test_a_suit_has_to_be_followed() -> None:
    """The own machine refuses another card, and allows any if the suit is missing."""
    no = refuses("6S", "Follow suit.")
    played = table("3C", no, "4C", "AC", "5S", "3S", "6S", "4D", "4S", turns=2)
    assert [str(card.face) for card in played.game.taken[0]][4:] == ["3S", "6S", "4D", "4S"]


def test_every_deal_scores_eleven_and_no_card_is_lost() -> None:
    """Whole matches by chance: without declarations, all scores together are a multiple of eleven."""
    options = Tressette.options.parse({"declare": False})
    for seed in range(4):
        match = Simulation(Tressette, 4, teams=2, options=options, seed=seed)
        outcome = match.rollout([RandomBot()] * 4, Chance(seed))
        assert outcome is not None
        assert outcome.team_scores is not None
        assert max(outcome.team_scores) >= 21
        assert sum(outcome.team_scores) % 11 == 0
        assert sum(map(len, match.game.taken)) == 40


def test_between_two_deals_nothing_counts_twice() -> None:
    """If the match ends while cards are shuffled, those of the deal that's over are in the score already."""
    bots = dict.fromkeys(range(4), EasyBot())
    played = rehearse(Tressette, seats=4, teams=2, bots=bots, options={"points": 41}, turns=10)
    assert sum(played.game.score) >= 11
    assert played.game.unfinished(played.table).team_scores == tuple(POINT * own for own in played.game.score)


def test_each_level_beats_the_one_below() -> None:
    """Over 40 matches with the seats changing, the better team wins more than half."""
    for better, worse in ((NormalBot(), EasyBot()), (HardBot(), NormalBot())):
        won = 0
        for seed in range(40):
            bots = [(better, worse)[(seat + seed) % 2] for seat in range(4)]
            outcome = Simulation(Tressette, 4, teams=2, seed=seed).rollout(bots, Chance(seed))
            assert outcome is not None
            won += (outcome.winners[0] + seed) % 2 == 0
        assert won > 21, (type(better).__name__, won)
