"""Boxes: for one party alone, until a dispute; then who lied is seen by all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavolata_protocol import aead
from tavolata_protocol.fair import boxes
from tavolata_protocol.fair.boxes import judge, open_box, read_box, reveal, seal
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.group import ED25519
from tavolata_protocol.fair.logs import prove_equality, prove_knowledge
from tavolata_protocol.fair.offences import Item

from .parties import parties

THREE = parties(3)
CONTEXT = THREE.context("share of a card", party=1)
MAILBOX = THREE.public.mailboxes[1]
SECRET = THREE.rings[1].mailbox_secret
DISPUTE = THREE.context("dispute", party=2)


@given(st.binary(max_size=200))
@settings(max_examples=15)
def test_a_box_opens_for_whom_it_is_and_for_all_when_shown(plain: bytes) -> None:
    """What party 1 sealed party 2 reads; when party 2 shows it, all read the same."""
    data = seal(CONTEXT, 2, MAILBOX, plain, THREE.secrets[0])
    assert len(data) == len(plain) + boxes.OVERHEAD == len(plain) + 112
    box = read_box(CONTEXT, 2, MAILBOX, data, len(plain))
    assert open_box(CONTEXT, box, SECRET) == plain
    assert judge(CONTEXT, DISPUTE, box, reveal(DISPUTE, box, SECRET, THREE.secrets[1])) == plain


def test_nobody_else_opens_it() -> None:
    """With another's secret a box holds junk."""
    box = read_box(CONTEXT, 2, MAILBOX, seal(CONTEXT, 2, MAILBOX, b"secret", THREE.secrets[0]), 6)
    with pytest.raises(Cheat):
        open_box(CONTEXT, box, THREE.rings[2].mailbox_secret)


def test_a_box_serves_nowhere_else() -> None:
    """As another's, for another, or about something else, a box is refused before it is opened."""
    data = seal(CONTEXT, 2, MAILBOX, b"secret", THREE.secrets[0])
    with pytest.raises(Cheat) as caught:
        read_box(CONTEXT.of(3), 2, MAILBOX, data, 6)
    assert caught.value.party == 3
    for receiver, mailbox in ((3, MAILBOX), (2, THREE.public.mailboxes[2])):
        with pytest.raises(Cheat):
            read_box(CONTEXT, receiver, mailbox, data, 6)
    with pytest.raises(Cheat):
        read_box(THREE.context("another card"), 2, MAILBOX, data, 6)


def junk_box() -> boxes.Box:
    """A box with an honest proof and no sealed bytes in it."""
    junk = bytes(6 + aead.TAG_SIZE)
    proof = prove_knowledge(CONTEXT, Item.BOX, 77, THREE.secrets[0], 2, MAILBOX, junk)
    data = ED25519.multiply_base(77) + proof.encoded + junk
    return read_box(CONTEXT, 2, MAILBOX, data, 6)


def test_a_box_of_junk_convicts_its_sender() -> None:
    """A box that its receiver can't open is shown to all, and they name the sender."""
    box = junk_box()
    with pytest.raises(Cheat) as caught:
        open_box(CONTEXT, box, SECRET)
    assert caught.value.party == 1
    with pytest.raises(Cheat) as caught:
        judge(CONTEXT, DISPUTE, box, reveal(DISPUTE, box, SECRET, THREE.secrets[1]))
    assert caught.value.party == 1


def test_a_false_accuser_is_convicted() -> None:
    """Who shows another point than e_j·K to make a good box look like junk is named instead."""
    box = read_box(CONTEXT, 2, MAILBOX, seal(CONTEXT, 2, MAILBOX, b"secret", THREE.secrets[0]), 6)
    lie = ED25519.multiply(SECRET + 1, box.point)
    honest = prove_equality(DISPUTE, Item.OPENED_BOX, SECRET, MAILBOX, [box.point], [lie], THREE.secrets[1])
    other = prove_equality(
        DISPUTE, Item.OPENED_BOX, SECRET + 1, MAILBOX, [box.point], [lie], THREE.secrets[1]
    )
    for data in (lie + honest.encoded, lie + other.encoded, b"", None):
        with pytest.raises(Cheat) as caught:
            judge(CONTEXT, DISPUTE, box, data)
        assert caught.value.party == 2


def test_nobody_is_tricked_into_opening_anothers_box() -> None:
    """A box with the K of somebody else's box is refused, so no dispute can ever show that one's key."""
    good = seal(CONTEXT.of(3), 2, MAILBOX, b"secret", THREE.secrets[2])
    own = seal(CONTEXT, 2, MAILBOX, b"secret", THREE.secrets[0])
    for trick in (good[:32] + own[32:], good[:32] + good[32:96] + own[96:], good):
        with pytest.raises(Cheat) as caught:
            read_box(CONTEXT, 2, MAILBOX, trick, 6)
        assert caught.value.party == 1


def test_two_boxes_of_one_thing_have_nothing_in_common() -> None:
    """Sealing twice uses two keys, also to the same party."""
    one, other = (seal(CONTEXT, 2, MAILBOX, b"secret", THREE.secrets[0]) for _ in range(2))
    assert one[:32] != other[:32]
    assert one[96:] != other[96:]
