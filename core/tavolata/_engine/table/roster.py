"""The roster of a table: places, watchers, the leader of the log, and the host with its succession."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from typing import Final

from tavolata._engine.match.updates import LobbyChanged, Notice, Update
from tavolata._engine.table.log_bodies import HERE, KEY_SIZE, LEFT, Light, Place
from tavolata._text import Verbatim, admitted, mixes_scripts, skeleton
from tavolata.errors import Refused
from tavolata.messages import N_
from tavolata_protocol.addresses import is_loopback
from tavolata_protocol.identity import PeerId, fingerprint

NO_NAME = N_("A name must have 1 to {n} printable characters and can't contain @.")
LATELY: Final = 600.0
"""Seconds for which a name that has gone isn't taken for another that it begins with."""
UNHEARD: Final = 15.0
"""Seconds without a packet of the host's after which a peer votes."""


UNKNOWN: Final = Verbatim("?")


class TableRoster:
    """The people and peers at a table.

    Attributes:
        host: the peer that opened the table, or is its host now; empty before it's open.
        leader: the leader of the log, according to the log's entries.
        places: in turn order.
        watchers: names by person; see `Place.person`.
        pages: by peer, the TCP port and the token of the pages that its machine serves to browsers.
        looks: by person, the hue and the mark that they chose; see `free_look`.
        lights: by companion, how its machine sees its page; those not in it are here.
    """

    def __init__(self, me: bytes, out: deque[Update]) -> None:
        self.me = me
        self.out = out
        self.host = b""
        self.leader = b""
        self.places: list[Place] = []
        self.watchers: dict[bytes, Verbatim] = {}
        self.addresses: dict[bytes, tuple[str, int]] = {}
        self.pages: dict[bytes, tuple[int, str]] = {}
        self.looks: dict[bytes, tuple[int, int]] = {}
        self.lights: dict[bytes, Light] = {}
        self._named: dict[str, float] = {}

    # -- queries ------------------------------------------------------------------------------

    def place_of(self, person: bytes) -> Place | None:
        """Return the place of a person, or of a machine's own player; the host's extra bots do not count."""
        return next((place for place in self.places if place.person == person and place.own), None)

    def person_at(self, seat: int) -> bytes:
        """Return the person at a seat, whoever plays it now; nobody if it isn't taken any more."""
        return self.places[seat].person if seat < len(self.places) else b""

    @property
    def here(self) -> list[Place]:
        """The places of those who are present."""
        return [place for place in self.places if place.status == HERE]

    def people(self) -> list[Place]:
        """Return the places of other machines' own players."""
        return [
            place
            for place in self.places
            if place.level is None and place.peer != self.me and not place.companion
        ]

    def belongs(self, person: bytes) -> bool:
        return person in self.watchers or self.place_of(person) is not None

    def may_return(self, person: bytes) -> bool:
        """Return True for someone here or a machine's own player; anyone else who left is new next time."""
        return len(person) == KEY_SIZE or self.belongs(person)

    def is_here(self, peer: bytes) -> bool:
        """Return True if a machine is at the table, if only for someone it serves."""
        return peer in self.watchers or any(place.peer == peer for place in self.places)

    def companions(self, peer: bytes) -> set[bytes]:
        """Return the persons a machine serves, at their places or watching; of a person, no one."""
        seated = {place.person for place in self.places if place.peer == peer and place.companion}
        return seated | {one for one in self.watchers if one != peer and one.startswith(peer)}

    def name_of(self, person: bytes) -> Verbatim:
        place = self.place_of(person)
        return place.name if place is not None else self.watchers.get(person, UNKNOWN)

    def note_names(self, now: float) -> None:
        """Note who is here, for `lately_gone`; only this machine's surface asks."""
        self._named = {name: at for name, at in self._named.items() if now - at < LATELY}
        self._named |= dict.fromkeys([*(place.name for place in self.places), *self.watchers.values()], now)

    def lately_gone(self, now: float) -> tuple[str, ...]:
        """Return the names of those who were here in the last ten minutes and have no seat now."""
        self.note_names(now)
        seated = {place.name for place in self.places}
        return tuple(name for name in self._named if name not in seated)

    @staticmethod
    def called(name: str, peer: bytes) -> Verbatim:
        """Clean a name; one that mixes scripts ends with three signs of its machine's fingerprint."""
        clean = admitted(name)
        mark = f" ({fingerprint(PeerId(peer[:KEY_SIZE]))[:3]})"
        return Verbatim(clean + mark) if mixes_scripts(clean) and not clean.endswith(mark) else clean

    def unused(self, name: str, peer: bytes) -> Verbatim:
        """Clean a name of a machine's, and make it look different from all names at the table."""
        names = {place.name for place in self.places} | set(self.watchers.values())
        taken = set(map(skeleton, names))
        free = first = self.called(name, peer)
        number = 1
        while skeleton(free) in taken:
            number += 1
            free = Verbatim(f"{first} {number}")
        return free

    def is_taken(self, name: str, person: bytes) -> bool:
        """Return True if someone here but this person has a name, or one that looks the same."""
        mine = self.place_of(person)
        names = {place.name for place in self.places if place is not mine}
        names |= {other for one, other in self.watchers.items() if one != person}
        return skeleton(name) in set(map(skeleton, names))

    @property
    def owners(self) -> dict[bytes, Verbatim]:
        """Return, by peer, the name of the first player on its machine, as far as addresses show it.

        The host's machine is the host's. Several peers can run on one machine.
        """
        own, _ = self.addresses.get(self.host, ("", 0))
        watching = (peer for peer in self.watchers if peer in self.addresses)
        peers = dict.fromkeys([self.host, *(place.peer for place in self.places), *watching])
        first: dict[str, Verbatim] = {}
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
        """Return the pages for browsers on other machines: a player's name there, address, port and token."""
        away = {place.peer for place in self.places if place.status != HERE}
        return [
            (self.name_of(peer), self.addresses[peer][0], port, token)
            for peer, (port, token) in self.pages.items()
            if peer != self.me and self.is_here(peer) and peer not in away and peer in self.addresses
        ]

    def look_of(self, seat: int) -> tuple[int, int] | None:
        """Return the hue and mark that the player of a seat chose; None without a choice, and for bots."""
        place = self.places[seat]
        return self.looks.get(place.person) if place.own else None

    def may_report(self, peer: bytes) -> bool:
        """Return True if a peer may report presence: the leader of the log and the host may.

        While the host is away, everyone may, since it takes a while to know the next leader.
        """
        host = self.place_of(self.host)
        return peer in (self.host, self.leader) or (host is not None and host.status != HERE)

    def expect_host(self, peer: bytes) -> None:
        if peer != self.host:
            raise Refused(N_("Only the host can do that."))

    # -- changes ------------------------------------------------------------------------------

    def sits_as(self, keys: Sequence[bytes], names: Sequence[str], bots: Sequence[str | None]) -> bool:
        """Return True if the places are those of a match."""
        seats = zip(keys, names, bots, strict=True)
        return [(place.peer, place.name, place.level) for place in self.places] == [*seats]

    def seat_as(self, keys: Sequence[bytes], absent: Collection[bytes]) -> None:
        """Keep the seats of a match that continues with their players; anyone who is not in it has left.

        Those who hadn't left before it watch: a machine that reconnects doesn't introduce itself again.
        """
        for place in self.places:
            if place.peer in keys:
                if place.peer in absent and place.own and place.status != LEFT:
                    self.watchers[place.person] = place.name
                place.status = LEFT if place.peer in absent else HERE

    def rename(self, person: bytes, name: Verbatim) -> None:
        place = self.place_of(person)
        if place is not None:
            place.name = name
        else:
            self.watchers[person] = name

    def unseat(self, place: Place) -> None:
        """Take the place of a player who is away between two matches; after a return, that player watches.

        A further bot of an absent machine leaves.
        """
        self.places.remove(place)
        if place.own:
            self.watchers[place.person] = place.name

    def reset_ready(self) -> None:
        for place in self.places:
            place.ready = place.level is not None

    def pass_on(self) -> None:
        """Make the machine of the first present player the host's, people before bots."""
        here = [place for place in self.here if not place.companion]
        heir = next((place for place in here if place.level is None), next(iter(here), None))
        if heir is not None:
            self.host = heir.peer
            self.out.append(Notice(N_("{name} is the host now."), {"name": heir.name}))

    def tell_refusal(self, author: bytes, refusal: Refused, seat: int | None = None) -> None:
        """Tell a refusal only to the author, and not at all if the author is a bot."""
        place = None if seat is None else self.places[seat]
        by_bot = place is not None and (place.level is not None or place.unattended)
        if author.startswith(self.me) and not by_bot:
            to = author if place is None or place.peer != author else place.person
            self.out.append(Notice(refusal.message, refusal.params, wrong=True, seat=seat, to=to))


