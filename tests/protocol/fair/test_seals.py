"""Sealed choices: opened freely or by force they say the same, or they are their author's forfeit."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavolata_protocol.fair import seals
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.group import ED25519
from tavolata_protocol.fair.logs import Proof, prove_knowledge
from tavolata_protocol.fair.offences import Item, Offence
from tavolata_protocol.fair.seals import ROOM, Seal, force, read_opening, read_seal, seal

from .parties import ELSEWHERE, parties

THREE = parties(3)
KEYS = THREE.public
CONTEXT = THREE.context("ask 1 of seat 4", party=2)


def forced(context: Context, sealed: Seal, group: list[int]) -> bytes:
    """What some parties find by force."""
    return force(context, KEYS, sealed, THREE.opened([sealed], group)[0])


@given(st.binary(max_size=ROOM))
@settings(max_examples=15)
def test_opened_freely_and_by_force_it_says_the_same(value: bytes) -> None:
    """Any value that fits comes out of the opening and of every t parties' force alike."""
    own = seal(CONTEXT, KEYS, value, THREE.secrets[1])
    sealed = read_seal(CONTEXT, KEYS, own.sealed.encoded)
    assert read_opening(CONTEXT, KEYS, sealed, own.opening) == value
    for group in combinations((1, 2, 3), 2):
        assert forced(CONTEXT, sealed, list(group)) == value


def test_sizes_are_as_said_and_tell_nothing() -> None:
    """A seal has room + 130 bytes and an opening room + 34, whatever is in them."""
    for value in (b"", b"x", b"y" * 20):
        own = seal(CONTEXT, KEYS, value, THREE.secrets[1], room=20)
        assert len(own.sealed.encoded) == 20 + 130
        assert len(own.opening) == 20 + 34


def test_what_does_not_fit_is_refused_when_sealed() -> None:
    """A value longer than the room is an error of the caller."""
    with pytest.raises(ValueError, match="room for 20 bytes, not 21"):
        seal(CONTEXT, KEYS, b"x" * 21, THREE.secrets[1], room=20)


def test_values_that_end_alike_stay_apart() -> None:
    """A value that ends in zeros is not the shorter one without them."""
    own = seal(CONTEXT, KEYS, b"a\0", THREE.secrets[1])
    assert forced(CONTEXT, own.sealed, [1, 3]) == b"a\0"


@pytest.mark.parametrize("change", ELSEWHERE)
def test_a_copied_seal_is_refused(change: str) -> None:
    """A seal of another party, choice, place, epoch or match does not hold: nobody can repeat a choice."""
    data = seal(CONTEXT, KEYS, b"rock", THREE.secrets[1]).sealed.encoded
    elsewhere = replace(CONTEXT, **ELSEWHERE[change])
    with pytest.raises(Cheat) as caught:
        read_seal(elsewhere, KEYS, data)
    assert caught.value.party == elsewhere.party


def test_a_seal_under_another_key_is_refused() -> None:
    """A seal made for another joint key does not hold."""
    data = seal(CONTEXT, replace(KEYS, joint=ED25519.base), b"rock", THREE.secrets[1]).sealed.encoded
    with pytest.raises(Cheat):
        read_seal(CONTEXT, KEYS, data)


def test_no_second_value_opens_a_seal() -> None:
    """The opening of another value, or of another nonce, is refused."""
    own = seal(CONTEXT, KEYS, b"rock", THREE.secrets[1])
    for other in (
        seal(CONTEXT, KEYS, b"scissors", THREE.secrets[1]).opening,
        own.opening[:-1] + bytes([own.opening[-1] ^ 1]),
        b"\x05" + own.opening[1:],
        b"\xff\xff" + own.opening[2:],
    ):
        with pytest.raises(Cheat, match=Offence.WRONG_OPENING) as caught:
            read_opening(CONTEXT, KEYS, own.sealed, other)
        assert caught.value.party == 2


def crafted(exponent: int, box: bytes) -> Seal:
    """A seal of any box with an honest proof of its exponent: what a cheating author can send."""
    proof = prove_knowledge(CONTEXT, Item.SEAL, exponent, THREE.secrets[1], KEYS.joint, box)
    data = Seal(ED25519.multiply_base(exponent), box, proof).encoded
    return read_seal(CONTEXT, KEYS, data)


def test_a_garbage_box_opens_in_neither_way() -> None:
    """R of an honest value with a garbage box is refused freely, though R fits, and is a forfeit by force."""
    own = seal(CONTEXT, KEYS, b"rock", THREE.secrets[1])
    length = int.from_bytes(own.opening[:2], "little")
    exponent = seals._exponent(CONTEXT, KEYS, own.opening[2 : 2 + length], own.opening[-32:])
    trap = crafted(exponent, bytes(len(own.sealed.box)))
    assert trap.point == own.sealed.point
    with pytest.raises(Cheat):
        read_opening(CONTEXT, KEYS, trap, own.opening)
    with pytest.raises(Cheat) as caught:
        forced(CONTEXT, trap, [1, 3])
    assert caught.value.party == 2


