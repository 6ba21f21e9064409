"""A question that is open at the table, and what an answer to it may claim.

What can be asked is `kinds` and `forms`; how an answer comes about is the business of a source.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tavolata.cards import Card
from tavolata.choices import Answer
from tavolata.kinds.kind import Kind
from tavolata.messages import N_
from tavolata.ring import Seat


@dataclass(frozen=True, slots=True)
class Claim:
    """What choosing a card says of its hidden face.

    It is checked on its owner's machine at once, and on all machines when the face becomes public.

    Attributes:
        rule: name of the game's method `(face, *args) -> bool`, pure.
        args: plain data for it.
        reason: why an answer is refused; a message id.
    """

    rule: str
    args: tuple[Any, ...] = ()
    reason: str = N_("That card does not fit.")


class Ask:
    """A question that is open at the table now.

    Attributes:
        id: its number in the match, from 1.
        seat: who is asked.
        kind: what is asked.
        you, others: the prompt in its two voices, message ids.
        params: what the prompt's fields stand for.
        seconds: when time runs out; None never.
        otherwise: the answer that counts then, in its index form.
        claim: what the answer says of the faces of the cards chosen.
        sealed: whether the answer is shown only when all are in, or not even then.
        shown_to: seats that may look at a sealed answer with its owner.
        answer: the answer in its index form once it is known here; None before.
        box: what stands in the log for a sealed answer that is not open yet.
    """

    __slots__ = (
        "answer",
        "box",
        "claim",
        "id",
        "kind",
        "others",
        "otherwise",
        "params",
        "sealed",
        "seat",
        "seconds",
        "shown_to",
        "you",
    )

    def __init__(
        self,
        number: int,
        seat: Seat,
        kind: Kind,
        you: str = "",
        others: str = "",
        params: Mapping[str, Any] | None = None,
        seconds: float | None = None,
        otherwise: Answer | None = None,
        *,
        sealed: bool = False,
        shown_to: tuple[Seat, ...] = (),
        claim: Claim | None = None,
    ) -> None:
        self.id = number
        self.seat = seat
        self.kind = kind
        self.you = you
        self.others = others
        self.params = params or {}
        self.seconds = seconds
        self.otherwise = otherwise
        self.sealed = sealed
        self.shown_to = shown_to
        self.claim = claim
        self.answer: Answer | None = None
        self.box: bytes | None = None

    @property
    def value(self) -> Any:
        """What the answer means to the rule."""
        return self.kind.value_of(self.answer)


def cards_in(value: object) -> list[Card[Any]]:
    """The cards that an answer's value names."""
    if isinstance(value, Card):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [card for part in parts for card in cards_in(part)]
