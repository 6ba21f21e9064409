"""A `tt` that says anything in the log's own messages: each field true, almost or made up, validly signed.

python -m tests.network.conjuring SEED join ADDRESS ...

Twenty times a second it lies to whoever it has a session with. Everything else is the real program.
"""

from __future__ import annotations

import random
import sys
from contextlib import suppress
from functools import cached_property
from types import SimpleNamespace
from typing import Any, cast

from tests.network.hasty import hurry
from tests.protocol.grouplog.liars import Liar
from typing_extensions import override

from tavolata._cli import main
from tavolata._engine.network.log_driver import DriverEvent, LogDriver
from tavolata._engine.peer import peer
from tavolata._engine.peer.peer import PeerSession
from tavolata_protocol.errors import LocalError
from tavolata_protocol.messages import log as wire

EVERY = 0.05
"""Seconds between two lies."""


class Listeners:
    """Stands in the place of a simulated world: all the members, to whom lies go over real sessions."""

    def __init__(self, log_driver: LogDriver) -> None:
        self._log_driver = log_driver
        log = log_driver.log
        self.me = SimpleNamespace(id=log._replica.me, signer=log._replica.signer, log=log, alive=log)

    @property
    def peers(self) -> list[Any]:
        log = self._log_driver.log
        others = [one for one in log.configuration.peers if one != self.me.id]
        return [self.me, *(SimpleNamespace(id=one, log=log, alive=log) for one in others)]

    def _carry(self, sender: Any, receiver: Any, data: bytes, resends: bool) -> None:
        with suppress(LocalError):
            self._log_driver.driver.endpoint.send(receiver.id, data, reliable=False)


class Conjurer(Liar):
    """A liar that asks neither to leave nor to join with another birth: it would be taken out itself."""

    @cached_property
    def _kinds(self) -> tuple[type[Any], ...]:
        return tuple(kind for kind in super()._kinds if kind not in (wire.Leave, wire.Join))


class ConjuringSession(PeerSession):
    """A session that lies as soon as it belongs to the table."""

    __slots__ = ()
    seed = 0
    _liar: Liar | None = None
    _lies_at = 0.0
    _hundreds = 0

    @override
    def _on(self, event: DriverEvent) -> None:
        super()._on(event)
        log_driver = self._log_driver
        now, log = log_driver.now(), log_driver.log
        if log.lineage is None or log._replica.me not in log.configuration or now < self._lies_at:
            return
        if self._liar is None:
            table = Listeners(log_driver)
            liar = Conjurer(cast("Any", table), cast("Any", table.me), random.Random(self.seed))
            liar.birth = log._replica.birth
            ConjuringSession._liar = liar
        assert self._liar is not None
        self._lies_at = now + EVERY
        self._liar.lie()
        if (said := self._liar.said.total()) // 100 > ConjuringSession._hundreds:
            ConjuringSession._hundreds = said // 100
            print(f"{said // 100 * 100} lies", file=sys.stderr, flush=True)
        log_driver.driver.wake()
        log_driver.tick_in(EVERY)


if __name__ == "__main__":
    ConjuringSession.seed, *words = int(sys.argv[1]), *sys.argv[2:]
    peer.PeerSession = ConjuringSession  # type: ignore[misc]
    hurry()
    sys.argv[1:] = words
    sys.exit(main())
