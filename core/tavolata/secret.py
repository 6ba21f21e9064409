"""Sealed answers as opaque handles, like cards: closed until the table opens them."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from tavolata.asks import Ask
from tavolata.errors import HiddenFact, asker
from tavolata.kinds.question import Question
from tavolata.ring import Seat

V = TypeVar("V")


class Secret(Generic[V]):
    """A sealed answer of a seat.

    Attributes:
        id: number of the question that it answers.
        seat: the seat that answered.
        question: the kind of question.
        value: the answer, once it was opened to everybody. Its owner can read it before by `View.answer`.
        is_open: whether everybody may read it.
    """

    # Rules may not use the question itself: it holds the answer if this process knows it.
    __slots__ = ("_ask", "id", "is_open", "question", "seat", "value")

    id: int
    seat: Seat
    question: Question[V]
    value: V

    def __init__(self, ask: Ask[V]) -> None:
        self.id = ask.id
        self.seat = ask.seat
        self.question = ask.question
        self.is_open = False
        self._ask = ask

    def __getattr__(self, name: str) -> Any:
        if name == "value":
            raise HiddenFact(
                f"{asker()} asks for the sealed answer {self.id} of seat {self.seat + 1}, which is closed: "
                "`await t.reveal` it, or let its owner say something of it by `t.declare`."
            )
        raise AttributeError(name)

    @property
    def is_late(self) -> bool:
        """Whether it is open and the answer is the one that counts when time runs out."""
        answer = self._ask.answer
        return self.is_open and answer is not None and self._ask.is_late(answer)

    def _open(self) -> None:
        """Show the answer to everybody; only the table calls this, when the log says so."""
        self.value, self.is_open = self._ask.value, True
