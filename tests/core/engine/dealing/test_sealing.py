"""Boxes for one seat, and notes to oneself: opened by whom they are for, where they belong, and unspoilt."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tavolata._engine.dealing.sealing import Keys, Notes, seal_face
from tavolata._engine.match.header import Header
from tavolata_protocol.identity import Identity

SEEDS = [bytes([number]) * 32 for number in range(1, 4)]
PEERS = [bytes(Identity(seed).peer) for seed in SEEDS]


def header(match: str = "0123456789abcdef") -> Header:
    """A match in which the first peer has two seats."""
    keys = (PEERS[0], PEERS[1], PEERS[0], PEERS[2])
    return Header(match, "game", "1", 1, {}, ("A", "B", "C", "D"), (None,) * 4, keys=keys)


def test_a_face_is_opened_by_its_seats_peer_alone() -> None:
    """The box of a seat opens with the key of the peer that plays it, and with no other."""
    for seat, owner in enumerate((0, 1, 0, 2)):
        box = seal_face(header(), seat, 17, 5)
        for number, seed in enumerate(SEEDS):
            assert Keys(header(), seed).face(seat, 17, box) == (5 if number == owner else None)


def test_a_box_that_is_carried_elsewhere_opens_to_nothing() -> None:
    """Another match, seat or card than it was sealed for: nothing."""
    box = seal_face(header(), 0, 17, 5)
    keys = Keys(header(), SEEDS[0])
    assert keys.face(2, 17, box) is None
    assert keys.face(0, 18, box) is None
    assert Keys(header("fedcba9876543210"), SEEDS[0]).face(0, 17, box) is None


@given(st.binary(max_size=120))
def test_any_bytes_for_a_box_are_nothing(box: bytes) -> None:
    """A dealer that sends nonsense shows nothing and breaks nothing."""
    assert Keys(header(), SEEDS[0]).face(0, 1, box) is None


def test_two_boxes_of_one_face_differ() -> None:
    """Nobody tells from two boxes that they hold the same face; all are of one length."""
    boxes = {seal_face(header(), seat, card, card // 3) for seat in range(4) for card in range(40)}
    assert len(boxes) == 4 * 40
    assert len({len(box) for box in boxes}) == 1


@given(st.integers(0, 99) | st.lists(st.integers(0, 50), max_size=9) | st.binary(max_size=9) | st.none())
def test_a_note_is_read_by_who_wrote_it_alone(value: object) -> None:
    """Whatever is noted comes back under the same key and match, and under no other."""
    note = Notes(SEEDS[0], "a").write([1, value])
    assert Notes(SEEDS[0], "a").read(note) == [1, value]
    assert Notes(SEEDS[1], "a").read(note) is None
    assert Notes(SEEDS[0], "b").read(note) is None
    assert Notes(SEEDS[0], "a").read(note[:-1]) is None
    assert len(note) == len(Notes(SEEDS[0], "a").write([1, 0]))
