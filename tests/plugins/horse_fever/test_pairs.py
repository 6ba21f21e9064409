"""All pairs of cards in one lane: 231 of two Action cards, 220 of an Action card and a Horse.

The tables here are written from the rulings, not from the cards' declarations: what each card does
alone, which pairs come to nothing, and what those make together that act on the same number.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import pytest

from tavolata_horse_fever.cards.action import ACTION_CARDS
from tavolata_horse_fever.cards.effects import Effect, Moment, Tone, worth
from tavolata_horse_fever.cards.faces import ActionCard, HorseCard
from tavolata_horse_fever.cards.horses import HORSES
from tavolata_horse_fever.rules.lanes import lane_effects, remaining
from tavolata_horse_fever.rules.running import arrived, moved, sprinted

USUAL = {
    "start": 2,  # squares of a movement card of 2 at the start
    "sprint": 1,  # squares of a sprint
    "finish": 13,  # where a movement card of 2 takes a horse from 11
    "photo": 1,  # how many of two equals with better and worse odds are before it
    "first": 2,  # squares of a movement card of 2 for the horse that is first
    "last": 2,  # for the one that is last
    "alone": 2,  # for one that is first and last at once
    "odds": 0,  # rows up when the cards are turned over
    "money": 0,  # for each player who has bet on it
    "points": 3,  # of a bet to win
}
ALONE: dict[int, dict[str, int]] = {
    1: {"start": 4}, 2: {"start": 3}, 3: {"sprint": 2}, 4: {"sprint": 2}, 5: {"photo": 0}, 6: {"finish": 15},
    7: {"last": 4, "alone": 4}, 8: {"start": 0}, 9: {"start": 1}, 10: {"sprint": 0}, 11: {"sprint": 0},
    12: {"photo": 2}, 13: {"finish": 12}, 14: {"first": 0, "alone": 0}, 15: {"odds": 2}, 16: {},
    17: {"money": 400}, 18: {"points": 4}, 19: {"odds": -2}, 20: {}, 21: {"money": -400}, 22: {"points": 2},
    36: {"sprint": 2}, 37: {}, 38: {"finish": 16}, 39: {"last": 4, "alone": 4}, 40: {"start": 4},
    41: {"start": 4}, 42: {}, 43: {"start": 0}, 44: {}, 45: {},
}  # fmt: skip
"""What differs from the usual; Horses change odds at the line-up, which is not here (12)."""
ACTIONS = [card for card in ACTION_CARDS if card.number in ALONE]
KNOWN_HORSES = [card for card in HORSES if card.number in ALONE]
"""A card that came after these tables has a test of its own."""
NUMBERED = {card.number: card for card in ACTIONS}
CANCEL = ((1, 8), (2, 9), (3, 10), (4, 11), (6, 13), (5, 12), (7, 14))
"""Equal letters (3a)."""
FRITZ, ROCHELLE = 16, 20
GREEN, RED = range(1, 8), range(8, 15)
TOGETHER: dict[tuple[int, int], dict[str, int]] = {
    (1, 2): {"start": 5}, (1, 9): {"start": 3}, (2, 8): {"start": 1}, (8, 9): {"start": 0},  # (6)
    (3, 4): {"sprint": 3}, (3, 11): {"sprint": 1}, (4, 10): {"sprint": 0}, (10, 11): {"sprint": 0},  # (7)
    (15, 19): {"odds": 0}, (17, 21): {"money": 0}, (18, 22): {"points": 3},  # (3c, 13)
}  # fmt: skip


def expected(one: int, other: int) -> dict[str, int]:
    """What two Action cards make, as the rulings say."""
    if (one, other) in CANCEL:
        return USUAL
    acting = {one, other}
    if FRITZ in acting:
        acting -= set(RED)
    if ROCHELLE in acting:
        acting -= set(GREEN)
    found = dict(USUAL)
    for card in sorted(acting):
        found |= ALONE[card]
    if acting == {one, other}:
        found |= TOGETHER.get((one, other), {})
    return found


def measured(
    horse: HorseCard | None, cards: list[ActionCard], *, removal_first: bool = False
) -> dict[str, int]:
    """What the game makes of a lane."""
    acting = remaining(cards, removal_first=removal_first)
    mine = lane_effects(horse, acting)
    lanes = [mine, *[()] * 5]
    actions = [effect for card in acting for effect in card.effects]

    def run(square: int, *others: int, start: bool = False) -> int:
        squares = (square, *others, *[others[-1]] * (5 - len(others)))
        return moved(squares, (5,) * 6, lanes, (2,) * 6, start=start)[0] - square

    order = [lane for group in arrived((13,) * 3 + (0,) * 3, (4, 3, 5, 7, 7, 7), lanes) for lane in group]
    return {
        "start": run(0, 0, start=True),
        "sprint": sprinted((5,) * 6, lanes, [0])[0] - 5,
        "finish": 11 + run(11, 10, 12),  # neither first nor last
        "photo": order.index(0),
        "first": run(6, 5),
        "last": run(4, 5),
        "alone": run(5, 5),
        "odds": worth(actions, Moment.ODDS, 0),
        "money": worth(mine, Moment.BETTORS, 0),
        "points": worth(mine, Moment.POINTS, 3),
    }


@pytest.mark.parametrize("card", [*ACTIONS, *KNOWN_HORSES], ids=str)
def test_each_card_alone(card: ActionCard | HorseCard) -> None:
    """It changes what its ruling says, and nothing else."""
    found = measured(card, []) if isinstance(card, HorseCard) else measured(None, [card])
    assert found == USUAL | ALONE[card.number]


def test_all_pairs_of_action_cards() -> None:
    """Equal letters cancel, Fritz and Rochelle remove, and what remains acts together."""
    for one, other in combinations(sorted(ACTIONS, key=lambda card: card.number), 2):
        found = measured(None, [one, other])
        assert found == expected(one.number, other.number), f"{one} with {other}"
        assert measured(None, [other, one]) == found
        # With two cards the option changes nothing: what could be removed first cancels with nobody else.
        assert measured(None, [one, other], removal_first=True) == found


def test_all_pairs_that_act_on_one_number_are_in_the_table() -> None:
    """No two cards change the same number without a word of the rulings about it."""
    for one, other in combinations(range(1, 23), 2):
        shared = ALONE[one].keys() & ALONE[other].keys()
        assert not shared or (one, other) in CANCEL or (one, other) in TOGETHER


def test_all_pairs_of_a_horse_and_an_action_card() -> None:
    """The same symbol voids the Horse's; with others both act; first and last at once, the card does."""
    symbols = [
        ({36}, {3, 4, 10, 11}), ({38}, {6, 13}), ({39}, {7}), ({40, 41, 43}, {1, 2, 8, 9}),
    ]  # fmt: skip
    for horse, card in product(KNOWN_HORSES, ACTIONS):
        void = any(horse.number in horses and card.number in cards for horses, cards in symbols)
        of_the_horse = {} if void else ALONE[horse.number]
        assert measured(horse, [card]) == USUAL | of_the_horse | ALONE[card.number], f"{horse} with {card}"


