"""Melds of Scala 40: sets of a rank and runs of a suit, each with at most one joker, and their points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, combinations
from typing import Final

from tavolata.decks import FRENCH_108, JOKER, FrenchFace, Rank
from tavolata.tricks import ace_high

FEWEST: Final = 3
HIGH_ACE: Final = Rank.KING + 1
JOKER_POINTS: Final = 25
SUITS: Final = [FRENCH_108.faces[at : at + Rank.KING] for at in range(0, 4 * Rank.KING, Rank.KING)]
"""The cards of each suit, from the ace to the king."""
Meld = dict[FrenchFace, int]
"""What each card counts as: its height in a run, or that of all in a set; a joker as what it stands for."""
Places = tuple[int, ...]
"""Places in a list of faces, in the order of the meld."""
Melds = tuple[Places, ...]


def plain() -> Iterator[Meld]:
    """Yield all melds without a joker: sets of different suits, then runs, low ones first.

    An ace is below the two or above the king.
    """
    for rank in zip(*SUITS, strict=True):
        for cards in (rank, *combinations(rank, FEWEST)):
            yield dict.fromkeys(cards, ace_high(rank[0]))
    for low, after in combinations(range(Rank.ACE, HIGH_ACE + 2), 2):
        if FEWEST <= after - low <= Rank.KING:
            for suit in SUITS:
                yield {suit[(at - Rank.ACE) % Rank.KING]: at for at in range(low, after)}


def jokers(meld: Meld) -> Iterator[Meld]:
    """Yield the melds with a joker in place of one card."""
    for gone in meld:
        yield {JOKER if face == gone else face: height for face, height in meld.items()}


MELDS: Final = {frozenset(meld): meld for one in plain() for meld in (one, *jokers(one))}
"""Every meld by its cards; a joker that could be at either end of a run is at the high one."""
MELDS_WITH: Final = {face: [meld for meld in MELDS if face in meld] for face in FRENCH_108.faces}
"""By card, the melds that it's in."""


def points(height: int) -> int:
    """Return the points of a height in a run: an ace below a two is 1, an ace above a king 11."""
    return 11 if height == HIGH_ACE else min(height, 10)


def worth(meld: Sequence[FrenchFace]) -> int:
    """Return the points of a meld; a joker counts as the card it stands for."""
    return sum(map(points, MELDS[frozenset(meld)].values()))


def penalty(face: FrenchFace) -> int:
    """Return the points of a card that is left in the hand."""
    return JOKER_POINTS if face == JOKER else points(ace_high(face))


def arrange(faces: Sequence[FrenchFace]) -> Places | None:
    """Return the places of these faces in the order of a meld; None if they aren't one."""
    meld = MELDS.get(frozenset(faces), {})
    in_order = sorted(range(len(meld)), key=lambda place: meld[faces[place]])
    return tuple(in_order) if len(meld) == len(faces) > 0 else None


def fitted(meld: Sequence[FrenchFace], face: FrenchFace) -> Places | None:
    """Return the meld with one more card, whose place comes last; None if it doesn't fit.

    A card that a joker stands for takes its place, and the joker is left out.
    """
    if JOKER in meld and face != JOKER:
        in_order, at = tuple(range(len(meld))), meld.index(JOKER)
        if arrange([*meld[:at], face, *meld[at + 1 :]]) == in_order:
            return (*in_order[:at], len(meld), *in_order[at + 1 :])
    return arrange([*meld, face])


def rid_of(faces: Sequence[FrenchFace], *melds: Places) -> int:
    """Return the points that a hand gets rid of with these melds."""
    return sum(penalty(faces[place]) for place in chain(*melds))


def points_of(faces: Sequence[FrenchFace], melds: Sequence[Places]) -> int:
    """Return the points of melds among these faces."""
    return sum(worth([faces[place] for place in meld]) for meld in melds)


@lru_cache(maxsize=4096)
def best(faces: tuple[FrenchFace, ...], *, whole: bool = False, by_worth: bool = False) -> Melds:
    """Return the melds that leave a card and get rid of most points, and of these the ones worth most.

    With `whole` they take up all of the cards instead; () if that can't be. With `by_worth` those worth most
    come first.
    """

    def merit(melds: Melds) -> tuple[int, ...]:
        rid, got = rid_of(faces, *melds), points_of(faces, melds)
        return (got if by_worth else rid, rid, got, -len(melds))

    @cache
    def search(left: Places, keeps: bool) -> list[Melds]:
        """Return the best melds in what is left; `keeps` says that they have to leave a card of it."""
        if not left:
            return [] if keeps else [()]
        ways = [] if whole else [*search(left[1:], False)]
        places = {faces[place]: place for place in reversed(left)}  # of equal cards one is enough
        held = frozenset(places)
        for meld in MELDS_WITH[faces[left[0]]]:
            if meld <= held:
                taken = tuple(at for _, at in sorted((at, places[face]) for face, at in MELDS[meld].items()))
                rest = tuple(one for one in left if one not in taken)
                ways += [(taken, *more) for more in search(rest, keeps)]
        return sorted(ways, key=merit)[-1:]

    jokers_last = sorted(range(len(faces)), key=lambda place: faces[place] == JOKER)
    return next(iter(search(tuple(jokers_last), not whole)), ())
