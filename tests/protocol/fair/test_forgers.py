"""Forgers who get everything right but one equation, with the real transcripts, are refused.

For each, what it announced and what the verifier computes are compared: they differ in that one value and
in no other, so a verifier without that equation would have believed it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.group import ED25519 as GROUP
from tavolata_protocol.fair.group import weighted_sum
from tavolata_protocol.fair.logs import (
    Proof,
    check_equality,
    check_knowledge,
    equality_announcement,
    equality_challenge,
    equality_weights,
    folded,
    knowledge_announcement,
    knowledge_challenge,
)
from tavolata_protocol.fair.offences import Item, Offence
from tavolata_protocol.fair.shuffle import (
    verify,
)

from .forgers import DECK, FAIR, FORGERS, STRANGER, Forger, chance
from .parties import parties, proven

L = GROUP.order


def test_the_forgers_method_is_sound() -> None:
    """With an honest permutation what the forger makes is a proof like any other."""
    honest = Forger(DECK, FAIR)
    assert honest.wrong == set()
    verify(honest.context, honest.joint, honest.deck, honest.shuffled, honest.proof)


@pytest.mark.parametrize("name", FORGERS)
def test_one_wrong_equation_is_enough(name: str) -> None:
    """Each forger is off in just the equation meant for it, and is named."""
    forge, wrong = FORGERS[name]
    forged = forge()
    assert forged.would_be_believed
    assert forged.wrong == wrong
    with pytest.raises(Cheat) as caught:
        verify(forged.context, forged.joint, forged.deck, forged.shuffled, forged.proof)
    assert caught.value.party == 1


def test_every_equation_has_its_forger() -> None:
    """No value of the announcement is without a forger who is off in it alone."""
    alone = {next(iter(wrong)) for _, wrong in FORGERS.values() if len(wrong) == 1}
    assert alone >= {"t1", "t2", "t3", "t4a", "t4b", "chain 0", "chain 2"}


@pytest.mark.parametrize(
    "longer", ["commitments", "chain", "chain_responses", "responses", "cards", "shorter"]
)
def test_lists_of_another_length_are_refused(longer: str) -> None:
    """One element too many in any list, or one too few, is refused before anything is computed."""
    context, joint, deck, shuffled, _, proof = proven(3)
    if longer == "cards":
        shuffled = (*shuffled, shuffled[-1])
    elif longer == "shorter":
        shuffled = shuffled[:-1]
    else:
        values = getattr(proof, longer)
        longer_list: dict[str, Any] = {longer: (*values, values[-1])}
        proof = replace(proof, **longer_list)
    with pytest.raises(Cheat, match=Offence.UNRELATED_PROOF):
        verify(context, joint, deck, shuffled, proof)


# The two smaller proofs

SECRET, OTHER = 1234567, 7654321
KEY = GROUP.multiply_base(SECRET)
BASES = [GROUP.multiply_base(number) for number in (5, 6, 7)]


def forged_equality(images: list[bytes], answer_with: int) -> tuple[set[str], Proof, bool]:
    """A proof for images that answers with one secret: where it is off, itself, whether all else fits."""
    context = parties(3).context("forged")
    w = chance()
    factors = equality_weights(context, b"share", KEY, BASES, images)
    base, image = folded(GROUP, factors, BASES), folded(GROUP, factors, images)
    announced = (GROUP.multiply_base(w), GROUP.multiply(w, base))
    x = equality_challenge(context, b"share", KEY, BASES, images, announced)
    proof = Proof(x, (w + x * answer_with) % L)
    found = equality_announcement(GROUP, KEY, base, image, proof)
    wrong = {
        name for name, one, other in zip(("key", "images"), announced, found, strict=True) if one != other
    }
    return wrong, proof, equality_challenge(context, b"share", KEY, BASES, images, announced) == x


def test_shares_of_another_secret_are_refused() -> None:
    """Images by another secret than the key's are off in the key's equation alone, and refused."""
    images = [GROUP.multiply(OTHER, base) for base in BASES]
    wrong, proof, fits = forged_equality(images, OTHER)
    assert (wrong, fits) == ({"key"}, True)
    with pytest.raises(Cheat):
        check_equality(parties(3).context("forged"), Item.SHARE, KEY, BASES, images, proof)


@pytest.mark.parametrize("bent", range(3))
def test_one_wrong_share_of_a_batch_is_refused(bent: int) -> None:
    """One wrong image among right ones is off in the images' equation alone, and refused."""
    images = [GROUP.multiply(OTHER if at == bent else SECRET, base) for at, base in enumerate(BASES)]
    wrong, proof, fits = forged_equality(images, SECRET)
    assert (wrong, fits) == ({"images"}, True)
    with pytest.raises(Cheat):
        check_equality(parties(3).context("forged"), Item.SHARE, KEY, BASES, images, proof)


def test_wrong_shares_that_cancel_are_refused() -> None:
    """Two images that are wrong by opposite points, whose plain sum is right, are refused."""
    right = [GROUP.multiply(SECRET, base) for base in BASES]
    images = [GROUP.add(right[0], STRANGER), GROUP.subtract(right[1], STRANGER), right[2]]
    assert weighted_sum(GROUP, [1, 1, 1], images) == weighted_sum(GROUP, [1, 1, 1], right)
    wrong, proof, _ = forged_equality(images, SECRET)
    assert wrong == {"images"}
    with pytest.raises(Cheat):
        check_equality(parties(3).context("forged"), Item.SHARE, KEY, BASES, images, proof)


def test_honest_shares_pass_the_same_way() -> None:
    """With right images the forger's method gives a proof that holds."""
    images = [GROUP.multiply(SECRET, base) for base in BASES]
    wrong, proof, _ = forged_equality(images, SECRET)
    assert wrong == set()
    check_equality(parties(3).context("forged"), Item.SHARE, KEY, BASES, images, proof)


@pytest.mark.parametrize(("bases", "images"), [([], []), (BASES, BASES[:2]), (BASES[:2], BASES)])
def test_no_pairs_and_lists_of_two_lengths_are_refused(bases: list[bytes], images: list[bytes]) -> None:
    """A batch of nothing, or with more of one than of the other, is refused."""
    with pytest.raises(Cheat):
        check_equality(parties(3).context("forged"), Item.SHARE, KEY, bases, images, Proof(1, 1))


def test_knowledge_of_another_logarithm_is_refused() -> None:
    """A proof made with another secret is off in its one equation, and refused."""
    context, w = parties(3).context("forged"), chance()
    x = knowledge_challenge(context, b"key", KEY, GROUP.multiply_base(w))
    honest, forged = Proof(x, (w + x * SECRET) % L), Proof(x, (w + x * OTHER) % L)
    assert knowledge_announcement(GROUP, KEY, honest) == GROUP.multiply_base(w)
    check_knowledge(context, Item.KEY, KEY, honest)
    assert knowledge_announcement(GROUP, KEY, forged) != GROUP.multiply_base(w)
    with pytest.raises(Cheat):
        check_knowledge(context, Item.KEY, KEY, forged)
