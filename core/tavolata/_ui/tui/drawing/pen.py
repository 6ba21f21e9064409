"""The context of every drawing function: language, viewer, characters, room and cursor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tavolata._ui.scene.say import in_ascii
from tavolata._ui.tui.drawing.glyphs import Glyphs
from tavolata._ui.tui.drawing.runs import Line, line
from tavolata._ui.words import Words
from tavolata.view import View


@dataclass(frozen=True, slots=True)
class Pen:
    """The drawing context for one viewer; without a match `view` is None. `room` is the width in cells."""

    words: Words
    view: View | None
    glyphs: Glyphs
    room: int

    def say(self, message: str, params: Any = None) -> str:
        """Return a message in words; in ASCII if only ASCII may be drawn."""
        return self._plain(self.words.text(message, params, self.view))

    def name(self, value: Any) -> str:
        return self._plain(self.words.describe(value, self.view))

    def _plain(self, text: str) -> str:
        return text if self.glyphs.suits else in_ascii(text)

    def line(self, text: str, role: str = "") -> Line:
        return line(self._plain(text), role)
