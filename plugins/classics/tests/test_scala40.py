"""Scala 40: melds and their points, jokers, openings of forty, and matches that end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from tavolata import Seat
from tavolata.bots import Chance
from tavolata.decks import FRENCH_108, FrenchFace
from tavolata.sim import Simulation
from tavolata.testing import Rehearsal, refuses, rehearse
from tavolata_classics.scala40.bots import EasyBot, NormalBot
from tavolata_classics.scala40.facts import LAY, found
from tavolata_classics.scala40.laying import PICK
from tavolata_classics.scala40.melds import arrange, best, fitted, penalty, worth
from tavolata_classics.scala40.rules import Scala40

FACES = {str(face): face for face in FRENCH_108.faces} | {"J*": FRENCH_108.faces[-1]}


def faces(names: str | Iterable[str]) -> tuple[FrenchFace, ...]:
    return tuple(FACES[name] for name in (names.split() if isinstance(names, str) else names))


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("7♥ 7♠ 7♦", 21),
        ("7♥ 7♠ 7♦ 7♣", 28),
        ("A♥ A♠ A♦", 33),
        ("A♥ 2♥ 3♥", 6),
        ("K♥ A♥ Q♥", 31),
        ("9♥ J♥ 10♥", 29),
        ("7♥ J* 7♦", 21),
        ("7♥ 9♥ J*", 24),
        ("Q♥ K♥ J*", 31),
        ("K♥ A♥ J*", 31),
        ("A♥ J* 3♥", 6),
    ],
)
def test_melds_are_worth_what_the_rulebook_says(cards: str, points: int) -> None:
    """Sets and runs, aces at both ends, and jokers for the card they stand for."""
    order = arrange(faces(cards))
    assert order is not None
    assert worth([faces(cards)[place] for place in order]) == points


@pytest.mark.parametrize(
    "cards",
    ["7♥ 7♠", "7♥ 7♥ 7♠", "7♥ 8♥ 9♠", "K♥ A♥ 2♥", "7♥ J* J*", "7♥ 8♥ 10♥", "7♥ 10♥ J*", "7♥ 7♠ 7♦ 7♣ J*"],
)
def test_other_cards_are_no_meld(cards: str) -> None:
    assert arrange(faces(cards)) is None


@pytest.mark.parametrize(
    ("meld", "card", "after"),
    [
        ("7♥ 8♥ 9♥", "10♥", "7♥ 8♥ 9♥ 10♥"),
        ("7♥ 8♥ 9♥", "6♥", "6♥ 7♥ 8♥ 9♥"),
        ("Q♥ K♥ A♥", "J♥", "J♥ Q♥ K♥ A♥"),
        ("7♥ J* 9♥", "8♥", "7♥ 8♥ 9♥"),
        ("7♥ 7♠ J*", "7♦", "7♥ 7♠ 7♦"),
        ("Q♥ K♥ J*", "A♥", "Q♥ K♥ A♥"),
        ("7♥ 8♥ 9♥", "J♥", ""),
        ("7♥ 7♠ 7♦", "7♦", ""),
    ],
)
def test_cards_are_added_and_jokers_are_replaced(meld: str, card: str, after: str) -> None:
    """Where a joker stands for the card, it's left out."""
    order = fitted(faces(meld), FACES[card])
    every = [*faces(meld), FACES[card]]
    assert ([every[place] for place in order] if order else []) == [*faces(after)]


def test_the_best_melds_of_a_hand_are_found() -> None:
    """The four is better in the run, and 45 points are too few for 46."""
    hand = faces("4♥ 5♥ 6♥ 4♠ 4♦ K♣ K♠ K♥ 2♦")
    assert sorted(sum(penalty(hand[place]) for place in meld) for meld in best(hand)) == [15, 30]
    assert found(hand, 46) == ()
    assert len(found(hand, 45)) == 2


def test_melds_that_are_worth_enough_to_open_are_found() -> None:
    """Two runs would get rid of more points, but the low ace in one makes them worth too little."""
    hand = faces("Q♦ K♦ A♦ 3♣ 3♥ 3♠ A♣ 2♣ 9♥ 6♠")
    runs, to_open = [[[hand[at] for at in meld] for meld in found(hand, least)] for least in (37, 40)]
    assert sorted(map(worth, runs)) == [6, 31]
    assert sorted(map(worth, to_open)) == [9, 31]
    assert found(hand, 41) == ()


@pytest.mark.parametrize(
    ("cards", "melds"),
    [
        ("5♥ 6♥ 7♥ 8♥", ["6♥ 7♥ 8♥"]),
        ("8♥ 5♥ 7♥ 6♥ 9♠ 10♠ J♠", ["6♥ 7♥ 8♥", "9♠ 10♠ J♠"]),
        ("4♥ 4♠ 4♦ 4♣ A♠ 2♠ 3♠", ["4♥ 4♠ 4♦", "A♠ 2♠ 3♠"]),
        ("7♥ 7♠ 7♦ 7♥ 7♠ 7♦", ["7♥ 7♠ 7♦"]),
        ("7♥ 7♠ 7♦", []),
    ],
)
def test_a_hand_that_is_all_melds_lays_all_but_one_card(cards: str, melds: list[str]) -> None:
    """A longer meld spares the cheapest card it can; if none is that long, a meld stays in the hand."""
    hand = faces(cards)
    assert [[hand[place] for place in meld] for meld in found(hand, 0)] == [[*faces(one)] for one in melds]


