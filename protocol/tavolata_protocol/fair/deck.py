"""Cards as ciphertexts, and faces as points. A ciphertext has 64 bytes, a deck as many times that."""

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
    """A card that nobody sees: (r·G, M + r·P)."""

    a: bytes
    b: bytes


Deck = tuple[Ciphertext, ...]
"""Cards in an order, top first or however the caller has it."""


class Faces:
    """The faces of a kind of deck as points: M_v = HG("face", spec, v).

    Equal cards have one number, and so one point; that keeps which of them is which from being known.

    Args:
        spec: what kind of deck it is, as bytes; the same for all parties.
        count: how many different faces there are, numbered from 0.
        group: where the points are.
    """

    def __init__(self, spec: bytes, count: int, group: Group = ED25519) -> None:
        self._group = group
        self.points = tuple(HG(group, b"face", group.suite, spec, number) for number in range(count))
        self._numbers = {point: number for number, point in enumerate(self.points)}

    def known(self, number: int, joint: bytes) -> Ciphertext:
        """A card that all know, as it goes into a deck to be shuffled: (G, M_v + P)."""
        return Ciphertext(self._group.base, self._group.add(self.points[number], joint))

    def number(self, card: Ciphertext, opened: bytes) -> int | None:
        """The face of a card, given x·a (see `shares.combine`): which M_v is b - x·a.

        None if it is no card of this kind; after verified shuffles of known cards there is none such.
        """
        return self._numbers.get(self._group.subtract(card.b, opened))


def deck_bytes(deck: Iterable[Ciphertext]) -> bytes:
    """A deck as it is sent, 64 bytes a card."""
    return b"".join(a + b for a, b in deck)


def read_deck(context: Context, data: object, cards: int) -> Deck:
    """A deck of exactly so many cards as it arrived, each point checked.

    Raises:
        Cheat: naming `context.party`.
    """
    reader = FieldReader(context, data, CARD_SIZE * cards, Item.DECK)
    points = reader.points(2 * cards)
    return tuple(map(Ciphertext, points[::2], points[1::2]))
