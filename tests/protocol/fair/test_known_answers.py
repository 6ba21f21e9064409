"""Known answers: a published vector, and our own, so that what was once said stays what it was."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from tavolata_protocol.fair import shuffle as shuffling
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.deck import Ciphertext, Deck, Faces, deck_bytes
from tavolata_protocol.fair.group import ED25519
from tavolata_protocol.fair.hashing import HG, HS, H, generators
from tavolata_protocol.fair.seeds import Secrets
from tavolata_protocol.fair.shuffle import (
    ShuffleProof,
    ShuffleWitness,
    announcement,
    challenge,
    masked,
    prove,
    shuffle,
    verify,
    weights,
)

from .parties import Chance
from .toy import MOD11, element, number

# The vector of the CHVote proof of concept (MixingAuthorityTests.md), computed by hand there, modulo 11.
# There a ciphertext has its halves the other way round, which makes no difference as pk = g = 3.

DECK = tuple(Ciphertext(element(a), element(b)) for a, b in ((5, 1), (3, 4), (5, 9)))
SHUFFLED = tuple(Ciphertext(element(a), element(b)) for a, b in ((1, 5), (4, 3), (1, 4)))
WITNESS = ShuffleWitness((1, 0, 2), (1, 4, 2))
PK = element(3)
CONTEXT = Context(b"", b"", 0, "", 0, 1, group=MOD11)
DRAWN = [1, 2, 3, 4, 0, 1, 1, 2, 3, 4, 2, 3, 4, 0, 1, 1]


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> Secrets:
    """Hashes that answer as in the vector, and secrets that draw as in the vector."""
    monkeypatch.setattr(shuffling, "generators", lambda group, size: tuple(map(element, (4, 4, 3, 5))))
    monkeypatch.setattr(shuffling, "generators_total", lambda group, size: element(4 * 3 * 5 % 11))
    monkeypatch.setattr(shuffling, "weights", lambda *given: [2, 4, 3])
    monkeypatch.setattr(shuffling, "challenge", lambda *given: 4)
    return cast("Secrets", SimpleNamespace(nonces=lambda *given: DRAWN))


def test_published_shuffle_is_reproduced() -> None:
    """With psi = (1, 0, 2) and r = (1, 4, 2) the vector's deck becomes the vector's shuffled deck."""
    assert masked(MOD11, PK, DECK, WITNESS) == SHUFFLED


def test_published_proof_is_reproduced(published: Secrets) -> None:
    """With u = (2, 4, 3) and x = 4 come c, ĉ, s = (0, 2, 4, 0), ŝ = (3, 4, 0) and s' = (4, 3, 3)."""
    proof = prove(CONTEXT, PK, DECK, SHUFFLED, WITNESS, published)
    assert list(map(number, proof.commitments)) == [9, 3, 3]
    assert list(map(number, proof.chain)) == [1, 1, 3]
    assert (proof.challenge, proof.sums) == (4, (0, 2, 4, 0))
    assert proof.chain_responses == (3, 4, 0)
    assert proof.responses == (4, 3, 3)


def test_published_announcement_is_recomputed(published: Secrets) -> None:
    """The verifier finds t1 = 3, t2 = 9, t3 = 5, t4 = (3, 4) and t̂ = (4, 4, 3)."""
    proof = ShuffleProof(
        tuple(map(element, (9, 3, 3))),
        tuple(map(element, (1, 1, 3))),
        4,
        (0, 2, 4, 0),
        (3, 4, 0),
        (4, 3, 3),
    )
    found = announcement(CONTEXT, PK, DECK, SHUFFLED, proof)
    assert list(map(number, found[:5])) == [3, 9, 5, 3, 4]
    assert list(map(number, found.chain)) == [4, 4, 3]
    verify(CONTEXT, PK, DECK, SHUFFLED, proof)


# Our own


OWN = Context(b"known answers", b"lineage", 1, "deck 1", 7, 2, b"T" * 64)
JOINT = ED25519.multiply_base(99)


def own_shuffle() -> tuple[Deck, Deck, ShuffleProof]:
    """A shuffle of three cards from known secrets."""
    faces = Faces(b"three cards", 3)
    deck = tuple(faces.known(face, JOINT) for face in range(3))
    secrets = Secrets(b"s" * 32, Chance(1))
    shuffled, witness = shuffle(OWN, JOINT, deck, secrets)
    return deck, shuffled, prove(OWN, JOINT, deck, shuffled, witness, secrets)


def answers() -> dict[str, Any]:
    """What is frozen, computed anew."""
    deck, shuffled, proof = own_shuffle()
    return {
        "H": H(b"tag", b"field", 7, (b"one", b"two")).hex(),
        "HS": HS(ED25519, b"tag", b"field"),
        "HG": HG(ED25519, b"tag", b"field").hex(),
        "h": [point.hex() for point in generators(ED25519, 3)],
        "faces": [point.hex() for point in Faces(b"three cards", 3).points],
        "context": H(b"context", OWN.encoded).hex(),
        "u": weights(OWN, JOINT, deck, shuffled, proof.commitments),
        "x": challenge(
            OWN,
            JOINT,
            deck,
            shuffled,
            proof.commitments,
            proof.chain,
            announcement(OWN, JOINT, deck, shuffled, proof),
        ),
        "shuffled": deck_bytes(shuffled).hex(),
        "proof": proof.encoded.hex(),
    }


