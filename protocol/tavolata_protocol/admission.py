"""The one table of what strangers may use, and of how long a file may be, and the door that counts it. Pure.

A source is an IPv4 address, or the /64 of an IPv6 one, which a machine may own. On loopback each port is one:
all there can use up this machine anyway.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, Generic, TypeVar

from tavolata_protocol.addresses import Address, is_loopback, machine

T = TypeVar("T")


class Entrance(Enum):
    """The ways in, by what a stranger takes up there."""

    HELLOS = "HELLOs without a cookie answered per second"
    HANDSHAKES = "unfinished handshakes"
    BEGINNINGS = "handshakes started per second; per source, unfinished ones in 10 s"
    SESSIONS = "sessions with strangers"
    CONNECTIONS = "TCP connections of browsers without a seat"
    SEATED = "TCP connections of browsers with a seat, each counted as a source"
    WATCHERS = "spectators"
    SERVED = "people in browsers served by one machine"
    TABLES = "announced tables"
    CODES = "wrong codes before the code changes; per machine, in a minute"
    KNOCKS = "browsers knocking at once, each until it's answered"
    KNOCKING = "knocks in a burst; refilled over ten minutes"
    REQUESTS = "requests per second from browsers without a seat"
    MESSAGES = "messages per second from a page"
    AHEAD = "unread lines from a program"
    COMPLAINTS = "last lines kept of a program's stderr"
    PLACES = "replies per second to unproved addresses"
    SEARCHES = "table searches answered per second"
    INVITATIONS = "invitation files"
    FILES = "other small files: keys, known tables, campaigns"
    RECORDS = "match files and logs"


@dataclass(frozen=True, slots=True)
class Limit:
    """A row of the table: how much there is in all and for one source, and the seconds until a proof.

    `size` is the most bytes of one thing; 0 where something else bounds it. Files aren't counted:
    their `whole` is 0.
    """

    whole: int
    source: int
    proof: float = 0.0
    size: int = 0


LIMITS: Final[Mapping[Entrance, Limit]] = {
    Entrance.HELLOS: Limit(2000, 100),
    Entrance.HANDSHAKES: Limit(64, 4, 5.0),
    Entrance.BEGINNINGS: Limit(50, 4),
    Entrance.SESSIONS: Limit(64, 32),
    Entrance.CONNECTIONS: Limit(48, 24, 5.0),
    Entrance.SEATED: Limit(64, 8),
    Entrance.WATCHERS: Limit(32, 12),
    Entrance.SERVED: Limit(64, 64),
    Entrance.TABLES: Limit(32, 3),
    Entrance.CODES: Limit(10, 3),
    Entrance.KNOCKS: Limit(3, 1, 120.0),
    Entrance.KNOCKING: Limit(30, 5),
    Entrance.REQUESTS: Limit(200, 40, size=1 << 12),
    Entrance.MESSAGES: Limit(20, 20, size=1 << 16),
    Entrance.AHEAD: Limit(64, 64, size=1 << 20),
    Entrance.COMPLAINTS: Limit(20, 20, size=1 << 12),
    Entrance.PLACES: Limit(50, 50),
    Entrance.SEARCHES: Limit(20, 20),
    Entrance.INVITATIONS: Limit(0, 0, size=1000),
    Entrance.FILES: Limit(0, 0, size=1 << 20),
    Entrance.RECORDS: Limit(0, 0, size=1 << 28),
}
FORGIVEN: Final = 10.0
"""Seconds after which a source may begin all its handshakes again, whatever became of them."""
RESERVE: Final = 64
"""Descriptors for the match, its log and files, which no stranger's connection may use."""


def connections(descriptors: int, entrance: Entrance) -> Limit:
    """Return a row of TCP connections for a process with this many descriptors."""
    limit = LIMITS[entrance]
    return replace(limit, whole=min(limit.whole, (max(descriptors, RESERVE + 32) - RESERVE) // 4))


def source(address: Address) -> str:
    """Return the source that an address counts for."""
    host = machine(address)
    return f"{host} {address[1]}" if is_loopback(host) else host


class Admission(Generic[T]):
    """The things of strangers at one entrance, each of which has to prove itself or may give way."""

    def __init__(self, limit: Limit, gone: Callable[[T], bool] = lambda _: False) -> None:
        self._limit = limit
        self._gone = gone
        self._sources: dict[T, str] = {}
        self._proved: set[T] = set()

    def __len__(self) -> int:
        return len(self._sources)

    def enter(self, thing: T, of: str) -> T | None:
        """Let a thing of a source in, and return what has to give way to it: itself if nothing else does.

        It's the oldest that hasn't proved itself: of the same source if that has its share, or else of the
        source that has most of them.
        """
        for one in [one for one in self._sources if self._gone(one)]:
            self.leave(one)
        waiting = Counter(named for one, named in self._sources.items() if one not in self._proved)
        gives: T | None = None
        if sum(named == of for named in self._sources.values()) >= self._limit.source:
            gives = self._oldest(of)
        elif len(self._sources) >= self._limit.whole:
            gives = self._oldest(max(waiting, key=waiting.__getitem__)) if waiting else None
        else:
            self._sources[thing] = of
            return None
        if gives is None:
            return thing
        self.leave(gives)
        self._sources[thing] = of
        return gives

    def prove(self, thing: T) -> None:
        """Note that a thing has proved itself: it gives way to nobody."""
        if thing in self._sources:
            self._proved.add(thing)

    def is_proved(self, thing: T) -> bool:
        """Return True if it has proved itself."""
        return thing in self._proved

    def leave(self, thing: T) -> None:
        """Forget a thing that has ended; one that isn't here is ignored."""
        self._sources.pop(thing, None)
        self._proved.discard(thing)

    def _oldest(self, of: str) -> T | None:
        return next(
            (one for one, named in self._sources.items() if named == of and one not in self._proved), None
        )
