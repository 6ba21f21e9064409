"""What remains of the cards in a lane, and what they do to its horse (rulings 3, 9, 11, 12, 35). Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tavolata_horse_fever.cards.effects import Effects
from tavolata_horse_fever.cards.faces import ActionCard, HorseCard


def remaining(cards: Sequence[ActionCard], *, removal_first: bool = False) -> list[ActionCard]:
    """The cards of a lane that act: equal letters cancel, then what is to be removed is removed (3).

    Args:
        cards: all cards of the lane, in any order.
        removal_first: whether the two steps come in the other order.
    """
    left = list(cards)
    for step in (removed, cancelled) if removal_first else (cancelled, removed):
        left = step(left)
    return left


def cancelled(cards: Sequence[ActionCard]) -> list[ActionCard]:
    """Without the cards that share their letter with another one; grey cards have none (3a)."""
    letters = Counter(card.letter for card in cards)
    return [card for card in cards if not card.letter or letters[card.letter] == 1]


def removed(cards: Sequence[ActionCard]) -> list[ActionCard]:
    """Without what Fritz Finden and Rochelle Recherche send away, both at once (3b, 35)."""
    tones = {effect.removes for card in cards for effect in card.effects}
    return [card for card in cards if card.tone not in tones]


def lane_effects(horse: HorseCard | None, actions: Iterable[ActionCard]) -> Effects:
    """What happens to the horse of a lane.

    Where an Action card has the same symbol as the Horse card, that part of the Horse card is void; its
    money has a symbol that no Action card has (11). Action cards stand last, and so win where two
    different symbols of a Horse and an Action card replace the same number (9).
    """
    does = tuple(effect for card in actions for effect in card.effects)
    if horse is None:
        return does
    symbols = {effect.when for effect in does}
    return (*(effect for effect in horse.effects if effect.when not in symbols), *does)
