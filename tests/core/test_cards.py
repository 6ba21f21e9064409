"""Cards as handles, piles, hands and decks."""

from __future__ import annotations

import operator
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata import Card, Deck, Hand, Pile
from tavolata.cards import HIDDEN
from tavolata.decks import FRENCH_52, FRENCH_54, FRENCH_108, ITALIAN_40, JOKER, FrenchFace, Rank, Suit
from tavolata.errors import HiddenFact, PieceError
from tavolata.ring import SEATS


def pile(count: int = 5, name: str = "pile") -> Pile[int]:
    deck = Deck("numbers", range(count))
    return Pile(name, [Card(number, deck, number) for number in range(count)])


def ids(cards: Pile[int]) -> list[int]:
    return [card.id for card in cards]


def _get(card: Card[int], default: int) -> object:
    return getattr(card, "face", default)


def _has(card: Card[int]) -> object:
    return hasattr(card, "face")


def test_a_hidden_face_is_not_there() -> None:
    """Reading a hidden face raises by every spelling, `hasattr` included; other names are plain errors."""
    card = pile().top
    card._face = HIDDEN
    assert not card.is_public
    for read in (operator.attrgetter("face"), partial(_get, default=0), _has):
        with pytest.raises(HiddenFact, match="card 4"):
            read(card)
    with pytest.raises(AttributeError):
        card.rank  # type: ignore[attr-defined]  # noqa: B018
    assert repr(card) == "Card(4, hidden)"


def test_cards_are_equal_to_themselves_only() -> None:
    """Two cards with one face are two cards; a card's hash tells nothing but its id."""
    deck = Deck("twins", ["x", "x"])
    one, two = Card(0, deck, "x"), Card(1, deck, "x")
    assert one != two
    assert hash(one) == 0
    assert len({one, two, one}) == 2


def test_top_and_bottom_stay_where_they_are() -> None:
    """Looking at the ends of a pile takes nothing off."""
    cards = pile()
    assert (cards.top.id, cards.bottom.id, len(cards)) == (4, 0, 5)
    assert bool(cards)
    assert cards.top in cards


def test_cards_are_taken_from_anywhere() -> None:
    """From the top, from below, from a place counted from either end, and by the card itself."""
    cards = pile(6)
    assert cards.take_top().id == 5
    assert cards.take_bottom().id == 0
    assert cards.take_at(1).id == 2
    assert cards.take_at(-2).id == 3
    four = cards.top
    assert cards.take(four) is four
    assert ids(cards) == [1]


def test_cards_are_put_anywhere() -> None:
    """On top, under, and so that so many lie beneath."""
    cards, others = pile(3), pile(6)
    cards.put(others.cards[3])
    cards.put_under(others.cards[4])
    cards.put_at(1, others.cards[5])
    assert ids(cards) == [4, 5, 0, 1, 2, 3]


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        (lambda p: p.take_at(5), "pile has 5 cards; there is none at place 5"),
        (lambda p: p.take_at(-6), "none at place -6"),
        (lambda p: p.put_at(6, p.top), "nothing fits in at 6"),
        (lambda p: p.put_at(-1, p.top), "nothing fits in at -1"),
        (lambda p: p.cut(6), "can't be cut at 6"),
        (lambda p: p.take(pile(9).top), "Card 8 is not in pile"),
        (lambda p: Pile("empty").top, "empty has 0 cards"),
        (lambda p: Pile("empty").bottom, "empty has 0 cards"),
        (lambda p: Pile("empty").take_top(), "empty has 0 cards"),
        (lambda p: p.move_to(Pile("to"), [pile(9).top]), "is not in pile"),
        (lambda p: p.move_to(Pile("to"), [p.top, p.bottom, pile(9).top]), "Card 8 is not in pile"),
        (lambda p: p.move_to(Pile("to"), [p.bottom, p.top, p.bottom]), "Card 0 is not in pile"),
    ],
)
def test_what_a_pile_can_not_do_changes_nothing(move: Any, sentence: str) -> None:
    """A move against the nature of a pile is refused in a sentence and moves nothing."""
    cards = pile()
    with pytest.raises(PieceError, match=sentence):
        move(cards)
    assert ids(cards) == [0, 1, 2, 3, 4]


@given(st.integers(0, 8), st.integers(0, 8))
def test_a_cut_keeps_the_circle(count: int, lifted: int) -> None:
    """Cutting lifts the top part and puts the rest on it; the circle of cards stays the same."""
    cards = pile(8)
    cards.cut(lifted)
    assert ids(cards) == [(number + 8 - lifted) % 8 for number in range(8)]
    cards.cut(8 - lifted)
    assert ids(cards) == list(range(8))


def test_passing_on_keeps_the_order() -> None:
    """All cards, or those named in the order named, go on top; a whole pile goes under."""
    cards, to = pile(4), pile(8, "to")
    del to.cards[:6]
    four = list(cards)
    cards.move_to(to, [four[2], four[0]])
    assert (ids(cards), ids(to)) == ([1, 3], [6, 7, 2, 0])
    cards.move_to(to, under=True)
    assert (ids(cards), ids(to)) == ([], [1, 3, 6, 7, 2, 0])
    to.move_to(cards)
    assert (ids(cards), ids(to)) == ([1, 3, 6, 7, 2, 0], [])


def test_a_hand_has_an_owner() -> None:
    """A hand is a pile that a seat holds."""
    hand = Hand[int]("hand.2", SEATS[2])
    hand.put(pile().top)
    assert (hand.owner, len(hand), repr(hand)) == (2, 1, "Hand('hand.2', 1 cards)")


@pytest.mark.parametrize(
    ("deck", "cards", "faces"),
    [(FRENCH_52, 52, 52), (FRENCH_54, 54, 53), (FRENCH_108, 108, 53), (ITALIAN_40, 40, 40)],
)
def test_the_common_decks(deck: Any, cards: int, faces: int) -> None:
    """The packs have as many cards and different faces as those on a table; each face its own name."""
    assert (len(deck), len(deck.faces)) == (cards, faces)
    assert len({str(face) for face in deck.faces}) == faces
    assert [deck.number[face] for face in deck.faces] == list(range(faces))


def test_how_often_a_face_is_in_a_pack() -> None:
    """Two packs have each card twice and four jokers; one pack has two."""
    for deck, twos, jokers in ((FRENCH_54, 1, 2), (FRENCH_108, 2, 4)):
        shown = [deck.faces[number] for number in deck.cards]
        assert shown.count(FrenchFace(Rank.QUEEN, Suit.HEARTS)) == twos
        assert shown.count(JOKER) == jokers


def test_faces_say_what_they_show() -> None:
    """Rank and suit, ten as 10, Italian court cards by letter."""
    assert [str(FRENCH_52.faces[number]) for number in (0, 9, 12, 51)] == ["A♣", "10♣", "K♣", "K♠"]
    assert [str(ITALIAN_40.faces[number]) for number in (0, 7, 8, 9, 39)] == ["AD", "FD", "CD", "RD", "RB"]
    assert str(JOKER) == "Joker"


def test_a_deck_is_any_data() -> None:
    """Any hashable data is a face; a deck without cards is none."""
    deck = Deck("any", ["a", ("b", 2), "a"])
    assert (deck.faces, deck.cards) == (("a", ("b", 2)), (0, 1, 0))
    assert repr(deck) == "Deck('any', 3 cards)"
    with pytest.raises(PieceError, match="no cards"):
        Deck("none", [])
