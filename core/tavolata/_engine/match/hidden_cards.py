"""Hidden cards of a match by kind, and what everybody knows about their faces together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from tavolata.cards import Card, Deck
from tavolata.cups import DiceDeck


def hidden(cards: Iterable[Card[Any]]) -> dict[Deck[Any], list[Card[Any]]]:
    """Return the hidden cards by deck, in the order of their numbers."""
    found: dict[Deck[Any], list[Card[Any]]] = {}
    for card in cards:
        if not card.is_public:
            found.setdefault(card.deck, []).append(card)
    return found


def faces_before(cards: Iterable[Card[Any]], public: Mapping[int, int]) -> dict[int, int]:
    """Return, by card, the face number from which all begin to shuffle a clean snapshot.

    Everyone knows which faces the hidden cards have together, and no one knows which card has which. So they
    are written down in the order of their numbers, and shuffled before anything else. No die is hidden in a
    clean snapshot. `public` has the face number of each public card.
    """
    faces = dict(public)
    laid = list(cards)
    for deck in dict.fromkeys(card.deck for card in laid if not isinstance(card.deck, DiceDeck)):
        hidden_ones = [card.id for card in laid if card.deck is deck and card.id not in public]
        faces |= zip(hidden_ones, faces_left(laid, deck, public), strict=True)
    return faces


def faces_left(cards: Iterable[Card[Any]], deck: Deck[Any], seen: Mapping[int, int]) -> list[int]:
    """Return the face numbers of a deck's cards, in order, less those of the cards that were seen."""
    laid = [card for card in cards if card.deck is deck]
    left = Counter(deck.cards[at % len(deck.cards)] for at in range(len(laid)))
    left.subtract(seen[card.id] for card in laid if card.id in seen)
    return sorted(left.elements())
