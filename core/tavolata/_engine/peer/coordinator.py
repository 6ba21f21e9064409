"""The duties of the coordinator: to begin the match, and to decide about absent players if nobody else does.

The coordinator (`state.matches.coordinator`) is the host, or whoever is in its place.
"""

from __future__ import annotations

from tavolata._engine.match.header import BLIND, HOST
from tavolata._engine.match.state import pack
from tavolata._engine.peer.link import TableLink
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.peer.presence import Presence
from tavolata._engine.table import log_bodies
from tavolata._engine.table.table_state import TableState
from tavolata.errors import Refused
from tavolata_protocol.entries import Entry


class Coordinator:
    """The coordinator's work; on other peers it does nothing."""

    def __init__(
        self, link: TableLink, state: TableState, settings: PeerSettings, presence: Presence
    ) -> None:
        self._link = link
        self._state = state
        self._settings = settings
        self._presence = presence
        self._wanted = -1
        self._start = b""
        """The START that this peer has proposed, unless a match began with it."""
        self._gone: dict[bytes, float] = {}

    def begin(self) -> None:
        self._wanted, self._start = self._state.matches.played, b""

    def see(self, entry: Entry) -> None:
        """Note a final entry: the match may have begun with it."""
        if entry.author == self._state.me and entry.body == self._start and self._state.matches.is_busy:
            self._start = b""

    def work(self) -> None:
        # The machine in an absent host's place only says when time is up.
        if self._state.matches.coordinator == self._state.me == self._state.roster.host:
            self._start_if_ready()
            self._decide_if_nobody_does()

    def _start_if_ready(self) -> None:
        """Begin on request, once everyone has been ready for long enough, or once when all places are taken.

        Everyone's copy has to count by then: agreements survive the loss of any one copy.
        """
        state = self._state
        by_itself = self._settings.at_once and not state.matches.played and state.lobby.free <= 0
        if (
            state.matches.is_busy
            or state.lobby.editions.of_table is None
            or not state.lobby.has_enough
            or not (by_itself or self._wanted == state.matches.played or self._presence.starts_in == 0.0)
        ):
            return
        voters = self._link.voters
        try:
            seated = state.lobby.terms().keys
        except Refused:
            return  # the lobby says why
        if all(peer in voters for peer in seated):
            self._begin()

    def _begin(self) -> None:
        pace = self._settings.pace
        if pace is None and any(place.level is None for place in self._state.roster.places):
            pace = 0
        header = pack(self._state.lobby.terms(pace).plain())
        said = (log_bodies.START, header, self._state.roster.leader)
        body = pack(said)
        # The table would refuse the same START again, until somebody comes, goes or changes something.
        if body != self._start and self._link.propose(*said):
            self._start = body

    def _decide_if_nobody_does(self) -> None:
        """Decide about an absent player, as the host that deals was told to."""
        now, state = self._link.now(), self._state
        policy = state.lobby.policy_of(HOST)
        waiting = {
            place.peer: seat
            for seat, place in enumerate(state.roster.places)
            if state.matches.running
            and state.matches.why_no_decision(place) is None
            and place.status != log_bodies.HERE
            and not place.decided
            and policy == BLIND
        }
        self._gone = {peer: self._gone.get(peer, now) for peer in waiting}
        patience = self._settings.waits.away
        for peer, since in list(self._gone.items()):
            if now - since >= patience:
                self._gone[peer] = now
                self._link.propose(log_bodies.DECIDE, policy, waiting[peer])
            else:
                self._link.tick_in(since + patience - now + 0.01)
