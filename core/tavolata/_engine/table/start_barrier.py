"""The barrier of a match: a START is, and its parties say IN one by one.

Where all deal together they then make the first keys, all of them or none. The match begins with the last IN,
or with these keys. If something is missing for too long, any party may say that the START falls.
"""

from __future__ import annotations

from typing import Any, Final

from tavolata._engine.match.header import Header
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.source import Origin, Stamp
from tavolata.errors import Refused
from tavolata.game import Game
from tavolata.messages import N_
from tavolata_protocol.fair.beginning import (
    NONCE_SIZE,
    header_hash,
    mailbox_context,
    match_id,
    read_mailbox,
)
from tavolata_protocol.fair.errors import Cheat

PATIENCE: Final = 30.0
"""Seconds after which a START falls that not all parties have joined."""
NOT_ASKED_IN = N_("No match is waiting for that answer.")


class StartBarrier:
    """A pending START.

    `data` is the header as START has it; `header` has an id as soon as all have said IN, and `prepared` is
    then the match that is to begin. `parties` are the peers that have to say IN, in the order of their
    numbers, without those who aren't in the match; `nonces` are those of their INs.
    """

    def __init__(
        self, rules: type[Game[Any]], header: Header, data: bytes, stamp: Stamp, table: bytes
    ) -> None:
        self.rules = rules
        self.header = header
        self.stamp = stamp
        self._data = data
        self._table = table
        self.header_hash = header_hash(data)
        self.parties = header.parties
        self.numbers = header.numbers
        self.nonces: dict[bytes, bytes] = {}
        self.prepared: Match[LogSource] | None = None
        self._mailboxes: dict[bytes, bytes] = {}

    @property
    def missing(self) -> tuple[bytes, ...]:
        """The parties that have not said IN, or that owe something for the first keys."""
        if self.prepared is not None:
            return self.prepared.source.dealing.owing
        return tuple(peer for peer in self.parties if peer not in self.nonces)

    def take(self, stamp: Stamp, header: bytes, nonce: bytes, mailbox: bytes) -> Origin | None:
        """Take an IN, which names a header's hash; return the origin of the match if it was the last one.

        Raise `Refused` if this IN isn't awaited, or doesn't fit.
        """
        peer = stamp.author
        if (
            self.prepared is not None
            or peer not in self.missing
            or header != self.header_hash
            or stamp.lineage != self.stamp.lineage
        ):
            raise Refused(NOT_ASKED_IN)
        context = mailbox_context(self.stamp.lineage, self.numbers[peer])
        try:
            point = read_mailbox(context, header, nonce, mailbox)
        except Cheat:
            raise Refused(NOT_ASKED_IN) from None
        if len(nonce) != NONCE_SIZE or nonce in self.nonces.values():
            raise Refused(NOT_ASKED_IN)
        self.nonces[peer], self._mailboxes[peer] = nonce, point
        if self.missing:
            return None
        said = [(one, self.nonces[one]) for one in self.parties]
        number = match_id(self._table, self.stamp.chain, self._data, said)
        return Origin(number, stamp, self._mailboxes, self.nonces, self.header_hash)
