"""The roster of a table: who sits where, who looks on, who is the host, who leads the log."""

from __future__ import annotations

from collections import deque

from tavolata._engine.match.updates import Notice, Update
from tavolata._engine.table.log_bodies import HERE, Place
from tavolata._text import one_line
from tavolata.errors import Refused
from tavolata.messages import N_

MAX_NAME = 24


class TableRoster:
    """Who is at a table.

    Args:
        me: the own identity.
        out: takes what happened, for whoever shows it.

    Attributes:
        host: the identity of the peer that opened the table, or keeps it now; empty before it is open.
        leader: who leads the log, as its own entries say.
        places: who sits, in turn order.
        watchers: names of those who watch, by peer.
    """

    def __init__(self, me: bytes, out: deque[Update]) -> None:
        self.me = me
        self.out = out
        self.host = b""
        self.leader = b""
        self.places: list[Place] = []
        self.watchers: dict[bytes, str] = {}

    # -- looking ------------------------------------------------------------------------------

    def place_of(self, peer: bytes) -> Place | None:
        """The place that a peer's own player has (bots of the host are not its own)."""
        return next((place for place in self.places if place.peer == peer), None)

    def with_status(self, status: str) -> list[Place]:
        """The places whose players are here, away, or gone for good."""
        return [place for place in self.places if place.status == status]

    def people(self) -> list[Place]:
        """The places of people at other machines."""
        return [place for place in self.places if place.level is None and place.peer != self.me]

    def belongs(self, peer: bytes) -> bool:
        """Whether a peer sits here or looks on."""
        return peer in self.watchers or self.place_of(peer) is not None

    def name_of(self, peer: bytes) -> str:
        """What a peer is called."""
        place = self.place_of(peer)
        return place.name if place is not None else self.watchers.get(peer, "?")

    def unused(self, name: str) -> str:
        """A name, made plain, and unlike all that are at the table."""
        taken = {place.name for place in self.places} | set(self.watchers.values())
        name = one_line(name, MAX_NAME).replace("@", "") or "?"
        number, free = 1, name
        while free in taken:
            number += 1
            free = f"{name} {number}"
        return free

    @property
    def host_or_first(self) -> bytes:
        """The host, or the first who is here while the host is away."""
        host = self.place_of(self.host)
        if host is None or host.status == HERE:
            return self.host
        return next((place.peer for place in self.with_status(HERE)), self.host)

    def may_report(self, peer: bytes) -> bool:
        """Whether a peer may say who is heard, and where: the leader of the log, and the host.

        While the host is away anybody may: who leads next is not settled at once.
        """
        host = self.place_of(self.host)
        return peer in (self.host, self.leader) or (host is not None and host.status != HERE)

    # -- changing -----------------------------------------------------------------------------

    def unseat(self, place: Place) -> None:
        """A player who is away between two matches watches, if it comes back."""
        self.places.remove(place)
        self.watchers[place.peer] = place.name

    def reset_ready(self) -> None:
        """Nobody is ready for what was not said yet, but for bots."""
        for place in self.places:
            place.ready = place.level is not None

    def pass_on(self) -> None:
        """The first who is here keeps the table from now on, people before bots."""
        here = self.with_status(HERE)
        heir = next((place for place in here if place.level is None), next(iter(here), None))
        if heir is not None:
            self.host = heir.peer
            self.out.append(Notice(N_("{name} keeps the table now."), {"name": heir.name}))

    def tell_refusal(self, author: bytes, refusal: Refused, seat: int | None = None) -> None:
        """Tell whoever tried it, and nobody else; what a bot tried is of no interest to anybody."""
        by_bot = seat is not None and (self.places[seat].level is not None or self.places[seat].stand_in)
        if author == self.me and not by_bot:
            self.out.append(Notice(refusal.message, refusal.params, wrong=True, seat=seat))
