"""One machine's watch over the host: it votes when it has not heard the host for a while."""

from __future__ import annotations

from tavolata._engine.peer.link import TableLink
from tavolata._engine.table import log_bodies
from tavolata._engine.table.roster import UNHEARD
from tavolata._engine.table.table_state import TableState

LOOKS = 1.0
"""Seconds between two looks."""
SLEPT = 2.0
"""Seconds between two looks after which this machine itself must have slept; it then accuses nobody."""
AGAIN = 5.0
"""Seconds after which a vote that is not in the log is proposed again."""


class HostWatch:
    def __init__(self, link: TableLink, state: TableState) -> None:
        self._link = link
        self._state = state
        self._host = b""
        self._heard = 0.0
        self._looked = link.now()
        self._said: tuple[bool, float] | None = None

    def on_entry(self, author: bytes) -> None:
        """Note that the author of a log entry is there, however it was heard."""
        if author == self._host:
            self._heard = self._link.now()

    def work(self) -> None:
        """Vote, withdraw a vote or, as a host, announce that this machine is here."""
        state, now = self._state, self._link.now()
        self._link.tick_in(LOOKS)
        host, slept = state.roster.host, now - self._looked > SLEPT
        self._looked = now
        if host != self._host or slept:
            self._host, self._heard = host, now
        if state.me == host or state.me in state.succession.displaced:
            if state.succession.votes or state.me != host:
                self._say(False, now)
            return
        if (heard := self._link.heard(host)) is not None:
            self._heard = max(self._heard, heard)
        unheard = now - self._heard >= UNHEARD
        if state.me in state.succession.seated and unheard is not (state.me in state.succession.votes):
            self._say(unheard, now)

    def _say(self, yes: bool, now: float) -> None:
        if self._said is None or self._said[0] is not yes or now - self._said[1] >= AGAIN:
            self._said = (yes, now)
            self._link.propose(log_bodies.VOTE_HOST, yes)
