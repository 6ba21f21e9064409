"""The last, public permutation of a pile, computed from the committed seeds of its openers.

t parties that conspire can decrypt a deck in the middle of the chain, and choose their shuffles accordingly.
But they have to stack the deck before they can know this permutation. A commitment is the end of a chain of
hashes: each seed is the hash of the next draw's, so an open one doesn't reveal those after it.
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
DRAWS = 64
"""The seeds in a commitment. Each draw but the first leaves out an opener, of at most 62."""


def own_seed(context: Context, draw: int, secrets: Secrets) -> bytes:
    """Return this party's seed of a draw for a pile, 32 bytes, always the same; secret until it is opened."""
    return _hashed(context, _last(context, secrets), DRAWS - 1 - draw)


def own_commitment(context: Context, secrets: Secrets) -> bytes:
    """Return this party's commitment to its seeds of all draws, 32 bytes: the hash of the first."""
    return _hashed(context, _last(context, secrets), DRAWS)


def read_seed(context: Context, commitment: bytes, draw: int, data: object) -> bytes:
    """Read the seed that was opened for a draw; raise `Cheat` if it does not fit the commitment."""
    seed = FieldReader(context, data, MIXING_SEED_SIZE, Item.SEED).raw(MIXING_SEED_SIZE)
    if not 0 <= draw < DRAWS or _hashed(context, seed, draw + 1) != commitment:
        raise Cheat(context.party, Offence.BROKEN_COMMITMENT, item=Item.SEED)
    return seed


def _last(context: Context, secrets: Secrets) -> bytes:
    return secrets.derive(context, "mixing")[:MIXING_SEED_SIZE]


def _hashed(context: Context, seed: bytes, times: int) -> bytes:
    for _ in range(times):
        seed = H(b"mixing seed", context.encoded, seed)[:COMMITMENT_SIZE]
    return seed


def order(context: Context, draw: int, seeds: Mapping[int, bytes], cards: int) -> tuple[int, ...]:
    """Return the permutation from the openers' seeds: card i of the pile is card order[i] of the deck."""
    parties = sorted(seeds)
    opened = tuple(seeds[party] for party in parties)
    stream = numbers(b"mixing", context.common, draw, len(parties), *parties, opened, cards)
    return permutation(cards, stream)
