"""The faces of cards and the colours of things, and the letters that stand for them where there is no colour.

A thing of a game (a horse, a token) is coloured if its English name begins with the name of a
colour. Its letter stands in brackets in its name in the person's language: "yellow (Y)".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from itertools import chain, count
from typing import Any, Final

from rich.cells import cell_len

from tavolata._ui.scene.say import SceneWords
from tavolata._ui.scene.scene import CardFace
from tavolata.decks import FrenchFace, ItalianFace, Rank
from tavolata.looks import INKS, SHORT
from tavolata.view import View
from tavolata.zones import CardView

_COLOUR = re.compile(rf"({'|'.join(INKS)})\b", re.IGNORECASE)
_LETTER = re.compile(r"\(([^()\s]{1,2})\)")


def colour_of(value: Any) -> str:
    words = value.value if isinstance(value, Enum) else value
    found = _COLOUR.match(words) if isinstance(words, str) else None
    return found[1].lower() if found else ""


def letter_of(words: str) -> str:
    """Return the short mark of a thing: the letter in brackets, otherwise its first letter as a capital."""
    found = _LETTER.search(words)
    if found:
        return found[1]
    first = next((sign for sign in words if sign.isalnum()), "?").upper()
    return first if cell_len(first) == 1 else "?"


def has_letter(words: str) -> bool:
    """Return True if a thing has its letter in brackets."""
    return _LETTER.search(words) is not None


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


def signs_of(words: Mapping[str, str]) -> dict[str, str]:
    """Return a different sign of at most three characters for each word, from those they'd like."""
    found: dict[str, str] = {}
    for word, short in words.items():
        head = short[:1] if cell_len(short[:1]) == 1 else ""
        tries = chain((short,), (f"{head}{number}" for number in range(2, 100)), map(str, range(100, 1000)))
        found[word] = next((one for one in tries if one not in found.values()), short)
    return found


def letters_of(words: list[str]) -> list[str]:
    """Return a different short mark for each of several things.

    A thing without a letter in brackets gets another one of its letters, or else a digit, a small letter
    or, among dozens, a number.
    """
    taken: dict[str, str] = {}
    for one in words:
        own = _LETTER.search(one)
        if own and own[1] not in taken.values():
            taken[one] = own[1]
    spare = chain("123456789", map(chr, range(97, 123)), map(str, count(10)))
    for one in words:
        if one in taken:
            continue
        candidates = [letter_of(one), *(sign.upper() for sign in reversed(one) if sign.isalnum())]
        taken[one] = next(
            (sign for sign in candidates if sign not in taken.values() and cell_len(sign) == 1), ""
        ) or next(sign for sign in spare if sign not in taken.values())
    return [taken[one] for one in words]


FRENCH_RED: Final = frozenset({"diamonds", "hearts"})
ITALIAN: Final = {"D": "yellow", "C": "red", "S": "blue", "B": "green"}
"""The colours of the Italian suits, which are shown beside their letters."""


def card_face(
    card: CardView,
    say: SceneWords,
    view: View | None,
    *,
    new: bool = False,
    counted: bool = False,
) -> CardFace:
    """Return a card as a viewer sees it; where only ASCII may be drawn, suits are letters."""
    face = card.face if card.face is not None or view is None else view.face_of(card.id)
    if face is None:
        return CardFace(card.id, new=new)
    text = say.plainly(say.words.describe(card, view))
    if card.look is not None:
        look = card.look(face)
        short, title, tag = (
            say.plainly(say.words.describe(part)) if part else ""
            for part in (look.short, look.title, look.tag)
        )
        sign = say.plainly(look.sign)
        return CardFace(card.id, short_of(short), sign, look.ink or "", text, new, counted, title, tag)
    corner, sign, colour = _corner(face, say)
    return CardFace(card.id, corner, sign, colour, text, new, counted)


def _corner(face: Any, say: SceneWords) -> tuple[str, str, str]:
    if isinstance(face, FrenchFace):
        if face.rank == Rank.JOKER:
            return "Jk", "*" if say.plain else "★", ""
        suit = face.suit.value
        sign = say.words.text(suit)[:1].upper() if say.plain else str(face)[-1]
        return str(face)[:-1], sign, "red" if suit in FRENCH_RED else ""
    if isinstance(face, ItalianFace):
        return str(face)[:-1], face.suit.value, ITALIAN[face.suit.value]
    return "", "", thing_colour(face)


def thing_colour(value: Any) -> str:
    """Return the colour that begins a thing's English name, or its attribute `colour`; or ""."""
    return colour_of(getattr(value, "colour", None) or value)
