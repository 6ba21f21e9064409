"""The cards of a lane: which of them act, and what they do to the horse (rulings 3, 9, 11, 12, 35). Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from tavolata_horse_fever.cards.effects import Effects
from tavolata_horse_fever.cards.faces import ActionCard, HorseCard

Step: TypeAlias = Callable[[Sequence[ActionCard]], list[ActionCard]]
"""One of the two steps that leave some of the cards of a lane."""


def remaining(cards: Sequence[ActionCard], *, removal_first: bool = False) -> list[ActionCard]:
    """Return a lane's cards that act: equal letters cancel, then Fritz and Rochelle remove cards (3).

    With `removal_first` the two steps come in the opposite order. `cards` may be in any order.
    """
    idle = undone(cards, removal_first=removal_first)
    return [card for card in cards if card not in idle]


def undone(cards: Sequence[ActionCard], *, removal_first: bool = False) -> dict[ActionCard, ActionCard]:
    """Return, by card of a lane that fails, the card that undoes it; see `remaining`."""
    found: dict[ActionCard, ActionCard] = {}
    left = list(cards)
    for step in (removed, cancelled) if removal_first else (cancelled, removed):
        after = step(left)
        for card in left:
            if card not in after:
                found[card] = next(one for one in left if one is not card and _undoes(one, card, step))
        left = after
    return found


def _undoes(one: ActionCard, card: ActionCard, step: Step) -> bool:
    if step is cancelled:
        return one.letter == card.letter
    return any(effect.removes is card.tone for effect in one.effects)


def cancelled(cards: Sequence[ActionCard]) -> list[ActionCard]:
    """Return the cards that share their letter with no other card; grey cards have no letter (3a)."""
    letters = Counter(card.letter for card in cards)
    return [card for card in cards if not card.letter or letters[card.letter] == 1]


def removed(cards: Sequence[ActionCard]) -> list[ActionCard]:
    """Return the cards that neither Fritz Finden nor Rochelle Recherche removes, both at once (3b, 35)."""
    tones = {effect.removes for card in cards for effect in card.effects}
    return [card for card in cards if card.tone not in tones]


def lane_effects(horse: HorseCard | None, actions: Iterable[ActionCard]) -> Effects:
    """The effects on the horse of a lane.

    If an Action card has the same symbol as the Horse card, that part of the Horse card is void. No Action
    card has the symbol of the Horse's money (11). Action cards are last, so they win if two different
    symbols of a Horse and an Action card replace the same number (9).
    """
    does = tuple(effect for card in actions for effect in card.effects)
    if horse is None:
        return does
    symbols = {effect.when for effect in does}
    return (*(effect for effect in horse.effects if effect.when not in symbols), *does)
