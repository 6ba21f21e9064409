"""The read-only commands that look at the table, for matches and replays."""

from __future__ import annotations

from collections.abc import Callable

from tavolata._ui.descriptions import description, find_zone, list_of_zones
from tavolata._ui.words import Words
from tavolata._ui.zone_lines import zone_lines
from tavolata.messages import N_
from tavolata.view import View

NOTHING_YET = N_("There is no match on the table yet.")
NO_HAND = N_("You hold nothing.")


Rows = dict[str, tuple[Callable[[str], object], str]]
"""Commands: by word, the function that gets the rest of the line, and a description; message ids."""


def find_row(rows: Rows, word: str, say: Callable[[str], str]) -> str | None:
    """Return the command that a typed word means, in English or in the person's language."""
    return next((name for name in rows if word.lower() in (name, say(name))), None)


class Looking:
    """The read-only commands; `view` is None while there is no match."""

    def __init__(
        self, view: Callable[[], View | None], words: Callable[[], Words], out: Callable[[str], object]
    ) -> None:
        self._view = view
        self._words = words
        self._out = out

        self.rows: Rows = {
            N_("board"): (self.board, N_("what lies on the table; board NAME tells all of one thing")),
            N_("zones"): (self.zones, N_("the names of what lies on the table")),
            N_("hand"): (self.hand, N_("what you hold")),
            N_("log"): (self.log, N_("what happened last; log 50 for more")),
        }

    def _there(self) -> View | None:
        view = self._view()
        if view is None:
            self._out(self._words().text(NOTHING_YET))
        return view

    def board(self, name: str) -> None:
        """Print all zones in short, or everything in the named zone; raise `Refused` if there is none."""
        if (view := self._there()) is None:
            return
        words = self._words()
        if name:
            self._say(description(find_zone(name, words, view), words, view))
            return
        for zone in view.zones().values():
            self._say(zone_lines(zone, words, view))

    def zones(self, _: str) -> None:
        if (view := self._there()) is not None:
            self._say(list_of_zones(self._words(), view))

    def hand(self, _: str) -> None:
        view = self._view()
        zones = [] if view is None else list(view.zones().values())
        mine = [
            zone for zone in zones if zone.seat is not None and view is not None and zone.seat == view.seat
        ]
        if not mine or view is None:
            self._out(self._words().text(NO_HAND))
            return
        for zone in mine:
            self._say(zone_lines(zone, self._words(), view))

    def log(self, rest: str) -> None:
        """Print the last events; `rest` is the number of lines."""
        if (view := self._there()) is None:
            return
        count = int(rest) if rest.isdecimal() and int(rest) > 0 else 20
        for event in list(view.events)[-count:]:
            self._out(self._words().event(event, view))

    def _say(self, lines: list[str]) -> None:
        for line in lines:
            self._out(line)
