"""What each frontend of this machine sees of a moment: several may show one match, each to another seat.

A match takes one snapshot for each event (`Match.look`). Here it has a part for each frontend, by its view
and in its language, and a frontend gets only its own.
"""

from __future__ import annotations

from typing import Protocol
from weakref import WeakKeyDictionary, WeakSet

from tavolata._engine.match.match import Match
from tavolata._engine.match.updates import Told, Update


class Looker(Protocol):
    """A frontend, as far as it looks at a match."""

    def look(self) -> object:
        """Return what it sees at this moment."""


class Eyes:
    def __init__(self) -> None:
        self.frontends: WeakSet[Looker] = WeakSet()

    def __call__(self) -> Sights:
        """Return what every frontend sees now."""
        return Sights({frontend: frontend.look() for frontend in self.frontends})


class Sights:
    def __init__(self, seen: dict[Looker, object]) -> None:
        self._seen = WeakKeyDictionary(seen)

    def of(self, frontend: Looker) -> object:
        """Return what this frontend saw; None if it did not look then."""
        return self._seen.get(frontend)


def watch(match: Match | None, frontend: Looker) -> None:
    """Have a frontend look at each event of a match from now on."""
    if match is None:
        return
    if not isinstance(match.look, Eyes):
        match.look = Eyes()
    match.look.frontends.add(frontend)


def as_seen_by(update: Update, frontend: Looker) -> Update:
    """Return an update with what this frontend saw of it; the others' sights stay theirs."""
    if not isinstance(update, Told):
        return update
    return update._replace(seen=update.seen.of(frontend) if isinstance(update.seen, Sights) else None)
