"""Verifiable shuffle of ElGamal ciphertexts (Terelius and Wikström; as in CHVote, Alg. 7.44 to 7.48).

With N cards e_i, generators h_0 to h_N, the joint key P and a permutation π, the shuffler sends

    e'_i = e_π(i) + (r_π(i)·G, r_π(i)·P)                              64 bytes a card, at once
    c_π(i) = ρ_π(i)·G + h_i        ĉ_0 = h_0,  ĉ_i = ρ̂_i·G + u'_i·ĉ_(i-1)   with u'_i = u_π(i)
    x, s1 to s4, ŝ_i, s'_i                                  c to s' are the proof: 128 bytes a card + 160

where u = `weights(...)` and x = `challenge(...)`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.deck import Ciphertext, Deck, deck_bytes
from tavolata_protocol.fair.encoding import FieldReader, scalar_bytes
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.group import POINT_SIZE, SCALAR_SIZE, Group, total, weighted_sum
from tavolata_protocol.fair.hashing import HS, generators, generators_total, permutation, scalars
from tavolata_protocol.fair.offences import Item, Offence
from tavolata_protocol.fair.seeds import Secrets


class ShuffleWitness(NamedTuple):
    """The witness of a shuffle, which only the shuffler knows.

    `order` is π: card i of the new deck is card order[i] of the old deck. `masks` are r_j, by the card's
    position in the old deck.
    """

    order: tuple[int, ...]
    masks: tuple[int, ...]


class ShuffleAnnouncement(NamedTuple):
    """The announced values: t1, t2, t3, t4 (both halves) and t̂_1 to t̂_N."""

    t1: bytes
    t2: bytes
    t3: bytes
    t4a: bytes
    t4b: bytes
    chain: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class ShuffleProof:
    """A proof that one deck is another deck, permuted and re-masked.

    In the order of the fields: c_1 to c_N, ĉ_1 to ĉ_N, x, s1 to s4, ŝ_1 to ŝ_N, s'_1 to s'_N.
    """

    commitments: tuple[bytes, ...]
    chain: tuple[bytes, ...]
    challenge: int
    sums: tuple[int, int, int, int]
    chain_responses: tuple[int, ...]
    responses: tuple[int, ...]

    @property
    def encoded(self) -> bytes:
        """Encode the proof: 128 bytes a card + 160."""
        numbers = (self.challenge, *self.sums, *self.chain_responses, *self.responses)
        return b"".join((*self.commitments, *self.chain)) + scalar_bytes(*numbers)


def proof_size(cards: int) -> int:
    """Return the size in bytes of the proof for this many cards."""
    return cards * (2 * POINT_SIZE + 2 * SCALAR_SIZE) + 5 * SCALAR_SIZE


def read_proof(context: Context, data: object, cards: int) -> ShuffleProof:
    """Read a received proof for this many cards, and check each point and scalar; `verify` comes later.

    Raise `Cheat`, which names `context.party`, if one is invalid.
    """
    reader = FieldReader(context, data, proof_size(cards), Item.SHUFFLE_PROOF)
    return ShuffleProof(
        reader.points(cards),
        reader.points(cards),
        reader.scalar(),
        (reader.scalar(), reader.scalar(), reader.scalar(), reader.scalar()),
        reader.scalars(cards),
        reader.scalars(cards),
    )


# Transcripts


def weights(
    context: Context, joint: bytes, deck: Deck, shuffled: Deck, commitments: Sequence[bytes]
) -> list[int]:
    """u_1 to u_N, from the context, P, the generators, e, e' and c."""
    group = context.group
    return scalars(
        group, len(deck), b"shuffle weights", *_statement(context, joint, deck, shuffled), tuple(commitments)
    )


