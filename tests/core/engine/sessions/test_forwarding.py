"""Forwarding sessions: a wrapper that changes nothing."""

from __future__ import annotations

from tavolata._engine.sessions.forwarding import ForwardingSession
from tavolata._engine.sessions.session import TableSession


class _Whole:
    """A session whose every member is its own name."""

    def __getattr__(self, name: str) -> str:
        return name


def test_a_wrapper_has_every_member_of_a_session_from_the_other_session() -> None:
    """Whatever a frontend may call reaches the other session, also what is added to the contract later."""
    members = [name for name in vars(TableSession) if not name.startswith("_")]
    assert {"match", "answer", "table"} <= set(members)
    one = ForwardingSession(_Whole())  # type: ignore[arg-type]  # it answers to every name
    assert [getattr(one, name) for name in members] == members
