"""The 23 movement cards: the squares for the horses at 1:2, 1:3, ... 1:7, by the number of the card (2)."""

from __future__ import annotations

from dataclasses import dataclass

from tavolata import Deck

STEPS = {
    83: (3, 3, 2, 2, 2, 2),
    84: (3, 2, 3, 2, 2, 2),
    85: (3, 2, 2, 3, 2, 2),
    86: (3, 2, 2, 2, 3, 2),
    87: (2, 2, 2, 2, 3, 3),
    88: (2, 2, 2, 3, 2, 3),
    89: (2, 2, 3, 2, 2, 3),
    90: (2, 3, 2, 2, 2, 3),
    91: (2, 3, 2, 2, 3, 2),
    92: (2, 3, 2, 2, 3, 2),
    93: (2, 3, 3, 2, 2, 2),
    94: (3, 2, 2, 2, 2, 3),
    95: (2, 2, 3, 3, 2, 2),
    96: (2, 2, 3, 2, 3, 2),
    97: (2, 2, 2, 3, 3, 2),
    98: (3, 3, 2, 2, 2, 2),
    99: (4, 3, 2, 2, 2, 2),
    100: (4, 2, 2, 2, 2, 0),
    101: (2, 2, 2, 2, 1, 0),
    102: (2, 2, 2, 2, 1, 1),
    103: (3, 2, 2, 2, 2, 1),
    104: (2, 2, 3, 1, 2, 2),
    105: (2, 4, 2, 2, 0, 2),
}


@dataclass(frozen=True, slots=True)
class MovementCard:
    """A card that says how far the horse of each row of the blackboard moves, for the odds 1:2 to 1:7."""

    number: int
    steps: tuple[int, ...]

    def __str__(self) -> str:
        return " ".join(map(str, self.steps))


MOVEMENT_CARDS = tuple(MovementCard(number, steps) for number, steps in STEPS.items())
MOVEMENT_DECK = Deck("movement", MOVEMENT_CARDS)
