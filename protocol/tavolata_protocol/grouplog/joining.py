"""Asking to be let in: a newcomer, or a member that finds itself taken out, once a second until it is heard.

Who is let in is decided at the sequencer, by its application (`reconfiguring.py`).
"""

from __future__ import annotations

from tavolata_protocol.grouplog.office import Office
from tavolata_protocol.grouplog.roles import State
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire


class Joining:
    """Whom to ask, and when again."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._via: PeerId | None = None
        self._again = 0.0

    def ask(self, via: PeerId | None) -> None:
        """Ask that peer, from now on."""
        self._via, self._again = via, self._office.desk.now

    @property
    def wanted(self) -> bool:
        """Whether this peer has to ask."""
        return self._office.desk.state is State.JOINING or self._office.is_stranger

    def due(self) -> float | None:
        """When it asks next."""
        return self._again if self.wanted else None

    def tick(self) -> None:
        """Ask, if it is time."""
        desk = self._office.desk
        if self.wanted and desk.now >= self._again:
            self._again = desk.now + desk.timing.repeat
            whom = desk.sequencer or self._via
            if whom is not None:
                desk.send(whom, wire.Join(desk.birth), reliable=False)