@pytest.mark.parametrize(
    ("cards", "melds"),
    [
        ("4♥ 5♥ 6♥ 4♠ 4♦ 4♣", [3, 3]),
        ("9♥ 4♥ 8♥ 6♥ 5♥ 7♥", [6]),
        ("7♥ 7♠ J* Q♥ K♥ J*", [3, 3]),
        ("7♥ 8♥ 9♥ 8♠ J* J*", [3, 3]),
        ("7♥ 7♠ 7♦ 2♣", []),
        ("7♥ 7♠ J* J*", []),
        ("", []),
    ],
)
def test_picked_cards_are_split_into_melds(cards: str, melds: list[int]) -> None:
    """All of them are in melds, each in one, or no melds are found."""
    taken = best(faces(cards), whole=True)
    assert [len(meld) for meld in taken] == melds
    assert sorted(place for meld in taken for place in meld) == [*range(sum(melds))]


ANN = "10♥ J♥ Q♥ 7♥ 7♠ 7♦ K♣ 2♣ 3♠ 4♦ 9♣ 5♠ 6♦"
BEN = "8♠ 9♠ 10♠ 2♥ 3♦ 4♣ 5♥ 6♠ J♦ Q♣ A♠ K♥ 8♦"


def table(*answers: Any, turns: int, **options: Any) -> Rehearsal:
    """Ben deals, and Ann begins; she draws an eight, and Ben a three."""
    deal = [card for both in zip(ANN.split(), BEN.split(), strict=True) for card in both]
    deck = [*deal, "A♣", "8♣", "3♣", "7♣", "9♦"]
    return rehearse(
        Scala40,
        seats=["Ann", "Ben"],
        first=1,
        options=options,
        decks={"stock": deck},
        turns=turns,
        answers=[*answers],
    )


def test_the_sample_round_is_what_the_rules_play() -> None:
    """An opening with 51 points, a hand that can't open, and a fourth seven that is added."""
    no = refuses(LAY, "Your melds aren't worth enough to open.")
    played = table(LAY, "K♣", no, "2♥", "stock", 1, "7♣", "9♣", turns=3)
    game = played.game
    assert [[str(card.face) for card in pile] for pile in game.melds if pile] == [
        ["10♥", "J♥", "Q♥"],
        ["7♥", "7♠", "7♦", "7♣"],
    ]
    assert game.opened == [True, False]
    assert [len(hand) for hand in game.hands] == [13 - 6 - 1, 13]


def test_a_player_may_pick_the_cards_to_lay() -> None:
    """The run alone is too little to open, with the sevens it's enough; a meld may stay in the hand."""
    run, sevens, no = (
        ["10♥", "J♥", "Q♥"],
        ["7♥", "7♠", "7♦"],
        "These cards don't form melds or aren't worth enough.",
    )
    played = table(PICK, refuses(run, no), [*run, *sevens], "K♣", "2♥", turns=2)
    assert sorted(len(pile) for pile in played.game.melds if pile) == [3, 3]
    played = table(PICK, refuses(run[:2], no), sevens, PICK, [], "K♣", turns=1, opening="off")
    assert [len(pile) for pile in played.game.melds if pile] == [3]
    assert len(played.game.hands[0]) == 13 - 3


def test_rummy_opens_with_any_meld() -> None:
    """Ben's run of 27 points is enough, and he may take a discard before that by option."""
    played = table("stock", "K♣", "discard", LAY, "2♥", turns=2, opening="off", take=True)
    game = played.game
    assert game.opened == [False, True]
    assert [[str(card.face) for card in pile] for pile in game.melds if pile] == [["8♠", "9♠", "10♠"]]
    assert len(game.hands[1]) == 13 + 1 - 3 - 1


def test_matches_end_and_no_card_is_lost() -> None:
    """All 108 cards are somewhere, and one player is left."""
    for seats in (2, 4):
        match = Simulation(Scala40, seats, options=Scala40.options.parse({"points": 51}), seed=seats)
        outcome = match.rollout([NormalBot()] * seats, Chance(seats))
        assert outcome is not None
        assert len(outcome.winners) == 1
        game = match.game
        assert sum(map(len, (game.stock, game.discards, *game.hands, *game.melds))) == 108
        assert min(game.points) == game.points[outcome.winners[0]]


def test_whoever_is_knocked_out_together_with_as_many_points_shares_a_place() -> None:
    """Two fell in the first deal with equal points, one in the second, and one is left."""
    played = rehearse(Scala40, seats=["Ann", "Ben", "Cy", "Dot"], turns=0)
    played.game.out = [[Seat(0), Seat(2)], [Seat(1)]]
    outcome = played.game.outcome(played.table)
    assert outcome.ranks == (3, 2, 3, 1)
    assert outcome.winners == (3,)


def test_a_better_bot_wins() -> None:
    """Of ten short matches of two with the seats changing, normal wins most."""
    won = 0
    for seed in range(10):
        bots = [EasyBot(), NormalBot()] if seed % 2 else [NormalBot(), EasyBot()]
        options = Scala40.options.parse({"points": 51})
        outcome = Simulation(Scala40, 2, options=options, seed=seed).rollout(bots, Chance(seed))
        assert outcome is not None
        won += outcome.winners == (seed % 2,)
    assert won >= 7