def test_a_box_under_another_exponent_opens_in_neither_way() -> None:
    """The right box with another R, or a well-formed box that names another nonce, opens in neither way."""
    own = seal(CONTEXT, KEYS, b"rock", THREE.secrets[1])
    trap = crafted(77, own.sealed.box)
    shared = ED25519.multiply(77, KEYS.joint)
    masked = seals._masked(CONTEXT, KEYS, ED25519.multiply_base(77), shared, own.opening)
    for sealed in (trap, crafted(77, masked)):
        with pytest.raises(Cheat):
            read_opening(CONTEXT, KEYS, sealed, own.opening)
        with pytest.raises(Cheat):
            forced(CONTEXT, sealed, [1, 2])


def test_a_seal_that_only_its_author_could_open_opens_in_neither_way() -> None:
    """A box that fits the value's own exponent but stands under another R is refused freely too.

    By force it gives nothing; were it opened freely, its author could choose whether it has a value.
    """
    own = seal(CONTEXT, KEYS, b"rock", THREE.secrets[1])
    exponent = seals._exponent(CONTEXT, KEYS, b"rock", own.opening[-32:])
    shared = ED25519.multiply(exponent, KEYS.joint)
    box = seals._masked(CONTEXT, KEYS, ED25519.multiply_base(77), shared, own.opening)
    trap = crafted(77, box)
    with pytest.raises(Cheat):
        read_opening(CONTEXT, KEYS, trap, own.opening)
    with pytest.raises(Cheat):
        forced(CONTEXT, trap, [1, 2])


def test_padding_that_is_not_empty_opens_in_neither_way() -> None:
    """A box whose padding hides a second value is refused in both ways."""
    own = seal(CONTEXT, KEYS, b"rock", THREE.secrets[1])
    stuffed = own.opening[:10] + b"paper" + own.opening[15:]
    exponent = seals._exponent(CONTEXT, KEYS, b"rock", own.opening[-32:])
    shared = ED25519.multiply(exponent, KEYS.joint)
    trap = crafted(exponent, seals._masked(CONTEXT, KEYS, own.sealed.point, shared, stuffed))
    for opening in (stuffed, own.opening):
        with pytest.raises(Cheat):
            read_opening(CONTEXT, KEYS, trap, opening)
    with pytest.raises(Cheat):
        forced(CONTEXT, trap, [2, 3])


def test_two_seals_of_one_value_look_different() -> None:
    """Two seats that choose the same send seals that have nothing in common."""
    one = seal(CONTEXT, KEYS, b"rock", THREE.secrets[1]).sealed
    other = seal(CONTEXT.of(3), KEYS, b"rock", THREE.secrets[2]).sealed
    assert one.point != other.point
    assert one.box != other.box
    assert one.proof != other.proof


def test_the_same_seed_opens_what_it_sealed_before_a_crash() -> None:
    """Seed, context and value bring the opening back; the proof's nonce is fresh."""
    one, again = (seal(CONTEXT, KEYS, b"rock", THREE.secrets[1]) for _ in range(2))
    assert one.opening == again.opening
    assert (one.sealed.point, one.sealed.box) == (again.sealed.point, again.sealed.box)
    assert one.sealed.proof != again.sealed.proof


def test_below_t_nothing_can_be_read() -> None:
    """One party's share of a seal is refused, and its image alone opens to nothing."""
    own = seal(CONTEXT, KEYS, b"rock", THREE.secrets[1])
    with pytest.raises(ValueError, match="It takes 2"):
        THREE.opened([own.sealed], [1])
    with pytest.raises(Cheat):
        force(CONTEXT, KEYS, own.sealed, ED25519.multiply(THREE.rings[0].share, own.sealed.point))


def test_a_seals_proof_is_of_its_exponent() -> None:
    """A seal whose R nobody knows the logarithm of is refused: R can't be another seal's, shifted."""
    own = seal(CONTEXT, KEYS, b"rock", THREE.secrets[1]).sealed
    shifted = Seal(ED25519.add(own.point, ED25519.base), own.box, Proof(*own.proof))
    with pytest.raises(Cheat, match=Offence.INVALID_PROOF):
        read_seal(CONTEXT, KEYS, shifted.encoded)


def test_an_opening_is_not_shown() -> None:
    """What an own seal prints as does not hold its opening."""
    some = parties(3)
    own = seal(some.context("ask 1", 7, 2), some.public, b"rock", some.secrets[1])
    assert str(own.opening) not in repr(own)
    assert str(own.sealed.point) in repr(own)
