"""A sitting that passes everything on to another: what stands between a match and a face builds on it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import TYPE_CHECKING, Any

from tavolata._engine.match.match import Match
from tavolata._engine.match.updates import Happening
from tavolata._engine.sessions.session import TableSession
from tavolata.asks import Ask
from tavolata.choices import Answer

if TYPE_CHECKING:
    from tavolata._engine.sessions.table_commands import TableCommands
    from tavolata._engine.sessions.table_facts import TableFacts


class ForwardingSession:
    """Another sitting, as it is; see `TableSession`.

    Args:
        whole: the other one.
    """

    def __init__(self, whole: TableSession) -> None:
        self._whole = whole

    @property
    def game(self) -> str:
        """See `TableSession`."""
        return self._whole.game

    @property
    def package(self) -> str:
        """See `TableSession`."""
        return self._whole.package

    @property
    def match(self) -> Match | None:
        """See `TableSession`."""
        return self._whole.match

    @property
    def people(self) -> tuple[int, ...]:
        """See `TableSession`."""
        return self._whole.people

    @property
    def names(self) -> tuple[str, ...]:
        """See `TableSession`."""
        return self._whole.names

    @property
    def attended(self) -> bool:
        """See `TableSession`."""
        return self._whole.attended

    async def happenings(self) -> AsyncGenerator[Happening, None]:
        """See `TableSession`."""
        stream = self._whole.happenings()
        try:
            async for happening in stream:
                yield happening
        finally:
            await stream.aclose()

    def answer(self, ask: Ask, answer: Answer) -> None:
        """See `TableSession`."""
        self._whole.answer(ask, answer)

    def drawn(self, window: int) -> None:
        """See `TableSession`."""
        self._whole.drawn(window)

    def react(self, window: int, seat: int, answer: Answer, milliseconds: int) -> None:
        """See `TableSession`."""
        self._whole.react(window, seat, answer, milliseconds)

    def interject(self, seat: int, name: str, value: Any) -> None:
        """See `TableSession`."""
        self._whole.interject(seat, name, value)

    def say(self, text: str, to: int | None = None, seat: int | None = None) -> None:
        """See `TableSession`."""
        self._whole.say(text, to, seat)

    def input_ended(self) -> bool:
        """See `TableSession`."""
        return self._whole.input_ended()

    @property
    def commands(self) -> TableCommands | None:
        """See `TableSession`."""
        return self._whole.commands

    def lobby(self) -> list[tuple[str, Mapping[str, Any]]]:
        """See `TableSession`."""
        return self._whole.lobby()

    def table(self) -> TableFacts | None:
        """See `TableSession`."""
        return self._whole.table()

    def how_to_return(self) -> tuple[str, Mapping[str, Any]]:
        """See `TableSession`."""
        return self._whole.how_to_return()
