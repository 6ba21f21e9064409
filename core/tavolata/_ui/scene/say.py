"""The words of a scene: messages and values in the viewer's language, in ASCII if only that may be drawn."""

from __future__ import annotations

from typing import Any, Final
from unicodedata import combining, normalize

from tavolata._ui.scene.identity import MARKS, PLAIN_MARKS
from tavolata._ui.words import Words
from tavolata.choices import Choice
from tavolata.view import View

_PLAIN: Final = str.maketrans({
    "…": "~", "–": "-", "—": "-", "·": "-", "♣": "C", "♦": "D", "♥": "H", "♠": "S", "’": "'",
    "“": '"', "”": '"', "à": "a'", "è": "e'", "é": "e'", "ì": "i'", "ò": "o'", "ù": "u'", "È": "E'",
    "×": "x", "→": "->", "←": "<-", "↑": "^", "↓": "v", **dict(zip(MARKS, PLAIN_MARKS, strict=True)),
})  # fmt: skip


def in_ascii(text: str) -> str:
    """Return a text in ASCII: accents are removed, and other characters become question marks."""
    if text.isascii():
        return text
    bare = normalize("NFKD", text.translate(_PLAIN))
    return "".join(sign for sign in bare if not combining(sign)).encode("ascii", "replace").decode()


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
