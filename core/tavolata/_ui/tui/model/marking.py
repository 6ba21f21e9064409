"""The marks of changes: what a moment has changed on the table, until that fades.

Screens and browsers' pages alike show their moments by this. `Changes` keeps each change marked long enough
to be seen, however soon the next moment comes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tavolata._engine.match.updates import Began, Told, Update, WindowOpened
from tavolata._ui.tui.model.director import Director, loop_time
from tavolata._ui.tui.model.table_model import TableModel
from tavolata.zones import Zone

FADE: Final = 4.0
"""Seconds after which the marks of a change go away, if nothing else happens."""
EMOTE_SHOWN: Final = 3.0
"""Seconds for which an emote stands beside a name."""
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


class Marking:
    """The moments of one screen or page on their way into its model, and the marks of what they change."""

    def __init__(self, model: TableModel, director: Director) -> None:
        self._model, self._director = model, director
        self._changes = Changes()
        self._veiled = False
        self._marked_at: float | None = None
        """When the current marks began to fade; None for marks that stay."""

    def take(self, updates: Sequence[Update]) -> None:
        """Take a moment into the model."""
        model = self._model
        self._veiled = model.curtain() is not None  # marks are stored until somebody can see them
        if isinstance(updates[0], Told):
            model.marks = model.marks if self._veiled else ()
        for update in updates:
            model.seen = self._director.seen(update, model.seen)
            model.take(update)
        if isinstance(updates[0], Began):
            self._changes, self._marked_at = Changes(), None
        elif isinstance(updates[0], WindowOpened):
            self._changes.forget()  # the cards of a quick hand are marked one by one

    def mark(self, updates: Sequence[Update]) -> bool:
        """Mark what a moment that was taken has changed; return False if nothing of it is shown yet."""
        model, director = self._model, self._director
        if not director.pace or model.match is None:
            return True
        if isinstance(updates[0], Began) and model.seen is None and director.has_told:
            return False  # the match has run ahead of what is shown: its first event shows the table
        zones = model.zones()
        if isinstance(updates[0], Told) or not self._changes.in_view(zones):
            self._marked_at = now = loop_time()
            model.before = self._changes.before(zones, now, director.pace, kept=self._veiled)
        return True

    def hold(self) -> None:
        """Mark all that changes from now on, without an end."""
        self._model.before, self._marked_at = dict(self._model.zones()), None

    def anew(self) -> None:
        """Let marks that fade stay for their whole time from now on."""
        self._marked_at = None if self._marked_at is None else loop_time()

    def fade(self) -> bool:
        """Take the marks off the table once their time is over; return True if they have just gone."""
        model, since = self._model, self._marked_at
        if model.before is None or since is None or loop_time() - since <= FADE:
            return False
        if model.window is not None or model.curtain() is not None:
            return False
        model.before, model.marks = None, ()
        return True
