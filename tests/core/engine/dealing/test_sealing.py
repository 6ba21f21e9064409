"""Boxes for one party: opened by whom they are for, where they belong, unspoilt, and all of one length."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata._engine.dealing import sealing
from tavolata._engine.dealing.match_secret import MatchSecret
from tavolata._engine.dealing.sealing import Keys, SeatSealer
from tavolata._engine.match.header import Header
from tavolata._engine.match.match import ROOM
from tavolata._engine.match.source import Origin, Stamp
from tavolata._engine.match.state import pack
from tavolata.choices import Answer
from tavolata_protocol.fair import boxes, seals
from tavolata_protocol.fair.group import ED25519
from tavolata_protocol.identity import Identity

SEEDS = [bytes([number]) * 32 for number in range(1, 4)]
PEERS = [bytes(Identity(seed).peer) for seed in SEEDS]
SECRETS = [MatchSecret(bytes([number]) * 32, b"a header") for number in range(11, 14)]
MAILBOXES = [ED25519.multiply_base(secret.mailbox_secret) for secret in SECRETS]
NONCE = bytes(range(32))
OWNERS = (0, 1, 0, 2)
HEADER = Header(
    "0" * 32, "game", "1", 1, {}, ("A", "B", "C", "D"), (None,) * 4, keys=tuple(PEERS[at] for at in OWNERS)
)
"""A match in which the first peer has two seats."""


def origin(match: bytes = b"0123456789abcdef") -> Origin:
    """The beginning of a match of the three peers."""
    start = Stamp(b"", b"", b"the one lineage.")
    return Origin(match, start, dict(zip(PEERS, MAILBOXES, strict=True)), {}, b"")


def sealer(sender: int = 0) -> SeatSealer:
    """Seals for the seats of that match in a peer's name."""
    return SeatSealer(HEADER, origin(), PEERS[sender])


def keys(number: int, match: bytes = b"0123456789abcdef") -> Keys:
    """The keyring of a peer."""
    return Keys(HEADER, origin(match), PEERS[number], SECRETS[number])


def test_a_face_is_opened_by_its_seats_peer_alone() -> None:
    """The box of a seat opens with the mailbox of the peer that plays it, and with no other."""
    for seat, owner in enumerate(OWNERS):
        box = sealer().face(3, seat, 17, 5)
        for number in range(len(PEERS)):
            assert keys(number).face(PEERS[0], 3, seat, 17, box) == (5 if number == owner else None)


def test_a_box_that_is_carried_elsewhere_opens_to_nothing() -> None:
    """Another match, sender, request, seat or card than it was sealed for: nothing."""
    box = sealer().face(3, 0, 17, 5)
    assert keys(0).face(PEERS[0], 3, 0, 17, box) == 5
    assert keys(0).face(PEERS[1], 3, 0, 17, box) is None
    assert keys(0).face(PEERS[0], 4, 0, 17, box) is None
    assert keys(0).face(PEERS[0], 3, 2, 17, box) is None
    assert keys(0).face(PEERS[0], 3, 0, 18, box) is None
    assert keys(0, b"fedcba9876543210").face(PEERS[0], 3, 0, 17, box) is None


def test_a_copy_and_a_note_are_read_by_whom_they_are_for() -> None:
    """A mate reads the copy; the author alone reads its note, whatever seat it played; none of them moves."""
    copy, note = sealer().answer(1, 7, NONCE, (1, 2)), sealer().note(3, 7, NONCE, (1, 2))
    assert keys(1).answer(PEERS[0], 1, 7, copy) == (NONCE, (1, 2))
    assert keys(0).note(3, 7, note) == (NONCE, (1, 2))
    assert keys(2).note(3, 7, note) is None
    assert keys(0).note(3, 8, note) is None
    assert keys(0).note(2, 7, note) is None
    assert keys(0).note(3, 7, note[:-1]) is None
    assert keys(2).answer(PEERS[0], 1, 7, copy) is None
    assert keys(1).answer(PEERS[2], 1, 7, copy) is None
    assert keys(1).face(PEERS[0], 7, 1, 0, copy) is None


def test_the_key_of_an_identity_opens_nothing() -> None:
    """A box goes to the mailbox named for this match, whose secret follows from the header, too."""
    assert MatchSecret(SEEDS[0], b"a header").mailbox_secret != SECRETS[0].mailbox_secret
    assert MatchSecret(bytes([11]) * 32, b"another header").mailbox_secret != SECRETS[0].mailbox_secret
    assert 0 < SECRETS[0].mailbox_secret < ED25519.order


