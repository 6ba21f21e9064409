"""Proofs about logarithms: that one is known (Schnorr), that two are equal (Chaum and Pedersen).

A proof is a challenge x and a response s, 64 bytes; the announcement is computed anew from them, and x
compared. The transcripts, which turn a statement into x, are functions of their own, so that tests (and
forgers) can call them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.encoding import FieldReader, scalar_bytes
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.group import SCALAR_SIZE, Group, weighted_sum
from tavolata_protocol.fair.hashing import HS, Field, scalars
from tavolata_protocol.fair.offences import Item, Offence
from tavolata_protocol.fair.seeds import Secrets

PROOF_SIZE = 2 * SCALAR_SIZE


class Proof(NamedTuple):
    """A challenge and the response to it."""

    challenge: int
    response: int

    @property
    def encoded(self) -> bytes:
        """64 bytes."""
        return scalar_bytes(*self)

    @classmethod
    def read(cls, reader: FieldReader) -> Proof:
        """The next 64 bytes of a message."""
        return cls(reader.scalar(), reader.scalar())


# One logarithm


def knowledge_challenge(
    context: Context, purpose: bytes, point: bytes, announced: bytes, *statement: Field
) -> int:
    """The transcript of a proof that the logarithm of `point` is known.

    Args:
        context: whose proof it is.
        purpose: what the point is ("key", "seal", ...).
        point: the statement's point.
        announced: t = ω·G.
        *statement: whatever else the proof is bound to.
    """
    return HS(
        context.group, b"knowledge", context.encoded, purpose, point, announced, len(statement), *statement
    )


def prove_knowledge(context: Context, item: Item, secret: int, secrets: Secrets, *statement: Field) -> Proof:
    """Prove that one knows `secret`, the logarithm of `secret`·G."""
    group = context.group
    point = group.multiply_base(secret)
    (nonce,) = secrets.nonces(context, 1, "knowledge", item.encode(), scalar_bytes(secret), *statement)
    challenge = knowledge_challenge(context, item.encode(), point, group.multiply_base(nonce), *statement)
    return Proof(challenge, (nonce + challenge * secret) % group.order)


def knowledge_announcement(group: Group, point: bytes, proof: Proof) -> bytes:
    """What was announced if the proof holds: s·G - x·point."""
    return group.subtract(group.multiply_base(proof.response), group.multiply(proof.challenge, point))


def check_knowledge(context: Context, item: Item, point: bytes, proof: Proof, *statement: Field) -> None:
    """Check a proof of knowledge.

    Raises:
        Cheat: naming `context.party`, when it is none.
    """
    announced = knowledge_announcement(context.group, point, proof)
    if knowledge_challenge(context, item.encode(), point, announced, *statement) != proof.challenge:
        raise Cheat(context.party, Offence.INVALID_PROOF, item=item)


# Two logarithms, or many pairs at once


def equality_weights(
    context: Context, purpose: bytes, key: bytes, bases: Sequence[bytes], images: Sequence[bytes]
) -> list[int]:
    """With which weights many pairs become one; the first is 1, so that a single pair costs nothing.

    Args:
        context: whose proof it is.
        purpose: what the pairs are.
        key: Y = s·G.
        bases: all A_i.
        images: all D_i = s·A_i.
    """
    rest = scalars(
        context.group,
        len(bases) - 1,
        b"equality weights",
        context.encoded,
        purpose,
        key,
        tuple(bases),
        tuple(images),
    )
    return [1, *rest]


def equality_challenge(
    context: Context,
    purpose: bytes,
    key: bytes,
    bases: Sequence[bytes],
    images: Sequence[bytes],
    announced: tuple[bytes, bytes],
) -> int:
    """The transcript of a proof that Y = s·G and all D_i = s·A_i have one s; announced are ω·G and ω·A."""
    return HS(
        context.group,
        b"equality",
        context.encoded,
        purpose,
        key,
        tuple(bases),
        tuple(images),
        *announced,
    )


def prove_equality(
    context: Context,
    item: Item,
    secret: int,
    key: bytes,
    bases: Sequence[bytes],
    images: Sequence[bytes],
    secrets: Secrets,
) -> Proof:
    """Prove that the logarithm of `key` is also that of each image to its base; at least one pair.

    Args:
        context: whose proof it is.
        item: what the pairs are.
        secret: s.
        key: Y = s·G.
        bases: all A_i, checked points.
        images: all D_i = s·A_i.
        secrets: for the nonce.
    """
    group = context.group
    base = folded(group, equality_weights(context, item.encode(), key, bases, images), bases)
    (nonce,) = secrets.nonces(
        context, 1, "equality", item.encode(), scalar_bytes(secret), key, tuple(bases), tuple(images)
    )
    announced = (group.multiply_base(nonce), group.multiply(nonce, base))
    challenge = equality_challenge(context, item.encode(), key, bases, images, announced)
    return Proof(challenge, (nonce + challenge * secret) % group.order)


def equality_announcement(
    group: Group, key: bytes, base: bytes, image: bytes, proof: Proof
) -> tuple[bytes, bytes]:
    """What was announced if the proof holds: (s·G - x·Y, s·A - x·D), A and D being the weighted sums."""
    return (
        group.subtract(group.multiply_base(proof.response), group.multiply(proof.challenge, key)),
        group.subtract(group.multiply(proof.response, base), group.multiply(proof.challenge, image)),
    )


def check_equality(
    context: Context,
    item: Item,
    key: bytes,
    bases: Sequence[bytes],
    images: Sequence[bytes],
    proof: Proof,
) -> None:
    """Check a proof of equality.

    Raises:
        Cheat: naming `context.party`, when it is none, or for no pair at all.
    """
    if not bases or len(bases) != len(images):
        raise Cheat(context.party, Offence.UNRELATED_PROOF, item=item)
    group = context.group
    weights = equality_weights(context, item.encode(), key, bases, images)
    base, image = folded(group, weights, bases), folded(group, weights, images)
    announced = equality_announcement(group, key, base, image, proof)
    if equality_challenge(context, item.encode(), key, bases, images, announced) != proof.challenge:
        raise Cheat(context.party, Offence.INVALID_PROOF, item=item)


def folded(group: Group, weights: Sequence[int], points: Sequence[bytes]) -> bytes:
    """The weighted sum of points, the first of whose weights is 1."""
    if len(points) == 1:
        return points[0]
    return group.add(points[0], weighted_sum(group, weights[1:], points[1:]))
