"""Questions that are open at the table, and claims about the cards chosen in an answer.

The kinds of questions are in `kinds`; a source brings the answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic

from typing_extensions import TypeVar

from tavolata.cards import Card
from tavolata.choices import Answer
from tavolata.kinds.question import Question
from tavolata.messages import N_
from tavolata.ring import Seat

V = TypeVar("V", default=Any)


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim about the hidden face of a chosen card.

    It is checked on the owner's machine at once, and on all machines when the face becomes public.

    Attributes:
        rule: name of the game's method `(face, chosen, *args) -> bool`, pure; `chosen` is the value of the
            whole answer.
        args: the other arguments of the method, as plain data.
        reason: why an answer is refused; a message id.
    """

    rule: str
    args: tuple[Any, ...] = ()
    reason: str = N_("That card does not fit.")


@dataclass(eq=False, repr=False, slots=True)
class Ask(Generic[V]):
    """A question that is open at the table now.

    Attributes:
        id: its number in the match, from 1.
        seat: the seat that is asked.
        question: the kind of question, with its legal answers.
        you: the prompt for the seat that is asked; a message id.
        others: the prompt for the others; a message id.
        params: the values of the prompts' fields.
        seconds: the time limit; None without one.
        fallback: the answer that counts when time runs out, in its index form; None for the first.
        claim: the claim of the answer about the faces of the chosen cards.
        sealed: whether the answer stays hidden until the rules open it.
        shown_to: the seats that may look at a sealed answer beside its owner.
        verb: what the act button says, a message id with the field `choice`.
        about: the ids of the zones that decide the answer.
        answer: the answer in its index form, once it is known here; None before.
        box: the box in the log with a sealed answer that is not open yet.
    """

    id: int
    seat: Seat
    question: Question[V]
    you: str = ""
    others: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    seconds: float | None = None
    fallback: Answer | None = None
    sealed: bool = field(default=False, kw_only=True)
    shown_to: tuple[Seat, ...] = field(default=(), kw_only=True)
    claim: Claim | None = field(default=None, kw_only=True)
    verb: str = field(default="", kw_only=True)
    about: tuple[str, ...] = field(default=(), kw_only=True)
    answer: Answer | None = field(default=None, init=False)
    box: bytes | None = field(default=None, init=False)

    @property
    def late(self) -> Answer:
        """The answer that counts when time runs out, in its index form."""
        return self.question.answer_at(0) if self.fallback is None else self.fallback

    @property
    def otherwise(self) -> V:
        """The value that counts when time runs out."""
        return self.question.value_of(self.late)

    @property
    def value(self) -> V:
        """The value of the answer, as the rules get it."""
        return self.question.value_of(self.answer)


def cards_in(value: object) -> list[Card[Any]]:
    """The cards in the value of an answer."""
    if isinstance(value, Card):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [card for part in parts for card in cards_in(part)]
