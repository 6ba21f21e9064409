"""What all sources share: the want of a dealer, and what sources do to cards and questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from tavolata._engine.match.entries import Entry
from tavolata.asks import Ask
from tavolata.cards import HIDDEN, Card
from tavolata.choices import Answer
from tavolata.errors import Refused
from tavolata.messages import N_

_ID = attrgetter("id")
Record = Callable[[Entry], object]


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
