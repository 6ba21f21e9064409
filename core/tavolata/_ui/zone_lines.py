"""Zones as lines of text that need neither position nor colour to be understood."""

from __future__ import annotations

from typing import Any

from tavolata._ui.words import Words
from tavolata.messages import N_, NN_
from tavolata.view import View
from tavolata.zones import CardRow, CardStack, Cells, Count, Lanes, Rows, Sentence, Zone, ZoneShape

CARDS = NN_("{n} card", "{n} cards")
TOP = N_("{count}, on top {card}")
LINE = N_("{title}: {content}")
OWNED = N_("{title} of {seat}")
SQUARE = N_("{square} ({mark}): {tokens}")
PLAIN_SQUARE = N_("{square}: {tokens}")
EMPTY = N_("empty")


def title_of(zone: Zone, words: Words, view: View) -> str:
    """The title of a zone, with its owner."""
    title = words.text(zone.title, zone.params, view)
    return title if zone.seat is None else words.text(OWNED, {"title": title, "seat": zone.seat})


def zone_lines(zone: Zone, words: Words, view: View) -> list[str]:
    """The lines of one zone for this viewer."""
    title = title_of(zone, words, view)
    content = _content(zone.shape(), words, view)
    if isinstance(content, str):
        return [words.text(LINE, {"title": title, "content": content})]
    return [words.text(LINE, {"title": title, "content": ""}).rstrip(), *(f"  {line}" for line in content)]


def _content(shape: ZoneShape, words: Words, view: View) -> str | list[str]:
    """The text after the title, or the lines below it."""
    match shape:
        case CardStack(cards):
            count = words.text(CARDS, {"n": len(cards)})
            if not cards or cards[-1].face is None:
                return count
            return words.text(TOP, {"count": count, "card": cards[-1]}, view)
        case CardRow(()):
            return words.text(EMPTY)
        case CardRow(cards):
            hidden = all(card.face is None for card in cards)
            return words.text(CARDS, {"n": len(cards)}) if hidden else words.describe(cards, view)
        case Count(number):
            return words.describe(number, view)
        case Rows(rows):
            said = (f"{words.describe(label, view)} {words.describe(number, view)}" for label, number in rows)
            return ", ".join(said) or words.text(EMPTY)
        case Lanes(squares):
            return [_square(*square, words, view) for square in squares if square[1] or square[2]]
        case Cells(rows):
            return [
                " ".join("." if cell is None else words.describe(cell, view) for cell in row) for row in rows
            ]
        case Sentence(message, params):
            return words.text(message, params, view)


def _square(square: Any, mark: str, tokens: tuple[Any, ...], words: Words, view: View) -> str:
    on_it = words.describe(tokens, view) if tokens else words.text(EMPTY)
    return words.text(SQUARE if mark else PLAIN_SQUARE, {"square": square, "mark": mark, "tokens": on_it})
