"""Printable text: which signs of a stranger's text may be shown on a terminal."""

from __future__ import annotations

import unicodedata

JOINER = "\u200d"
"""Joins two pictures to one, as in a family or a profession; it has no width of its own."""
_PICTURES = ("So", "Sk", "Mn")  # a picture, its colour of skin, its variant


def is_shown(text: str, at: int) -> bool:
    """Return True if the sign at this place may be shown: it is printable, or joins two pictures."""
    if text[at] != JOINER:
        return text[at].isprintable()
    return (
        0 < at < len(text) - 1
        and unicodedata.category(text[at - 1]) in _PICTURES
        and unicodedata.category(text[at + 1]) == "So"
    )
