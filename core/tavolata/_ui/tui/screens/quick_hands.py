"""Quick hands: the keys of an open reaction window, and the table that does not move meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace
from textual.events import Key

from tavolata._engine.match.updates import WindowOpened
from tavolata._ui.scene.scene import Scene
from tavolata._ui.tui.model.table_model import TableModel
from tavolata._ui.window_input import WindowInput, keys_of

HASTE: Final = 0.6
"""Seconds after a window in which the keys of reactions do nothing: they were meant for its card."""


class QuickHands:
    """The reaction windows of one screen.

    `refused` is the error of the last refused key, which goes with its card.
    """

    def __init__(self, model: TableModel, ring: Callable[[], object]) -> None:
        self._model = model
        self._input = WindowInput(model.session, lambda _: None, ring)
        self._still: Scene | None = None
        self._closed_at = -HASTE
        self.refused = ""

    def clear_table(self) -> None:
        """Take all marks off the table before the card of a window is drawn."""
        self._model.before, self._model.marks = None, ()
        self._still = None

    def open(self, opened: WindowOpened) -> None:
        """Let the time run, because the card is visible."""
        self._input.open(opened, self._model.words())

    def close(self) -> None:
        self._input.close()
        self._closed_at = asyncio.get_running_loop().time()

    def means(self, character: str) -> bool:
        """Return True if this is the key of someone here, in a window or not."""
        return character in keys_of(self._model.session)

    def hear(self, event: Key) -> bool:
        """React with a key; return False if it has no meaning in a window.

        Raise `Refused` if it's too late.
        """
        asked, mine, typed = self._model.question(), keys_of(self._model.session), ""
        window = self._model.window
        if window is None and asyncio.get_running_loop().time() - self._closed_at >= HASTE:
            return False
        if event.key == "enter":
            if window is None or (asked is not None and asked.ask is None):
                return False  # Enter answers what is asked now and lays no card
        else:
            alone = len(mine) == 1 and event.key == "space"
            typed = next(iter(mine)) if alone else (event.character or "").lower()
            if typed not in mine:
                return False
        if window is not None:
            self._input.hear(typed, asyncio.get_running_loop().time())
        return True

    def at_rest(self, scene: Scene) -> Scene:
        """Return the scene; in a window that of its first frame, except for the decision and the clock."""
        if self._model.window is None:
            self._still = None
            return scene
        still = self._still = self._still or scene
        return replace(still, decision=scene.decision, status=replace(still.status, clock=scene.status.clock))
