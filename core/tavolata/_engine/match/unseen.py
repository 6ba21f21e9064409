"""Unseen cards: what one viewer can tell about the faces that it does not see, and faces drawn to fit.

Cards that nobody could tell apart since they were shuffled are in one *lot*. The faces of a lot are known
together; which card has which is not. A card whose face is seen leaves its lot, and its face too. If only a
part of a lot is shuffled together with other cards, that part goes into the new lot unseen: how many is
known, which faces is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from tavolata.errors import GameError
from tavolata.kinds.question import RandomNumbers

TRIES = 10
"""So often faces are traced back by chance; mostly the first time is enough. The last time isn't strict."""


class Lot:
    """Cards that can't be told apart.

    Attributes:
        cards: the unseen cards in it.
        faces: how often each face was shuffled in, less those seen since; below zero for a face that must
            have come from another lot.
        came: for each card that was shuffled in unseen, the lot that it came from.
        gone: how many of its cards went into other lots unseen.
    """

    __slots__ = ("came", "cards", "faces", "gone")

    def __init__(self, cards: Iterable[int], faces: Iterable[int]) -> None:
        self.cards = set(cards)
        self.faces = Counter(faces)
        self.came: list[Lot] = []
        self.gone = 0


class DrawnFaces(NamedTuple):
    """Faces for unseen cards.

    `ways` has, by card, the lots that its face went through. Where two have met, they can be exchanged.
    `sides` has, by die, the face numbers of its sides. A die is in no lot.
    """

    faces: dict[int, int]
    ways: dict[int, tuple[object, ...]]
    sides: dict[int, tuple[int, ...]]

    def at(self, card: int) -> tuple[int, tuple[object, ...]]:
        return self.faces[card], self.ways.get(card, ())

    def put(self, card: int, was: tuple[int, tuple[object, ...]]) -> None:
        self.faces[card], self.ways[card] = was

    def change(self, one: int, other: int, chance: RandomNumbers) -> None:
        """Exchange the faces of two cards, if that's possible; throw dice again."""
        if one in self.sides:
            self.faces[one] = self.sides[one][chance.below(len(self.sides[one]))]
            return
        here, there = self.ways.get(one, ()), self.ways.get(other, ())
        met = next((lot for lot in here if lot in there), None)
        if met is None:
            return
        at, by = here.index(met), there.index(met)
        self.ways[one], self.ways[other] = there[:by] + here[at:], here[:at] + there[by:]
        self.faces[one], self.faces[other] = self.faces[other], self.faces[one]


