"""The colours of things, and the letters that stand for them where there is no colour.

A thing of a game (a horse, a token) is coloured if its English name begins with the name of a
colour. Its letter stands in brackets in its name in the person's language: "yellow (Y)".
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Any, Final

from rich.cells import cell_len

from tavolata.looks import INKS, SHORT

COLOURS: Final = INKS
"""The colours of the palette; each is a role."""

_COLOUR = re.compile(rf"({'|'.join(COLOURS)})\b", re.IGNORECASE)
_LETTER = re.compile(r"\(([^()\s]{1,2})\)")


def colour_of(value: Any) -> str:
    """Return the colour that begins a value's English name, or ""."""
    words = value.value if isinstance(value, Enum) else value
    found = _COLOUR.match(words) if isinstance(words, str) else None
    return found[1].lower() if found else ""


def letter_of(words: str) -> str:
    """Return the short mark of a thing: the letter in brackets, else its first letter as a capital."""
    found = _LETTER.search(words)
    if found:
        return found[1]
    first = next((sign for sign in words if sign.isalnum()), "?").upper()
    return first if cell_len(first) == 1 else "?"


def short_of(words: str) -> str:
    """Return a thing in three characters at most: the letter in brackets, or all of it, or its beginning."""
    found = _LETTER.search(words)
    if found:
        return found[1]
    short = ""
    for sign in words.strip():
        if cell_len(short + sign) > SHORT:
            break
        short += sign
    return short.rstrip()


def letters_of(words: list[str]) -> list[str]:
    """Return a different short mark for each of several things.

    A thing without a letter in brackets gets another one of its letters, or else a number.
    """
    taken: dict[str, str] = {}
    for one in words:
        own = _LETTER.search(one)
        if own and own[1] not in taken.values():
            taken[one] = own[1]
    spare = iter("123456789" + "".join(map(chr, range(97, 123))))
    for one in words:
        if one in taken:
            continue
        candidates = [letter_of(one), *(sign.upper() for sign in reversed(one) if sign.isalnum())]
        taken[one] = next(
            (sign for sign in candidates if sign not in taken.values() and cell_len(sign) == 1), ""
        ) or next(sign for sign in spare if sign not in taken.values())
    return [taken[one] for one in words]
