"""A forwarding session, which passes every call on to another session; wrappers of sessions build on it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from tavolata._engine.match.match import Match
from tavolata._engine.match.updates import Update
from tavolata._engine.sessions.session import TableSession
from tavolata.asks import Ask
from tavolata.choices import Answer

if TYPE_CHECKING:
    from tavolata._engine.sessions.table_commands import TableCommands
    from tavolata._engine.sessions.table_facts import TableFacts


class ForwardingSession(TableSession):
    """A wrapper of another session that changes nothing; see `TableSession`.

    Args:
        whole: the other session.
    """

    def __init__(self, whole: TableSession) -> None:
        self._whole = whole

    @property
    @override
    def game(self) -> str:
        return self._whole.game

    @property
    @override
    def package(self) -> str:
        return self._whole.package

    @property
    @override
    def match(self) -> Match | None:
        return self._whole.match

    @property
    @override
    def people(self) -> tuple[int, ...]:
        return self._whole.people

    @property
    @override
    def names(self) -> tuple[str, ...]:
        return self._whole.names

    @property
    @override
    def attended(self) -> bool:
        return self._whole.attended

    @override
    async def updates(self) -> AsyncGenerator[Update, None]:
        stream = self._whole.updates()
        try:
            async for update in stream:
                yield update
        finally:
            await stream.aclose()

    @override
    def answer(self, ask: Ask, answer: Answer) -> None:
        self._whole.answer(ask, answer)

    @override
    def drawn(self, window: int) -> None:
        self._whole.drawn(window)

    @override
    def react(self, window: int, seat: int, answer: Answer, milliseconds: int) -> None:
        self._whole.react(window, seat, answer, milliseconds)

    @override
    def interject(self, seat: int, name: str, value: Any) -> None:
        self._whole.interject(seat, name, value)

    @override
    def say(self, text: str, to: int | None = None, seat: int | None = None) -> None:
        self._whole.say(text, to, seat)

    @override
    def input_ended(self) -> bool:
        return self._whole.input_ended()

    @property
    @override
    def commands(self) -> TableCommands | None:
        return self._whole.commands

    @override
    def lobby(self) -> list[tuple[str, Mapping[str, Any]]]:
        return self._whole.lobby()

    @override
    def table(self) -> TableFacts | None:
        return self._whole.table()

    @override
    def how_to_return(self) -> tuple[str, Mapping[str, Any]]:
        return self._whole.how_to_return()
