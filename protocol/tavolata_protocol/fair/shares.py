"""Threshold decryption: each party's decryption shares, with one proof for a batch; any t shares suffice.

A share of a point A is D = s_j·A. One proof shows that the logarithm of all D to all A is that of Y_j to G. A
batch has 32 bytes a point + 64. Lagrange's weights combine t shares to x·A.

Shares are made only for an `Openable`, and only `chain`, `dice` and `seals` make those. A party that
made shares for unchecked points would decrypt anything for anybody.

A batch has one proof. So a party that forwards the share of one card must show the whole batch, and with it
its other cards. Cards that may be forwarded one by one later get a batch each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.deck import Ciphertext
from tavolata_protocol.fair.encoding import FieldReader
from tavolata_protocol.fair.group import POINT_SIZE, weighted_sum
from tavolata_protocol.fair.keys import KeyRing, PublicKeys
from tavolata_protocol.fair.logs import PROOF_SIZE, Proof, check_equality, prove_equality
from tavolata_protocol.fair.offences import Item
from tavolata_protocol.fair.seeds import Secrets


@dataclass(frozen=True, slots=True)
class Openable:
    """Something that t parties can open together; its `point` A is checked."""

    point: bytes


@dataclass(frozen=True, slots=True)
class PileSlot(Openable):
    """A card of a pile after all shuffles were verified: A is the first half of its ciphertext.

    `mask` is the second half, M + x·A.
    """

    mask: bytes

    @property
    def card(self) -> Ciphertext:
        """The card as a ciphertext, to be shuffled again or looked up in `Faces`."""
        return Ciphertext(self.point, self.mask)


@dataclass(frozen=True, slots=True)
class Shares:
    """One party's shares of some openable things, in order, checked; own shares have no proof."""

    images: tuple[bytes, ...]
    proof: Proof | None

    @property
    def encoded(self) -> bytes:
        """Encode the shares: 32 bytes a point + 64; raise `ValueError` if there's no proof."""
        if self.proof is None:
            raise ValueError("Shares without a proof are for oneself only.")
        return b"".join(self.images) + self.proof.encoded


def make_shares(context: Context, ring: KeyRing, things: Sequence[Openable], secrets: Secrets) -> Shares:
    """Make this party's shares of one or more things, with a proof; only if the log lets them be opened.

    `context.party` is this party; the things are in the same order for all parties.
    """
    bases = [thing.point for thing in things]
    images = own_shares(ring, things).images
    key = ring.public.shares[ring.party - 1]
    return Shares(images, prove_equality(context, Item.SHARE, ring.share, key, bases, images, secrets))


def own_shares(ring: KeyRing, things: Sequence[Openable]) -> Shares:
    """Return this party's shares for its own use, without a proof."""
    group = ring.public.group
    return Shares(tuple(group.multiply(ring.share, thing.point) for thing in things), None)


def read_shares(context: Context, keys: PublicKeys, things: Sequence[Openable], data: object) -> Shares:
    """Read shares of `context.party`, received directly or forwarded, and check their proof.

    Raise `Cheat`, which names `context.party`, if they are wrong.
    """
    reader = FieldReader(context, data, POINT_SIZE * len(things) + PROOF_SIZE, Item.SHARE)
    images = reader.points(len(things))
    proof = Proof.read(reader)
    bases = [thing.point for thing in things]
    check_equality(context, Item.SHARE, keys.shares[context.party - 1], bases, images, proof)
    return Shares(images, proof)


def combine(keys: PublicKeys, shares: Mapping[int, Shares]) -> tuple[bytes, ...]:
    """x·A for each thing, from the shares of t parties or more; any t parties give the same result.

    Raise `ValueError` if there are fewer than t parties.
    """
    if len(shares) < keys.roster.threshold:
        raise ValueError(f"It takes {keys.roster.threshold} parties to open anything, not {len(shares)}.")
    group, parties = keys.group, sorted(shares)[: keys.roster.threshold]
    weights = [lagrange(parties, party, group.order) for party in parties]
    columns = zip(*(shares[party].images for party in parties), strict=True)
    return tuple(weighted_sum(group, weights, column) for column in columns)


def lagrange(parties: Sequence[int], party: int, order: int) -> int:
    """Return the Lagrange weight of a party's share among `parties`: Π k / (k - j) over the others."""
    above = below = 1
    for other in parties:
        if other != party:
            above = above * other % order
            below = below * (other - party) % order
    return above * pow(below, -1, order) % order