@given(st.binary(max_size=400))
def test_any_bytes_for_a_box_are_nothing(box: bytes) -> None:
    """A dealer that sends nonsense shows nothing and breaks nothing."""
    assert keys(0).face(PEERS[0], 1, 0, 1, box) is None
    assert keys(0).answer(PEERS[0], 0, 1, box) is None
    assert keys(0).note(0, 1, box) is None
    assert keys(0).words(PEERS[0], 0, box) is None


def test_what_a_peer_seals_on_purpose_and_is_nothing_stays_nothing() -> None:
    """A box with a right proof and junk of the right length in it."""
    said = sealer()
    for what, number, size in ((sealing.FACE, 3, 32), (sealing.ANSWER, 3, 267), (sealing.WORDS, 0, 64)):
        for junk in (b"\xff" * size, bytes(size)):
            box = said._sealed(what, number, PEERS[0], junk)
            assert keys(0).face(PEERS[0], 3, 0, 1, box) is None
            assert keys(0).answer(PEERS[0], 0, 3, box) is None
            assert keys(0).words(PEERS[0], 0, box) in (None, "")


def test_face_boxes_have_one_length() -> None:
    """For numbers from 0 to 70,000: four numbers of 8 bytes, and no two boxes are alike."""
    numbers = (0, 1, 127, 128, 255, 256, 65_535, 65_536, 70_000)
    found = {sealer().face(one, seat, one, one) for seat in range(4) for one in numbers}
    assert len(found) == 4 * len(numbers)
    assert {len(box) for box in found} == {32 + boxes.OVERHEAD}
    assert keys(0).face(PEERS[0], 70_000, 0, 70_000, sealer().face(70_000, 0, 70_000, 70_000)) == 70_000


def answer_of(size: int) -> Answer:
    """An answer that is packed in so many bytes."""
    if size == 1:
        return 5
    if size in (17, 18):
        return (*(5,) * 14, 200 if size == 17 else 300)
    return (5,) * (size - (1 if size < 17 else 3))


def test_notes_and_copies_have_one_length() -> None:
    """For answers of 1 to 222 bytes, as a commitment has them and as a seal has them: 267 bytes inside."""
    found = set()
    for size in range(1, ROOM + 1):
        answer = answer_of(size)
        assert len(pack(answer)) == size
        for nonce in (NONCE, seals.opening_of(pack(answer), NONCE, ROOM)):
            note, copy = sealer().note(0, 7, nonce, answer), sealer().answer(1, 7, nonce, answer)
            assert keys(0).note(0, 7, note) == (nonce, answer)
            assert keys(1).answer(PEERS[0], 1, 7, copy) == (nonce, answer)
            found |= {len(note), len(copy)}
    assert found == {267 + boxes.OVERHEAD}
    assert len(pack("\N{LATIN SMALL LETTER U WITH DIAERESIS}" * 100)) <= ROOM  # a text of 200 bytes fits


@pytest.mark.parametrize(
    ("text", "size"),
    [("", 64), ("x" * 62, 64), ("x" * 63, 256), ("ü" * 127, 256), ("ü" * 128, 1024), ("漢" * 400, 1024)],
)
def test_words_have_one_of_three_lengths(text: str, size: int) -> None:
    """Their number of bytes shows no more; what is beyond the last length is cut off between two letters."""
    box = sealer().words(1, text)
    assert len(box) == size + boxes.OVERHEAD
    assert keys(1).words(PEERS[0], 1, box) == text[: 1022 // 3 if text[:1] == "漢" else None]
    assert keys(1).words(PEERS[1], 1, box) is None
    assert keys(0).words(PEERS[0], 1, box) is None


def test_a_machine_that_is_not_in_the_match_gets_an_empty_box() -> None:
    """It has named no mailbox; what is in its place opens to nothing."""
    alone = Origin(b"", Stamp(), {PEERS[0]: MAILBOXES[0]}, {}, b"")
    said = SeatSealer(HEADER, alone, PEERS[0])
    assert (said.hears(0), said.hears(1)) == (True, False)
    assert said.face(1, 1, 1, 1) == said.answer(1, 1, NONCE, 1) == said.words(1, "psst") == b""
    lost = Keys(HEADER, alone, PEERS[1], SECRETS[1])
    assert lost.face(PEERS[0], 1, 1, 1, b"") is None
    assert lost.words(PEERS[0], 1, b"") is None
    assert lost.note(1, 1, b"") is None