def challenge(
    context: Context,
    joint: bytes,
    deck: Deck,
    shuffled: Deck,
    commitments: Sequence[bytes],
    chain: Sequence[bytes],
    announced: ShuffleAnnouncement,
) -> int:
    """x, from the context, P, the generators, e, e', c, ĉ and all t."""
    return HS(
        context.group,
        b"shuffle challenge",
        *_statement(context, joint, deck, shuffled),
        tuple(commitments),
        tuple(chain),
        *announced[:5],
        announced.chain,
    )


def _statement(
    context: Context, joint: bytes, deck: Deck, shuffled: Deck
) -> tuple[bytes, bytes, tuple[bytes, ...], tuple[bytes, ...], tuple[bytes, ...]]:
    hs = generators(context.group, len(deck))
    return (
        context.encoded,
        joint,
        hs,
        tuple(point for card in deck for point in card),
        tuple(point for card in shuffled for point in card),
    )


# The shuffler


def shuffle(context: Context, joint: bytes, deck: Deck, secrets: Secrets) -> tuple[Deck, ShuffleWitness]:
    """Re-mask and permute a deck; return the new deck, which may be sent at once, and its witness.

    The same seed, context and deck give the same result, so the shuffle can still be proven after a crash.
    """
    group, known = context.group, (joint, deck_bytes(deck))
    order = permutation(len(deck), secrets.numbers(context, "permutation", *known))
    masks = tuple(secrets.scalars(context, len(deck), "masks", *known))
    return masked(group, joint, deck, ShuffleWitness(order, masks)), ShuffleWitness(order, masks)


def masked(group: Group, joint: bytes, deck: Deck, witness: ShuffleWitness) -> Deck:
    """Return the result of the shuffle of a deck with this witness."""
    return tuple(
        Ciphertext(
            group.add(deck[origin].a, group.multiply_base(witness.masks[origin])),
            group.add(deck[origin].b, group.multiply(witness.masks[origin], joint)),
        )
        for origin in witness.order
    )


def prove(
    context: Context, joint: bytes, deck: Deck, shuffled: Deck, witness: ShuffleWitness, secrets: Secrets
) -> ShuffleProof:
    """Prove that `witness` turns `deck` into `shuffled`; the proof reveals neither order nor masks."""
    group, cards = context.group, len(deck)
    order, masks = witness
    h = generators(group, cards)
    known = (joint, deck_bytes(deck), deck_bytes(shuffled), scalar_bytes(*masks), scalar_bytes(*order))
    fresh = iter(secrets.nonces(context, 4 * cards + 4, "shuffle", *known))

    blinds = [next(fresh) for _ in deck]
    committed = [b""] * cards
    for place, origin in enumerate(order):
        committed[origin] = group.add(group.multiply_base(blinds[origin]), h[place + 1])
    u = weights(context, joint, deck, shuffled, committed)
    moved = [u[origin] for origin in order]

    chain_blinds = [next(fresh) for _ in deck]
    chain = [h[0]]
    for blind, weight in zip(chain_blinds, moved, strict=True):
        chain.append(group.add(group.multiply_base(blind), group.multiply(weight, chain[-1])))

    w1, w2, w3, w4 = (next(fresh) for _ in range(4))
    chain_nonces, nonces = zip(*((next(fresh), next(fresh)) for _ in deck), strict=True) if deck else ((), ())
    announced = ShuffleAnnouncement(
        group.multiply_base(w1),
        group.multiply_base(w2),
        group.add(group.multiply_base(w3), weighted_sum(group, nonces, h[1:])),
        group.subtract(weighted_sum(group, nonces, (card.a for card in shuffled)), group.multiply_base(w4)),
        group.subtract(weighted_sum(group, nonces, (card.b for card in shuffled)), group.multiply(w4, joint)),
        tuple(
            group.add(group.multiply_base(chain_nonce), group.multiply(nonce, link))
            for chain_nonce, nonce, link in zip(chain_nonces, nonces, chain[:-1], strict=True)
        ),
    )
    x = challenge(context, joint, deck, shuffled, committed, chain[1:], announced)

    rest, chain_blind = 1, 0  # Σ ρ̂_i·Π_(k>i) u'_k, from the back
    for blind, weight in zip(reversed(chain_blinds), reversed(moved), strict=True):
        chain_blind += blind * rest
        rest = rest * weight % group.order

    def answer(nonce: int, secret: int) -> int:
        return (nonce + x * secret) % group.order

    return ShuffleProof(
        tuple(committed),
        tuple(chain[1:]),
        x,
        (
            answer(w1, sum(blinds)),
            answer(w2, chain_blind),
            answer(w3, sum(blind * weight for blind, weight in zip(blinds, u, strict=True))),
            answer(w4, sum(mask * weight for mask, weight in zip(masks, u, strict=True))),
        ),
        tuple(map(answer, chain_nonces, chain_blinds)),
        tuple(map(answer, nonces, moved)),
    )


