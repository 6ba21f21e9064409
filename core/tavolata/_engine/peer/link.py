"""What one machine's part in matches needs of the agreed log and the sockets."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Protocol

from typing_extensions import override

from tavolata._engine.match.state import pack
from tavolata._engine.network.log_driver import LogDriver
from tavolata._engine.table.heads import Heads
from tavolata_protocol.identity import PeerId


class TableLink(Protocol):
    """The agreed log and the sockets, as one machine's part in matches sees them."""

    def now(self) -> float:
        """The time of a monotonic clock, in seconds."""

    def tick_in(self, seconds: float) -> None:
        """Have `work` called after so many seconds, or earlier."""

    def propose(self, *body: Any) -> bool:
        """Propose the body of an entry; False if this peer is no member (yet), and nothing was proposed."""

    def trip(self, peer: bytes) -> int:
        """The measured round trip to a peer, milliseconds."""

    def heard(self, peer: bytes) -> float | None:
        """When the last authenticated packet of a peer came; None without a session with it."""

    def note_digest(self, number: int, digest: bytes) -> None:
        """Have the log compare the digest of the state after this entry with the others'."""

    def relayed(self, peer: bytes) -> Iterable[bytes]:
        """The bodies that a peer has signed and that the leader of the log leaves out."""

    @property
    def table(self) -> bytes:
        """The table's id."""

    @property
    def head(self) -> bytes:
        """The number of the last entry acted on, and the chain hash after it; see `Heads`."""

    @property
    def voters(self) -> Collection[bytes]:
        """The machines of which more than half have to be there for the log to go on."""


class LogLink(TableLink):
    """A link over a log and sockets.

    Args:
        log_driver: the log and sockets.
        heads: the head of the log, as far as this machine has acted on it.
    """

    def __init__(self, log_driver: LogDriver, heads: Heads) -> None:
        self.log_driver = log_driver
        self.heads = heads

    @override
    def now(self) -> float:
        return self.log_driver.now()

    @override
    def tick_in(self, seconds: float) -> None:
        self.log_driver.tick_in(seconds)

    @override
    def propose(self, *body: Any) -> bool:
        return self.log_driver.propose(pack(body))

    @override
    def trip(self, peer: bytes) -> int:
        return self.log_driver.trip(peer)

    @override
    def heard(self, peer: bytes) -> float | None:
        return self.log_driver.heard(peer)

    @override
    def note_digest(self, number: int, digest: bytes) -> None:
        self.log_driver.log.note_digest(number, digest)

    @override
    def relayed(self, peer: bytes) -> Iterable[bytes]:
        return self.log_driver.log.relayed(PeerId(peer))

    @property
    @override
    def table(self) -> bytes:
        return self.log_driver.log.table

    @property
    @override
    def head(self) -> bytes:
        return self.heads.last

    @property
    @override
    def voters(self) -> Collection[bytes]:
        return self.log_driver.log.configuration.voters
