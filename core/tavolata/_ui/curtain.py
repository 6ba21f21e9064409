"""The curtain between several people at one keyboard, which keeps their secrets from each other.

Every frontend asks the curtain before it shows something that only one of the people may know. Of each
moment a frontend gets what itself saw: several may show one match, each to another seat. A match takes one
snapshot for each event (`Match.look`), with a part for each frontend, by its view and in its language.
"""

from __future__ import annotations

from typing import Protocol
from weakref import WeakKeyDictionary, WeakSet

from tavolata._engine.match.match import Match
from tavolata._engine.match.updates import Told, Update
from tavolata._engine.sessions.session import TableSession
from tavolata._ui.answers import is_go
from tavolata.asks import Ask
from tavolata.messages import N_

LOOK_AWAY = N_("It's {seat}'s turn. Everyone else, look away. {seat}, press Enter.")


class Curtain:
    """The state of the curtain.

    It's used only if it's `drawn`. `unveiled` is the seat of the only player who looks at the screen now;
    None for everyone.
    """

    def __init__(self, session: TableSession, *, drawn: bool = True) -> None:
        self._session = session
        self._drawn = drawn
        self.unveiled: int | None = None
        self._looked: int | None = None

    @property
    def several(self) -> bool:
        """Return True if several people sit at this keyboard and must not see each other's secrets."""
        return self._drawn and len(self._session.people) > 1

    def seat(self) -> int | None:
        """The seat of the player who looks at the screen now; None for everyone or a spectator."""
        if self.several:
            return self.unveiled
        return self._session.people[0] if self._session.people else None

    def hides(self, ask: Ask, *, told: bool) -> bool:
        """Return True if the others have to look away before this question is shown.

        `told`: its seat has received secret news.
        """
        if not self.several or self.unveiled == ask.seat or is_go(ask.question):
            return False
        match = self._session.match
        assert match is not None
        return told or ask.sealed or match.view(ask.seat).zones() != match.view(None).zones()

    def asked(self, ask: Ask, *, mine: bool) -> None:
        """Note that a seat is asked. If the same seat is asked twice in a row, its player still looks."""
        if mine and ask.seat == self._looked:
            self.unveiled = self._looked
        self._looked = None

    def lift(self, seat: int) -> None:
        self.unveiled = seat

    def fall(self) -> None:
        self._looked, self.unveiled = self.unveiled, None


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


class Sights(WeakKeyDictionary[Looker, object]):
    """What each frontend saw at one moment."""


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
    return update._replace(seen=update.seen.get(frontend) if isinstance(update.seen, Sights) else None)
