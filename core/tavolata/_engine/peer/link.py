"""The agreed log and the sockets, as one machine's part in matches sees them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import ceil
from typing import Any

from tavolata._engine.match.state import pack
from tavolata._engine.network.log_driver import LogDriver
from tavolata._engine.table.heads import Heads
from tavolata_protocol.identity import PeerId


class TableLink:
    """`heads` are those of the log, as far as this machine has acted on it."""

    def __init__(self, log_driver: LogDriver) -> None:
        self._log_driver = log_driver
        self.heads = Heads()

    def now(self) -> float:
        """Return the time of a monotonic clock, in seconds."""
        return self._log_driver.now()

    def tick_in(self, seconds: float) -> None:
        """Do what is due after this many seconds, or earlier."""
        self._log_driver.tick_in(seconds)

    def propose(self, *body: Any) -> bool:
        """Propose the body of an entry; return False, proposing nothing, if this peer isn't a member yet."""
        return self._log_driver.propose(pack(body))

    def trip(self, peer: bytes) -> int:
        """Return the measured time until a claim of a peer is final and that peer knows it, in milliseconds.

        The claim travels over that peer's link, and becomes final over the slowest link at most. So this is
        the mean of the two round trips.
        """
        endpoint = self._log_driver.driver.endpoint
        times = {bytes(one): endpoint.path(one).srtt for one in endpoint.peers()}
        longest = max(times.values(), default=0.0)
        return ceil(500 * (times.get(peer, longest) + longest))

    def heard(self, peer: bytes) -> float | None:
        """Return when a peer's last authenticated packet came; None without a session with it."""
        endpoint = self._log_driver.driver.endpoint
        return endpoint.path(PeerId(peer)).last_heard if PeerId(peer) in endpoint.peers() else None

    def note_digest(self, number: int, digest: bytes) -> None:
        """Let the log compare the digest of the state after this entry with the others'."""
        self._log_driver.log.note_digest(number, digest)

    def relayed(self, peer: bytes) -> Iterable[bytes]:
        """Return the bodies that a peer has signed and that the leader of the log leaves out."""
        return self._log_driver.log.relayed(PeerId(peer))

    @property
    def table(self) -> bytes:
        return self._log_driver.log.table

    @property
    def voters(self) -> Collection[bytes]:
        """The machines of which more than half are needed for the log to continue."""
        return self._log_driver.log.configuration.voters
