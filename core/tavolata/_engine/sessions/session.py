"""The session protocol: a face's view of a match in this process or of a table of peers.

This module is the interface only; `local` and `peer` implement it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from tavolata._engine.match.match import Match
from tavolata._engine.match.updates import Update
from tavolata.asks import Ask
from tavolata.choices import Answer

if TYPE_CHECKING:
    from tavolata._engine.sessions.table_commands import TableCommands
    from tavolata._engine.sessions.table_facts import TableFacts


class TableSession(Protocol):
    """Somebody's place at a table.

    Attributes:
        match: the running or last match; None in the lobby.
        game, package: the game; between matches of a table another one may come.
        people: the seats that people play here.
    """

    @property
    def game(self) -> str:
        """The name of the game."""

    @property
    def package(self) -> str:
        """The package of the game, whose translations its messages need."""

    @property
    def match(self) -> Match | None:
        """The running or last match."""

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that people play here."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of those who sit here, by seat."""

    @property
    def attended(self) -> bool:
        """Whether a person is here who can type; bots may play all seats."""
        return bool(self.people)

    def updates(self) -> AsyncGenerator[Update, None]:
        """All that happens, until the session is over; the match goes on while this is read."""

    def answer(self, ask: Ask, answer: Answer) -> None:
        """Answer a question for one of the seats played here.

        Raises:
            Refused: the answer is not legal; the question stays open.
        """

    def drawn(self, window: int) -> None:
        """What there is to react to in this window can be seen on the screen now."""

    def react(self, window: int, seat: int, answer: Answer, milliseconds: int) -> None:
        """React in a window for one of the seats played here.

        Args:
            window: its number.
            seat: who.
            answer: a choice of that seat in its index form, or GOES.
            milliseconds: from when this face had drawn the window to the key.

        Raises:
            Refused: it is too late, or not this seat's to do.
        """

    def interject(self, seat: int, name: str, value: Any) -> None:
        """Take an action that is allowed at any time.

        Args:
            seat: who.
            name: what, by its name in `Match.standing`.
            value: what was chosen: the value of an answer, not its place in a list that may change.

        Raises:
            Refused: not now, or not so.
        """

    def say(self, text: str, to: int | None = None, seat: int | None = None) -> None:
        """Speak to all, or to one seat.

        Raises:
            Refused: the rules do not allow it.
        """

    def input_ended(self) -> bool:
        """Nothing can be typed any more; whether the session makes sense without."""

    @property
    def commands(self) -> TableCommands | None:
        """What else can be said at a table of peers; None for a match in this process."""
        return None

    def lobby(self) -> list[tuple[str, Mapping[str, Any]]]:
        """Lines that describe the table: messages with their parameters; none for a match in this process."""
        return []

    def table(self) -> TableFacts | None:
        """The table of peers as data; None for a match in this process."""
        return None

    def how_to_return(self) -> tuple[str, Mapping[str, Any]]:
        """How to come back after leaving now: a message with its parameters."""