def test_money_of_horses_is_never_void() -> None:
    """With each Action card Biscuit De Mer and Bosson bring their 600 D (11)."""
    for horse, card in product(KNOWN_HORSES, ACTIONS):
        brings = 600 if horse.number in (42, 43) else 0
        assert worth(lane_effects(horse, [card]), Moment.OWNER, 0) == brings


def test_three_cards_with_the_option_and_without() -> None:
    """Fritz with any cancelling pair: usually the pair is gone; removing first leaves the green one."""
    fritz = NUMBERED[FRITZ]
    rochelle = NUMBERED[ROCHELLE]
    for green, red in CANCEL:
        pair = [NUMBERED[green], NUMBERED[red]]
        assert measured(None, [*pair, fritz]) == measured(None, [*pair, rochelle]) == USUAL
        assert measured(None, [*pair, fritz], removal_first=True) == USUAL | ALONE[green]
        assert measured(None, [*pair, rochelle], removal_first=True) == USUAL | ALONE[red]


def test_a_new_card_is_one_declaration() -> None:
    """A Horse and an Action card of one's own act in a lane, and meet the others, without another line."""
    pegasus = HorseCard(46, "Pegasus", (Effect(Moment.SPRINT, sets=3), Effect(Moment.LAST, adds=2)))
    mud = ActionCard(46, "Lutum", (Effect(Moment.START, sets=1),), Tone.RED, "H")
    assert measured(pegasus, []) == USUAL | {"sprint": 3, "last": 4, "alone": 4}
    assert measured(pegasus, [NUMBERED[3]])["sprint"] == 2
    assert measured(None, [mud]) == USUAL | {"start": 1}
    assert measured(None, [mud, NUMBERED[FRITZ]]) == USUAL
    assert measured(None, [mud, replace(mud, number=47)]) == USUAL