class Succession:
    """The host's place: handed on by its own word, or by the seated when most of them don't hear the host.

    A vote says what its author's machine has seen: no packet of the host's for 15 seconds. Any word of the
    host's voids the votes, and gives it back a place that was voted away.

    `votes` has the peers that don't hear the host, `displaced` the hosts that were voted away and have not
    spoken since, the first of them first.
    """

    def __init__(self, roster: TableRoster) -> None:
        self._roster = roster
        self.votes: set[bytes] = set()
        self.displaced: list[bytes] = []

    @property
    def seated(self) -> list[bytes]:
        """Return the peers with a place, in the order of their places; the host is one of them."""
        return list(dict.fromkeys(place.peer for place in self._roster.places if place.status != LEFT))

    def heard(self, author: bytes) -> None:
        roster = self._roster
        if author == roster.host:
            self.votes.clear()
        elif author in self.displaced and roster.belongs(author):
            del self.displaced[self.displaced.index(author) :]
            self._give(author)
        else:  # whoever was removed comes back as anybody else
            self.displaced = [one for one in self.displaced if one != author]

    def vote(self, author: bytes, yes: bool) -> None:
        """Take a seated peer's vote on hearing the host; the host's own means that it's here.

        Raise `Refused` if the author has no seat.
        """
        roster, seated = self._roster, self.seated
        if author not in seated:
            raise Refused(N_("Only players at this table can vote on that."))
        if author == roster.host:
            return
        (self.votes.add if yes else self.votes.discard)(author)
        voters = [peer for peer in seated if peer in self.votes]
        if 2 * len(voters) > len(seated):
            self.displaced.append(roster.host)
            self._give(voters[0])

    def hand_over(self, author: bytes, heir: bytes) -> None:
        """Hand the table over to a seated peer.

        Raise `Refused` if the author is not the host, or the heir has no seat.
        """
        self._roster.expect_host(author)
        if heir not in self.seated or heir == author:
            raise Refused(N_("No one else at the table has that name."))
        self._give(heir)

    def _give(self, heir: bytes) -> None:
        roster = self._roster
        roster.host = heir
        self.votes.clear()
        roster.out += [
            Notice(N_("{name} is the host now."), {"name": roster.name_of(heir)}),
            LobbyChanged(whole=True),
        ]
