"""Clean snapshots: states of a match in which nobody holds a secret, and from which others can go on.

A snapshot is clean at the end of a turn if no answer is sealed, nothing is claimed about a hidden card, and
the hidden cards of each kind lie in one pile of which nobody has seen a hidden card, and no die is hidden.
Then all that it hides is their order, and a match that goes on from it shuffles them anew.
"""

from __future__ import annotations

from typing import Any

from tavolata._engine.match.match import Match
from tavolata._engine.match.source import hidden
from tavolata._engine.match.state import Writer, pack
from tavolata.cards import Hand, Pile
from tavolata.cups import DiceDeck
from tavolata.errors import GameError


def snapshot_of(match: Match[Any], seen: frozenset[int]) -> bytes | None:
    """Return the packed state of a match at the end of a turn; None if it isn't clean.

    `seen` are the hidden cards that someone may see.
    """
    if match.over or match.table._facts.said or not _lie_unseen(match, seen):
        return None
    try:
        state = match.state()
        writer = Writer(match.table)
        for name, value in vars(match.game).items():
            writer.write(value, name)
    except GameError:
        return None  # this game's state has no encoding
    return pack(state) if all(secret.is_open for secret in writer.secrets.values()) else None


def _lie_unseen(match: Match[Any], seen: frozenset[int]) -> bool:
    """Return True if the hidden cards of each kind are in one pile, unseen by anyone."""
    pieces = match.table._pieces
    piles = [one for one in pieces.named.values() if isinstance(one, Pile) and not isinstance(one, Hand)]
    return all(
        not isinstance(deck, DiceDeck)
        and seen.isdisjoint(card.id for card in cards)
        and any(set(cards) <= set(pile.cards) for pile in piles)
        for deck, cards in hidden(pieces.cards).items()
    )
