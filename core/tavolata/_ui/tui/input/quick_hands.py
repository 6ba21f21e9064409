"""Quick hands: the keys of an open reaction window, and the table that does not move meanwhile."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from tavolata._engine.match.updates import WindowOpened
from tavolata._ui.scene.scene import Scene
from tavolata._ui.tui.model.director import loop_time
from tavolata._ui.tui.model.table_model import TableModel
from tavolata._ui.window_input import WindowInput, keys_of


class QuickHands:
    """The reaction windows of one screen.

    `refused` is the error of the last refused key, which goes with its card.
    """

    def __init__(self, model: TableModel, ring: Callable[[], object]) -> None:
        self._model = model
        self._input = WindowInput(model.session, lambda _: None, ring)
        self._still: Scene | None = None
        self.refused = ""

    def clear_table(self) -> None:
        """Draw the table again for the card of a window."""
        self._still = None

    def open(self, opened: WindowOpened) -> None:
        """Let the time run, because the card is visible."""
        self._input.open(opened, self._model.words())

    def close(self) -> None:
        self._input.close()

    def own(self) -> frozenset[str]:
        """Return the keys of the people here, in a window or not."""
        return frozenset(keys_of(self._model.session))

    def react(self, key: str) -> None:
        """React with one of these keys, or lay the next card with "".

        Raise `Refused` if it's too late.
        """
        self._input.hear(key, loop_time())

    def at_rest(self, scene: Scene) -> Scene:
        """Return the scene; in a window that of its first frame, except for the decision and the clock."""
        if self._model.window is None:
            self._still = None
            return scene
        still = self._still = self._still or scene
        return replace(still, decision=scene.decision, status=replace(still.status, clock=scene.status.clock))
