"""What each Action card does, in a sentence: on the table a card has room for its symbol alone."""

from __future__ import annotations

from collections.abc import Iterator

from tavolata import N_, Text, text
from tavolata_horse_fever.cards.action import ACTION_CARDS
from tavolata_horse_fever.cards.faces import ActionCard

MEANINGS = {
    1: N_("At the start it runs four squares, whatever the movement card says."),
    2: N_("At the start it runs one more square."),
    3: N_("Its sprints are one square longer."),
    4: N_("Its sprints are two squares long."),
    5: N_("It wins photo finishes."),
    6: N_("It runs two more squares when a movement card carries it over the line."),
    7: N_("While it's last, it runs four squares for each movement card."),
    8: N_("It stands still at the start."),
    9: N_("At the start it runs one fewer square."),
    10: N_("It never sprints, whatever else is in the lane."),
    11: N_("Its sprints are one square shorter."),
    12: N_("It loses photo finishes."),
    13: N_("It stops on the finish line when a movement card would carry it past; sprints still count."),
    14: N_("While it's first, movement cards don't move it."),
    15: N_("Its stable rises two rows on the blackboard."),
    16: N_("All red (hindering) cards in the lane have no effect."),
    17: N_("Everyone who bet on the horse gets 400 D once, win or lose."),
    18: N_("Each winning bet on this horse scores one more point."),
    19: N_("Its stable falls two rows on the blackboard."),
    20: N_("All green (helping) cards in the lane have no effect."),
    21: N_("Everyone who bet on the horse pays 400 D once, win or lose."),
    22: N_("Each winning bet on this horse scores one point less, but never less than 0."),
}
"""By the number of a card, what it does to the horse before it."""
CANCEL = N_("If {other} is in the same lane, neither card has any effect.")


def meaning(card: ActionCard) -> Iterator[Text]:
    """Yield what a card does, and with which other card it fails (ruling 3a)."""
    yield text(MEANINGS[card.number])
    for other in ACTION_CARDS:
        if card.letter and other.letter == card.letter and other.number != card.number:
            yield text(CANCEL, other=other.name)
