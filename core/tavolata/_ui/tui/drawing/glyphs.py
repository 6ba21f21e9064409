"""The signs that tables are drawn with, in two sets: any font's, and ASCII."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from unicodedata import combining, normalize


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of signs.

    Attributes:
        corners: of a box: upper left, upper right, lower left, lower right.
        across, down: its sides.
        back: what a card shows from behind.
        coin: one of a few that are counted.
        turn: before the player whose turn it is.
        cursor: before the choice that is pointed at.
        on, off: before a choice that is taken, or not, where several can be.
        lane: what a token has behind it, and before it.
        dot: between two things of a line.
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
    """A text in ASCII: accents are dropped, and what has no near sign there becomes a question mark."""
    if text.isascii():
        return text
    bare = normalize("NFKD", text.translate(_PLAIN))
    return "".join(sign for sign in bare if not combining(sign)).encode("ascii", "replace").decode()
