"""The curtain between several people at one keyboard: who looks at the screen now, and who must not.

Every face asks here before it shows what one of them alone may know. No face and no words here.
"""

from __future__ import annotations

from tavolata._engine.sessions.session import TableSession
from tavolata._ui.answers import is_go
from tavolata.asks import Ask
from tavolata.messages import N_

LOOK_AWAY = N_("Now it is {seat}'s turn. Everybody else looks away; {seat} presses Enter.")


class Curtain:
    """Who looks.

    Args:
        session: where the people sit.
        drawn: whether there is a curtain at all.

    Attributes:
        unveiled: the seat whose eyes alone look at the screen now; None for everybody's.
    """

    def __init__(self, session: TableSession, *, drawn: bool = True) -> None:
        self._session = session
        self._drawn = drawn
        self.unveiled: int | None = None
        self._looked: int | None = None

    @property
    def several(self) -> bool:
        """Whether several people sit at this keyboard, from whom secrets must be kept."""
        return self._drawn and len(self._session.people) > 1

    def seat(self) -> int | None:
        """The seat whose eyes look at the screen now; None for everybody's, or for those of a spectator."""
        if self.several:
            return self.unveiled
        return self._session.people[0] if self._session.people else None

    def hides(self, ask: Ask, *, told: bool) -> bool:
        """Whether others have to look away before this question is shown.

        Args:
            ask: the question.
            told: whether its seat was told something that the others don't know.
        """
        if not self.several or self.unveiled == ask.seat or is_go(ask.kind):
            return False
        match = self._session.match
        assert match is not None
        return told or ask.sealed or match.view(ask.seat).zones() != match.view(None).zones()

    def asked(self, ask: Ask, *, mine: bool) -> None:
        """Somebody is asked. Who is asked again at once, with nobody in between, still looks."""
        if mine and ask.seat == self._looked:
            self.unveiled = self._looked
        self._looked = None

    def lift(self, seat: int) -> None:
        """This player looks at the screen, alone."""
        self.unveiled = seat

    def fall(self) -> None:
        """Nobody looks alone any more: what was asked is answered."""
        self._looked, self.unveiled = self.unveiled, None
