"""A forwarding session, which passes every call on to another session; wrappers of sessions build on it."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from tavolata._engine.sessions.session import TableSession


def _forwarded(name: str) -> Any:
    """A property whose value is the other session's attribute or method of this name."""
    return property(attrgetter(f"_whole.{name}"))


class ForwardingSession(TableSession):
    """A wrapper of another session that changes nothing; see `TableSession`.

    Args:
        whole: the other session.
    """

    def __init__(self, whole: TableSession) -> None:
        self._whole = whole

    game = _forwarded("game")
    package = _forwarded("package")
    match = _forwarded("match")
    people = _forwarded("people")
    names = _forwarded("names")
    looks = _forwarded("looks")
    keys = _forwarded("keys")
    choose_look = _forwarded("choose_look")
    attended = _forwarded("attended")
    updates = _forwarded("updates")
    answer = _forwarded("answer")
    drawn = _forwarded("drawn")
    react = _forwarded("react")
    interject = _forwarded("interject")
    say = _forwarded("say")
    take_back = _forwarded("take_back")
    stirred = _forwarded("stirred")
    input_ended = _forwarded("input_ended")
    commands = _forwarded("commands")
    lobby = _forwarded("lobby")
    table = _forwarded("table")
    how_to_return = _forwarded("how_to_return")
