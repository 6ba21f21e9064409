"""Printable text: which signs of a stranger's text may be shown on a terminal.

`admit` judges by the lists here alone, so that all replicas come to the same text: the tables of
`unicodedata` differ between versions of Python.
"""

from __future__ import annotations

import re

JOINER = "\u200d"
"""Joins two pictures to one, as in a family or a profession; it has no width of its own."""

_MARKS = (
    "\u0300-\u034e\u0350-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4"
    "\u0730-\u074a\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f71-\u0f87"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302f\u3099\u309a\ufe20-\ufe2f"
)
"""Signs that are drawn on the sign before: three are a letter, a tower of them covers other lines."""
_CONTROLS = "\x00-\x1f\x7f-\x9f\u2028\u2029"
_DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"
_UNSEEN = (
    "\u00a0\u00ad\u034f\u0600-\u0605\u06dd\u070f\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200c\u202f"
    "\u205f-\u2065\u2800\u3000\u3164\ufeff\uffa0\ufff0-\ufffc\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_NO_SIGNS = "\ud800-\uf8ff\ufdd0-\ufdef" + "".join(
    chr(plane << 16 | low) for plane in range(17) for low in (0xFFFE, 0xFFFF)
)
_PRIVATE = "\U000f0000-\U0010ffff"
_PICTURE = "\u00a9\u00ae\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001fbff"
_REFUSED = re.compile(
    f"[{_CONTROLS}{_DIRECTIONS}{_UNSEEN}{_NO_SIGNS}{_PRIVATE}]"
    f"|(?<=[{_MARKS}]{{3}})[{_MARKS}]"
    f"|(?<![{_PICTURE}\ufe0f]){JOINER}|{JOINER}(?![{_PICTURE}])"
)
_MOVES = re.compile(f"[\x00-\x09\x0b-\x1f\x7f-\x9f{_DIRECTIONS}\ud800-\udfff]")
_GLUED = re.compile(f"[{_MARKS}{JOINER}\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]")


def admit(text: str, longest: int) -> str:
    """Return a stranger's text on one line: a blank for each sign that can't be shown, and none to spare.

    It has at most `longest` signs, the last one an ellipsis if it was cut; never in the middle of a picture
    or a letter with marks. All machines return the same.
    """
    line = " ".join(part for part in _REFUSED.sub(" ", text).split(" ") if part)
    if len(line) <= longest:
        return line
    end = longest - 1
    while end > 0 and (_GLUED.match(line, end) or line[end - 1] == JOINER):
        end -= 1
    return line[:end] + "…"


def still(text: str) -> str:
    """Return a text without signs that move a cursor or turn the direction of writing; lines stay lines."""
    return _MOVES.sub(" ", text)
