"""The book of a trusted dealer: what it says follows from its secret and the log, and from nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.games import Liars
from tests.core.replaying import replay
from typing_extensions import override

from tavolata import Card, Options
from tavolata._engine.dealing.host_dealer import HostDealer
from tavolata._engine.match.dealing import NoKeys, OneDealer
from tavolata._engine.match.entries import ANSWER, FACE, NUMBER, PROVEN, SHAKEN, SHOWN, SHUFFLED, MatchEntry
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.source import InputRequest
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Chance
from tavolata.decks import ITALIAN_40

SECRET = bytes(range(32))
CARDS = tuple(range(40))


def open_box(request: int, seat: int, card: int, face: int) -> bytes:
    """A seal that everybody can read, for tests."""
    return bytes([seat, card, face])


def dealer(secret: bytes = SECRET) -> HostDealer:
    one = HostDealer(secret, open_box)
    deck = ITALIAN_40
    one.lay([Card(number, deck, deck.faces[face]) for number, face in enumerate(deck.cards)])
    return one


def faces(one: HostDealer, cards: tuple[int, ...] = CARDS) -> list[int]:
    return [one._faces[card] for card in cards]


@given(st.binary(min_size=32, max_size=32), st.lists(st.sets(st.sampled_from(CARDS), min_size=1), max_size=6))
def test_the_same_secret_and_log_give_the_same_book(secret: bytes, shuffles: list[set[int]]) -> None:
    """A dealer that begins anew and is told the same has the same faces; none is lost or doubled."""
    books = []
    for _ in range(2):
        one = dealer(secret)
        for cards in shuffles:
            one.shuffled(tuple(sorted(cards)), b"")
        books.append(faces(one))
    assert books[0] == books[1]
    assert sorted(books[0]) == sorted(ITALIAN_40.cards)


def test_a_shuffle_moves_the_shuffled_cards_alone() -> None:
    """Cards that were not shuffled keep their faces; the shuffled ones share theirs out anew."""
    one = dealer()
    before = faces(one)
    one.shuffled(CARDS[10:20], b"")
    after = faces(one)
    assert after[:10] == before[:10]
    assert after[20:] == before[20:]
    assert sorted(after[10:20]) == sorted(before[10:20])
    assert after != before


def test_another_secret_or_another_shuffle_is_another_order() -> None:
    """Orders differ between secrets, and between the first and second shuffle of the same cards."""
    one, other = dealer(), dealer(bytes(32))
    for book in (one, other):
        book.shuffled(CARDS, b"")
    assert faces(one) != faces(other)
    first = faces(one)
    one.shuffled(CARDS, b"")
    assert faces(one) != first


def test_it_answers_what_is_wanted() -> None:
    """A public face is said, one for a seat is in a box, a lot is below its sides, a shuffle is a word."""
    one = dealer()
    assert one.entry(InputRequest(FACE, 0, (7,))) == (FACE, 7, one._faces[7])
    assert one.entry(InputRequest(SHOWN, 1, (3, 4), (0, 2), 9)) == (
        SHOWN, 9, [open_box(9, 0, 3, one._faces[3]), open_box(9, 2, 4, one._faces[4])],
    )  # fmt: skip
    assert one.entry(InputRequest(SHUFFLED, 2, CARDS)) == (SHUFFLED, 40, b"")
    lots = [one.entry(InputRequest(NUMBER, at, number=6)) for at in range(200)]
    assert {lot[2] for lot in lots} == set(range(6))
    assert lots == [one.entry(InputRequest(NUMBER, at, number=6)) for at in range(200)]


def test_it_opens_what_is_judged_one_by_one() -> None:
    """The first card that is wanted: its face, or the one that was kept of it before it was shuffled."""
    one = dealer()
    one.shuffled(CARDS, b"")
    kept, face = one._faces[5], one._faces[6]
    one.keep({5: 77})
    while one._faces[5] == kept:
        one.shuffled((5, 7, 8), b"")
    assert one.entry(InputRequest(PROVEN, 1, (5, 6), number=9, kept=(77, 0))) == (PROVEN, 9, 5, kept)
    assert one.entry(InputRequest(PROVEN, 1, (6, 5), number=9, kept=(0, 77))) == (PROVEN, 9, 6, face)


def test_nothing_it_says_of_a_shuffle_tells_the_order() -> None:
    """What travels of a shuffle is the same for every order: no seed, no order, no commitment to one."""
    said = {dealer(bytes([number]) * 32).entry(InputRequest(SHUFFLED, 0, CARDS)) for number in range(9)}
    assert len(said) == 1


@pytest.mark.parametrize("limit", [1, 2, 3, 40, 2**40])
def test_lots_are_below_their_limit(limit: int) -> None:
    """Of any number of sides."""
    one = dealer()
    assert all(0 <= one.entry(InputRequest(NUMBER, at, number=limit))[2] < limit for at in range(50))


def test_whoever_stands_in_sees_what_the_player_saw() -> None:
    """The faces that a seat was shown, until those cards are shuffled again."""
    one = dealer()
    one.shuffled(CARDS, b"")
    one.shown((3, 4, 5), (0, 1, 0))
    assert one.seen_by(0) == {3: one._faces[3], 5: one._faces[5]}
    assert one.seen_by(1) == {4: one._faces[4]}
    one.shuffled((5, 6), b"")
    assert one.seen_by(0) == {3: one._faces[3]}
    assert one.seen_by(2) == {}


class OwnBoxes(NoKeys):
    """The keys of one seat's machine: it opens the boxes for that seat and no other."""

    def __init__(self, seat: int) -> None:
        self._seat = seat

    @override
    def face(self, sender: bytes, request: int, seat: int, card: int, box: Any) -> int | None:
        return box[2] if seat == self._seat else None


def machine(seat: int, book: HostDealer | None = None) -> Match[LogSource]:
    """One machine in a match of hidden dice; the one with the book deals."""
    match = new_match(
        Liars, Terms(("A", "B", "C"), Options()), LogSource(3, book or OneDealer(), keys=OwnBoxes(seat))
    )
    match.run()
    return match


def test_dice_that_are_shaken_are_seen_by_their_owners_alone() -> None:
    """What an owner saw is what all see when the cups are lifted; a dealer that begins anew goes on alike."""
    book, chance = HostDealer(SECRET, open_box), Chance(4)
    machines = [machine(0, book), *(machine(seat) for seat in (1, 2))]
    seen: dict[tuple[int, int], int] = {}
    log: list[MatchEntry] = []
    while not machines[0].over:
        source = machines[0].source
        if source.wants is not None:
            entry = book.entry(source.wants)
        else:
            (ask,) = source.open
            entry = (ANSWER, int(ask.seat), ask.id, ask.question.any(chance))
        for one in machines:
            one.feed(entry)
        log.append(entry)
        assert len({one.digest() for one in machines}) == 1
        shakes = sum(one[0] == SHAKEN for one in log)
        for seat, one in enumerate(machines):
            assert not any(known for owner, known in one.source.known.items() if owner != seat)
            for die, face in one.source.known[seat].items():
                assert seen.setdefault((shakes, die), face) == face == book._faces[die]
        if entry[0] == FACE:
            assert seen[shakes, entry[1]] == entry[2]
    again = HostDealer(SECRET, open_box)
    replay(machine(0, again), log)
    assert shakes > 2
    assert [again._faces[die] for _, die in seen] == [book._faces[die] for _, die in seen]
    assert len({tuple(seen.get((shake, die)) for die in range(6)) for shake in range(1, shakes + 1)}) > 2
