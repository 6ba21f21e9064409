"""Forgers: shuffles that are none, proven with the real transcripts so well that only one equation is off."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import count

from tavolata_protocol.fair.deck import Ciphertext, Deck
from tavolata_protocol.fair.group import ED25519 as GROUP
from tavolata_protocol.fair.group import weighted_sum
from tavolata_protocol.fair.hashing import HS, generators
from tavolata_protocol.fair.shuffle import (
    ShuffleAnnouncement,
    ShuffleProof,
    announcement,
    challenge,
    weights,
)

from .parties import parties

L = GROUP.order
Matrix = Sequence[Sequence[int]]
Moved = Callable[[list[int]], list[int]]
Links = Callable[[list[int], list[int]], list[int]]
SEED = count()


def chance() -> int:
    """A scalar that comes once."""
    return HS(GROUP, b"chance of a forger", next(SEED))


class Forger:
    """Proves a shuffle by whatever numbers it is given; honest where they are those of a permutation.

    Args:
        deck: before.
        made: each card after, as weights over the cards before; it is masked anew on top of that.
        matrix: what the commitments c commit to, by place after and place before; as `made` if not given.
        moved: u' from u; the matrix times u if not given.
        links: by what the chain really goes on, from u and u'; u' if not given.
        slipped: a point added to the first half and one added to the second half of the first card.
    """

    def __init__(
        self,
        deck: Deck,
        made: Matrix,
        matrix: Matrix | None = None,
        moved: Moved | None = None,
        links: Links = lambda u, moved: moved,
        slipped: tuple[bytes, bytes] = (GROUP.identity, GROUP.identity),
    ) -> None:
        three = parties(3)
        self.context, self.joint, self.deck = three.context("forged"), three.joint, deck
        matrix = matrix or made
        columns = list(zip(*matrix, strict=True))
        h = generators(GROUP, len(deck))
        masks = [chance() for _ in deck]
        self.shuffled = tuple(
            self._card(row, mask, slipped if at == 0 else (GROUP.identity,) * 2)
            for at, (row, mask) in enumerate(zip(made, masks, strict=True))
        )
        blinds = [chance() for _ in deck]
        committed = tuple(
            GROUP.add(GROUP.multiply_base(blind), weighted_sum(GROUP, column, h[1:]))
            for blind, column in zip(blinds, columns, strict=True)
        )
        u = weights(self.context, self.joint, deck, self.shuffled, committed)
        new = moved(u) if moved else [sum(k * v for k, v in zip(row, u, strict=True)) % L for row in matrix]
        steps, chain_blinds, chain = links(u, new), [chance() for _ in deck], [h[0]]
        for blind, step in zip(chain_blinds, steps, strict=True):
            chain.append(GROUP.add(GROUP.multiply_base(blind), GROUP.multiply(step, chain[-1])))
        w1, w2, w3, w4 = (chance() for _ in range(4))
        chain_nonces, nonces = [chance() for _ in deck], [chance() for _ in deck]
        halves = tuple(zip(*self.shuffled, strict=True))
        self.announced = ShuffleAnnouncement(
            GROUP.multiply_base(w1),
            GROUP.multiply_base(w2),
            GROUP.add(GROUP.multiply_base(w3), weighted_sum(GROUP, nonces, h[1:])),
            GROUP.subtract(weighted_sum(GROUP, nonces, halves[0]), GROUP.multiply_base(w4)),
            GROUP.subtract(weighted_sum(GROUP, nonces, halves[1]), GROUP.multiply(w4, self.joint)),
            tuple(
                GROUP.add(GROUP.multiply_base(own), GROUP.multiply(nonce, link))
                for own, nonce, link in zip(chain_nonces, nonces, chain[:-1], strict=True)
            ),
        )
        x = challenge(self.context, self.joint, deck, self.shuffled, committed, chain[1:], self.announced)
        chain_blind = 0
        for blind, step in zip(chain_blinds, steps, strict=True):
            chain_blind = chain_blind * step + blind
        secrets = (
            sum(blinds),
            chain_blind,
            sum(blind * weight for blind, weight in zip(blinds, u, strict=True)),
            self._mask(u, new, masks, made),
        )
        s1, s2, s3, s4 = ((w + x * secret) % L for w, secret in zip((w1, w2, w3, w4), secrets, strict=True))
        self.proof = ShuffleProof(
            committed,
            tuple(chain[1:]),
            x,
            (s1, s2, s3, s4),
            tuple((w + x * blind) % L for w, blind in zip(chain_nonces, chain_blinds, strict=True)),
            tuple((w + x * weight) % L for w, weight in zip(nonces, new, strict=True)),
        )

    def _card(self, row: Sequence[int], mask: int, slipped: tuple[bytes, bytes]) -> Ciphertext:
        a = weighted_sum(GROUP, row, (card.a for card in self.deck))
        b = weighted_sum(GROUP, row, (card.b for card in self.deck))
        a = GROUP.add(a, GROUP.multiply_base(mask))
        b = GROUP.add(b, GROUP.multiply(mask, self.joint))
        return Ciphertext(GROUP.add(a, slipped[0]), GROUP.add(b, slipped[1]))

    def _mask(self, u: list[int], new: list[int], masks: list[int], made: Matrix) -> int:
        """r' with Σ u'·a' = Σ u·a + r'·G: known cards have G as their first half."""
        gained = sum(weight * (sum(row) + mask) for weight, row, mask in zip(new, made, masks, strict=True))
        return (gained - sum(u)) % L

    @property
    def wrong(self) -> set[str]:
        """In which values the verifier finds something else than was announced."""
        found = announcement(self.context, self.joint, self.deck, self.shuffled, self.proof)
        names = {
            name
            for name in ("t1", "t2", "t3", "t4a", "t4b")
            if getattr(found, name) != getattr(self.announced, name)
        }
        pairs = zip(found.chain, self.announced.chain, strict=True)
        return names | {f"chain {at}" for at, (one, other) in enumerate(pairs) if one != other}

    @property
    def would_be_believed(self) -> bool:
        """Whether nothing but the announcement stands between this proof and belief."""
        proof = self.proof
        x = challenge(
            self.context, self.joint, self.deck, self.shuffled, proof.commitments, proof.chain, self.announced
        )
        return x == proof.challenge


def identity(size: int) -> Matrix:
    """Nothing moved."""
    return [[int(row == column) for column in range(size)] for row in range(size)]


def inverse(number: int) -> int:
    """Modulo L."""
    return pow(number, -1, L)


def root(square: int) -> int | None:
    """A square root modulo L, which is 5 modulo 8; None where there is none."""
    for candidate in (
        pow(square, (L + 3) // 8, L),
        pow(square, (L + 3) // 8, L) * pow(2, (L - 1) // 4, L) % L,
    ):
        if candidate * candidate % L == square % L:
            return candidate
    return None


DECK = parties(3).known_deck(3)
A, B = DECK[0], DECK[1]
FAIR = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
SCALED = [[2, 0, 0], [0, inverse(2), 0], [0, 0, 1]]
SCALED_CARDS = [[inverse(2), 0, 0], [0, 2, 0], [0, 0, 1]]
NEGATED = [[-1, 0, 0], [0, -1, 0], [0, 0, 1]]
SUMMED = [[2, -1, 0], [-1, 2, 0], [0, 0, 1]]
THIRD = inverse(3)
SUMMED_CARDS = [[2 * THIRD, THIRD, 0], [THIRD, 2 * THIRD, 0], [0, 0, 1]]
TWO_OF_B = [[1, 0, 0], [0, 0, 1], [0, 0, 1]]
STRANGER = GROUP.multiply_base(4711)


def two_of_b(u: list[int]) -> list[int]:
    """u' that makes A, A, B into A, B, B with the right sum and the right product."""
    first = (u[0] + u[1]) % L
    under = root(u[2] * u[2] - 4 * math.prod(u) * inverse(first))
    if under is None:
        raise ArithmeticError
    second = (u[2] + under) * inverse(2) % L
    return [first, second, (u[2] - second) % L]


