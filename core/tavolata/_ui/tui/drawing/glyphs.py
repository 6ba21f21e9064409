"""The characters for drawing tables, in two sets: Unicode characters of common fonts, and ASCII."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from unicodedata import combining, normalize


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of characters.

    Attributes:
        corners: the corners of a box: upper left, upper right, lower left, lower right.
        across, down: the sides of a box.
        back: the back of a card.
        coin: one unit of a small amount.
        turn: the mark of the player whose turn it is.
        cursor: the mark of the choice under the cursor.
        on, off: the mark of a choice that is selected or not, if several can be.
        lane: the lane behind a token, and before it.
        dot: the separator between two items of a line.
        suits: whether a suit may be shown by its symbol.
    """

    corners: tuple[str, str, str, str]
    across: str
    down: str
    back: str
    coin: str
    turn: str
    cursor: str
    on: str
    off: str
    lane: tuple[str, str]
    dot: str
    ellipsis: str
    suits: bool


UNICODE: Final = Glyphs(
    ("╭", "╮", "╰", "╯"), "─", "│", "░", "●", "▶", "❯", "◉", "○", ("━", "·"), "·", "…", suits=True
)  # fmt: skip
ASCII: Final = Glyphs(
    ("+", "+", "+", "+"), "-", "|", "#", "*", ">", ">", "[x]", "[ ]", ("=", "."), "-", "~", suits=False
)  # fmt: skip

_PLAIN: Final = str.maketrans({
    "…": "~", "–": "-", "—": "-", "·": "-", "♣": "C", "♦": "D", "♥": "H", "♠": "S", "’": "'",
    "“": '"', "”": '"', "à": "a'", "è": "e'", "é": "e'", "ì": "i'", "ò": "o'", "ù": "u'", "È": "E'",
    "×": "x", "→": "->", "←": "<-", "↑": "^", "↓": "v",
})  # fmt: skip


def in_ascii(text: str) -> str:
    """A text in ASCII: accents are removed, and other characters become question marks."""
    if text.isascii():
        return text
    bare = normalize("NFKD", text.translate(_PLAIN))
    return "".join(sign for sign in bare if not combining(sign)).encode("ascii", "replace").decode()
