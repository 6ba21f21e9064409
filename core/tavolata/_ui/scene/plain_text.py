"""Text in ASCII, for terminals and people that read nothing else."""

from __future__ import annotations

from typing import Final
from unicodedata import combining, normalize

_PLAIN: Final = str.maketrans({
    "…": "~", "–": "-", "—": "-", "·": "-", "♣": "C", "♦": "D", "♥": "H", "♠": "S", "’": "'",
    "“": '"', "”": '"', "à": "a'", "è": "e'", "é": "e'", "ì": "i'", "ò": "o'", "ù": "u'", "È": "E'",
    "×": "x", "→": "->", "←": "<-", "↑": "^", "↓": "v",
})  # fmt: skip


def in_ascii(text: str) -> str:
    """Return a text in ASCII: accents are removed, and other characters become question marks."""
    if text.isascii():
        return text
    bare = normalize("NFKD", text.translate(_PLAIN))
    return "".join(sign for sign in bare if not combining(sign)).encode("ascii", "replace").decode()
