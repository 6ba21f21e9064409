"""Asking to be let in: a newcomer, or a member that finds itself taken out, once a second until it is heard.

Who is let in is decided at the sequencer, by its application (`reconfiguring.py`). Whom it asked is all that
a newcomer can go by: so the log is taken from nobody else, until it says itself who votes.
"""

from __future__ import annotations

from tavolata_protocol.grouplog.leadership import Office
from tavolata_protocol.grouplog.roles import State
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire


class Joining:
    """Whom to ask, when again, and who was named as the one that orders."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._via: PeerId | None = None
        self._named: tuple[PeerId | None, float] = (None, 0.0)
        self._again = 0.0
        self._around = 0.0

    def ask(self, via: PeerId | None) -> None:
        """Ask that peer, from now on."""
        self._via, self._again = via, self._office.desk.now

    def point_to(self, sequencer: PeerId) -> None:
        """Somebody who was asked names the one that orders."""
        if sequencer != self._named[0]:
            self._again = self._office.desk.now
        self._named = (sequencer, self._office.desk.now)

    @property
    def wanted(self) -> bool:
        """Whether this peer has to ask."""
        return self._office.desk.state is State.JOINING or self._office.is_stranger

    def asks(self, peer: PeerId) -> bool:
        """Whether that peer is asked, or was just named as the one that orders by one who is."""
        return peer == self._recently_named or (self.wanted and peer == self._via)

    def knows(self, peer: PeerId) -> bool:
        """Whether that peer was ever pointed out: by the application last, or by whom it asked."""
        return peer in (self._via, self._named[0])

    @property
    def _recently_named(self) -> PeerId | None:
        peer, at = self._named
        return peer if self._office.desk.now - at < self._office.desk.timing.takeover else None

    def due(self) -> float | None:
        """When it asks next."""
        return self._again if self.wanted else None

    def tick(self) -> None:
        """Ask, if it is time."""
        desk = self._office.desk
        if self.wanted and desk.now >= self._again:
            self._again = desk.now + desk.timing.repeat
            if self._office.elections.hears_sequencer:
                self._ask(desk.sequencer)
            else:
                self._ask(desk.sequencer, self._named[0], self._via)

    def ask_around(self) -> None:
        """Ask the voters who orders, once a second: somebody unknown says that it does."""
        desk = self._office.desk
        if desk.now >= self._around:
            self._around = desk.now + desk.timing.repeat
            self._ask(*desk.configuration.voters)

    def _ask(self, *whom: PeerId | None) -> None:
        desk = self._office.desk
        for peer in dict.fromkeys(whom):
            if peer is not None:
                desk.send(peer, wire.Join(desk.birth), reliable=False)
