"""The faces of cards in a scene: rank and suit in a few cells, the colour, and the name in words."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final

from tavolata._ui.scene.colours import colour_of, short_of
from tavolata._ui.scene.plain_text import in_ascii
from tavolata._ui.scene.scene import CardFace
from tavolata._ui.words import Words
from tavolata.decks import FrenchFace, ItalianFace, Rank
from tavolata.view import View
from tavolata.zones import CardView

FRENCH_RED: Final = frozenset({"diamonds", "hearts"})
ITALIAN: Final = {"D": "yellow", "C": "red", "S": "blue", "B": "green"}
"""The colours of the Italian suits, which are shown beside their letters."""


def card_face(
    card: CardView,
    words: Words,
    view: View | None,
    *,
    new: bool = False,
    counted: bool = False,
    plain: bool = False,
) -> CardFace:
    """Return a card as a viewer sees it; with `plain`, suits are letters."""
    face = card.face if card.face is not None or view is None else view.face_of(card.id)
    if face is None:
        return CardFace(card.id, card.deck, new=new)
    text = words.describe(card, view)
    if plain:
        text = in_ascii(text)
    if card.look is not None:
        look = card.look(face)
        short, title, tag = (
            in_ascii(said) if plain else said
            for said in (words.describe(part) if part else "" for part in (look.short, look.title, look.tag))
        )
        sign = in_ascii(look.sign) if plain else look.sign
        return CardFace(
            card.id, card.deck, short_of(short), sign, look.ink or "", text, new, counted, title, tag
        )
    corner, sign, colour = _corner(face, words, plain=plain)
    return CardFace(card.id, card.deck, corner, sign, colour, text, new, counted)


def _corner(face: Any, words: Words, *, plain: bool) -> tuple[str, str, str]:
    if isinstance(face, FrenchFace):
        if face.rank == Rank.JOKER:
            return "Jk", "*" if plain else "★", ""
        suit = face.suit.value
        sign = words.text(suit)[:1].upper() if plain else str(face)[-1]
        return str(face)[:-1], sign, "red" if suit in FRENCH_RED else ""
    if isinstance(face, ItalianFace):
        return str(face)[:-1], face.suit.value, ITALIAN[face.suit.value]
    return "", "", thing_colour(face)


def thing_colour(value: Any) -> str:
    """Return the colour that begins a thing's English name, or its attribute `colour`; or ""."""
    one = getattr(value, "colour", None) or value
    words = one.value if isinstance(one, Enum) else one
    return colour_of(words) if isinstance(words, str) else ""
