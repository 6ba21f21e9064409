"""A hand masked anew by its holder: a shuffle like any other, by one party alone.

64 bytes a card for the deck, 128 a card and 160 for the proof; make them with `shuffle.shuffle` and
`shuffle.prove` of the slots' cards, in a context of the hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.deck import read_deck
from tavolata_protocol.fair.keys import PublicKeys
from tavolata_protocol.fair.shares import PileSlot
from tavolata_protocol.fair.shuffle import read_proof, verify


def remask(
    context: Context, keys: PublicKeys, hand: Sequence[PileSlot], deck: object, proof: object
) -> tuple[PileSlot, ...]:
    """A hand that its holder alone shuffled, so that the others no longer know which card of it is which.

    Args:
        context: of the holder.
        keys: the epoch's.
        hand: the slots before.
        deck: the bytes of the deck that `shuffle.shuffle` gave.
        proof: the bytes of what `shuffle.prove` gave.

    Raises:
        Cheat: naming the holder.
    """
    before = tuple(slot.card for slot in hand)
    after = read_deck(context, deck, len(hand))
    verify(context, keys.joint, before, after, read_proof(context, proof, len(hand)))
    return tuple(PileSlot(*card) for card in after)
