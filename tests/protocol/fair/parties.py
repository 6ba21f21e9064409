"""Parties that made keys together, for the tests of fair dealing; and a chance that always is the same."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from typing import Any

from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.deck import Deck, Faces
from tavolata_protocol.fair.group import ED25519, Group
from tavolata_protocol.fair.keys import (
    KeyDealing,
    KeyRing,
    OwnDealing,
    PublicKeys,
    Roster,
    assemble,
    complete,
    deal,
    read_dealing,
    read_share,
    threshold,
)
from tavolata_protocol.fair.seeds import Secrets
from tavolata_protocol.fair.shares import Openable, Shares, combine, make_shares, own_shares, read_shares
from tavolata_protocol.fair.shuffle import ShuffleProof, ShuffleWitness, prove, shuffle

MATCH = b"a match of tests"
LINEAGE = b"one of its logs."

ELSEWHERE: dict[str, dict[str, Any]] = {
    "another match": {"match": b"another"},
    "another lineage": {"lineage": b"another"},
    "another epoch": {"epoch": 7},
    "another object": {"object": "something else"},
    "another number": {"number": 99},
    "another party": {"party": 3},
    "other keys": {"transcript": b""},
}
"""What may be other about a context."""


class Chance:
    """Bytes that look random and are not."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._count = 0

    def __call__(self, size: int) -> bytes:
        self._count += 1
        return blake2b(f"{self._seed} {self._count}".encode(), digest_size=size).digest()


class Parties:
    """n parties with the keys of one epoch. They are shared by tests: nothing here may be changed.

    Args:
        count: n.
        strict: whether it takes all of them.
        group: what they compute in.
        epoch: their epoch.
    """

    def __init__(self, count: int, *, strict: bool = False, group: Group = ED25519, epoch: int = 0) -> None:
        ids = tuple(bytes([party]) * 32 for party in range(1, count + 1))
        self.roster = Roster(ids, threshold(count, strict=strict), b"O" * 32)
        self.secrets = [Secrets(bytes([party]) * 32, Chance(party)) for party in range(1, count + 1)]
        self.contexts = [
            Context(MATCH, LINEAGE, epoch, "keys", 1, party, group=group) for party in range(1, count + 1)
        ]
        self.own: list[OwnDealing] = [
            deal(context, self.roster, secrets)
            for context, secrets in zip(self.contexts, self.secrets, strict=True)
        ]
        self.dealings: list[KeyDealing] = [
            read_dealing(context, self.roster, own.commitment, own.data)
            for context, own in zip(self.contexts, self.own, strict=True)
        ]
        self.public: PublicKeys = assemble(self.contexts[0], self.roster, self.dealings)
        self.rings: list[KeyRing] = [
            complete(
                self.public,
                party,
                [
                    read_share(context, dealing, party, own.share(party))
                    for context, dealing, own in zip(self.contexts, self.dealings, self.own, strict=True)
                ],
                self.own[party - 1],
            )
            for party in range(1, count + 1)
        ]

    @property
    def joint(self) -> bytes:
        """P."""
        return self.public.joint

    def context(self, about: str, number: int = 2, party: int = 1) -> Context:
        """A context under the keys."""
        return self.public.context(about, number, party)

    def known_deck(self, cards: int, faces: Faces | None = None) -> Deck:
        """Cards of the faces 0, 1, 2 ... that all know."""
        faces = faces or Faces(b"a deck", cards, self.public.group)
        return tuple(faces.known(number, self.joint) for number in range(cards))

    def shares(self, party: int, about: str, things: list[Openable]) -> Shares:
        """A party's shares after they went over the wire."""
        context = self.context(about, party=party)
        made = make_shares(context, self.rings[party - 1], things, self.secrets[party - 1])
        return read_shares(context, self.public, things, made.encoded)

    def opened(self, things: list[Openable], parties: list[int] | None = None) -> tuple[bytes, ...]:
        """x·A of each thing, from the shares of some parties or of all."""
        some = parties or list(range(1, self.public.roster.parties + 1))
        return combine(self.public, {party: own_shares(self.rings[party - 1], things) for party in some})


@lru_cache(maxsize=32)
def parties(count: int, *, strict: bool = False) -> Parties:
    """Parties that no test changes."""
    return Parties(count, strict=strict)


@lru_cache(maxsize=32)
def proven(cards: int) -> tuple[Context, bytes, Deck, Deck, ShuffleWitness, ShuffleProof]:
    """An honest shuffle: context, P, deck, shuffled deck, witness, proof."""
    three = parties(3)
    context, deck = three.context("deck 1"), three.known_deck(cards)
    shuffled, witness = shuffle(context, three.joint, deck, three.secrets[0])
    proof = prove(context, three.joint, deck, shuffled, witness, three.secrets[0])
    return context, three.joint, deck, shuffled, witness, proof
