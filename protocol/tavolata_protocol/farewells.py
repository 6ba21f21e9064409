"""Farewells: this side remembers sessions that it ended for a while, and repeats their close frame."""

from __future__ import annotations

from collections import deque

from tavolata_protocol.links import EndedSession, Link, Routes
from tavolata_protocol.messages.session import Close

MAX_ENDED = 64
"""The most ended sessions that are remembered; the oldest is forgotten first."""


class Farewells:
    """The sessions of one endpoint that have ended.

    Args:
        routes: the endpoint's connection ids; they lead to an ended session while it is remembered.
    """

    def __init__(self, routes: Routes) -> None:
        self._routes = routes
        self._ended: deque[EndedSession] = deque()

    def remember(self, link: Link, close: Close, now: float) -> None:
        """Remember an ended session, to tell its peer, which may sleep or be cut off for a while."""
        if len(self._ended) >= MAX_ENDED:
            self._forget_oldest()
        link.session.forget()
        ended = EndedSession(link, close, now)
        self._ended.append(ended)
        self._routes[link.connection] = ended

    def next_timer(self) -> float | None:
        """When `handle_timer` wants to be called; None for never."""
        return self._ended[0].until if self._ended else None

    def handle_timer(self, now: float) -> None:
        """Forget the sessions whose time is over."""
        while self._ended and self._ended[0].until <= now:
            self._forget_oldest()

    def clear(self) -> None:
        """Forget them all."""
        while self._ended:
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        self._routes.pop(self._ended.popleft().link.connection, None)
