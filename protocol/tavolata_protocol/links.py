"""What an endpoint keeps of each peer it has, or just had, a session with. Data; decisions live elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

from tavolata_protocol.addresses import Address
from tavolata_protocol.calls import Answer, Call
from tavolata_protocol.handshake import Remote
from tavolata_protocol.messages.session import CloseReason
from tavolata_protocol.paths import Path
from tavolata_protocol.session import Session

LINGER = 600.0
"""Seconds for which an ended session still answers with its farewell: a laptop may sleep, or be cut off."""
MAX_ENDED = 64
"""Ended sessions that are remembered for that."""
FAREWELLS = 8
"""How often it does."""


@dataclass(frozen=True, slots=True)
class PathState:
    """How a peer is reached.

    Attributes:
        address: where it is.
        srtt: smoothed round-trip time, seconds; 0.1 before the first measurement.
        rttvar: its variation, seconds.
        last_heard: when an authentic packet of the peer came last.
        unacknowledged: bytes of reliable messages that the peer has not acknowledged.
    """

    address: Address
    srtt: float
    rttvar: float
    last_heard: float
    unacknowledged: int


class Link:
    """A session with its peer and place.

    Attributes:
        remote: who it is.
        way: where datagrams go.
        connection: this side's connection id.
        session: the session.
        version: the protocol version agreed on.
        initiator: whether this side called.
        since: when it came to be.
        timer: when the session wants to be looked at.
    """

    __slots__ = ("connection", "initiator", "remote", "session", "since", "timer", "version", "way")

    def __init__(
        self,
        remote: Remote,
        address: Address,
        connection: int,
        session: Session,
        version: int,
        since: float,
        *,
        initiator: bool,
    ) -> None:
        self.remote = remote
        self.way = Path(address)
        self.connection = connection
        self.session = session
        self.version = version
        self.since = since
        self.initiator = initiator
        self.timer = session.next_timer()

    @property
    def address(self) -> Address:
        """Where datagrams go."""
        return self.way.address

    def path(self) -> PathState:
        """How the peer is reached."""
        session = self.session
        return PathState(
            self.address, session.srtt, session.rttvar, session.last_heard, session.unacknowledged
        )


class Ended:
    """A session that this side ended: whoever still writes to it is told again, for a while."""

    __slots__ = ("_farewells", "_reason", "_text", "link", "until")

    def __init__(self, link: Link, reason: CloseReason, text: str, now: float) -> None:
        self.link = link
        self.until = now + LINGER
        self._reason = reason
        self._text = text
        self._farewells = FAREWELLS

    def farewell(self, now: float) -> bytes | None:
        """The last packet once more; None when it was said often enough."""
        if now >= self.until or not self._farewells:
            return None
        self._farewells -= 1
        return self.link.session.close(self._reason, self._text, now)


Routes = dict[int, Call | Answer | Link | Ended]
"""Connection ids of this side, and what they belong to."""
