"""The sessions of a rehearsal: the product's own, with somebody who looks at each entry, honest or lying."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.network.equivocating import TwoFacedSession
from tests.network.fibbing import FibbingSession, RevokingView
from tests.network.lying import LyingSession
from tests.rehearsals.plan import Lie
from typing_extensions import override

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


SESSIONS: Mapping[Lie | None, type[WatchedSession]] = {
    None: WatchedSession, Lie.OF_OTHERS: _OfOthers, Lie.TWO_LOGS: _TwoLogs, Lie.FACT: _Facts,
    Lie.REVOKE: _Revoke,
}  # fmt: skip
"""By lie, the sessions that tell it."""
