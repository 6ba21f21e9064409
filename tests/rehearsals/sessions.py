"""The sessions of a rehearsal: the product's own, with somebody who looks at each entry, honest or lying."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, cast

from tests.network.conjuring import Conjurer, Listeners
from tests.network.equivocating import TwoFacedSession
from tests.network.fibbing import FibbingSession, RevokingView
from tests.network.lying import LyingSession
from tests.rehearsals.plan import Lie
from typing_extensions import override

from tavolata._engine.network.log_driver import DriverEvent
from tavolata._engine.peer.peer import PeerSession
from tavolata_protocol.entries import Entry


class WatchedSession(PeerSession):
    """A session that lets somebody look at it after each entry."""

    __slots__ = ()

    def __init__(self, onlooker: Callable[[PeerSession, Entry, bool], object], *args: Any) -> None:
        self._onlooker = onlooker
        super().__init__(*args)

    @override
    def _on_entry(self, entry: Entry) -> bool:
        is_play = super()._on_entry(entry)
        self._onlooker(self, entry, is_play)
        return is_play


class _OfOthers(WatchedSession, LyingSession):
    __slots__ = ()


class _TwoLogs(WatchedSession, TwoFacedSession):
    __slots__ = ()


class _Facts(WatchedSession, FibbingSession):
    __slots__ = ()


class _Revoke(_Facts):
    __slots__ = ()
    sight = RevokingView


class _Anything(WatchedSession):
    """One that plays as the others do, and says anything in the log's messages, validly signed."""

    __slots__ = ()
    _every = 0.2
    _lies_at = 0.0
    _conjurer: Conjurer | None = None

    @override
    def _on(self, event: DriverEvent) -> None:
        super()._on(event)
        log_driver, now = self._log_driver, self._log_driver.now()
        log = log_driver.log
        members = log.configuration.peers
        belongs = log.lineage is not None and log._replica.me in members and len(members) > 1
        if not belongs or self._connection.is_going or now < self._lies_at:
            return
        if self._conjurer is None:
            table = Listeners(log_driver)
            self._conjurer = Conjurer(cast("Any", table), cast("Any", table.me), Random(log._replica.birth))
            self._conjurer.birth = log._replica.birth
        self._lies_at = now + self._every
        self._conjurer.lie()
        log_driver.driver.wake()
        log_driver.tick_in(self._every)


SESSIONS: Mapping[Lie | None, type[WatchedSession]] = {
    None: WatchedSession, Lie.OF_OTHERS: _OfOthers, Lie.TWO_LOGS: _TwoLogs, Lie.FACT: _Facts,
    Lie.REVOKE: _Revoke, Lie.ANYTHING: _Anything,
}  # fmt: skip
"""By lie, the sessions that tell it."""
