"""A leader that equivocates: two copies of its log under one identity, one for each half."""

from __future__ import annotations

import copy
from typing import Any

from tavolata_protocol.grouplog import GroupLog, events
from tavolata_protocol.identity import PeerId


class TwoFaced:
    """Stands in the place of a `GroupLog`; from here on, whoever is `apart` is told another history.

    Args:
        log: the log until now.
        apart: who is told another history.
        instead: what stands in the copy for what can't be copied, by `id`.

    Attributes:
        one, two: the log that the others see, and the log of those apart.
    """

    def __init__(self, log: GroupLog, apart: set[PeerId], instead: dict[int, Any] | None = None) -> None:
        self.one, self.two = log, copy.deepcopy(log, instead or {})
        self._apart = apart

    def __getattr__(self, name: str) -> Any:
        return getattr(self.one, name)

    def receive(self, peer: PeerId, message: bytes, now: float) -> None:
        (self.two if peer in self._apart else self.one).receive(peer, message, now)

    def messages_to_send(self, now: float) -> list[tuple[PeerId, bytes, bool]]:
        mine = [one for one in self.one.messages_to_send(now) if one[0] not in self._apart]
        return mine + [one for one in self.two.messages_to_send(now) if one[0] in self._apart]

    def next_timer(self) -> float | None:
        times = [log.next_timer() for log in (self.one, self.two)]
        return min((at for at in times if at is not None), default=None)

    def handle_timer(self, now: float) -> None:
        self.one.handle_timer(now)
        self.two.handle_timer(now)

    def next_event(self) -> events.LogEvent | None:
        while self.two.next_event() is not None:
            pass
        return self.one.next_event()
