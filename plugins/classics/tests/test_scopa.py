"""Scopa: captures by rank and by sum, primiera and napola as they're known, and each point of a deal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest

from tavolata import Table
from tavolata.bots import Chance, RandomBot
from tavolata.decks import ITALIAN_40, ItalianFace
from tavolata.sim import Simulation
from tavolata.testing import Rehearsal, rehearse
from tavolata_classics.scopa.bots import EasyBot, HardBot, Sight
from tavolata_classics.scopa.guide import SWEEP, hints
from tavolata_classics.scopa.rules import Scopa, ScopaOptions
from tavolata_classics.scopa.score import captures, napola, primiera

FACES = {str(face): face for face in ITALIAN_40.faces}


def faces(names: str) -> list[ItalianFace]:
    return [FACES[name] for name in names.split()]


def itself(rank: int) -> int:
    return rank


def test_captures_are_one_equal_card_or_every_sum() -> None:
    """Compared with trying all sets of cards, for random tables."""
    chance = Chance(1)
    for _ in range(200):
        table = [1 + chance.below(10) for _ in range(chance.below(8))]
        rank = 1 + chance.below(10)
        sizes = range(1, len(table) + 1)
        every = [way for size in sizes for way in combinations(table, size) if sum(way) == rank]
        wanted = [(rank,)] * table.count(rank) or every
        assert sorted(captures(rank, table, itself)) == sorted(wanted)


def test_an_ace_takes_all_by_option() -> None:
    """But it takes an ace if there's one."""
    assert captures(1, [3, 9], itself) == []
    assert captures(1, [3, 9], itself, sweeps=True) == [(3, 9)]
    assert captures(1, [3, 1, 9], itself, sweeps=True) == [(1,)]
    assert captures(1, [], itself, sweeps=True) == []


@pytest.mark.parametrize(
    ("names", "points"),
    [
        ("7D 7C 7S 7B", 84),
        ("7D 7C 7S 6B", 81),
        ("AD 6C 5S 4B", 63),
        ("RD RC FS CB", 40),
        ("2D 3D 3C 2S 7B", 12 + 1 + 13 + 12 + 21),
        ("7D 7C 7S 6D", 0),
    ],
)
def test_the_primiera_is_counted_as_everywhere(names: str, points: int) -> None:
    """The best card of each suit, and nothing where a suit is missing."""
    assert primiera(faces(names)) == points


@pytest.mark.parametrize(
    ("names", "points"),
    [("AD 2D", 0), ("AD 2D 3D", 3), ("AD 2D 3D 4D 6D", 4), ("2D 3D 4D", 0), ("AD 2D 3C", 0)],
)
def test_a_napola_begins_with_the_ace(names: str, points: int) -> None:
    assert napola(faces(names)) == points
    assert napola(ITALIAN_40.faces) == 10


def table(cards: str, answers: Sequence[Any], turns: int, **options: Any) -> Rehearsal:
    """Ann deals, so that Ben begins."""
    return rehearse(
        Scopa,
        seats=["Ann", "Ben"],
        first=0,
        options=options,
        decks={"deck": cards},
        turns=turns,
        answers=answers,
    )


def test_the_sample_round_is_what_the_rules_play() -> None:
    """A sum, an equal card, a scopa, and a card that takes nothing."""
    played = table("4C 3D RS AB 7D RC AS 2S 5B 6C", ["7D", "RC", "AS", "2S"], 4)
    taken = [sorted(str(card.face) for card in pile) for pile in played.game.taken]
    assert taken == [["RC", "RS"], ["3D", "4C", "7D", "AB", "AS"]]
    assert played.game.sweeps == [0, 1]
    assert [str(card.face) for card in played.game.table] == ["2S"]


def test_of_several_sums_the_player_chooses() -> None:
    """Seven takes 4 and 3 or 5 and 2: the choices are those two."""
    deck = "4C 3D 5S 2B 7D RC AS 2S 5B 6C"
    played = rehearse(Scopa, seats=2, first=0, decks={"deck": deck}, answers=None).play("7D")
    question = played.open[0].question
    ways = [[str(card.face) for card in question.nth(n)] for n in range(question.count())]
    assert ways == [["4C", "3D"], ["5S", "2B"]]


def test_the_guide_promises_no_scopa_with_the_last_card_of_a_deal() -> None:
    """In 40 deals, some last cards take all that's on the table, and that's no scopa."""
    takes_all = 0
    for seed in range(40):
        match = Simulation(Scopa, 2, seed=seed)
        game = match.game
        while game.deck or game.played or sum(map(len, game.hands)) > 1:
            match.step(match.open[0].question.nth(0))
        (ask,) = match.open
        sight = Sight(match.view(ask.seat), ask.seat)
        ways = sight.ways(sight.mine[0], sight.table)
        takes_all += bool(sight.table) and any(len(way) == len(sight.table) for way in ways)
        assert SWEEP not in [hint.message for hint in hints(match.view(ask.seat), ask)]
    assert takes_all


def test_three_kings_are_dealt_again() -> None:
    played = rehearse(
        Scopa,
        seats=2,
        first=0,
        decks={"deck": [["RC", "RD", "RS", "AB"], ["4C", "3D", "RS", "AB"]]},
        answers=None,
    )
    assert "Three kings on the table: the cards are dealt again." in played.said()
    assert [str(card.face) for card in played.game.table] == ["4C", "3D", "RS", "AB"]


def test_the_points_of_a_deal_are_those_of_its_cards() -> None:
    """Counted here in another way, for the deals of some matches; not every category has a winner."""
    counted: list[tuple[list[int], list[int]]] = []

    class Watched(Scopa):
        def points(self, t: Table[ScopaOptions]) -> list[int]:
            piles = [[card.face for card in pile] for pile in self.taken]
            own = [sum(face.rank == 7 and str(face) == "7D" for face in pile) for pile in piles]
            for numbers in (
                [len(pile) for pile in piles],
                [sum(str(face)[-1] == "D" for face in pile) for pile in piles],
                [primiera(pile) for pile in piles],
            ):
                own[0] += numbers[0] > numbers[1]
                own[1] += numbers[1] > numbers[0]
            counted.append(
                ([one + sweeps for one, sweeps in zip(own, self.sweeps, strict=True)], super().points(t))
            )
            return counted[-1][1]

    for seed in range(6):
        Simulation(Watched, 2, seed=seed).rollout([RandomBot()] * 2, Chance(seed))
    assert len(counted) > 12
    assert len({sum(points) for _, points in counted}) > 2
    for wanted, points in counted:
        assert points == wanted


@pytest.mark.parametrize(("seats", "teams"), [(2, 0), (3, 0), (4, 2)])
def test_no_card_is_lost_and_a_deal_brings_at_most_four_points_and_the_scope(seats: int, teams: int) -> None:
    """Over whole matches by chance."""
    for seed in range(4):
        match = Simulation(Scopa, seats, teams=teams, seed=seed)
        outcome = match.rollout([RandomBot()] * seats, Chance(seed))
        assert outcome is not None
        assert outcome.team_scores is not None
        assert max(outcome.team_scores) >= 11
        assert len(match.game.deck) == 40


def test_the_hard_bot_beats_the_easy_one() -> None:
    """Over 40 matches with the seats changing, it wins well over half."""
    won = 0
    for seed in range(40):
        bots = [EasyBot(), HardBot()] if seed % 2 else [HardBot(), EasyBot()]
        outcome = Simulation(Scopa, 2, seed=seed).rollout(bots, Chance(seed))
        assert outcome is not None
        won += outcome.winners == (seed % 2,)
    assert won > 24
