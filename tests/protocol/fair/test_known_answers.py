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
        "secret": Secrets(b"s" * 32, Chance(1)).derive(OWN, "purpose", b"field")[:16].hex(),
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
        "340861aa9a18aa2020990271456d66c9b4f246cbea928a08ea3667059ca9031c0d2ee0cfac3acb55fcf737bcc69f7628"
        "951da49c483fe93d93697e8f08e288f7"
    ),
    "secret": "59ca01eea28fdf7875ac428a8ce37c6c",
    "u": [
        2089699600062979997557446202235835852244276698326268413785253616767838550898,
        4977981581256848909770739117891156811726650742561469443900106353047726510350,
        1843194533582740472196857791904510923261314421587186407900896110224941943414,
    ],
    "x": 6100667931172349148645140880165727404280495716216854716404743494353921015895,
    "shuffled": (
        "f43e20608473152c1321a36bed28d0be316012e9b8333246989557890a59be18c0335541881c2f0fa7c46c2e2dd506ca"
        "9bdaf74259b83f380ebef495ee8c7fd844c0e36c2e208121eb6efcdd9c573a67aca4e4717d4ffef3295cd1f8b1f8c4c4"
        "9eb28b48c796af2180e7189f68f69d9d0a58641e0cbd8efc9163efd4c2b01b5d79ddb6791d23a48406b93c1d94f02eda"
        "d33b1e6075ab6e3cd155dc7c45ecb641d8dbf0da7ce8d4c62aaad6b5680fd430e063ec95b91fb6aa70de626a3e437c9c"
    ),
    "proof": (
        "5cf082322c646c884d0bb5d766c8f554777ce96d8c43b4d0d778206872980fd24d6cbb1a0d3efc2843920c2dbc88ce14"
        "e074e1a91d1cd39383432a3a67a134945dc1917eb76a15bdb10757e3c442151b81c13ef8ea98b365614c3b0646dd95d0"
        "96598abd6ccb9631492fa43b259d0c0de65a64253610aa8e322b8fd9441db9635ace4b3ed8cc9e8c704358de96d78b04"
        "4eba2b74c817489e570a187b0b2cbb54487505e4d739e0626846e296917865bb70956a9240dd98aa195cf97719224784"
        "578048a13724026b957fd58f4a67be46b5ac776171510d7249d1d4220edb7c0dcad3bfd8f006cfe247145b7240374072"
        "b91192b27488533af0d5cc7611cb6f0c6ac6e54a638eb6bbbe51df11cee6a04fbb0345c7b053cc71b3c20059ba606c0b"
        "00531af61062566bf505563214a76439cd37edd079b23abc7ee12e82d95c3d014f9603af90c5ca01f3e8b8e56d5b48b8"
        "037dce8e23a0ee81cf9b53b7db770b063ab7314d85f02889b5d50d69536233332892ab8125d1bb742c5ac7be6c9ad609"
        "27d5538a409687d51f0e32dd1672055616e6a117d75badf75f03f58d1e79eb052e7646aa3d45b45b2789765027691f95"
        "f5b888803e4cc574cd4a01db4059b807a9ef5b5148865fd37538da2d16fe48bafa5676e85f0d2f27f9ed96c9834f480d"
        "cb5e253b2790b7a12dd8be9608d6f496c94dfc20fe3030f001052eb8a7ea7109cd4a4d418f0e36b0868558e4dfdb2c05"
        "4e45d7923d8b09e761cbe7f0a25fad09"
    ),
}


@pytest.mark.parametrize("name", FROZEN)
def test_own_answers_stay(name: str) -> None:
    """Hashes, generators, faces, a secret, u, x and a whole proof are what they were at first."""
    assert answers()[name] == FROZEN[name]


def test_the_frozen_proof_holds() -> None:
    """What is frozen as a proof is one."""
    deck, shuffled, proof = own_shuffle()
    verify(OWN, JOINT, deck, shuffled, proof)
    assert proof.challenge == FROZEN["x"]
