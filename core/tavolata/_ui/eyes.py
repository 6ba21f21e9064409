"""What each face of this machine sees of a moment: several faces may show one match, each to another seat.

A match takes one snapshot for each event (`Match.look`). Here it has a part for each face, by the view and in
the language of that face, and a face gets only its own.
"""

from __future__ import annotations

from typing import Protocol
from weakref import WeakKeyDictionary, WeakSet

from tavolata._engine.match.match import Match
from tavolata._engine.match.updates import Told, Update


class Looker(Protocol):
    """A face, as far as it looks at a match."""

    def look(self) -> object:
        """Return what it sees at this moment."""


class Eyes:
    def __init__(self) -> None:
        self.faces: WeakSet[Looker] = WeakSet()

    def __call__(self) -> Sights:
        """Return what every face sees now."""
        return Sights({face: face.look() for face in self.faces})


class Sights:
    def __init__(self, seen: dict[Looker, object]) -> None:
        self._seen = WeakKeyDictionary(seen)

    def of(self, face: Looker) -> object:
        """Return what this face saw; None if it did not look then."""
        return self._seen.get(face)


def watch(match: Match | None, face: Looker) -> None:
    """Have a face look at each event of a match from now on."""
    if match is None:
        return
    if not isinstance(match.look, Eyes):
        match.look = Eyes()
    match.look.faces.add(face)


def as_seen_by(update: Update, face: Looker) -> Update:
    """Return an update with what this face saw of it; the others' sights stay theirs."""
    if not isinstance(update, Told):
        return update
    return update._replace(seen=update.seen.of(face) if isinstance(update.seen, Sights) else None)