# The verifiers


def announcement(
    context: Context, joint: bytes, deck: Deck, shuffled: Deck, proof: ShuffleProof
) -> ShuffleAnnouncement:
    """Return the announcement of a valid proof.

    t1 = s1·G - x(Σc - Σh)              t2 = s2·G - x(ĉ_N - (Πu)·h_0)
    t3 = s3·G + Σ s'h - x·Σ uc          t4 = (Σ s'a' - s4·G - x·Σ ua, Σ s'b' - s4·P - x·Σ ub)
    t̂_i = ŝ_i·G + s'_i·ĉ_(i-1) - x·ĉ_i
    """
    group, x, answers = context.group, proof.challenge, proof.responses
    s1, s2, s3, s4 = proof.sums
    h = generators(group, len(deck))
    u = weights(context, joint, deck, shuffled, proof.commitments)
    product = math.prod(u) % group.order
    links = (h[0], *proof.chain)

    def less(point: bytes, other: bytes) -> bytes:
        return group.subtract(point, group.multiply(x, other))

    def weighed(points: Iterable[bytes], points_before: Iterable[bytes], mask: bytes) -> bytes:
        after = group.subtract(weighted_sum(group, answers, points), mask)
        return less(after, weighted_sum(group, u, points_before))

    sum_of_commitments = group.subtract(total(group, proof.commitments), generators_total(group, len(deck)))
    return ShuffleAnnouncement(
        less(group.multiply_base(s1), sum_of_commitments),
        less(group.multiply_base(s2), group.subtract(links[-1], group.multiply(product, h[0]))),
        less(
            group.add(group.multiply_base(s3), weighted_sum(group, answers, h[1:])),
            weighted_sum(group, u, proof.commitments),
        ),
        weighed((card.a for card in shuffled), (card.a for card in deck), group.multiply_base(s4)),
        weighed((card.b for card in shuffled), (card.b for card in deck), group.multiply(s4, joint)),
        tuple(
            less(group.add(group.multiply_base(own), group.multiply(answer, link)), following)
            for own, answer, link, following in zip(
                proof.chain_responses, answers, links[:-1], links[1:], strict=True
            )
        ),
    )


def verify(context: Context, joint: bytes, deck: Deck, shuffled: Deck, proof: ShuffleProof) -> None:
    """Verify a proof: compute the announcement, then the challenge from it, and compare.

    The deck before the shuffle is already checked; the one after it is from `deck.read_deck`. `context` is
    the shuffler's. Raise `Cheat`, which names the shuffler, if the proof is wrong.
    """
    lists = (shuffled, proof.commitments, proof.chain, proof.chain_responses, proof.responses)
    if any(len(one) != len(deck) for one in lists):
        raise Cheat(context.party, Offence.UNRELATED_PROOF, item=Item.SHUFFLE)
    announced = announcement(context, joint, deck, shuffled, proof)
    x = challenge(context, joint, deck, shuffled, proof.commitments, proof.chain, announced)
    if x != proof.challenge:
        raise Cheat(context.party, Offence.INVALID_PROOF, item=Item.SHUFFLE)
