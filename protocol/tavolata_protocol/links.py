"""Links: an endpoint's data about each peer that it has, or just had, a session with.

An ended session is remembered for a while, and its close frame repeated. Sessions with strangers, peers that
called and aren't members, are limited, because anybody can have one at an open table. A member's session
never ends for that reason.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Collection
from dataclasses import InitVar, dataclass, field

from tavolata_protocol.addresses import Address, machine
from tavolata_protocol.admission import LIMITS, Entrance
from tavolata_protocol.calls import TRIES, Answer, Call
from tavolata_protocol.handshake import RemotePeer
from tavolata_protocol.messages.session import Close
from tavolata_protocol.paths import Path
from tavolata_protocol.session import BARE_CLOSE, SealedSession

LINGER = 600.0
"""Seconds in which an ended session still answers with its farewell; a laptop may sleep, or be cut off."""
FAREWELLS = 8
"""The most farewells that an ended session sends."""
FIN_AGAIN = 0.1
"""Seconds between two answers to a repeated FIN."""


@dataclass(frozen=True, slots=True)
class PathState:
    """The state of the path to a peer.

    `srtt` is the smoothed round-trip time, in seconds; 0.1 before the first measurement. `last_heard` is when
    the last authentic packet of the peer came. `unacknowledged` counts the bytes of reliable messages.
    """

    address: Address
    srtt: float
    last_heard: float
    unacknowledged: int


@dataclass(slots=True, eq=False)
class Link:
    """A session, its peer and the path to it, `way`; `connection` is this side's id, `since` its beginning.

    `fin` is the FIN that the session began with, if the peer called. `timer` is when the session's timer is
    due.
    """

    remote: RemotePeer
    way: Path
    connection: int
    session: SealedSession
    since: float
    fin: InitVar[bytes] = b""
    initiator: bool = field(init=False)
    timer: float = field(init=False)
    _fin: bytes = field(init=False)
    _fin_at: float = field(init=False)
    _answers: int = field(init=False)

    def __post_init__(self, fin: bytes) -> None:
        self.initiator = not fin
        self.timer = self.session.next_timer()
        self._fin, self._fin_at, self._answers = _digest(fin), self.since, TRIES if fin else 0

    @property
    def address(self) -> Address:
        """Where datagrams go."""
        return self.way.address

    def wants_sign(self, fin: bytes, now: float) -> bool:
        """Return True if a repeated FIN asks for our first sealed packet again.

        The FIN must be the same one, which nobody else can make. It is ignored once the peer has sent a
        sealed packet. An observer can repeat it, so the answers are spaced (`FIN_AGAIN`) and limited.
        """
        too_soon = not self._answers or now - self._fin_at < FIN_AGAIN
        if too_soon or self.session.is_heard or _digest(fin) != self._fin:
            return False
        self._answers, self._fin_at = self._answers - 1, now
        return True

    def path(self) -> PathState:
        """Return the state of the path to the peer."""
        session = self.session
        return PathState(
            self.address,
            session.rtt.srtt,
            session.last_heard,
            session.unacknowledged,
        )


class EndedSession:
    """A session that this side ended. For a while, it answers packets of the peer with its farewell."""

    __slots__ = ("_close", "_farewells", "link", "until")

    def __init__(self, link: Link, close: Close, now: float) -> None:
        self.link = link
        self.until = now + LINGER
        self._close = close
        self._farewells = FAREWELLS

    def farewell(self, now: float, room: int | None = None) -> bytes | None:
        """Return the last packet again; None if it was sent often enough.

        `room` is the most bytes it may have, if no peer has proved the address; it has no referral then.
        """
        if now >= self.until or not self._farewells or (room is not None and room < BARE_CLOSE):
            return None
        self._farewells -= 1
        return self.link.session.close(self._close if room is None else Close(self._close.reason), now)


def _digest(fin: bytes) -> bytes:
    return hashlib.blake2s(fin, digest_size=16).digest()


Routes = dict[int, Call | Answer | Link | EndedSession]
"""The connection ids of this side, and the call, answer or session of each."""


MAX_ENDED = 64
"""The most ended sessions that are remembered; the oldest is forgotten first."""


class Farewells:
    """The ended sessions of one endpoint; its connection ids lead to them while they are remembered."""

    def __init__(self, routes: Routes) -> None:
        self._routes = routes
        self._ended: deque[EndedSession] = deque()

    def remember(self, link: Link, close: Close, now: float) -> None:
        """Remember an ended session, to tell its peer, which may sleep or be cut off for a while."""
        if len(self._ended) >= MAX_ENDED:
            self._forget_oldest()
        link.session.forget()
        ended = EndedSession(link, close, now)
        self._ended.append(ended)
        self._routes[link.connection] = ended

    def next_timer(self) -> float | None:
        """Return when `handle_timer` wants to be called; None for never."""
        return self._ended[0].until if self._ended else None

    def handle_timer(self, now: float) -> None:
        """Forget the sessions whose time is over."""
        while self._ended and self._ended[0].until <= now:
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        self._routes.pop(self._ended.popleft().link.connection, None)


def one_too_many(strangers: Collection[Link], newcomer: Address) -> Link | None:
    """Return the stranger whose session ends when another comes from an address; None if there is room.

    It is the one not heard from for the longest time. If the newcomer's machine has too many sessions, one of
    that machine's own ends.
    """
    host = machine(newcomer)
    neighbours = [link for link in strangers if machine(link.address) == host]
    limit = LIMITS[Entrance.SESSIONS]  # the bytes waiting in each are bounded, too: `fragments.MAX_WAITING`
    if len(neighbours) >= limit.source:
        return min(neighbours, key=_last_heard)
    return min(strangers, key=_last_heard) if len(strangers) >= limit.whole else None


def _last_heard(link: Link) -> float:
    return link.session.last_heard
