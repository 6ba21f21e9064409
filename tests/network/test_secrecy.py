"""What the file of a real host leads to is the same, whichever cards they are that the host did not see."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tavolata._engine.match.entries import ANSWER
from tavolata._engine.match.header import Header
from tavolata._engine.match.state import pack
from tavolata._engine.storage.match_file import Kept
from tavolata.decks import ITALIAN_40

from .following import begun, key_of, seed_of
from .sealed_tricks import SealedTricks
from .table import Tt

File: TypeAlias = tuple[Kept, Path]
"""What a peer keeps of a match, and its folder."""
PACK = set(range(40))


@pytest.fixture(scope="module")
def files(played: list[Tt]) -> list[File]:
    """What three peers keep of a match of two hands, each with its folder; the host's is the first."""
    return [(player.matches()[0], player.home) for player in played]


def replayed(file: File, entries: int, other: dict[int, int]) -> tuple[bytes, set[int]]:
    """All that so many entries lead to, as bytes, and the numbers of the faces seen until then.

    Args:
        file: a peer's file and folder.
        entries: how many of its entries count.
        other: faces that are taken for others wherever a card is opened.
    """
    kept, home = file
    match, deal = begun(kept, home, SealedTricks)
    assert deal is not None
    match.run()
    seat = Header.of(kept.header).keys.index(key_of(seed_of(home)))
    made: list[Any] = []
    seen: set[int] = set()
    laid = False
    for entry in kept.entries[:entries]:
        match.feed(entry)
        cards = match.table._pieces.cards
        if cards and not laid:
            numbers = deal.laid.kind_of(0).faces._numbers
            numbers.update({point: other.get(number, number) for point, number in numbers.items()})
            laid = True
        faces = [match.view(seat).face(card) for card in cards]
        if not all(card.is_public for card in cards):  # as they are until the first shuffle
            seen |= {ITALIAN_40.number[face] for face in faces if face is not None}
        made.append([[str(face) for face in faces], match.digest()])
    made.append([[str(event.message), repr(sorted(event.params.items()))] for event in match.events])
    return pack(made), seen


def exchanged(faces: set[int]) -> dict[int, int]:
    """Each of these faces taken for the next of them."""
    order = sorted(faces)
    return dict(zip(order, [*order[1:], order[0]], strict=True))


def first_choice(file: File) -> int:
    """The entry before which five cards have been dealt to everybody, and none was played."""
    return next(at for at, entry in enumerate(file[0].entries) if entry[0] == ANSWER)


def test_in_the_middle_of_a_hand_the_hosts_file_says_nothing_of_other_hands(files: list[File]) -> None:
    """With all faces but its own five exchanged it gives the same bytes; the files of their owners don't."""
    host, *guests = files
    until = first_choice(host)
    plain, own = replayed(host, until, {})
    theirs = [replayed(guest, first_choice(guest), {}) for guest in guests]
    hands = [own, *(seen for _, seen in theirs)]
    assert [len(hand) for hand in hands] == [5, 5, 5]
    assert len(set().union(*hands)) == 15
    others = exchanged(PACK - own)
    assert replayed(host, until, others)[0] == plain
    for guest, (made, _) in zip(guests, theirs, strict=True):
        assert replayed(guest, first_choice(guest), others)[0] != made
    assert replayed(host, until, exchanged(own))[0] != plain


def test_the_whole_file_says_nothing_of_cards_that_were_never_shown(files: list[File]) -> None:
    """To the end of the match: those that stayed in the pack in both hands may be any of each other."""
    host = files[0]
    until = len(host[0].entries)
    plain, seen = replayed(host, until, {})
    assert 15 <= len(seen) <= 30
    assert replayed(host, until, exchanged(PACK - seen))[0] == plain
    assert replayed(host, until, exchanged(seen))[0] != plain
