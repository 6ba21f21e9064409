"""Sealed answers as opaque handles, like cards: closed until the table opens them."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from tavolata.asks import Ask
from tavolata.errors import HiddenFact

V = TypeVar("V")


class Secret(Generic[V]):
    """What a seat answered under a seal.

    Attributes:
        id: number of the secret in this match.
        ask: the question it answers.
        value: the answer, once it was opened to everybody.
    """

    __slots__ = ("ask", "id", "value")

    id: int
    ask: Ask
    value: V

    def __init__(self, number: int, ask: Ask) -> None:
        self.id = number
        self.ask = ask

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

    def open(self) -> None:
        """Show it to everybody; only the table does this, when the log says so."""
        self.value = self.ask.value
