"""The last, public permutation of a pile, computed from the committed seeds of all parties.

t parties that conspire can decrypt a deck in the middle of the chain, and choose their shuffles accordingly.
But they have to stack the deck before they can know this permutation.
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
    """This party's seed for a pile, 32 bytes, always the same; secret until all proofs are verified."""
    return secrets.derive(context, "mixing")[:MIXING_SEED_SIZE]


def commit(context: Context, seed: bytes) -> bytes:
    """Return the commitment to a seed, 32 bytes."""
    return H(b"mixing seed", context.encoded, seed)[:COMMITMENT_SIZE]


def read_seed(context: Context, commitment: bytes, data: object) -> bytes:
    """Read an opened seed; raise `Cheat` if it does not fit the commitment."""
    seed = FieldReader(context, data, MIXING_SEED_SIZE, Item.SEED).raw(MIXING_SEED_SIZE)
    if commit(context, seed) != commitment:
        raise Cheat(context.party, Offence.BROKEN_COMMITMENT, item=Item.SEED)
    return seed


def order(context: Context, seeds: Mapping[int, bytes], cards: int) -> tuple[int, ...]:
    """Return the permutation from the parties' seeds: card i of the pile is card order[i] of the deck."""
    parties = sorted(seeds)
    stream = numbers(
        b"mixing", context.common, len(parties), *parties, tuple(seeds[party] for party in parties), cards
    )
    return permutation(cards, stream)
