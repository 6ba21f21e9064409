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


def sets() -> Iterator[Meld]:
    """Yield all sets: three or four cards of a rank, all of different suits."""
    for rank in zip(*SUITS, strict=True):
        for cards in (rank, *combinations(rank, FEWEST)):
            yield dict.fromkeys(cards, ace_high(rank[0]))


def runs() -> Iterator[Meld]:
    """Yield all runs, low ones first: three or more of a suit; an ace is below the two or above the king."""
    for low, after in combinations(range(Rank.ACE, HIGH_ACE + 2), 2):
        if FEWEST <= after - low <= Rank.KING:
            for suit in SUITS:
                yield {suit[(at - Rank.ACE) % Rank.KING]: at for at in range(low, after)}


def jokers(meld: Meld) -> Iterator[Meld]:
    """Yield the melds with a joker in place of one card."""
    for gone in meld:
        yield {JOKER if face == gone else face: height for face, height in meld.items()}


MELDS: Final = {frozenset(meld): meld for plain in (*sets(), *runs()) for meld in (plain, *jokers(plain))}
"""Every meld by its cards; a joker that could be at either end of a run is at the high one."""
RUNS: Final = {face: [frozenset(run) for run in runs() if face in run] for face in FRENCH_108.faces}
"""By card, the runs without a joker that it's in, low ones first."""


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
    if len(meld) != len(faces) or not faces:
        return None
    return tuple(sorted(range(len(faces)), key=lambda place: meld[faces[place]]))


def fitted(meld: Sequence[FrenchFace], face: FrenchFace) -> Places | None:
    """Return the meld with one more card, whose place comes last; None if it doesn't fit.

    A card that a joker stands for takes its place, and the joker is left out.
    """
    if JOKER in meld and face != JOKER:
        in_order, at = tuple(range(len(meld))), meld.index(JOKER)
        if arrange([*meld[:at], face, *meld[at + 1 :]]) == in_order:
            return (*in_order[:at], len(meld), *in_order[at + 1 :])
    return arrange([*meld, face])


def melds_with(faces: Sequence[FrenchFace], left: Places) -> Iterator[Places]:
    """Yield the melds that the first card left can make with others; of equal cards one is enough."""
    first, face = left[0], faces[left[0]]
    places = {faces[place]: place for place in left} | {face: first}
    held, joker = frozenset(places), [place for place in left if faces[place] == JOKER][:1]
    alike = [place for other, place in places.items() if other.rank == face.rank and place != first]
    of_rank = (
        [first, *others, *joker[:more]]
        for size in (3, 2, 1)
        for others in combinations(alike, size)
        for more in range(len(joker) + 1)
    )
    of_suit = (
        [*(places[card] for card in run & held), *joker[: len(run - held)]]
        for run in RUNS[face]
        if len(run - held) <= len(joker)
    )
    for cards in chain(of_rank, of_suit):
        if order := arrange([faces[place] for place in cards]):
            yield tuple(cards[place] for place in order)


def rid_of(faces: Sequence[FrenchFace], *melds: Places) -> int:
    """Return the points that a hand gets rid of with these melds."""
    return sum(penalty(faces[place]) for place in chain(*melds))


@lru_cache(maxsize=4096)
def best(faces: tuple[FrenchFace, ...], *, long: bool = False) -> Melds:
    """Return the melds that get rid of most points together; with `long`, long ones come first."""

    @cache
    def search(left: Places) -> Melds:
        if not left or faces[left[0]] == JOKER:
            return ()
        melds = sorted(melds_with(faces, left), key=lambda meld: -len(meld) if long else 0)
        ways = [(meld, *search(tuple(place for place in left if place not in meld))) for meld in melds]
        return max([search(left[1:]), *ways], key=lambda melds: rid_of(faces, *melds))

    return search(tuple(sorted(range(len(faces)), key=lambda place: faces[place] == JOKER)))


def points_of(faces: Sequence[FrenchFace], melds: Sequence[Places]) -> int:
    """Return the points of melds among these faces."""
    return sum(worth([faces[place] for place in meld]) for meld in melds)


def split(faces: Sequence[FrenchFace]) -> Melds:
    """Return melds that take up all of these cards, long ones first; () if that can't be."""
    melds = best(tuple(faces), long=True)
    return melds if sum(map(len, melds)) == len(faces) else ()
