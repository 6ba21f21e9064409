"""Cards as ElGamal ciphertexts, and faces as points. A ciphertext has 64 bytes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.encoding import FieldReader
from tavolata_protocol.fair.group import ED25519, POINT_SIZE, Group
from tavolata_protocol.fair.hashing import HG
from tavolata_protocol.fair.offences import Item

CARD_SIZE = 2 * POINT_SIZE


class Ciphertext(NamedTuple):
    """A face-down card as an ElGamal ciphertext: (r·G, M + r·P)."""

    a: bytes
    b: bytes


Deck = tuple[Ciphertext, ...]
"""Cards in an order that the caller chooses, for example the top card first."""


class Faces:
    """The faces of a kind of deck (`spec`, the same for all parties) as points: M_v = HG("face", spec, v).

    The `count` different faces are numbered from 0. Equal cards have the same number, and so the same point:
    nobody can tell them apart.
    """

    def __init__(self, spec: bytes, count: int, group: Group = ED25519) -> None:
        self._group = group
        self.spec = spec
        self.points = tuple(HG(group, b"face", group.suite, spec, number) for number in range(count))
        self._numbers = {point: number for number, point in enumerate(self.points)}

    def known(self, number: int, joint: bytes) -> Ciphertext:
        """Return a face-up card, as it goes into a deck to be shuffled: (G, M_v + P)."""
        return Ciphertext(self._group.base, self._group.add(self.points[number], joint))

    def number(self, card: Ciphertext, opened: bytes) -> int | None:
        """Return the face of a card, given x·a (see `shares.combine`): the number v with M_v = b - x·a.

        None if it is not a card of this kind; this can't happen after verified shuffles of known cards.
        """
        return self._numbers.get(self._group.subtract(card.b, opened))


def deck_bytes(deck: Iterable[Ciphertext]) -> bytes:
    """Encode a deck: 64 bytes a card."""
    return b"".join(a + b for a, b in deck)


def read_deck(context: Context, data: object, cards: int) -> Deck:
    """Read a received deck of exactly `cards` cards, and check each point.

    Raise `Cheat`, which names `context.party`, if it isn't one.
    """
    points = FieldReader(context, data, CARD_SIZE * cards, Item.DECK).points(2 * cards)
    return tuple(map(Ciphertext, points[::2], points[1::2]))
