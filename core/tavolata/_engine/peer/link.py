"""What one machine's part in matches needs of the agreed log and the sockets."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from tavolata._engine.match.state import pack
from tavolata._engine.network.log_driver import LogDriver
from tavolata._engine.table.heads import Heads
from tavolata_protocol.identity import PeerId


class TableLink:
    """The agreed log and the sockets, as one machine's part in matches sees them.

    Args:
        log_driver: the log and sockets.

    Attributes:
        heads: the heads of the log, as far as this machine has acted on it.
    """

    def __init__(self, log_driver: LogDriver) -> None:
        self._log_driver = log_driver
        self.heads = Heads()

    def now(self) -> float:
        """The time of a monotonic clock, in seconds."""
        return self._log_driver.now()

    def tick_in(self, seconds: float) -> None:
        """Have what is due done after so many seconds, or earlier."""
        self._log_driver.tick_in(seconds)

    def propose(self, *body: Any) -> bool:
        """Propose the body of an entry; False if this peer is no member (yet), and nothing was proposed."""
        return self._log_driver.propose(pack(body))

    def trip(self, peer: bytes) -> int:
        """The measured round trip to a peer, milliseconds."""
        return self._log_driver.trip(peer)

    def heard(self, peer: bytes) -> float | None:
        """When the last authenticated packet of a peer came; None without a session with it."""
        return self._log_driver.heard(peer)

    def note_digest(self, number: int, digest: bytes) -> None:
        """Have the log compare the digest of the state after this entry with the others'."""
        self._log_driver.log.note_digest(number, digest)

    def relayed(self, peer: bytes) -> Iterable[bytes]:
        """The bodies that a peer has signed and that the leader of the log leaves out."""
        return self._log_driver.log.relayed(PeerId(peer))

    @property
    def table(self) -> bytes:
        """The table's id."""
        return self._log_driver.log.table

    @property
    def voters(self) -> Collection[bytes]:
        """The machines of which more than half have to be there for the log to go on."""
        return self._log_driver.log.configuration.voters
