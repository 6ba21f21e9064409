"""Where the inputs of a match come from. The contract of all sources, and what they share.

Each method answers whether the input is there; if not, the match waits, `wants` or `open` says for
what, and the method is called again after an entry was fed. A source never reads game rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tavolata._engine.match.entries import Entry
from tavolata.asks import Ask
from tavolata.cards import HIDDEN, Card
from tavolata.choices import Answer
from tavolata.errors import Refused
from tavolata.messages import N_
from tavolata.ring import Seat
from tavolata.windows import Window

if TYPE_CHECKING:
    from tavolata._engine.match.match import Match
    from tavolata.table import Table

_ID = attrgetter("id")
Record = Callable[[Entry], object]
Dealt = Sequence[tuple[Card[Any], Seat]]


class Want(NamedTuple):
    """What a match waits for that no seat can answer: chance or faces, from a dealer.

    Attributes:
        kind: the kind of entry that is missing.
        at: how many wants were met before, so that a dealer answers each once.
        cards: the cards that it is about, in order; for FACE the first, and those that follow it for certain.
        seats: for SHOWN, whom each card is shown to.
        number: for NUMBER the sides, for SHOWN the request.
    """

    kind: int
    at: int
    cards: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    number: int = 0


class Source(Protocol):
    """What a table needs to go on."""

    words: type[Table[Any]]
    """The table for a match without pauses."""
    open: list[Ask]
    """The questions that are open now."""
    window: Window | None
    """The window that is open now."""
    wants: Want | None
    """What a dealer owes now."""
    known: dict[int, dict[int, int]]
    """By seat, the face numbers of cards that were shown to that seat here."""
    sealed: dict[int, dict[int, Answer]]
    """By seat, its answers under seals that are still closed, by question, as far as known here."""

    def attach(self, match: Match) -> None:
        """Meet the match that this source feeds."""
        ...

    def lay(self, cards: list[Card[Any]]) -> None:
        """New cards are on the table, faces public."""
        ...

    def shuffle(self, cards: list[Card[Any]]) -> bool:
        """Hide these cards from everybody, in an order that nobody knows."""
        ...

    def reveal(self, card: Card[Any]) -> bool:
        """Make a card public."""
        ...

    def show(self, what: Dealt, number: int) -> bool:
        """Show cards to single seats."""
        ...

    def number(self, sides: int) -> int | None:
        """A number below `sides` by chance, None while it is missing."""
        ...

    def answer(self, ask: Ask) -> bool:
        """Have a question answered."""
        ...

    def seal(self, asks: list[Ask]) -> bool:
        """Have several questions answered under seal."""
        ...

    def unseal(self, asks: list[Ask]) -> bool:
        """Have sealed answers known to everybody."""
        ...

    def react(self, window: Window) -> bool:
        """Have a window decided."""
        ...

    def feed(self, entry: Entry) -> None:
        """Take an entry from outside.

        Raises:
            Refused: it is not legal now; nothing has changed.
        """
        ...


def hide(cards: Sequence[Card[Any]], known: dict[int, dict[int, int]]) -> None:
    """Nobody knows these cards any more."""
    for card in cards:
        card._face = HIDDEN
    if any(known.values()):
        numbers = set(map(_ID, cards))
        for faces in known.values():
            for number in faces.keys() & numbers:
                del faces[number]


def check_late(ask: Ask) -> None:
    """Refuse to close a question that has no time limit: its seat may think for ever.

    Raises:
        Refused: it has none.
    """
    if ask.seconds is None:
        raise Refused(N_("There is no time limit for that."))


def keep(asks: Sequence[Ask], sealed: dict[int, dict[int, Answer]]) -> None:
    """Note the answers under seals that are known here, for all who may look at them."""
    for ask in asks:
        if ask.answer is not None:
            for seat in (ask.seat, *ask.shown_to):
                sealed[seat][ask.id] = ask.answer


def take_out(asks: Sequence[Ask], sealed: dict[int, dict[int, Answer]]) -> None:
    """These seals are broken: their questions have the answers that were noted."""
    for ask in asks:
        noted = sealed[ask.seat].get(ask.id)
        for answers in sealed.values():
            answers.pop(ask.id, None)
        if ask.answer is None:
            ask.answer = noted
