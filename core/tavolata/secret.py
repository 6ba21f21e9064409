"""Sealed answers as opaque handles, like cards: closed until the table opens them."""

from __future__ import annotations

from typing import Any, Generic, Protocol, TypeVar

from typing_extensions import override

from tavolata.asks import Ask
from tavolata.choices import Answer
from tavolata.errors import HiddenFact, Refused, asker
from tavolata.kinds.question import Choices, Question
from tavolata.messages import N_
from tavolata.ring import Seat

V = TypeVar("V")
NOBODY = N_("No one is being asked that.")


class ReadsPlain(Protocol):
    """Reads values in their plain form; the match does."""

    def read_said(self, said: Any) -> Any:
        """Return the value of a plain form.

        Raises:
            Refused: this game has no such value.
        """


class Narrated(Question[Any], name="told"):
    """A narrator's value for one seat, as a sealed answer that nobody chose.

    An answer is a tuple of one: the plain form of the value.
    """

    __slots__ = ("forms",)

    def __init__(self, forms: ReadsPlain | None = None) -> None:
        self.forms = forms

    @override
    def count(self) -> int:
        return 0

    @override
    def check(self, answer: object) -> Answer:
        if isinstance(answer, tuple) and len(answer) == 1:
            self.value_of(answer)
            return answer
        raise Refused(NOBODY)

    @override
    def value_of(self, answer: Any) -> Any:
        assert self.forms is not None  # the match gives them
        return self.forms.read_said(*answer)

    @override
    def answer_for(self, value: Any, means: object = None) -> Answer:
        raise Refused(NOBODY)

    @override
    def answer_at(self, number: int) -> Answer:
        raise IndexError(number)

    @override
    def number_of(self, answer: Any) -> int:
        raise IndexError(answer)

    @override
    def shape(self) -> Choices:
        return Choices(())

    @override
    def kept(self) -> tuple[Any, ...]:
        return ()


class Secret(Generic[V]):
    """A sealed answer of a seat, or a narrator's value for it.

    Attributes:
        id: number of the question that it answers.
        seat: the seat that answered, or learns the value.
        question: the kind of question.
        value: the answer; `HiddenFact` until it is open to everybody. Its owner reads it by `View.answer`.
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
        """True if it is open and the answer is the one that counts when time runs out."""
        answer = self._ask.answer
        return self.is_open and answer is not None and self._ask.is_late(answer)

    def _open(self) -> None:
        """Show the answer to everybody; only the table calls this, when the log says so."""
        self.value, self.is_open = self._ask.value, True
