"""The marked changes: each stays marked long enough to be seen, however soon the next moment comes. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tavolata.zones import Zone

LEAST: Final = 0.8
"""The least seconds for which a change is marked at the normal pace and below; at quicker ones it is less."""


class Changes:
    """The zones as people saw them before the changes that are marked now."""

    def __init__(self) -> None:
        self._shown: Mapping[str, Zone] | None = None
        self._marked: dict[str, tuple[Zone | None, float]] = {}

    def forget(self) -> None:
        """Mark nothing that has changed until now: the marks were taken off the table."""
        self._marked = {}

    def in_view(self, zones: Mapping[str, Zone]) -> bool:
        return self._shown == zones

    def before(
        self, zones: Mapping[str, Zone], now: float, pace: float, *, kept: bool = False
    ) -> dict[str, Zone]:
        """Show a moment; return the zones to compare it with.

        A zone that changed just before keeps its earlier state: its changes add up to one mark. Before the
        first moment nothing was seen, so nothing is marked then. `now` is in seconds, `pace` a factor; `kept`
        keeps all marks, because no one sees them now.
        """
        last, self._shown = zones if self._shown is None else self._shown, zones
        least = LEAST * min(1.0, pace)
        marked = {zone: (old, at) for zone, (old, at) in self._marked.items() if kept or now - at < least}
        for zone, content in zones.items():
            if last.get(zone) != content:
                marked[zone] = marked[zone][0] if zone in marked else last.get(zone), now
        self._marked = marked
        before = {zone: marked[zone][0] if zone in marked else content for zone, content in zones.items()}
        return {zone: content for zone, content in before.items() if content is not None}
