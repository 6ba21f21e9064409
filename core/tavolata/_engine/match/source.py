"""Parts that all sources share: the want, and helpers for cards and questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Final, NamedTuple

from tavolata._engine.match.entries import Entry
from tavolata.asks import Ask
from tavolata.cards import HIDDEN, Card
from tavolata.choices import Answer
from tavolata.cups import DiceDeck
from tavolata.errors import Refused
from tavolata.messages import N_

NOT_ASKED = N_("Nobody asked for that.")

_ID = attrgetter("id")
Record = Callable[[Entry], object]


class Want(NamedTuple):
    """An input that the match waits for from a dealer: a random value or faces.

    Attributes:
        at: how many wants were met before, so that a dealer answers each want once.
        cards: in order; for FACE and PROVEN the card, and then those that will certainly be opened next.
        seats: for SHOWN, the seat to which each card is shown.
        number: for NUMBER the sides, for SHOWN the request, for PROVEN the question about the first card.
        kept: for PROVEN, the number under which each card was kept at a shuffle, 0 if it was not.
    """

    kind: int
    at: int
    cards: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    number: int = 0
    kept: tuple[int, ...] = ()


class Stamp(NamedTuple):
    """The place of an entry in the agreed log; in a match of one process all of it is empty.

    `author` signed it; `chain` is the chain hash of the log after it.
    """

    author: bytes = b""
    chain: bytes = b""
    lineage: bytes = b""


NOWHERE: Final = Stamp()
"""The place of entries that are in no agreed log."""


def hide(cards: Sequence[Card[Any]], known: dict[int, dict[int, int]]) -> None:
    for card in cards:
        card._face = HIDDEN
    if any(known.values()):
        numbers = set(map(_ID, cards))
        for faces in known.values():
            for number in faces.keys() & numbers:
                del faces[number]


def sides_of(die: Card[Any]) -> tuple[int, ...]:
    assert isinstance(die.deck, DiceDeck)  # the table lets nothing else be shaken
    return die.deck.sides


def check_late(ask: Ask) -> None:
    """Raise `Refused` if a question has no time limit: its seat may think for ever."""
    if ask.seconds is None:
        raise Refused(N_("There is no time limit for that."))


def keep(asks: Sequence[Ask], sealed: dict[int, dict[int, Answer]]) -> None:
    """Note the sealed answers that are known here, for all seats that may look at them."""
    for ask in asks:
        if ask.answer is not None:
            for seat in (ask.seat, *ask.shown_to):
                sealed[seat][ask.id] = ask.answer


def take_out(asks: Sequence[Ask], sealed: dict[int, dict[int, Answer]]) -> None:
    """Open these seals: their questions get the answers that were noted."""
    for ask in asks:
        noted = sealed[ask.seat].get(ask.id)
        for answers in sealed.values():
            answers.pop(ask.id, None)
        if ask.answer is None:
            ask.answer = noted
