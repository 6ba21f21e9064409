"""The roster of a table: places, watchers, the host, and the leader of the log."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence

from tavolata._engine.match.updates import Notice, Update
from tavolata._engine.table.log_bodies import HERE, LEFT, Place
from tavolata._text import MAX_NAME, Verbatim, one_line
from tavolata.errors import Refused
from tavolata.messages import N_
from tavolata_protocol.addresses import is_loopback

NO_NAME = N_("A name has 1 to {n} letters or other signs that can be shown, and no @.")


class TableRoster:
    """The people and peers at a table.

    Args:
        me: this peer's identity.
        out: takes the updates for the frontends.

    Attributes:
        host: the identity of the peer that opened the table, or is its host now; empty before it is open.
        leader: the leader of the log, according to the log's entries.
        places: the places in turn order.
        watchers: the names of the watchers, by peer.
        addresses: the addresses of the peers.
        pages: by peer, the TCP port and the token of the pages that its machine serves to browsers.
        looks: by peer, the hue and the mark that its player chose; see `free_look`.
    """

    def __init__(self, me: bytes, out: deque[Update]) -> None:
        self.me = me
        self.out = out
        self.host = b""
        self.leader = b""
        self.places: list[Place] = []
        self.watchers: dict[bytes, str] = {}
        self.addresses: dict[bytes, tuple[str, int]] = {}
        self.pages: dict[bytes, tuple[int, str]] = {}
        self.looks: dict[bytes, tuple[int, int]] = {}

    # -- queries ------------------------------------------------------------------------------

    def place_of(self, peer: bytes) -> Place | None:
        """The place of a peer's own player; the host's extra bots do not count."""
        return next((place for place in self.places if place.peer == peer and place.own), None)

    def with_status(self, status: str) -> list[Place]:
        """The places with this status: "here", "away" or "left"."""
        return [place for place in self.places if place.status == status]

    def people(self) -> list[Place]:
        """The places of people at other machines."""
        return [place for place in self.places if place.level is None and place.peer != self.me]

    def belongs(self, peer: bytes) -> bool:
        """Whether a peer plays or watches here."""
        return peer in self.watchers or self.place_of(peer) is not None

    def name_of(self, peer: bytes) -> str:
        """The name of a peer."""
        place = self.place_of(peer)
        return place.name if place is not None else self.watchers.get(peer, "?")

    def unused(self, name: str) -> str:
        """A cleaned name, made different from all names at the table."""
        taken = {place.name for place in self.places} | set(self.watchers.values())
        name = one_line(name, MAX_NAME).replace("@", "") or "?"
        number, free = 1, name
        while free in taken:
            number += 1
            free = f"{name} {number}"
        return Verbatim(free)

    def is_taken(self, name: str, peer: bytes) -> bool:
        """Whether somebody here but the player at this peer has a name; `Ann` and `ann` are one name."""
        mine = self.place_of(peer)
        names = {place.name for place in self.places if place is not mine}
        names |= {other for one, other in self.watchers.items() if one != peer}
        return name.casefold() in {one.casefold() for one in names}

    @property
    def owners(self) -> dict[bytes, str]:
        """By peer, the name of the first player on its machine, as far as addresses show it.

        The host's machine is the host's. Peers in browsers have the address of the machine that serves them.
        """
        own, _ = self.addresses.get(self.host, ("", 0))
        peers = dict.fromkeys([self.host, *(place.peer for place in self.places), *self.watchers])
        first: dict[str, str] = {}
        owners = {}
        for peer in peers:
            host, _ = self.addresses.get(peer, ("", 0))
            if peer == self.host or is_loopback(host) or (host and host == own):
                owners[peer] = self.name_of(self.host)
            elif host:
                owners[peer] = first.setdefault(host, self.name_of(peer))
        return owners

    @property
    def other_pages(self) -> list[tuple[str, str, int, str]]:
        """The pages for browsers on other machines: a player's name there, address, port and token."""
        away = {place.peer for place in self.places if place.status != HERE}
        return [
            (self.name_of(peer), self.addresses[peer][0], port, token)
            for peer, (port, token) in self.pages.items()
            if peer != self.me and self.belongs(peer) and peer not in away and peer in self.addresses
        ]

    def look_of(self, seat: int) -> tuple[int, int] | None:
        """The hue and the mark that the player of a seat chose; None without a choice, and for bots."""
        place = self.places[seat]
        return self.looks.get(place.peer) if place is self.place_of(place.peer) else None

    @property
    def host_or_first(self) -> bytes:
        """The host, or the first present peer while the host is away."""
        host = self.place_of(self.host)
        if host is None or host.status == HERE:
            return self.host
        return next((place.peer for place in self.with_status(HERE)), self.host)

    def may_report(self, peer: bytes) -> bool:
        """Whether a peer may report presence: the leader of the log and the host may.

        While the host is away, everybody may, since it takes a while to know the next leader.
        """
        host = self.place_of(self.host)
        return peer in (self.host, self.leader) or (host is not None and host.status != HERE)

    def expect_host(self, peer: bytes) -> None:
        """Check that a peer is the host.

        Raises:
            Refused: it is not.
        """
        if peer != self.host:
            raise Refused(N_("Only the host can do that."))

    # -- changes ------------------------------------------------------------------------------

    def seat_as(self, keys: Sequence[bytes], absent: Collection[bytes]) -> None:
        """The seats of a match that goes on stay whose they were; who is not in it has left."""
        for place in self.places:
            if place.peer in keys:
                place.status = LEFT if place.peer in absent else HERE

    def rename(self, peer: bytes, name: str) -> None:
        """Give the player at a peer, or who watches from there, another name."""
        place = self.place_of(peer)
        if place is not None:
            place.name = Verbatim(name)
        else:
            self.watchers[peer] = Verbatim(name)

    def unseat(self, place: Place) -> None:
        """Take the place of a player who is away between two matches; after a return, that player watches."""
        self.places.remove(place)
        self.watchers[place.peer] = place.name

    def reset_ready(self) -> None:
        """Set all players but bots to not ready, since the terms have changed."""
        for place in self.places:
            place.ready = place.level is not None

    def pass_on(self) -> None:
        """Make the first present player the host, people before bots."""
        here = self.with_status(HERE)
        heir = next((place for place in here if place.level is None), next(iter(here), None))
        if heir is not None:
            self.host = heir.peer
            self.out.append(Notice(N_("{name} keeps the table now."), {"name": heir.name}))

    def tell_refusal(self, author: bytes, refusal: Refused, seat: int | None = None) -> None:
        """Tell a refusal only to the author, and not at all if the author is a bot."""
        by_bot = seat is not None and (self.places[seat].level is not None or self.places[seat].stand_in)
        if author == self.me and not by_bot:
            self.out.append(Notice(refusal.message, refusal.params, wrong=True, seat=seat))
