"""Captures in Scopa, and the points of captured cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from tavolata.decks import ItalianFace, ItalianSuit
from tavolata.decks import ItalianRank as Rank

SETTEBELLO: Final = ItalianFace(Rank.SEVEN, ItalianSuit.DENARI)
PRIMIERA: Final = {
    Rank.SEVEN: 21, Rank.SIX: 18, Rank.ACE: 16, Rank.FIVE: 15, Rank.FOUR: 14, Rank.THREE: 13, Rank.TWO: 12
}  # fmt: skip
FIGURE: Final = 10
NAPOLA: Final = 3
"""The fewest denari in a row, from the ace, that count."""
C = TypeVar("C")


def captures(
    rank: int, table: Sequence[C], of: Callable[[C], int], *, sweeps: bool = False
) -> list[tuple[C, ...]]:
    """Return what a card of this rank may take: one of the same rank, otherwise any that add up to it.

    Args:
        rank: the rank of the card.
        table: the cards on the table.
        of: the rank of one of them.
        sweeps: an ace takes everything, unless there is an ace on the table.
    """
    if same := [(card,) for card in table if of(card) == rank]:
        return [*same]
    if sweeps and rank == Rank.ACE and table:
        return [tuple(table)]
    return list(sums(rank, table, of))


def sums(rest: int, table: Sequence[C], of: Callable[[C], int]) -> Iterator[tuple[C, ...]]:
    """Yield every choice of these cards that adds up to `rest`."""
    for place, card in enumerate(table):
        if of(card) == rest:
            yield (card,)
        elif of(card) < rest:
            for more in sums(rest - of(card), table[place + 1 :], of):
                yield (card, *more)


def primiera(faces: Sequence[ItalianFace]) -> int:
    """Return the value of the best card of each suit together; 0 where a suit is missing."""
    best = [
        max((PRIMIERA.get(face.rank, FIGURE) for face in faces if face.suit is suit), default=0)
        for suit in ItalianSuit
    ]
    return sum(best) if all(best) else 0


def napola(faces: Sequence[ItalianFace]) -> int:
    """Return how many denari follow each other from the ace, if they are three or more."""
    ranks = [face.rank for face in faces if face.suit is ItalianSuit.DENARI]
    length = next(n for n in range(11) if n + 1 not in ranks)
    return length if length >= NAPOLA else 0


def most(numbers: Sequence[int]) -> int | None:
    """Return the place of the highest number; None if two share it."""
    return numbers.index(max(numbers)) if numbers.count(max(numbers)) == 1 else None
