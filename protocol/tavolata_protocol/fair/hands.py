"""Re-masking of a hand: a verifiable shuffle by the holder alone.

The deck has 64 bytes a card, and the proof 128 bytes a card and 160 more. Make them with `shuffle.shuffle`
and `shuffle.prove` from the slots' cards, in a context of the hand.
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
    """Check a hand that its holder shuffled, so that the others can't tell its cards apart any more.

    Args:
        context: the context of the holder.
        keys: the keys of the epoch.
        hand: the slots before the shuffle.
        deck: the bytes of the deck from `shuffle.shuffle`.
        proof: the bytes of the proof from `shuffle.prove`.

    Raises:
        Cheat: names the holder.
    """
    before = tuple(slot.card for slot in hand)
    after = read_deck(context, deck, len(hand))
    verify(context, keys.joint, before, after, read_proof(context, proof, len(hand)))
    return tuple(PileSlot(*card) for card in after)
