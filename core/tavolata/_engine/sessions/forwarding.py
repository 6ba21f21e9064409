"""A forwarding session, which passes every call on to another session; wrappers of sessions build on it."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from typing_extensions import override

from tavolata._engine.sessions.session import TableSession
from tavolata.asks import Ask
from tavolata.choices import Answer
from tavolata.errors import Refused
from tavolata.messages import N_


def _forwarded(name: str) -> Any:
    return property(attrgetter(f"_whole.{name}"))


class ForwardingSession(TableSession):
    """A wrapper of a session, or of some of its seats: it passes on every call that it doesn't override."""

    def __init__(self, whole: TableSession) -> None:
        self._whole = whole

    game = _forwarded("game")
    package = _forwarded("package")
    match = _forwarded("match")
    match_file = _forwarded("match_file")
    people = _forwarded("people")
    names = _forwarded("names")
    looks = _forwarded("looks")
    keys = _forwarded("keys")
    choose_look = _forwarded("choose_look")
    attended = _forwarded("attended")
    updates = _forwarded("updates")
    drawn = _forwarded("drawn")
    say = _forwarded("say")
    stirred = _forwarded("stirred")
    input_ended = _forwarded("input_ended")
    commands = _forwarded("commands")
    lobby = _forwarded("lobby")
    table = _forwarded("table")
    how_to_return = _forwarded("how_to_return")

    @override
    def answer(self, ask: Ask, answer: Answer) -> None:
        self._own(ask.seat)
        self._whole.answer(ask, answer)

    @override
    def react(self, window: int, seat: int, answer: Answer, milliseconds: int) -> None:
        self._own(seat)
        self._whole.react(window, seat, answer, milliseconds)

    @override
    def interject(self, seat: int, name: str, value: Any) -> None:
        self._own(seat)
        self._whole.interject(seat, name, value)

    @override
    def take_back(self, seats: tuple[int, ...] | None = None) -> None:
        for seat in seats or ():
            self._own(seat)
        self._whole.take_back(self.people if seats is None else seats)

    @override
    def advise(self, ask: Ask) -> None:
        self._own(ask.seat)
        self._whole.advise(ask)

    def _own(self, seat: int) -> None:
        if seat not in self.people:
            raise Refused(N_("That question is closed."))
