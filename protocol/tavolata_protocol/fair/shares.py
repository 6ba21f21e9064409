"""Opening: each party's share of a decryption, with one proof for a batch; any t of them together open.

A share of a point A is D = s_j·A, with a proof that the logarithm of all D to all A is that of Y_j to G:
32 bytes a point + 64. Lagrange's weights make x·A of t shares.

Shares are made of an `Openable` only, and those come out of `chain`, `hands`, `dice` and `seals`. To
make shares of anything that was not checked like that would be to decrypt whatever somebody likes to know.

A batch has one proof, so who forwards one card of it has to show all of it, and with it those cards. Cards
that may later be forwarded one by one get a batch each.
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
    """Something that t parties can open together.

    Attributes:
        point: A, checked.
    """

    point: bytes


@dataclass(frozen=True, slots=True)
class PileSlot(Openable):
    """A card of a pile whose shuffles were all verified: A is the first half of its ciphertext.

    Attributes:
        mask: the second half, M + x·A.
    """

    mask: bytes

    @property
    def card(self) -> Ciphertext:
        """The card as a ciphertext, to be shuffled again or looked up among `Faces`."""
        return Ciphertext(self.point, self.mask)


@dataclass(frozen=True, slots=True)
class Shares:
    """One party's shares of some openable things, in their order, checked.

    Attributes:
        images: all D.
        proof: that they are right; None for one's own.
    """

    images: tuple[bytes, ...]
    proof: Proof | None

    @property
    def encoded(self) -> bytes:
        """32 bytes a point + 64."""
        if self.proof is None:
            raise ValueError("Shares without a proof are for oneself only.")
        return b"".join(self.images) + self.proof.encoded


def make_shares(context: Context, ring: KeyRing, things: Sequence[Openable], secrets: Secrets) -> Shares:
    """One's own shares of at least one thing, with a proof; only when the log says that they open.

    Args:
        context: `context.party` being oneself.
        ring: one's own.
        things: what to open, the same and in the same order for all parties.
        secrets: for the nonce.
    """
    bases = [thing.point for thing in things]
    images = own_shares(ring, things).images
    key = ring.public.shares[ring.party - 1]
    return Shares(images, prove_equality(context, Item.SHARE, ring.share, key, bases, images, secrets))


def own_shares(ring: KeyRing, things: Sequence[Openable]) -> Shares:
    """One's own shares for oneself, without a proof."""
    group = ring.public.group
    return Shares(tuple(group.multiply(ring.share, thing.point) for thing in things), None)


def read_shares(context: Context, keys: PublicKeys, things: Sequence[Openable], data: object) -> Shares:
    """The shares of `context.party` as they arrived or were forwarded, proof checked.

    Raises:
        Cheat: naming `context.party`.
    """
    reader = FieldReader(context, data, POINT_SIZE * len(things) + PROOF_SIZE, Item.SHARE)
    images = reader.points(len(things))
    proof = Proof.read(reader)
    bases = [thing.point for thing in things]
    check_equality(context, Item.SHARE, keys.shares[context.party - 1], bases, images, proof)
    return Shares(images, proof)


def combine(keys: PublicKeys, shares: Mapping[int, Shares]) -> tuple[bytes, ...]:
    """x·A for each thing, from the shares of t parties or more; any t of them give the same.

    Args:
        keys: the epoch's.
        shares: by party.

    Raises:
        ValueError: for fewer than t.
    """
    if len(shares) < keys.threshold:
        raise ValueError(f"It takes {keys.threshold} parties to open anything, not {len(shares)}.")
    group, parties = keys.group, sorted(shares)[: keys.threshold]
    weights = [lagrange(parties, party, group.order) for party in parties]
    columns = zip(*(shares[party].images for party in parties), strict=True)
    return tuple(weighted_sum(group, weights, column) for column in columns)


def lagrange(parties: Sequence[int], party: int, order: int) -> int:
    """The weight of one party's share among those of `parties`: Π k / (k - j) over the others."""
    above = below = 1
    for other in parties:
        if other != party:
            above = above * other % order
            below = below * (other - party) % order
    return above * pow(below, -1, order) % order
