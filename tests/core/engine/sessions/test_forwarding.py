"""Forwarding sessions: a wrapper that passes on what is said for its own seats."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tavolata._engine.sessions.session import ForwardingSession, TableSession
from tavolata.errors import Refused

FOR_SEATS: dict[str, Callable[[TableSession, int], object]] = {
    "answer": lambda session, seat: session.answer(SimpleNamespace(seat=seat), None),  # type: ignore[arg-type]  # all it needs of a question
    "react": lambda session, seat: session.react(1, seat, 0, 250),
    "interject": lambda session, seat: session.interject(seat, "speak", None),
    "take_back": lambda session, seat: session.take_back((seat,)),
    "advise": lambda session, seat: session.advise(SimpleNamespace(seat=seat)),  # type: ignore[arg-type]  # as above
}


class _Whole:
    """A session of seat 1 whose every member is its own name, or notes its call."""

    people = (1,)

    def __init__(self) -> None:
        self.called: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name in FOR_SEATS:
            return lambda *_: self.called.append(name)
        return name


def test_a_wrapper_has_every_member_of_a_session_from_the_other_session() -> None:
    """Whatever a frontend may call reaches the other session, also what is added to the contract later."""
    members = {name for name in vars(TableSession) if not name.startswith("_")} - {*FOR_SEATS, "people"}
    assert {"match", "say", "table"} <= members
    whole = _Whole()
    one = ForwardingSession(cast("TableSession", whole))
    one.take_back()
    assert whole.called == ["take_back"]
    assert {name: getattr(one, name) for name in members} == {name: name for name in members}


@pytest.mark.parametrize("name", FOR_SEATS)
def test_what_is_said_for_a_seat_passes_for_ones_own_alone(name: str) -> None:
    """What is done for another's seat, or taken back there, is refused, and changes nothing."""
    whole = _Whole()
    one = ForwardingSession(cast("TableSession", whole))
    FOR_SEATS[name](one, 1)
    with pytest.raises(Refused):
        FOR_SEATS[name](one, 0)
    assert whole.called == [name]