class UnseenCards:
    """The lots of a match, the oldest first, as one viewer can tell."""

    def __init__(self) -> None:
        self.lots: list[Lot] = []
        self._lot: dict[int, Lot] = {}

    def hide(self, cards: Iterable[int], faces: Iterable[int]) -> None:
        """Hide these cards, all seen before, with these faces, in an order that no one knows."""
        lot = Lot(cards, faces)
        self.lots.append(lot)
        self._lot.update(dict.fromkeys(lot.cards, lot))

    def see(self, card: int, face: int) -> None:
        lot = self._lot.pop(card, None)
        if lot is not None:
            lot.cards.discard(card)
            lot.faces[face] -= 1

    def shuffle(self, cards: Sequence[int], seen: Mapping[int, int]) -> None:
        """Shuffle these cards together; `seen` has the face of each of them that is in no lot."""
        unseen: dict[Lot, list[int]] = {}
        faces = []
        for card in cards:
            lot = self._lot.get(card)
            if lot is None:
                faces.append(seen[card])
            else:
                unseen.setdefault(lot, []).append(card)
        if not faces and len(unseen) < 2:
            return  # each of them is as likely as before to have any of the faces
        new = Lot(cards, faces)
        for lot, mine in unseen.items():
            if len(mine) == len(lot.cards) and not lot.gone:
                new.faces.update(lot.faces)
                new.came += lot.came
                lot.faces, lot.came = Counter(), []
            else:
                new.came += [lot] * len(mine)
                lot.gone += len(mine)
            lot.cards.difference_update(mine)
        self._lot.update(dict.fromkeys(new.cards, new))
        self.lots = self._kept([*self.lots, new])

    def _kept(self, lots: list[Lot]) -> list[Lot]:
        """Return the lots that have to do with unseen cards, and those all seen that took cards from one."""
        near: dict[Lot, set[Lot]] = {lot: set(lot.came) for lot in lots}
        for lot in lots:
            for origin in lot.came:
                near[origin].add(lot)
        kept: set[Lot] = set()
        todo = [lot for lot in lots if lot.cards]
        while todo:
            lot = todo.pop()
            if lot not in kept:
                kept.add(lot)
                todo += near[lot]
        return [lot for lot in lots if lot in kept]

    def drawn(self, chance: RandomNumbers) -> DrawnFaces:
        """Draw faces for the unseen cards; all their possible orders are about equally likely.

        Where hands were mixed again and again, chance may find no way for all: then some faces are where they
        can't have come. Raise `GameError` if a face was seen that can't be among them, so someone cheated.
        """
        traced = next(filter(None, (self._traced(chance, at == TRIES) for at in range(1, TRIES + 1))), None)
        if traced is None:
            raise GameError("The cards can't be imagined: a face was seen that can't be among them.")
        faces, unknown = traced
        found, bare, spare = DrawnFaces({}, {}, {}), list[int](), list[tuple[int, tuple[Lot, ...]]]()
        arrived: dict[Lot, list[tuple[int, tuple[Lot, ...]]]] = {lot: [] for lot in self.lots}
        later: dict[Lot, list[Lot]] = {lot: [] for lot in self.lots}
        for lot in self.lots:
            for origin in unknown[lot]:
                later[origin].append(lot)
        for lot in self.lots:
            all_here = [*((face, (lot,)) for face in faces[lot].elements()), *arrived[lot]]
            shuffle(all_here, chance)
            for card in sorted(lot.cards):
                if all_here:
                    found.faces[card], found.ways[card] = all_here.pop()
                else:
                    bare.append(card)
            for into in later[lot][: len(all_here)]:
                face, way = all_here.pop()
                arrived[into].append((face, (*way, into)))
            spare += all_here
        for card, was in zip(bare, spare, strict=True):
            found.put(card, was)
        return found

    def _traced(
        self, chance: RandomNumbers, loose: bool
    ) -> tuple[dict[Lot, Counter[int]], dict[Lot, list[Lot]]] | None:
        """Find an older lot for each face that was seen where it was not shuffled in; any one, if `loose`.

        Return, by lot, the faces that are left, and the lots that the other unseen cards came from; None if
        there isn't one.
        """
        faces = {lot: Counter(lot.faces) for lot in self.lots}
        unknown = {lot: list(lot.came) for lot in self.lots}
        older: dict[Lot, set[int]] = {}  # the faces that a lot can have from older ones
        for lot in self.lots:
            older[lot] = set[int]().union(*(older[one] | set(+one.faces) for one in dict.fromkeys(lot.came)))
        for lot in reversed(self.lots):
            owed = [face for face, number in faces[lot].items() for _ in range(-number)]
            shuffle(owed, chance)
            # Faces that few lots can have had come first: others would take their places.
            ways = {
                face: sum(faces[one][face] > 0 or face in older[one] for one in lot.came) for face in owed
            }
            for face in sorted(owed, key=ways.__getitem__):
                origins = [one for one in unknown[lot] if faces[one][face] > 0 or face in older[one]]
                if not origins and loose:
                    origins = [one for one in self.lots if faces[one][face] > 0]
                if not origins:
                    return None
                origin = origins[chance.below(len(origins))]
                if origin in unknown[lot]:
                    unknown[lot].remove(origin)
                faces[origin][face] -= 1
                faces[lot][face] += 1
        return faces, unknown


def shuffle(things: list[Any], chance: RandomNumbers) -> None:
    """Put these into any order, all equally likely."""
    for place in range(len(things) - 1, 0, -1):
        other = chance.below(place + 1)
        things[place], things[other] = things[other], things[place]
