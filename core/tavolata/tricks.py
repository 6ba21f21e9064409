"""Facts and helpers of trick-taking games, for faces with a suit and a rank."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from tavolata.cards import Card
from tavolata.decks import Rank
from tavolata.facts import fact

__all__ = ["ace_high", "follows", "holds", "places", "void", "winner"]


class Suited(Protocol):
    """A face with a suit and a rank, such as those of `tavolata.decks`."""

    @property
    def suit(self) -> Any:
        """The suit."""

    @property
    def rank(self) -> int:
        """The rank."""


K = TypeVar("K")
S = TypeVar("S", bound=Suited)


@fact
def follows(card: Suited, hand: Sequence[Suited], suit: object) -> bool:
    """Return True if a card follows suit, or may be played because the hand has none of that suit."""
    return card.suit == suit or void(hand, suit)


@fact
def void(hand: Sequence[Suited], suit: object) -> bool:
    """Return True if a hand has no card of a suit."""
    return all(card.suit != suit for card in hand)


@fact
def holds(hand: Sequence[object], face: object) -> bool:
    """Return True if a hand has a card with this face."""
    return face in hand


@fact
def places(hand: Sequence[Suited], suit: object) -> tuple[int, ...]:
    """Return the places in a hand, from 0, of the cards of this suit or of this rank."""
    return tuple(place for place, card in enumerate(hand) if suit in (card.suit, card.rank))


def ace_high(face: Suited) -> int:
    """Return the rank of a face, with the ace above the king."""
    return Rank.KING + 1 if face.rank == Rank.ACE else face.rank


def winner(
    played: Mapping[K, Card[S]],
    led: object,
    trumps: object = None,
    height: Callable[[S], int] = ace_high,
) -> K:
    """Who wins a trick: the highest trump, otherwise the highest card of the suit led.

    Args:
        played: by seat, its card, face up, in the order of playing.
        led: the suit that was led.
        trumps: the suit of trumps; None without one.
        height: the number by which cards of a single suit compare.

    Returns:
        The key of the winning card; of two equal ones, that of the first.
    """

    def strength(who: K) -> tuple[bool, bool, int]:
        face = played[who].face
        return trumps is not None and face.suit == trumps, face.suit == led, height(face)

    return max(played, key=strength)
