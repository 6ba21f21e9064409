"""Melds of Scala 40: sets of a rank and runs of a suit, each with at most one joker, and their points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Final

from tavolata.decks import JOKER, FrenchFace, Rank

FEWEST: Final = 3
OF_A_RANK: Final = 4
HIGH_ACE: Final = Rank.KING + 1
JOKER_POINTS: Final = 25
Places = tuple[int, ...]
"""Places in a list of faces, in the order of the meld."""


def points(height: int) -> int:
    """Return the points of a height in a run: an ace below a two is 1, an ace above a king 11."""
    return 11 if height == HIGH_ACE else min(height, 10)


def penalty(face: FrenchFace) -> int:
    """Return the points of a card that is left in the hand."""
    return JOKER_POINTS if face == JOKER else points(HIGH_ACE if face.rank == Rank.ACE else face.rank)


def arrange(faces: Sequence[FrenchFace]) -> Places | None:
    """Return the places of these faces in the order of a meld; None if they aren't one."""
    jokers = [place for place, face in enumerate(faces) if face == JOKER]
    plain = [place for place, face in enumerate(faces) if face != JOKER]
    if len(faces) < FEWEST or len(jokers) > 1:
        return None
    suits, ranks = {faces[place].suit for place in plain}, {faces[place].rank for place in plain}
    if len(ranks) == 1:
        return (*plain, *jokers) if len(suits) == len(plain) and len(faces) <= OF_A_RANK else None
    if len(suits) > 1 or len(ranks) < len(plain):
        return None
    for ace in (Rank.ACE, HIGH_ACE):
        heights = {place: ace if faces[place].rank == Rank.ACE else faces[place].rank for place in plain}
        order = sorted(plain, key=heights.__getitem__)
        low, high = heights[order[0]], heights[order[-1]]
        gaps = [height for height in range(low, high) if height not in heights.values()]
        if len(gaps) > len(jokers):
            continue
        if jokers:
            order.insert(gaps[0] - low if gaps else len(order) if high < HIGH_ACE else 0, jokers[0])
        return tuple(order)
    return None


def heights(meld: Sequence[FrenchFace]) -> list[int]:
    """Return what each card of a run counts as, jokers included; [] for a set."""
    plain = [(place, face) for place, face in enumerate(meld) if face != JOKER]
    if len({face.rank for _, face in plain}) == 1:
        return []
    place, face = next(one for one in plain if one[1].rank != Rank.ACE)
    return [face.rank - place + at for at in range(len(meld))]


def worth(meld: Sequence[FrenchFace]) -> int:
    """Return the points of a meld; a joker counts as the card it stands for."""
    if run := heights(meld):
        return sum(map(points, run))
    return len(meld) * next(penalty(face) for face in meld if face != JOKER)


def fitted(meld: Sequence[FrenchFace], face: FrenchFace) -> Places | None:
    """Return the meld with one more card, whose place comes last; None if it doesn't fit.

    A card that a joker stands for takes its place, and the joker is left out.
    """
    if JOKER in meld and face != JOKER:
        at, run = meld.index(JOKER), heights(meld)
        others = [one for one in meld if one != JOKER]
        if run:
            same = face.suit is others[0].suit and face.rank in (run[at], run[at] - Rank.KING)
        else:
            same = face.rank == others[0].rank and face.suit not in [one.suit for one in others]
        if same:
            return tuple(len(meld) if place == at else place for place in range(len(meld)))
    return arrange([*meld, face])


def melds_with(faces: Sequence[FrenchFace], first: int, left: Sequence[int]) -> Iterator[Places]:
    """Yield the melds that this card can make with others of those left; of equal cards one is enough."""
    face = faces[first]
    joker = [place for place in left if faces[place] == JOKER][:1]
    same = {faces[place].suit: place for place in left if faces[place].rank == face.rank and place != first}
    same.pop(face.suit, None)
    for size in (3, 2, 1):
        for others in combinations(same.values(), size):
            for more in ([], joker):
                if size + len(more) in (2, 3) and (more or more is not joker):
                    yield (first, *others, *more)
    suited = {faces[place].rank: place for place in left if faces[place].suit is face.suit} | {
        face.rank: first
    }
    at = suited | ({HIGH_ACE: suited[Rank.ACE]} if Rank.ACE in suited else {})
    for here in [face.rank] if face.rank != Rank.ACE else [Rank.ACE, HIGH_ACE]:
        for low in range(max(1, here - 12), here + 1):
            cells: list[int] = []
            for high in range(low, HIGH_ACE + 1):
                if high in at:
                    cells.append(at[high])
                gaps = high - low + 1 - len(cells)
                if gaps > len(joker):
                    break
                if high >= max(here, low + 2) and len(cells) == len(set(cells)):
                    found = (*cells, *joker) if gaps else tuple(cells)
                    order = arrange([faces[place] for place in found])
                    if order is not None:
                        yield tuple(found[place] for place in order)


@lru_cache(maxsize=4096)
def best(faces: tuple[FrenchFace, ...]) -> list[Places]:
    """Return the melds of a hand that get rid of most points together."""

    @cache
    def search(left: Places) -> tuple[int, tuple[Places, ...]]:
        if not left:
            return 0, ()
        found = search(left[1:])
        if faces[left[0]] == JOKER:
            return found
        for meld in melds_with(faces, left[0], left):
            more, melds = search(tuple(place for place in left if place not in meld))
            value = more + sum(penalty(faces[place]) for place in meld)
            if value > found[0]:
                found = value, (meld, *melds)
        return found

    return [*search(tuple(sorted(range(len(faces)), key=lambda place: faces[place] == JOKER)))[1]]


def points_of(faces: Sequence[FrenchFace], melds: Sequence[Places]) -> int:
    """Return the points of melds among these faces."""
    return sum(worth([faces[place] for place in meld]) for meld in melds)


def layable(faces: Sequence[FrenchFace], least: int) -> list[Places]:
    """Return the best melds that leave a card to discard; [] if they have fewer points than `least`."""
    melds = best(tuple(faces))
    if sum(map(len, melds)) == len(faces):
        melds = sorted(melds, key=lambda meld: sum(penalty(faces[place]) for place in meld))[1:]
    return melds if points_of(faces, melds) >= least else []


def split(faces: Sequence[FrenchFace]) -> list[Places]:
    """Return melds that take up all of these cards, long ones first; [] if that can't be."""

    def cover(left: Places) -> list[Places] | None:
        if not left or faces[left[0]] == JOKER:
            return None if left else []
        for meld in sorted(melds_with(faces, left[0], left), key=len, reverse=True):
            others = cover(tuple(place for place in left if place not in meld))
            if others is not None:
                return [meld, *others]
        return None

    return cover(tuple(sorted(range(len(faces)), key=lambda place: faces[place] == JOKER))) or []
