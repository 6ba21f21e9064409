"""The words of a scene: messages and values in the viewer's language, in ASCII if only that may be drawn."""

from __future__ import annotations

from typing import Any

from tavolata._ui.scene.plain_text import in_ascii
from tavolata._ui.words import Words
from tavolata.choices import Choice
from tavolata.view import View


class SceneWords:
    """The words of one scene; hidden faces are not named. With `plain`, only ASCII may be drawn."""

    def __init__(self, words: Words, view: View | None, *, plain: bool = False) -> None:
        self.words = words
        self.view = view
        self.plain = plain
        self.glyph_back = "#" if plain else "▒"

    def __call__(self, message: str, params: Any = None) -> str:
        return self.plainly(self.words.text(message, params, self.view))

    def name(self, value: Any) -> str:
        return self.plainly(self.words.describe(value, self.view))

    def choice(self, choice: Choice) -> str:
        return self.plainly(self.words.choice(choice, self.view))

    def plainly(self, text: str) -> str:
        return in_ascii(text) if self.plain else text
