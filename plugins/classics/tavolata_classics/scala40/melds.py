"""Melds of Scala 40: sets of a rank and runs of a suit, each with at most one joker, and their points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from operator import add
from typing import Final, NamedTuple

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
KINDS: Final = {face: at for at, face in enumerate(dict.fromkeys(FRENCH_108.faces))}
"""The numbers of the different cards: searches compare these, which is quicker."""


def points(height: int) -> int:
    """Return the points of a height in a run: an ace below a two is 1, an ace above a king 11."""
    return 11 if height == HIGH_ACE else min(height, 10)


def worth(meld: Sequence[FrenchFace]) -> int:
    """Return the points of a meld; a joker counts as the card it stands for."""
    return sum(map(points, MELDS[frozenset(meld)].values()))


def penalty(face: FrenchFace) -> int:
    """Return the points of a card that is left in the hand."""
    return JOKER_POINTS if face == JOKER else points(ace_high(face))


Merit = tuple[int, ...]
"""What some melds are good for: what counts first, the points that a hand gets rid of, their worth, and fewer
melds rather than more."""
NOTHING: Final[Merit] = (0, 0, 0, 0)


class Way(NamedTuple):
    """A meld as a search sees it: its cards as bits, their heights with their kinds, and its points."""

    bits: int
    heights: tuple[tuple[int, int], ...]
    rid: int
    worth: int


def ways() -> dict[int, list[Way]]:
    """Return the melds that each kind of card is in."""
    found: dict[int, list[Way]] = {kind: [] for kind in KINDS.values()}
    for meld, heights in MELDS.items():
        kinds = [KINDS[face] for face in meld]
        placed = tuple((at, KINDS[face]) for face, at in heights.items())
        rid, got = sum(map(penalty, meld)), sum(map(points, heights.values()))
        way = Way(sum(1 << kind for kind in kinds), placed, rid, got)
        for kind in kinds:
            found[kind].append(way)
    return found


WAYS: Final = ways()


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


def points_of(faces: Sequence[FrenchFace], melds: Sequence[Places]) -> int:
    """Return the points of melds among these faces."""
    return sum(worth([faces[place] for place in meld]) for meld in melds)


@lru_cache(maxsize=4096)
def best(faces: tuple[FrenchFace, ...], *, whole: bool = False, by_worth: bool = False) -> Melds:
    """Return the melds that leave a card and get rid of most points, and of these the ones worth most.

    With `whole` they take up all of the cards instead; () if that can't be. With `by_worth` those worth most
    come first.
    """

    kinds = [KINDS[face] for face in faces]
    there = dict.fromkeys(kinds)
    held = sum(1 << kind for kind in there)
    possible = {kind: [way for way in WAYS[kind] if not way.bits & ~held] for kind in there}

    @cache
    def search(left: Places, keeps: bool) -> tuple[Merit, Melds] | None:
        """Return the best melds in what is left, None without any; `keeps` has them leave a card of it."""
        if not left:
            return None if keeps else (NOTHING, ())
        found = None if whole else search(left[1:], False)
        places = {kinds[place]: place for place in reversed(left)}  # of equal cards one is enough
        now = sum(1 << kind for kind in places)
        for way in possible[kinds[left[0]]]:
            if not way.bits & ~now:
                taken = tuple(at for _, at in sorted((height, places[kind]) for height, kind in way.heights))
                more = search(tuple(one for one in left if one not in taken), keeps)
                if more is not None:
                    first = way.worth if by_worth else way.rid
                    merit = tuple(map(add, (first, way.rid, way.worth, -1), more[0]))
                    if found is None or merit >= found[0]:
                        found = merit, (taken, *more[1])
        return found

    jokers_last = sorted(range(len(faces)), key=lambda place: faces[place] == JOKER)
    found = search(tuple(jokers_last), not whole)
    return () if found is None else found[1]
