"""Zero-knowledge proofs about discrete logarithms: of knowledge (Schnorr), of equality (Chaum and Pedersen).

A proof is a challenge x and a response s, 64 bytes. The verifier computes the announcement from them, and
compares x. The transcripts, which turn a statement into x, are separate functions, so that tests (and
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
    """A challenge and its response."""

    challenge: int
    response: int

    @property
    def encoded(self) -> bytes:
        """Encode the proof: 64 bytes."""
        return scalar_bytes(*self)

    @classmethod
    def read(cls, reader: FieldReader) -> Proof:
        """Read a proof from the next 64 bytes of a message."""
        return cls(reader.scalar(), reader.scalar())


# Knowledge of one logarithm


def knowledge_challenge(
    context: Context, purpose: bytes, point: bytes, announced: bytes, *statement: Field
) -> int:
    """Return the transcript of a proof of knowledge of the logarithm of `point`, hashed to the challenge.

    `context` is the prover's, `purpose` the kind of point ("key", "seal", ...), `announced` t = ω·G. The
    proof is also bound to the values in `statement`.
    """
    return HS(
        context.group, b"knowledge", context.encoded, purpose, point, announced, len(statement), *statement
    )


def prove_knowledge(context: Context, item: Item, secret: int, secrets: Secrets, *statement: Field) -> Proof:
    """Prove the knowledge of `secret`, the logarithm of `secret`·G."""
    group = context.group
    point = group.multiply_base(secret)
    (nonce,) = secrets.nonces(context, 1, "knowledge", item.encode(), scalar_bytes(secret), *statement)
    challenge = knowledge_challenge(context, item.encode(), point, group.multiply_base(nonce), *statement)
    return Proof(challenge, (nonce + challenge * secret) % group.order)


def knowledge_announcement(group: Group, point: bytes, proof: Proof) -> bytes:
    """Return the announcement of a valid proof: s·G - x·point."""
    return group.subtract(group.multiply_base(proof.response), group.multiply(proof.challenge, point))


def check_knowledge(context: Context, item: Item, point: bytes, proof: Proof, *statement: Field) -> None:
    """Check a proof of knowledge; raise `Cheat`, which names `context.party`, if it is wrong."""
    announced = knowledge_announcement(context.group, point, proof)
    if knowledge_challenge(context, item.encode(), point, announced, *statement) != proof.challenge:
        raise Cheat(context.party, Offence.INVALID_PROOF, item=item)


# Equality of two logarithms, or of many pairs at once


def equality_weights(
    context: Context, purpose: bytes, key: bytes, bases: Sequence[bytes], images: Sequence[bytes]
) -> list[int]:
    """Return the weights that fold many pairs into one; the first is 1, so that a single pair costs nothing.

    `key` is Y = s·G, `bases` are all A_i, `images` all D_i = s·A_i.
    """
    if len(bases) == 1:
        return [1]  # nothing has to be hashed for that
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
    """Return the transcript of a proof that Y = s·G and all D_i = s·A_i share s, announcing ω·G, ω·A."""
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
    """Prove that `key` has the same logarithm to G as each image to its base, for one or more pairs.

    `secret` is s and `key` Y = s·G; `bases` are all A_i, checked points, and `images` all D_i = s·A_i.
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
    """Return a valid proof's announcement, (s·G - x·Y, s·A - x·D), with the weighted sums A and D."""
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

    Raise `Cheat`, which names `context.party`, if the proof is wrong or there is no pair.
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
    """Return the weighted sum of points; the first weight is 1."""
    if len(points) == 1:
        return points[0]
    return group.add(points[0], weighted_sum(group, weights[1:], points[1:]))
