"""Sette e mezzo: points with and without the matta, payments, and a bank that changes or breaks."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata.bots import Chance
from tavolata.decks import ITALIAN_40, ItalianFace
from tavolata.sim import Simulation
from tavolata.testing import Rehearsal, rehearse
from tavolata_classics.settemezzo.bots import EasyBot, HardBot
from tavolata_classics.settemezzo.rules import CARD, STAY, Settemezzo, total, written

FACES = {str(face): face for face in ITALIAN_40.faces}


def faces(names: str) -> list[ItalianFace]:
    return [FACES[name] for name in names.split()]


@pytest.mark.parametrize(
    ("names", "points", "tame"),
    [
        ("7C", "7", "7"),
        ("7C FS", "7½", "7½"),
        ("FS", "½", "½"),
        ("RD", "7", "½"),
        ("FS RD", "7½", "1"),
        ("4C RD", "7", "4½"),
        ("4C CB RD", "7½", "5"),
        ("4C 3B RD", "7½", "7½"),
        ("7C FS RD", "8", "8"),
    ],
)
def test_points_are_counted_as_at_the_table(names: str, points: str, tame: str) -> None:
    """The matta fills up to seven and a half, or counts half a point where even that is too much."""
    assert written(total(faces(names), True)) == points
    assert written(total(faces(names), False)) == tame


def table(cards: str, *answers: Any, seats: int = 3, **options: Any) -> Rehearsal:
    """Play one hand in which the first seat holds the bank."""
    return rehearse(
        Settemezzo,
        seats=seats,
        first=0,
        options={"hands": 2, **options},
        decks={"deck": cards},
        turns=1,
        answers=[*answers],
    )


def test_the_sample_round_is_what_the_rules_play() -> None:
    """A tie for the bank, seven and a half with two cards for double, and the bank changes hands."""
    played = table("6C FS 4D 7B 2C", {1: 5, 2: 2}, STAY, CARD, STAY, CARD, STAY)
    assert played.game.chips.values() == [101, 95, 104]
    assert played.game.banker == 2
    assert "P2 has 7½." in played.said()


def test_a_bust_pays_at_once_and_a_bust_bank_pays_all() -> None:
    """The first player goes over and has paid before the bank does the same."""
    played = table("6C 5C 4D 7B 6D", {1: 5, 2: 2}, CARD, STAY, CARD)
    assert played.game.chips.values() == [103, 95, 102]
    assert played.game.banker == 0


def test_a_player_who_is_gone_stays() -> None:
    """The default answer draws no card, which could be one too many."""
    played = rehearse(Settemezzo, seats=2, first=0, decks={"deck": "5C 4D"}, answers=None)
    (ask,) = played.play({1: 2}).open
    assert (ask.seat, ask.otherwise) == (1, STAY)


@pytest.mark.parametrize(("options", "won"), [({}, 4), ({"double": False}, 2)])
def test_two_cards_win_double_by_option(options: dict[str, bool], won: int) -> None:
    played = table("7C 4D FB 3D", {1: 2}, CARD, STAY, CARD, STAY, seats=2, **options)
    assert played.game.chips.values() == [100 - won, 100 + won]


def test_without_the_matta_a_king_is_a_king() -> None:
    """Beside a fante it makes seven and a half, or one."""
    wild = table("FC 7D RD", {1: 2}, CARD, STAY, STAY, seats=2)
    tame = table("FC 7D RD", {1: 2}, CARD, STAY, STAY, seats=2, matta=False)
    assert wild.game.chips.values() == [96, 104]
    assert tame.game.chips.values() == [102, 98]


def test_hidden_cards_stay_hidden_until_the_bank_has_played() -> None:
    """While players draw, nobody else sees their first card."""
    played = rehearse(Settemezzo, seats=2, first=0, decks={"deck": "5C 4D 2B AS"}, answers=None)
    played.play({1: 2}, CARD)
    first, second = played.views(0).zones()["hand.1"].content
    assert (first.face, str(second.face)) == (None, "2B")


def test_a_bank_that_is_broke_passes() -> None:
    """It pays as far as its chips last."""
    played = rehearse(Settemezzo, seats=3, first=0, decks={"deck": "6C 7C 4D 4B"}, turns=1, answers=None)
    game = played.game
    game.chips[0].pay(96, game.chips[1])
    played.play({1: 10, 2: 10}, STAY, STAY, CARD)
    assert game.chips.values() == [0, 200, 100]
    assert game.banker == 1


def test_a_player_who_is_out_does_not_take_the_bank() -> None:
    """Seven and a half with two cards ties with the bank's and costs the last chips; the bank stays."""
    cards = {"deck": "7C 4C 7B FS FB"}
    played = rehearse(Settemezzo, seats=3, first=0, decks=cards, turns=2, answers=None)
    game = played.game
    game.chips[1].pay(95, game.chips[2])
    played.play({1: 5, 2: 1}, CARD, STAY, STAY, CARD, STAY)
    assert game.chips.values() == [106, 0, 194]
    assert game.banker == 0
    assert [ask.seat for ask in played.open] == [2]


def test_chips_are_never_made_or_lost() -> None:
    """Over whole matches with random choices, their sum stays the same."""
    for seed in range(10):
        match = Simulation(Settemezzo, 5, seed=seed)
        match.rollout([EasyBot()] * 5, Chance(seed))
        assert sum(match.game.chips.values()) == 500
        assert len(match.game.used) + len(match.game.deck) == 40


def test_the_hard_bot_beats_the_easy_one() -> None:
    """Over 60 matches of four with the seats changing, it wins well over half."""
    won = 0
    for seed in range(60):
        bots = [(HardBot(), EasyBot())[(seat + seed) % 2] for seat in range(4)]
        outcome = Simulation(Settemezzo, 4, seed=seed).rollout(bots, Chance(seed))
        assert outcome is not None
        won += (outcome.winners[0] + seed) % 2 == 0
    assert won > 33
