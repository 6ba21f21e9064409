"""Boxes for one seat, and notes to oneself: opened by whom they are for, where they belong, and unspoilt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.exceptions import CryptoError
from nacl.public import SealedBox
from nacl.signing import SigningKey, VerifyKey

from tavolata._engine.dealing.match_secret import MatchSecret
from tavolata._engine.dealing.sealing import Keys, Notes, SeatSealer
from tavolata._engine.match.header import Header
from tavolata._engine.match.source import NOWHERE, Origin
from tavolata_protocol.fair.group import ED25519
from tavolata_protocol.identity import Identity

SEEDS = [bytes([number]) * 32 for number in range(1, 4)]
PEERS = [bytes(Identity(seed).peer) for seed in SEEDS]
SECRETS = [MatchSecret(bytes([number]) * 32, b"a header") for number in range(11, 14)]
MAILBOXES = [ED25519.multiply_base(secret.mailbox_secret) for secret in SECRETS]


def header(match: str = "0123456789abcdef") -> Header:
    """A match in which the first peer has two seats."""
    keys = (PEERS[0], PEERS[1], PEERS[0], PEERS[2])
    return Header(match, "game", "1", 1, {}, ("A", "B", "C", "D"), (None,) * 4, keys=keys)


def sealer() -> SeatSealer:
    """Seals for the seats of that match."""
    mailboxes = dict(zip(PEERS, MAILBOXES, strict=True))
    return SeatSealer(header(), Origin(b"", NOWHERE, mailboxes, {}, b""))


def keys(number: int, match: Header | None = None) -> Keys:
    """The keyring of a peer."""
    return Keys(match or header(), PEERS[number], SECRETS[number])


def test_a_face_is_opened_by_its_seats_peer_alone() -> None:
    """The box of a seat opens with the key of the peer that plays it, and with no other."""
    for seat, owner in enumerate((0, 1, 0, 2)):
        box = sealer().face(seat, 17, 5)
        for number in range(len(PEERS)):
            assert keys(number).face(seat, 17, box) == (5 if number == owner else None)


def test_a_box_that_is_carried_elsewhere_opens_to_nothing() -> None:
    """Another match, seat or card than it was sealed for: nothing."""
    box = sealer().face(0, 17, 5)
    assert keys(0).face(2, 17, box) is None
    assert keys(0).face(0, 18, box) is None
    assert keys(0, header("fedcba9876543210")).face(0, 17, box) is None


def test_the_key_of_an_identity_opens_nothing() -> None:
    """A box goes to the mailbox named for this match: whoever has the identity's key reads nothing."""
    box = sealer().face(0, 17, 5)
    with pytest.raises(CryptoError):
        SealedBox(SigningKey(SEEDS[0]).to_curve25519_private_key()).decrypt(box)
    assert MatchSecret(SEEDS[0], b"a header").mailbox_secret != SECRETS[0].mailbox_secret


def test_a_mailbox_is_one_key_for_boxes_of_both_kinds() -> None:
    """The point of the mailbox, and the key on curve25519 that sealed boxes use, have one secret."""
    for secret, mailbox in zip(SECRETS, MAILBOXES, strict=True):
        assert VerifyKey(mailbox).to_curve25519_public_key() == secret.private_key.public_key
    assert MatchSecret(bytes([11]) * 32, b"another header").mailbox_secret != SECRETS[0].mailbox_secret


@given(st.binary(max_size=120))
def test_any_bytes_for_a_box_are_nothing(box: bytes) -> None:
    """A dealer that sends nonsense shows nothing and breaks nothing."""
    assert keys(0).face(0, 1, box) is None


def test_two_boxes_of_one_face_differ() -> None:
    """Nobody tells from two boxes that they hold the same face; all are of one length."""
    boxes = {sealer().face(seat, card, card // 3) for seat in range(4) for card in range(40)}
    assert len(boxes) == 4 * 40
    assert len({len(box) for box in boxes}) == 1


@given(st.integers(0, 99) | st.lists(st.integers(0, 50), max_size=9) | st.binary(max_size=9) | st.none())
def test_a_note_is_read_by_who_wrote_it_alone(value: object) -> None:
    """Whatever is noted comes back under the same key and match, and under no other."""
    note = Notes(SECRETS[0], "a").write([1, value])
    assert Notes(SECRETS[0], "a").read(note) == [1, value]
    assert Notes(SECRETS[1], "a").read(note) is None
    assert Notes(SECRETS[0], "b").read(note) is None
    assert Notes(SECRETS[0], "a").read(note[:-1]) is None
    assert len(note) == len(Notes(SECRETS[0], "a").write([1, 0]))
