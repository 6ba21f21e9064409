"""The vote of a machine whose own player is away from the keyboard: it votes as the people it serves wish."""

from __future__ import annotations

from typing import Final

from tavolata._engine.peer.link import TableLink
from tavolata._engine.peer.machine import Machine
from tavolata._engine.table import log_bodies
from tavolata._engine.table.log_bodies import Light, Wish

IDLE: Final = 60.0
"""Seconds without a key of the machine's own player after which its people decide."""
COUNT: Final = 10.0
"""Seconds in which anyone may still hold a stop."""


class Serving:
    """A machine's vote as more than half of its people who are here wish; to end a match, as all of them do.

    `stirred_at` is when the machine's own player last pressed a key.
    """

    def __init__(self, machine: Machine, link: TableLink) -> None:
        self._machine = machine
        self._state = machine.state
        self._link = link
        self.stirred_at = link.now()
        self._stops_at: float | None = None
        self._voted: set[tuple[object, Wish]] = set()

    @property
    def stops_in(self) -> float | None:
        """The seconds until this machine votes to stop for today; None if its people don't wish that."""
        return None if self._stops_at is None else max(0.0, self._stops_at - self._link.now())

    def work(self) -> None:
        """Vote, or take a vote back that the people here don't wish any more."""
        before, self._stops_at = self._stops_at, None
        if self._state.matches.standing is None or not self._decides():
            return
        self._go_back()
        if self._state.matches.running is None or not self._machine.has_part:
            return
        self._stop(before)
        played = self._state.matches.played
        without, end = (played, Wish.WITHOUT), (played, Wish.END)
        if without not in self._voted and self._is_wished(Wish.WITHOUT):
            if self._machine.why_not_continue() is None:
                self._voted.add(without)
                self._machine.wish_continuation()
        elif end not in self._voted and self._is_wished(Wish.END, all_=True):
            self._voted.add(end)
            self._machine.playing.vote_to_end()

    def _go_back(self) -> None:
        matches = self._state.matches
        snapshot, said = matches.continuation.snapshot, matches.continuation.wishes.get(self._state.me)
        if snapshot is None or self._machine.why_not_go_back() is not None:
            return
        vote, wished = ((matches.played, snapshot.turns), Wish.BACK), self._is_wished(Wish.BACK)
        if wished and said is None and vote not in self._voted:
            self._voted.add(vote)
            self._machine.wish_to_go_back()
        elif not wished and said == frozenset() and vote in self._voted:
            self._voted.discard(vote)
            self._machine.wish_to_go_back()

    def _stop(self, before: float | None) -> None:
        now, voted = self._link.now(), self._state.me in self._state.matches.stopping
        vote = (self._state.matches.played, Wish.STOP)
        if not self._is_wished(Wish.STOP):
            if voted and vote in self._voted:
                self._link.propose(log_bodies.SUSPEND, False)
            self._voted.discard(vote)
        elif not voted and self._state.me in self._state.matches.dealing.present:
            self._stops_at = now + COUNT if before is None else before
            if now >= self._stops_at and self._link.propose(log_bodies.SUSPEND, True):
                self._voted.add(vote)
                self._stops_at = now + COUNT  # and once more if the table refuses it
            self._link.tick_in(self._stops_at - now + 0.01)

    def _decides(self) -> bool:
        """Return True if the machine's own player has no seat, or has pressed no key for long."""
        own = self._state.roster.place_of(self._state.me)
        idle = self._link.now() - self.stirred_at
        if own is None or own.level is not None or idle >= IDLE:
            return True
        self._link.tick_in(IDLE - idle + 0.01)
        return False

    def _is_wished(self, wish: Wish, *, all_: bool = False) -> bool:
        roster = self._state.roster
        here = [
            place.person
            for place in roster.places
            if place.peer == self._state.me and place.companion and not place.unattended
            and roster.lights.get(place.person, Light.HERE) is Light.HERE
        ]  # fmt: skip
        wishing = sum(person in here for person in self._state.wishes.of(wish))
        return bool(here) and (wishing == len(here) if all_ else 2 * wishing > len(here))
