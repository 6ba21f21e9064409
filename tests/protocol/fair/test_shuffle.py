"""Shuffling: what is honest passes, whatever is not is refused, and one honest shuffler is enough."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavolata_protocol.fair.deck import Ciphertext, Deck, Faces, deck_bytes, read_deck
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.group import ED25519, Ed25519
from tavolata_protocol.fair.seeds import Secrets
from tavolata_protocol.fair.shares import Openable
from tavolata_protocol.fair.shuffle import (
    ShuffleProof,
    ShuffleWitness,
    masked,
    proof_size,
    prove,
    read_proof,
    shuffle,
    verify,
)
from tavolata_protocol.messages.entries import MAX_BODY

from .parties import ELSEWHERE, Chance, parties, proven

THREE = parties(3)
SPEC = b"a deck"


def faces_of(deck: Deck, faces: Faces) -> list[int | None]:
    """The faces of cards, opened by all."""
    opened = THREE.opened([Openable(card.a) for card in deck])
    return [faces.number(card, point) for card, point in zip(deck, opened, strict=True)]


@given(st.integers(0, 7), st.integers(0, 2**32))
@settings(max_examples=12)
def test_a_shuffle_is_the_same_cards_and_is_believed(cards: int, seed: int) -> None:
    """From 0 to 7 cards, over the wire: the proof holds, has its size, and the faces are permuted."""
    secrets = Secrets(seed.to_bytes(32, "little"), Chance(seed))
    context, faces = THREE.context("deck 1"), Faces(SPEC, 7)
    deck = tuple(faces.known(number, THREE.joint) for number in range(cards))
    shuffled, witness = shuffle(context, THREE.joint, deck, secrets)
    data = prove(context, THREE.joint, deck, shuffled, witness, secrets).encoded
    assert len(data) == proof_size(cards) == 128 * cards + 160
    assert len(deck_bytes(shuffled)) == 64 * cards
    arrived = read_deck(context, deck_bytes(shuffled), cards)
    verify(context, THREE.joint, deck, arrived, read_proof(context, data, cards))
    assert faces_of(arrived, faces) == list(witness.order)
    assert not set(deck) & set(arrived)


def test_equal_cards_stay_equal_in_face_only() -> None:
    """Two cards of one face are one point, and different ciphertexts after the shuffle."""
    context, faces = THREE.context("deck 1"), Faces(SPEC, 2)
    deck = tuple(faces.known(number, THREE.joint) for number in (0, 0, 1))
    shuffled, _ = shuffle(context, THREE.joint, deck, THREE.secrets[0])
    assert sorted(faces_of(shuffled, faces), key=str) == [0, 0, 1]
    assert len(set(shuffled)) == 3


def test_a_card_of_no_such_deck_has_no_number() -> None:
    """A face of another deck's specification is not found among the faces of this one."""
    stranger = Faces(b"another deck", 3).known(0, THREE.joint)
    assert faces_of((stranger,), Faces(SPEC, 3)) == [None]


@pytest.mark.parametrize("change", ELSEWHERE)
def test_a_proof_serves_nowhere_else(change: str) -> None:
    """In another match, epoch, object, place of the log, or from another party, a proof does not hold."""
    context, joint, deck, shuffled, _, proof = proven(3)
    elsewhere = replace(context, **ELSEWHERE[change])
    with pytest.raises(Cheat) as caught:
        verify(elsewhere, joint, deck, shuffled, proof)
    assert caught.value.party == elsewhere.party


def test_a_proof_serves_for_no_other_decks_and_no_other_key() -> None:
    """Another deck before or after, cards swapped in either, an old pair of decks, or another P: refused."""
    context, joint, deck, shuffled, _, proof = proven(3)
    swapped = (deck[1], deck[0], deck[2])
    moved = (shuffled[1], shuffled[0], shuffled[2])
    for before, after, key in (
        (swapped, shuffled, joint),
        (deck, moved, joint),
        (shuffled, deck, joint),
        (shuffled, shuffled, joint),
        (deck, deck, joint),
        (deck, shuffled, parties(2).joint),
    ):
        with pytest.raises(Cheat):
            verify(context, key, before, after, proof)


@pytest.mark.parametrize("name", ["commitments", "chain", "chain_responses", "responses"])
def test_swapped_elements_of_a_proof_are_refused(name: str) -> None:
    """Two elements of any list of a proof change places, and it does not hold."""
    context, joint, deck, shuffled, _, proof = proven(3)
    for first, second in ((0, 1), (1, 2), (0, 2)):
        values = list(getattr(proof, name))
        values[first], values[second] = values[second], values[first]
        lists: dict[str, Any] = {name: tuple(values)}
        with pytest.raises(Cheat):
            verify(context, joint, deck, shuffled, replace(proof, **lists))


def bent(proof: ShuffleProof, data: bytes, at: int, cards: int) -> ShuffleProof:
    """The proof with the part at a place made another valid point or scalar."""
    part = data[at : at + 32]
    if at < 64 * cards:
        other = ED25519.add(part, ED25519.base)
    else:
        other = ((int.from_bytes(part, "little") + 1) % ED25519.order).to_bytes(32, "little")
    return read_proof(proven(cards)[0], data[:at] + other + data[at + 32 :], cards)


