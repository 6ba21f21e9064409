"""Questions that are open at the table.

The kinds of questions are in `kinds`; a source brings the answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic

from typing_extensions import TypeVar

from tavolata.choices import Answer
from tavolata.facts import Claim
from tavolata.kinds.question import Question
from tavolata.ring import Seat

V = TypeVar("V", default=Any)


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
        seconds: the time limit; None without one, or where the table keeps no time.
        fallback: the answer that counts when time runs out, in its index form; None for the first.
        claim: the claim of the answer about hidden faces; see `facts.claim`.
        sealed: whether the answer stays hidden until the rules open it.
        shown_to: the seats that may look at a sealed answer beside its owner.
        verb: what the act button says, a message id with the field `choice`.
        about: the ids of the zones that decide the answer.
        timed: whether the rules set a time limit; part of the state, unlike `seconds`.
        answer: the answer in its index form, once it is known here; None before.
        box: the box in the log with a sealed answer that is not open yet.
        by: the first seat of the party whose answer it is, 0 in one process; None if it is nobody's, such as
            the answer that counts when time runs out. It carries no claim then.
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
    timed: bool = field(init=False)
    answer: Answer | None = field(default=None, init=False)
    box: bytes | None = field(default=None, init=False)
    by: int | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.timed = self.seconds is not None

    @property
    def late(self) -> Answer:
        """The answer that counts when time runs out, in its index form."""
        return self.question.answer_at(0) if self.fallback is None else self.fallback

    @property
    def otherwise(self) -> V:
        """The value that counts when time runs out."""
        return self.question.value_of(self.late)

    def is_late(self, answer: Answer) -> bool:
        """Return True if this is the answer that counts when time runs out.

        It claims nothing, whoever gives it: who waits could have it, too.
        """
        return self.timed and answer == self.late

    def answered(self, answer: Answer, by: int) -> None:
        """Take the answer of a party."""
        self.answer = answer
        self.by = None if self.is_late(answer) else by

    @property
    def value(self) -> V:
        """The value of the answer, as the rules get it."""
        return self.question.value_of(self.answer)
