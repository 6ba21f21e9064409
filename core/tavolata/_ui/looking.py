"""The read-only commands that look at the table, for matches and replays."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tavolata._text import small_number
from tavolata._ui.scene.text import description, find_item, items_of, lines_of, list_of_items
from tavolata._ui.words import Words
from tavolata.messages import N_
from tavolata.view import View

NOTHING_YET = N_("No match on the table yet.")
NO_HAND = N_("Your hand is empty.")


Rows = dict[str, tuple[Callable[[str], object], str]]
"""Commands: by word, the function that gets the rest of the line, and a description; message ids."""


def find_row(rows: Iterable[str], word: str, say: Callable[[str], str]) -> str | None:
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
            N_("board"): (self.board, N_("what's on the table; board NAME shows one thing in full")),
            N_("zones"): (self.zones, N_("the names of everything on the table")),
            N_("hand"): (self.hand, N_("what's in your hand")),
            N_("log"): (self.log, N_("the latest events; log 50 for more")),
        }

    def _there(self) -> View | None:
        view = self._view()
        if view is None:
            self._out(self._words().text(NOTHING_YET))
        return view

    def board(self, name: str) -> None:
        """Print all zones in short, or everything in the named zone; raise `Refused` if there isn't one."""
        if (view := self._there()) is None:
            return
        items = items_of(view, self._words())
        if name:
            self._say(description(find_item(name, items)))
            return
        for item in items:
            self._say(lines_of(item))

    def zones(self, _: str) -> None:
        if (view := self._there()) is not None:
            self._say(list_of_items(items_of(view, self._words())))

    def hand(self, _: str) -> None:
        view = self._view()
        mine = [] if view is None or view.seat is None else [
            item for item in items_of(view, self._words()) if item.zone.seat == view.seat
        ]  # fmt: skip
        if not mine:
            self._out(self._words().text(NO_HAND))
        for item in mine:
            self._say(lines_of(item))

    def log(self, rest: str) -> None:
        """Print the last events; `rest` is the number of lines."""
        if (view := self._there()) is None:
            return
        events = list(view.events)
        count = (small_number(rest, len(events)) if rest.isdecimal() else 0) or 20
        for event in events[-count:]:
            self._out(self._words().event(event, view))

    def _say(self, lines: list[str]) -> None:
        for line in lines:
            self._out(line)
