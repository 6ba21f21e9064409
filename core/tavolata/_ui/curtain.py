"""The curtain between several people at one keyboard, which keeps their secrets from each other.

Every frontend asks the curtain before it shows something that only one of the people may know.
"""

from __future__ import annotations

from tavolata._engine.sessions.session import TableSession
from tavolata._ui.answers import is_go
from tavolata.asks import Ask
from tavolata.messages import N_

LOOK_AWAY = N_("Now it is {seat}'s turn. Everybody else looks away; {seat} presses Enter.")


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
