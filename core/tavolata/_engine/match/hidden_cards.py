"""Hidden cards of a match by kind, and what everybody knows about their faces together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from tavolata.cards import Card, Deck
from tavolata.cups import DiceDeck


def hidden(cards: Iterable[Card[Any]]) -> dict[Deck[Any], list[Card[Any]]]:
    """The hidden cards by deck, in the order of their numbers."""
    found: dict[Deck[Any], list[Card[Any]]] = {}
    for card in cards:
        if not card.is_public:
            found.setdefault(card.deck, []).append(card)
    return found


def faces_before(cards: Iterable[Card[Any]], public: Mapping[int, int]) -> dict[int, int]:
    """By card, the face number from which all begin to shuffle a clean snapshot.

    Everybody knows which faces the hidden cards have together, and nobody knows which card has which. So they
    are written down in the order of their numbers, and shuffled before anything else. No die is hidden in a
    clean snapshot.

    Args:
        cards: all cards of the match.
        public: by card, the face number of each public card.
    """
    faces = dict(public)
    by_deck: dict[Deck[Any], list[Card[Any]]] = {}
    for card in cards:
        by_deck.setdefault(card.deck, []).append(card)
    for deck, laid in by_deck.items():
        if isinstance(deck, DiceDeck):
            continue
        left = Counter(deck.cards[at % len(deck.cards)] for at in range(len(laid)))
        left.subtract(public[card.id] for card in laid if card.id in public)
        rest = sorted(left.elements())
        faces |= zip((card.id for card in laid if card.id not in public), rest, strict=True)
    return faces