def substituted() -> Forger:
    """A, A, B become A, B, B; every second time there is a root."""
    while True:
        try:
            return Forger((A, A, B), TWO_OF_B, matrix=identity(3), moved=two_of_b)
        except ArithmeticError:
            continue


def first_link_broken(u: list[int], moved: list[int]) -> list[int]:
    """The right product from a wrong first step."""
    return [math.prod(u) * inverse(math.prod(moved[1:])) % L, *moved[1:]]


def last_link_broken(u: list[int], moved: list[int]) -> list[int]:
    """The right product from a wrong last step."""
    return [*moved[:-1], math.prod(u) * inverse(math.prod(moved[:-1])) % L]


def all_links_broken(u: list[int], moved: list[int]) -> list[int]:
    """The right product from wrong steps."""
    return last_link_broken(u, [weight + 1 for weight in moved])


FORGERS: dict[str, tuple[Callable[[], Forger], set[str]]] = {
    "cards scaled": (lambda: Forger(DECK, SCALED_CARDS, SCALED), {"t1"}),
    "cards negated": (lambda: Forger(DECK, NEGATED), {"t1"}),
    "cards summed": (lambda: Forger(DECK, SUMMED_CARDS, SUMMED), {"t2"}),
    "A, A, B made into A, B, B": (substituted, {"t3"}),
    "another card slipped in": (
        lambda: Forger(DECK, FAIR, slipped=(GROUP.identity, STRANGER)),
        {"t4b"},
    ),
    "a mask without its other half": (
        lambda: Forger(DECK, FAIR, slipped=(STRANGER, GROUP.identity)),
        {"t4a"},
    ),
    "a card copied": (lambda: Forger((A, A, B), TWO_OF_B, matrix=identity(3)), {"t4b"}),
    "chain broken first": (
        lambda: Forger(DECK, SUMMED_CARDS, SUMMED, links=first_link_broken),
        {"chain 0"},
    ),
    "chain broken last": (
        lambda: Forger(DECK, SUMMED_CARDS, SUMMED, links=last_link_broken),
        {"chain 2"},
    ),
    "chain broken throughout": (
        lambda: Forger(DECK, SUMMED_CARDS, SUMMED, links=all_links_broken),
        {"chain 0", "chain 1", "chain 2"},
    ),
}
