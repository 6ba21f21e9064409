"""Laying the table: the pieces that a match is played with, and saying what happens to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from tavolata.boards import Grid, Track
from tavolata.cards import Card, Deck, Hand, Pile, handles
from tavolata.counters import Bank, Counter, Counters
from tavolata.errors import GameError
from tavolata.ring import Ring, Seat

if TYPE_CHECKING:
    from tavolata._engine.match.source import Source

F = TypeVar("F")
P = TypeVar("P", bound="Piece")
Tell = Callable[[str, dict[str, Any], Sequence[Seat] | None], object]
_UNSAID: Final = object()


class Piece(Protocol):
    """Something on the table that knows how to be put away and laid out again."""

    name: str

    def _save(self) -> object: ...

    def _load(self, saved: Any) -> None: ...


class Laying:
    """A table as far as pieces are laid on it; see `tavolata.Table`."""

    def __init__(self, seats: int, source: Source, listener: Tell | None) -> None:
        self.ring = Ring(seats)
        self._listener = listener
        self._source = source
        self._pieces: dict[str, Piece] = {}
        self._cards: list[Card[Any]] = []
        self._decks: set[Deck[Any]] = set()
        self._laid = False

    def _add(self, piece: P) -> P:
        if self._laid:
            raise GameError(f"The piece {piece.name!r} was made in mid-match; pieces are made in setup.")
        if piece.name in self._pieces:
            raise GameError(f"Two pieces are called {piece.name!r}.")
        self._pieces[piece.name] = piece
        return piece

    def pile(self, name: str, deck: Deck[F] | None = None) -> Pile[F]:
        """A pile with all the cards of a deck, faces public until they are shuffled; or an empty one."""
        pile: Pile[F] = self._add(Pile(name))
        if deck is not None:
            cards = handles(deck, len(self._cards))
            self._cards += cards
            self._decks.add(deck)
            pile.cards[:] = cards
            self._source.lay(cards)
        return pile

    def hand(self, name: str, owner: Seat) -> Hand[Any]:
        """A hand that a seat holds."""
        return self._add(Hand(name, owner))

    def hands(self, name: str) -> list[Hand[Any]]:
        """A hand for each seat, by seat."""
        return [self.hand(f"{name}.{seat}", seat) for seat in self.ring]

    def counter(self, name: str, start: int = 0) -> Counter:
        """A counter of its own, such as a pot."""
        return self._add(Counter(name, start))

    def counters(self, name: str, start: int = 0) -> Counters:
        """A counter for each seat."""
        return self._add(Counters(name, len(self.ring), start))

    def bank(self, name: str) -> Bank:
        """A counter that can always pay."""
        return self._add(Bank(name))

    def track(
        self, name: str, length: int, tokens: Sequence[str], marks: Mapping[int, str] | None = None
    ) -> Track:
        """A track of squares 0 to `length`."""
        return self._add(Track(name, length, tokens, marks))

    def grid(self, name: str, rows: int, columns: int) -> Grid:
        """A grid of empty cells."""
        return self._add(Grid(name, rows, columns))

    # -- words ----------------------------------------------------------------------------------

    # The parameters that most sentences have stand in the signature: the interpreter makes a dict of
    # all others at each call, and in a simulation, where nobody listens, that is all that is done here.
    def tell(
        self,
        message: str,
        /,
        seat: Any = _UNSAID,
        to: Any = _UNSAID,
        card: Any = _UNSAID,
        only: Sequence[Seat] | None = None,
        **params: Any,
    ) -> None:
        """Say that something happened: `t.tell(N_("{seat} pays {n}."), seat=seat, n=2)`.

        Args:
            message: a message id.
            seat: what its field of this name stands for.
            to: likewise.
            card: likewise.
            only: the seats that get to know it; everybody, if it is not given.
            **params: what its other fields stand for.
        """
        if self._listener is None:
            return
        if card is not _UNSAID:
            params = {"card": card, **params}
        if to is not _UNSAID:
            params = {"to": to, **params}
        if seat is not _UNSAID:
            params = {"seat": seat, **params}
        self._listener(message, params, only)
