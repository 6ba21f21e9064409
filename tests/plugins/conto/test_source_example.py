"""The worked examples of the source, played turn by turn."""

from __future__ import annotations

import pytest

from .table import Dinner

HANDS = "2 6 7 10 Q Q | 4 4 10 10 K W | 3 5 7 J J A | 2 3 4 9 K A"
TURNS = [
    ("Q", "1 Q"),
    ("K", "1 Q 1 K"),
    ("A", "1 A 1 K"),
    ("A", "2 A 1 K"),
    ("Q", "2 A 2 Q"),
    ("10", "2 A 3 10"),
    ("J", "2 A 3 J"),
    ("K", "2 A 3 K"),
]


def test_example_1_is_true_with_one_joker() -> None:
    """Two aces and three kings, of two aces, two kings and a joker: the asker, A, has lost the hand."""
    dinner = Dinner(HANDS)
    for dish, call in TURNS:
        dinner.call(dish, call)
    assert dinner.seat == 0
    dinner.bill()
    assert dinner.losses == [1, 0, 0, 0]
    said = dinner.match.said()
    assert "Called: 2×A + 3×K. On the table: 2×A + 2×K; jokers: 1." in said
    assert said[-2:] == [
        "It's all there! P0 pays, and P3 pockets the tip.",
        "Hand 2: P0 sets the table and deals.",
    ]


def test_each_turn_of_example_1_is_the_move_it_says() -> None:
    """Each move is the one of the source's table, which calls the last one, three jacks to three kings, an
    upsizing; by its own glossary it is a spicing. Each shows the card of the table.
    """
    dinner = Dinner(HANDS)
    for dish, call in TURNS:
        dinner.call(dish, call)
    moves = [
        event.message.split(": calls {call}")[0]
        for event in dinner.match.events
        if "{call} and shows" in event.message
    ]
    order, spice, upsize = "{seat} orders", "{seat} reaches for the chilli", "{seat} wants a bigger plate"
    assert moves == [order, order, spice, upsize, upsize, upsize, spice, spice]
    assert {int(seat): card.face.rank for seat, card in dinner.game.shown.items()} == {1: 10, 2: 11, 3: 13}
    assert dinner.card("Q").is_public  # A has the queen back in the hand


def test_example_1_without_the_joker_is_false() -> None:
    """Were B's joker a five, the same call would be false, and D, who called it, would pay."""
    dinner = Dinner(HANDS.replace("W", "5"))
    for dish, call in TURNS:
        dinner.call(dish, call)
    assert dinner.bill().losses == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("hands", "turns"),
    [
        ("K 2 3 4 5 6 | 7 8 9 10 J Q | 2 3 4 5 6 7", [("K", "1 K")]),
        ("10 2 3 4 5 6 | 10 7 8 9 J Q | 2 3 4 5 6 7", [("10", "1 10"), ("10", "2 10"), ("7", "2 10 1 7")]),
        ("10 2 3 4 5 6 | A 10 8 9 J Q | A 3 4 5 6 7", [("10", "1 10"), ("10", "2 10"), ("A", "2 A")]),
        ("10 2 3 4 5 6 | Q 10 8 9 J Q | A 3 4 5 6 7", [("10", "1 10"), ("Q", "2 Q")]),
    ],
    ids=["order the first", "order the second", "spice", "upsize"],
)
def test_the_small_examples_of_the_moves(hands: str, turns: list[tuple[str, str]]) -> None:
    """The glossary's examples can be played as they are written."""
    dinner = Dinner(hands)
    for dish, call in turns:
        dinner.call(dish, call)
    assert str(dinner.game.last_call).replace("×", " ").replace(" +", "") == turns[-1][1]
