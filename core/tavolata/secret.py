"""Sealed answers as opaque handles, like cards: closed until the table opens them."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from tavolata.asks import Ask
from tavolata.errors import HiddenFact
from tavolata.kinds.kind import Kind
from tavolata.ring import Seat

V = TypeVar("V")


class Secret(Generic[V]):
    """What a seat answered under a seal.

    Attributes:
        id: number of the question it answers.
        seat: who answered.
        kind: what was asked.
        value: the answer, once it was opened to everybody; its owner's `View.answer` has it before.
    """

    # The question itself is not for rules: where this process knows the answer, it holds it.
    __slots__ = ("_ask", "id", "kind", "seat", "value")

    id: int
    seat: Seat
    kind: Kind
    value: V

    def __init__(self, ask: Ask) -> None:
        self.id = ask.id
        self.seat = ask.seat
        self.kind = ask.kind
        self._ask = ask

    def __getattr__(self, name: str) -> Any:
        if name == "value":
            raise HiddenFact(f"The sealed answer {self.id} has not been opened.")
        raise AttributeError(name)

    @property
    def is_open(self) -> bool:
        """Whether everybody may read it."""
        try:
            self.value  # noqa: B018 - the read itself is the question
        except HiddenFact:
            return False
        return True

    def _open(self) -> None:
        """Show it to everybody; only the table does this, when the log says so."""
        self.value = self._ask.value
