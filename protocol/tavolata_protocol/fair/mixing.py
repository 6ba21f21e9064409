"""The last, public permutation of a pile, from a seed of each party that was committed to before.

t parties that conspire can decrypt a deck in mid-chain, and so choose their own shuffles; but what they stack
is stacked before they can know this permutation.
"""

from __future__ import annotations

from collections.abc import Mapping

from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.encoding import FieldReader
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.hashing import H, numbers, permutation
from tavolata_protocol.fair.offences import Item, Offence
from tavolata_protocol.fair.seeds import Secrets

COMMITMENT_SIZE = 32
MIXING_SEED_SIZE = 32


def own_seed(context: Context, secrets: Secrets) -> bytes:
    """One's own seed for a pile, 32 bytes, the same again when asked; secret until all proofs passed."""
    return secrets.derive(context, "mixing")[:MIXING_SEED_SIZE]


def commit(context: Context, seed: bytes) -> bytes:
    """The commitment to a seed, 32 bytes."""
    return H(b"mixing seed", context.encoded, seed)[:COMMITMENT_SIZE]


def read_seed(context: Context, commitment: bytes, data: object) -> bytes:
    """A seed as it was opened.

    Raises:
        Cheat: when it is not the one committed to.
    """
    seed = FieldReader(context, data, MIXING_SEED_SIZE, Item.SEED).raw(MIXING_SEED_SIZE)
    if commit(context, seed) != commitment:
        raise Cheat(context.party, Offence.BROKEN_COMMITMENT, item=Item.SEED)
    return seed


def order(context: Context, seeds: Mapping[int, bytes], cards: int) -> tuple[int, ...]:
    """The permutation that the parties' seeds make: card i of the pile is card order[i] of the deck."""
    parties = sorted(seeds)
    stream = numbers(
        b"mixing", context.common, len(parties), *parties, tuple(seeds[party] for party in parties), cards
    )
    return permutation(cards, stream)