@pytest.mark.long
@pytest.mark.parametrize("cards", [1, 2, 13, 40])
def test_every_part_of_longer_proofs_counts(cards: int) -> None:
    """Each point and scalar of a proof, and each point of the deck after it, changed alone, is refused."""
    context, joint, deck, shuffled, _, proof = proven(cards)
    data = proof.encoded
    for at in range(0, len(data), 32):
        with pytest.raises(Cheat):
            verify(context, joint, deck, shuffled, bent(proof, data, at, cards))
    for place, card in enumerate(shuffled):
        for other in (
            Ciphertext(ED25519.add(card.a, ED25519.base), card.b),
            Ciphertext(card.a, ED25519.add(card.b, ED25519.base)),
            Ciphertext(card.b, card.a),
        ):
            with pytest.raises(Cheat):
                verify(context, joint, deck, (*shuffled[:place], other, *shuffled[place + 1 :]), proof)


def test_nonces_are_never_used_twice() -> None:
    """Proving twice gives two proofs, also where the randomness is stuck but the statement is another."""
    context, joint, deck, shuffled, witness, proof = proven(3)
    again = prove(context, joint, deck, shuffled, witness, THREE.secrets[0])
    assert not set(again.commitments) & set(proof.commitments)
    assert not set(again.responses) & set(proof.responses)
    stuck = Secrets(b"s" * 32, bytes)
    first = prove(context, joint, deck, shuffled, witness, stuck)
    other = prove(replace(context, number=3), joint, deck, shuffled, witness, stuck)
    assert not set(first.commitments) & set(other.commitments)


def test_the_same_seed_shuffles_the_same_again_and_never_elsewhere() -> None:
    """After a crash the deck in the log is made again; another context or deck gives other masks."""
    context, joint, deck, _, _, _ = proven(3)
    seed = b"s" * 32
    shuffled, witness = shuffle(context, joint, deck, Secrets(seed, Chance(1)))
    assert (shuffled, witness) == shuffle(context, joint, deck, Secrets(seed, Chance(2)))
    others = [
        shuffle(replace(context, object="deck 2"), joint, deck, Secrets(seed, Chance(1))),
        shuffle(context, joint, deck[::-1], Secrets(seed, Chance(1))),
        shuffle(context, joint, deck, Secrets(b"t" * 32, Chance(1))),
    ]
    assert len(witness.masks) == 3
    assert others
    assert all(set(masks).isdisjoint(witness.masks) for _, (_, masks) in others)


@pytest.mark.battery
def test_one_honest_shuffler_is_enough() -> None:
    """Between two who always turn the deck over, one honest party leaves each of the 6 orders as likely."""
    joint, deck, seen = THREE.joint, THREE.known_deck(3), Counter[tuple[int, ...]]()
    rounds = 600
    for number in range(rounds):
        context = THREE.context("deck 1", number=number)
        stacked = masked(ED25519, joint, deck, ShuffleWitness((2, 1, 0), (1, 1, 1)))
        honest, witness = shuffle(context, joint, stacked, THREE.secrets[0])
        last = masked(ED25519, joint, honest, ShuffleWitness((2, 1, 0), (1, 1, 1)))
        assert len(set(last)) == 3
        seen[tuple(2 - origin for origin in reversed(witness.order))] += 1
    assert set(seen) == set(permutations(range(3)))
    assert all(abs(count - rounds / 6) < 5 * (rounds * 5 / 36) ** 0.5 for count in seen.values())


class Counting(Ed25519):
    """The group, counting its multiplications."""

    def __init__(self) -> None:
        self.made = Counter[str]()

    def multiply(self, scalar: int, point: bytes) -> bytes:
        self.made["any"] += 1
        return super().multiply(scalar, point)

    def multiply_base(self, scalar: int) -> bytes:
        self.made["base"] += 1
        return super().multiply_base(scalar)


def test_a_pile_of_250_cards_goes_into_entries_of_the_log() -> None:
    """Deck, proof and what the engine says around them fit into one entry's body each, up to 250 cards."""
    around = 256
    assert proof_size(250) + around < MAX_BODY < proof_size(256)
    assert 64 * 250 + around < MAX_BODY
    assert (64 * 108, proof_size(108)) == (6_912, 13_984)


@pytest.mark.parametrize("cards", [1, 6])
def test_no_more_is_multiplied_than_the_equations_say(cards: int) -> None:
    """A card costs 1 multiplication to shuffle, 5 to prove, 8 to check; and 1, 3 and 1 of the base point."""
    group = Counting()
    context, joint, deck, shuffled, witness, _ = proven(cards)
    context = replace(context, group=group)
    shuffle(context, joint, deck, THREE.secrets[0])
    assert group.made == {"any": cards, "base": cards}
    group.made.clear()
    proof = prove(context, joint, deck, shuffled, witness, THREE.secrets[0])
    assert group.made == {"any": 5 * cards + 1, "base": 3 * cards + 4}
    group.made.clear()
    verify(context, joint, deck, shuffled, read_proof(context, proof.encoded, cards))
    assert group.made == {"any": 8 * cards + 7, "base": cards + 4}
