"""How a peer takes part in a match that is to begin: it draws its secret, stores it, and says IN.

Where all deal together, it then does its part for the first keys; see `Participation.prepare`.
"""

from __future__ import annotations

import contextlib
from collections.abc import MutableSequence

from tavolata import _machine
from tavolata._engine.dealing.match_secret import MatchSecret
from tavolata._engine.match.updates import Notice, Update
from tavolata._engine.peer.link import TableLink
from tavolata._engine.storage import secret_files
from tavolata._engine.table import log_bodies
from tavolata._engine.table.start_barrier import PATIENCE, StartBarrier
from tavolata._trouble import trouble
from tavolata.messages import N_
from tavolata_protocol.fair.beginning import NONCE_SIZE

NOT_STORED = N_("Couldn't store this computer's secret, so it can't take part in the match: {problem}.")


class TakingPart:
    def __init__(self, me: bytes, link: TableLink) -> None:
        self._me = me
        self._link = link
        self._answered: StartBarrier | None = None
        self._since = 0.0
        self._are_in = False
        self._nonce = b""
        self._body: tuple[int, bytes, bytes, bytes] | None = None

    def work(self, barrier: StartBarrier | None, out: MutableSequence[Update]) -> None:
        """Send IN once for a START, and let it fall when others are missing for too long."""
        if barrier is not self._answered:
            self._give_up_secret()
            self._answered, self._since, self._are_in = barrier, self._link.now(), False
            self._body = None
            if barrier is not None and self._me in barrier.missing:
                self._draw(barrier, out)
        if barrier is None or self._me not in barrier.parties:
            return
        if barrier.prepared is not None and not self._are_in:
            self._are_in, self._since = True, self._link.now()
        if self._body is not None and self._link.propose(*self._body):
            self._body = None
        left = self._since + PATIENCE - self._link.now()
        if left > 0:
            self._link.tick_in(left + 0.01)
        else:
            self._since = self._link.now()  # said again if it does not come through
            self._link.propose(log_bodies.FALL, barrier.header_hash)

    def _draw(self, barrier: StartBarrier, out: MutableSequence[Update]) -> None:
        drawn = _machine.token(secret_files.SECRET_SIZE)
        nonce = _machine.token(NONCE_SIZE)
        try:
            secret_files.store(nonce, drawn)
        except OSError as error:
            out.append(Notice(NOT_STORED, {"problem": trouble(error)}, wrong=True))
            return
        self._nonce = nonce
        party = barrier.numbers[self._me]
        secret = MatchSecret(drawn, barrier.header_hash)
        mailbox = secret.named_mailbox(barrier.stamp.lineage, party, nonce, _machine.token)
        self._body = (log_bodies.IN, barrier.header_hash, nonce, mailbox)

    def _give_up_secret(self) -> None:
        """Erase the secret that was drawn for a START that has fallen."""
        before, nonce = self._answered, self._nonce
        self._nonce = b""
        if before is not None and before.missing and nonce:
            with contextlib.suppress(OSError):  # nothing was sealed with it
                secret_files.erase(nonce)
