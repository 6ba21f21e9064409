"""One machine's knowledge of everyone's presence: lights of people in browsers, and silent machines."""

from __future__ import annotations

from typing import Final

from tavolata._engine.match.updates import LobbyChanged
from tavolata._engine.peer.link import TableLink
from tavolata._engine.sessions.table_facts import AwaitedPlayer
from tavolata._engine.table.log_bodies import KEY_SIZE, Light, Place
from tavolata._engine.table.table_state import TableState

QUIET: Final = 8.0
"""Seconds without a packet after which a machine isn't heard; a session pings after 5."""
COUNT: Final = 5.0
"""Seconds from everyone's being ready to the start."""


class Presence:
    """Since when, by this machine's clock, each light is as it is, and each question is open."""

    def __init__(self, state: TableState, link: TableLink) -> None:
        self._state = state
        self._link = link
        self._heard: dict[bytes, float] = {}
        self._lights: dict[bytes, tuple[Light, float]] = {}
        self._asked: dict[int, float] = {}
        self._slept = link.now()
        self._ready: float | None = None

    def look(self) -> None:
        """Note what has changed, and that screens have to show it."""
        now, roster = self._link.now(), self._state.roster
        if now - self._slept > QUIET / 2:  # this machine slept: it accuses nobody
            self._heard = dict.fromkeys(self._heard, now)
        self._slept = now
        for peer in dict.fromkeys(place.peer for place in roster.places):
            if (heard := self._link.heard(peer)) is not None:
                self._heard[peer] = max(self._heard.get(peer, heard), heard)
        before, self._lights = self._lights, {}
        for place in roster.places:
            light = self._light(place, now)
            was, since = before.get(place.person, (Light.HERE, now))
            self._lights[place.person] = (light, since if was is light else now)
            if was is not light:
                self._state.out.append(LobbyChanged())
        self._count(now)
        running = self._state.matches.running
        asks = [] if running is None else [ask.id for ask in running.match.source.open if ask.box is None]
        self._asked = {ask: self._asked.get(ask, now) for ask in asks}

    def _count(self, now: float) -> None:
        """Note since when everyone has been ready."""
        before = self._ready
        self._ready = (now if before is None else before) if self._state.lobby.all_ready else None
        if (before is None) is not (self._ready is None):
            self._state.out.append(LobbyChanged())
        if self._ready is not None:
            self._link.tick_in(max(0.01, self._ready + COUNT - now + 0.01))

    @property
    def starts_in(self) -> float | None:
        """The seconds until the match begins, since everyone is ready; None while someone isn't."""
        return None if self._ready is None else max(0.0, self._ready + COUNT - self._link.now())

    def _light(self, place: Place, now: float) -> Light:
        if now - self._heard.get(place.peer, now) >= QUIET:
            return Light.UNHEARD
        return self._state.roster.lights.get(place.person, Light.HERE)

    def light_of(self, place: Place) -> Light:
        return self._lights.get(place.person, (Light.HERE, 0.0))[0]

    def awaited(self) -> tuple[AwaitedPlayer, ...]:
        """Return the people with a question to answer, in the order of their questions; no bots."""
        running, roster, now = self._state.matches.running, self._state.roster, self._link.now()
        found = []
        for ask in () if running is None else running.match.source.open:
            place = roster.places[int(ask.seat)] if int(ask.seat) < len(roster.places) else None
            if ask.box is not None or place is None or place.level is not None or place.unattended:
                continue
            light, since = self._lights.get(place.person, (Light.HERE, now))
            found.append(AwaitedPlayer(
                int(ask.seat), place.name, light, now - self._asked.get(ask.id, now), now - since,
                bool(place.companion), len(place.person) > KEY_SIZE and place.peer == self._state.me,
                self._state.wishes.waits(int(ask.seat)),
            ))  # fmt: skip
        return tuple(found)
