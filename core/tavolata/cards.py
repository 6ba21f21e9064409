"""Cards as opaque handles, the piles and hands that hold them, and decks as data.

A handle is a card seen from its back. Its face can be read only while it is public; otherwise reading it
raises `HiddenFact`. Handles are moved in public and without chance, so the methods for that are here.
Shuffling, drawing and turning up need the dealer and are methods of `Table`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, repeat
from typing import Final, Generic, TypeVar

from tavolata._renamed import refuse_old_names
from tavolata.errors import HiddenFact, PieceError, asker
from tavolata.looks import Look
from tavolata.ring import Seat

F = TypeVar("F")


class Deck(Generic[F]):
    """The cards of a deck, as data; cards with equal faces can't be told apart.

    Args:
        name: the deck's id, part of every card's name in logs.
        faces: the face of every card, one or more; repeats are allowed. Any hashable plain data.
        look: how a face is shown: a pure function, asked for a face only where that may be seen. Without it
            the words of a face are its property `text` (a `Text`), the value of an enum, or `str(face)`.
    """

    __slots__ = ("cards", "faces", "look", "name", "number")

    def __init__(self, name: str, faces: Iterable[F], *, look: Callable[[F], Look] | None = None) -> None:
        self.name = name
        self.look = look
        every = list(faces)
        if not every:
            raise PieceError(f"The deck {name} has no cards.")
        self.faces: tuple[F, ...] = tuple(dict.fromkeys(every))
        """The different faces; the number of a face is its place here."""
        self.number: dict[F, int] = {face: place for place, face in enumerate(self.faces)}
        self.cards: tuple[int, ...] = tuple(self.number[face] for face in every)
        """The face number of every card."""

    def __len__(self) -> int:
        return len(self.cards)

    def __repr__(self) -> str:
        return f"Deck({self.name!r}, {len(self)} cards)"


class Hidden:
    """The type of the value that a card has as its face while nobody may read it."""

    __slots__ = ()


HIDDEN: Final = Hidden()


class Card(Generic[F]):
    """A card, by its back.

    Attributes:
        id: number of the handle in this match.
        deck: the deck that it belongs to; this is public, because the backs differ.
        face: its face, while that is public.
    """

    # A property, not __getattr__: that would make the interpreter read every other slot slowly.
    __slots__ = ("_face", "deck", "id")

    def __init__(self, number: int, deck: Deck[F], face: F) -> None:
        self.id = number
        self.deck = deck
        self._face: F | Hidden = face

    @property
    def face(self) -> F:
        """Its face.

        Raises:
            HiddenFact: the face is not public.
        """
        face = self._face
        if face is HIDDEN:
            raise HiddenFact(
                f"{asker()} asks for the face of card {self.id} ({self.deck.name}), which is not public: "
                "`await t.reveal` it, `t.show` it to a seat, or let its owner say something of it, by a "
                "`claim` with an answer or by `t.declare`."
            )
        return face  # type: ignore[return-value]  # HIDDEN is the only other value

    @property
    def is_public(self) -> bool:
        """True if everybody may read its face now."""
        return self._face is not HIDDEN

    def __hash__(self) -> int:
        return self.id

    def __eq__(self, other: object) -> bool:
        return self is other

    def __repr__(self) -> str:
        return f"Card({self.id}, {self.face if self.is_public else 'hidden'})"


def handles(deck: Deck[F], first: int) -> list[Card[F]]:
    """Return the cards of a deck, faces public, numbered from `first`."""
    faces = deck.faces
    # The cards are made without `__init__` and filled in here, because calling it would take half as long
    # again. A match in a simulation is so short that making its cards is a noticeable part of it.
    cards: list[Card[F]] = list(map(_bare, repeat(Card, len(deck.cards))))
    for number, card, face in zip(count(first), cards, deck.cards, strict=False):
        card.id = number
        card.deck = deck
        card._face = faces[face]  # noqa: SLF001 - a handle is made here
    return cards


_bare = Card.__new__


@refuse_old_names
class Pile(Generic[F]):
    """Cards in an order; the top card comes last. A pile does not decide who may see its cards.

    Attributes:
        name: its id among the pieces of the match.
        cards: the handles from bottom to top; to be read only, because the methods move cards.
    """

    __slots__ = ("cards", "name")

    def __init__(self, name: str, cards: Iterable[Card[F]] = ()) -> None:
        self.name = name
        self.cards: list[Card[F]] = list(cards)

    def __len__(self) -> int:
        return len(self.cards)

    def __bool__(self) -> bool:
        return bool(self.cards)

    def __iter__(self) -> Iterator[Card[F]]:
        return iter(self.cards)

    def __contains__(self, card: object) -> bool:
        return card in self.cards

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {len(self.cards)} cards)"

    @property
    def top(self) -> Card[F]:
        """The uppermost card; it stays where it is.

        Raises:
            PieceError: the pile is empty.
        """
        return self.cards[self._place(-1)]

    @property
    def bottom(self) -> Card[F]:
        """The lowest card; it stays where it is.

        Raises:
            PieceError: the pile is empty.
        """
        return self.cards[self._place(0)]

    def _place(self, place: int) -> int:
        if not -len(self.cards) <= place < len(self.cards):
            raise PieceError(f"{self.name} has {len(self.cards)} cards; there is none at place {place}.")
        return place

    def take(self, card: Card[F]) -> Card[F]:
        """Take this card out, wherever it lies.

        Raises:
            PieceError: it is not in this pile.
        """
        cards = self.cards
        if cards and cards[-1] is card:  # mostly, where a pack is dealt
            return cards.pop()
        for place, one in enumerate(cards):
            if one is card:
                return cards.pop(place)
        raise PieceError(f"Card {card.id} is not in {self.name}.")

    def take_top(self) -> Card[F]:
        """Take the uppermost card off; raise `PieceError` if the pile is empty."""
        return self.cards.pop(self._place(-1))

    def take_bottom(self) -> Card[F]:
        """Take the lowest card out; raise `PieceError` if the pile is empty."""
        return self.cards.pop(self._place(0))

    def take_at(self, place: int) -> Card[F]:
        """Take the card at this place, 0 at the bottom, -1 on top; raise `PieceError` for an empty place."""
        return self.cards.pop(self._place(place))

    def put(self, card: Card[F]) -> None:
        """Put a card on top."""
        self.cards.append(card)

    def put_under(self, card: Card[F]) -> None:
        """Put a card under the pile."""
        self.cards.insert(0, card)

    def put_at(self, place: int, card: Card[F]) -> None:
        """Put a card so that `place` cards are under it; raise `PieceError` if there are fewer."""
        if not 0 <= place <= len(self.cards):
            raise PieceError(f"{self.name} has {len(self.cards)} cards; nothing fits in at {place}.")
        self.cards.insert(place, card)

    def cut(self, lifted: int) -> None:
        """Lift this many cards off the top and put the rest on them; raise `PieceError` if it has fewer."""
        if not 0 <= lifted <= len(self.cards):
            raise PieceError(f"{self.name} has {len(self.cards)} cards and can't be cut at {lifted}.")
        rest = len(self.cards) - lifted
        self.cards[:] = self.cards[rest:] + self.cards[:rest]

    def move_to(self, to: Pile[F], cards: Sequence[Card[F]] | None = None, *, under: bool = False) -> None:
        """Move these cards (or all) in order onto or under a pile.

        Raises:
            PieceError: one isn't in this pile, or is named twice; nothing has moved.
        """
        moved = before = self.cards[:]
        if cards is None:
            self.cards.clear()
        else:
            try:
                moved = [self.take(card) for card in list(cards)]
            except Exception:
                self.cards[:] = before
                raise
        place = 0 if under else len(to.cards)
        to.cards[place:place] = moved

    def _save(self) -> object:
        return list(self.cards)

    def _load(self, saved: list[Card[F]]) -> None:
        self.cards[:] = saved


class Hand(Pile[F]):
    """A pile that a seat holds; the owner sees the cards that are dealt to it.

    Attributes:
        owner: the seat that holds it.
    """

    __slots__ = ("owner",)

    def __init__(self, name: str, owner: Seat) -> None:
        super().__init__(name)
        self.owner = owner