FROZEN: dict[str, Any] = {
    "H": (
        "a2f4a53b018c2b698c9a9c9e1a1e4b9442ca1c2dc00596a0ae2f43d43cdc5a41d2d80edce2c9883caeae8511e10c02e7"
        "3749951b94784c42f71ddddb4786bb2c"
    ),
    "HS": 7157384584531000146199333008547525757175420212802986055345013321885982075098,
    "HG": "a18ddf7a4b5367a0b419bd8c9fab1032f65962963338e9d8dab0b6bebc044d33",
    "h": [
        "d7e84eb4e44a2408a7da7430ab32c0377ee19e3f6a74f0a3cddf0ea2b0ba5a16",
        "ea10c78f628c8f7d214ce0cee535d894b9823c1c595230b5d372990f6785a194",
        "90f0eb6a1804935c377974fdac4329f8a91dca502a1865c45848fe56ec5274a3",
        "d509b8fe572773a5c9cb3d96c34b0af4ef733f806f34306ec5f89166b37b292a",
    ],
    "faces": [
        "055dabff39091abed495794b48268ea4478f3e8d4ae45ed107ff86e1081556b6",
        "bd3be29ab9ab1d08ee971e934c2305c1add1542eff9f4c081eb72a060399ef63",
        "c9a51c4f7932073585ff2aab0e139f0c87b75198e27a713b03362571905b678a",
    ],
    "context": (
        "030e6fce8baefbd0d6276d180a55539e777ded9c1086d569d65b90d32e231cfa160727f028fbb0e81f36b3ce01a8e9dd"
        "c8f6b899c3a5e15973f7828b50953977"
    ),
    "u": [
        1297368965351491344134679131114210817848003788918335787065576637602564724740,
        6113812062990014122308702955782313479567034220132230426642900854600896255308,
        3666692810677111226488745098925186457165971398246036753967013439440012808104,
    ],
    "x": 5680713523162190797868920168431919132053505951611984903721529554208135911258,
    "shuffled": (
        "1d82a2d348c9020313a1b1e44119eb56048cf108fbbc200c69697a593dce20af00a966cf467f6043fcf3a6582529945e"
        "ab2d0f82cad7ce0561644fcb3e357f9e1b203bb1200f8e394352efc804ce336f27ab5ab55c3038e44d3b31f1b287d6ea"
        "8da5a82db03608cac71e300febb5c60976ad5b303a2206961cbe5e4c8acc1e5cc0317b760da0a80c0f484c2c27fd5752"
        "1e698c655fde855079f713f70cbd37e3afaaa2ea6616bd95dad8db0007437ecd48f812d28b8562b7def642406ae8e149"
    ),
    "proof": (
        "a0853e0573d0920d7c654c6676f77a0fec310a0740e3803310918dd8c49282bb43379de50ac171413425db85f6929189"
        "94f76c174db8b1854163e5444b1bddf6f829494443fe39e97b24a8070a9c4f2cc95b694f8d46682f85014a7b3927c616"
        "09bda11e7406a922a938bdc95e3c678a1cc2baa9c9f277db71c401cec67935067e15ae236ebb6f9d9562ef98e3f96b7d"
        "d9b87e9f42b198440d5012089c26d99d49a0ff0edf1a97dc3af8a38f41922a38f188da5f52b663dd1b0b0944b630acec"
        "5a174528ac6ebf7b2ca673c365c780717f85e0b6953ed43d9abe70677f2b8f0cfcd4b69fa8bba52bed8a2ebe4df3c0a8"
        "5a9fb60379c4d2e4c13c3a94cdc02d079f9dae8b24761efffaa6ad2304449f60f5d48d1e207b94cd77268650290d8f0d"
        "c33f0043dae58df5c9fd49c98b428370f8acbccbe4fb662bf498d4cdd5b02102aca0d917afcf80cb2493208c2dd3a81b"
        "23fbc4d8d621c898212b6f2da2930008dd554f40cefe2c03ae37d96732bc3b1c96c13dbb6161ee26ba78322031f55802"
        "87135c555b4686775661dbbaac4c19074356296220a28542f27215f6c4ca780a2c8061932642800ff7f29b727d64bb30"
        "7bc87fe78d3b5137da671a0e85085e05f944e452c03b7ff9158f1e0c203e17de4e85f510d3193b71cb62391db0aa8605"
        "5ffac3a9aa0667d675a0442b726edade6071f492d2b60601c512578e5f7d070bc2be5b4da0ed4439574c7b654f86e4c8"
        "c0f6ea8bfb70e71c6eb4d4290191450d"
    ),
}


@pytest.mark.parametrize("name", FROZEN)
def test_own_answers_stay(name: str) -> None:
    """Hashes, generators, faces, u, x and a whole proof are what they were when first written down."""
    assert answers()[name] == FROZEN[name]


def test_the_frozen_proof_holds() -> None:
    """What is frozen as a proof is one."""
    deck, shuffled, proof = own_shuffle()
    verify(OWN, JOINT, deck, shuffled, proof)
    assert proof.challenge == FROZEN["x"]
