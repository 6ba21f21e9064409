"""Zones as lines of text that need neither position nor colour to be understood."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from tavolata._text import Verbatim
from tavolata._ui.words import Words
from tavolata.boards import counted
from tavolata.messages import N_, NN_
from tavolata.view import View
from tavolata.zones import (
    CardRow,
    CardStack,
    CardView,
    Cells,
    Count,
    Lanes,
    Rows,
    Sentence,
    Show,
    Zone,
    ZoneShape,
)

CARDS = NN_("{n} card", "{n} cards")
HIDDEN_CARDS = NN_("{n} hidden card", "{n} hidden cards")
DICE = NN_("{n} die", "{n} dice")
HIDDEN_DICE = NN_("{n} hidden die", "{n} hidden dice")
TOP = N_("{count}, on top {card}")
LINE = N_("{title}: {content}")
OF_GOAL = N_("{title}, goal {goal}")
LAST = N_("{title}, to square {last}")
OWNED = N_("{title} of {seat}")
SQUARE = N_("Square {square} ({mark}): {tokens}")
PLAIN_SQUARE = N_("Square {square}: {tokens}")
NOBODY_THERE = N_("Empty: {squares}")
MARKED = N_("{square} ({mark})")
FACE_DOWN = N_("{card}, face down")
EMPTY = N_("empty")


def title_of(zone: Zone, words: Words, view: View) -> str:
    """The title of a zone, with its owner."""
    title = words.text(zone.title, zone.params, view)
    return title if zone.seat is None else words.text(OWNED, {"title": title, "seat": zone.seat})


def how_many(cards: Sequence[CardView], words: Words, hidden: int | None = None) -> str:
    """How many cards or dice these are, or how many of them are hidden."""
    dice = bool(cards) and all(card.die for card in cards)
    if hidden is None:
        return words.text(DICE if dice else CARDS, {"n": len(cards)})
    return words.text(HIDDEN_DICE if dice else HIDDEN_CARDS, {"n": hidden})


def said_once(view: View) -> list[Zone]:
    """The zones without those of another seat whose cards all lie in a larger zone of it, too.

    What lies open there is named there. Of one's own cards it is to be known which ones the others see.
    """
    zones = list(view.zones().values())
    cards = {
        zone.id: {card.id for card in shape.cards} if isinstance(shape := zone.shape(), CardRow) else set()
        for zone in zones
    }
    return [
        zone for zone in zones
        if zone.seat is None or zone.seat == view.seat or not cards[zone.id]
        or not any(cards[zone.id] < cards[one.id] for one in zones if one.seat == zone.seat)
    ]  # fmt: skip


def zone_lines(zone: Zone, words: Words, view: View) -> list[str]:
    """The lines of one zone for this viewer."""
    title = title_of(zone, words, view)
    shape, show = zone.shape(), zone.show or Show()
    content = _content(shape, words, view)
    if isinstance(shape, CardRow) and zone.seat is None and any(card.down for card in shape.cards):
        content = _row(shape.cards, words, view, lies_down=True)
    if show.unit and isinstance(shape, Rows):
        unit = words.text(show.unit)
        said = ((words.describe(label, view), words.describe(number, view)) for label, number in shape.rows)
        content = ", ".join(f"{label} {number}{unit}" for label, number in said) or words.text(EMPTY)
    if show.goal is not None and isinstance(shape, Rows):
        title = words.text(OF_GOAL, {"title": title, "goal": show.goal})
    if isinstance(shape, Lanes) and shape.squares:
        last = shape.squares[-1][0] if show.goal is None else show.goal
        title = words.text(LAST, {"title": title, "last": last})
    if isinstance(content, str):
        return [words.text(LINE, {"title": title, "content": content})]
    return [words.text(LINE, {"title": title, "content": ""}).rstrip(), *(f"  {line}" for line in content)]


def _content(shape: ZoneShape, words: Words, view: View) -> str | list[str]:
    """The text after the title, or the lines below it."""
    match shape:
        case CardStack(cards):
            count = how_many(cards, words)
            if not cards or cards[-1].face is None:
                return count
            return words.text(TOP, {"count": count, "card": cards[-1]}, view)
        case CardRow(()):
            return words.text(EMPTY)
        case CardRow(cards):
            return _row(cards, words, view)
        case Count(number):
            return words.describe(number, view)
        case Rows(rows):
            said = (f"{words.describe(label, view)} {words.describe(number, view)}" for label, number in rows)
            return ", ".join(said) or words.text(EMPTY)
        case Lanes(squares):
            return _lanes(squares, words, view)
        case Cells():
            return _cells(shape, words, view)
        case Sentence(message, params):
            return words.text(message, params, view)


def _row(cards: Sequence[CardView], words: Words, view: View, *, lies_down: bool = False) -> str:
    """The cards that lie open here, each by its face, and then how many are hidden.

    With `lies_down`, what others can't see is said of a card that lies on the table.
    """
    known = [card for card in cards if card.face is not None or view.face_of(card.id) is not None]
    hidden = len(cards) - len(known)
    if not known:
        return how_many(cards, words)
    more = [how_many(cards, words, hidden)] if hidden else []
    said = [
        words.text(FACE_DOWN, {"card": card}, view) if lies_down and card.down else words.describe(card, view)
        for card in known
    ]
    return ", ".join([*said, *more])


def _cells(shape: Cells, words: Words, view: View) -> list[str]:
    """The rows of a grid as a table: labels, things, what empty cells are, and a dot where nothing is."""
    from rich.cells import cell_len  # noqa: PLC0415 - few games have a board

    def said(things: tuple[Any, ...], ground: Any) -> str:
        if len(things) > 1:
            return f"{words.describe(things[-1], view)}+{len(things) - 1}"
        one = things[-1] if things else ground
        return "." if one is None else words.describe(one, view)

    table = [
        [counted(shape.labels[:1], at), *(said(*cell) for cell in zip_longest(row, grounds))]
        for at, (row, grounds) in enumerate(zip_longest(shape.rows, shape.terrain, fillvalue=()))
    ]
    across = len(table[0])
    if shape.labels:
        table.insert(0, ["", *(counted(shape.labels[1:], column) for column in range(across - 1))])
    sides = max(cell_len(row[0]) for row in table)
    wide = max(cell_len(text) for row in table for text in row[1:])
    lines = []
    for at, (side, *row) in enumerate(table, -bool(shape.labels)):
        shift = " " * ((wide + 1) // 2) if shape.hexagonal and at % 2 and at > 0 else ""
        cells = [text + " " * (wide - cell_len(text)) for text in row]
        lines.append(f"{side:>{sides}} {shift}{' '.join(cells)}"[not sides :].rstrip())
    return lines


def _lanes(squares: Sequence[tuple[Any, str, tuple[Any, ...]]], words: Words, view: View) -> list[str]:
    """A line for each square with something on it, and one for the empty ones that mean something."""
    lines = [square_line(*square, words, view) for square in squares if square[2]]
    marked = [words.text(MARKED, {"square": square, "mark": mark}, view)
              for square, mark, tokens in squares if mark and not tokens]  # fmt: skip
    if marked:
        lines.append(words.text(NOBODY_THERE, {"squares": Verbatim(", ".join(marked))}))
    return lines


def square_line(square: Any, mark: str, tokens: tuple[Any, ...], words: Words, view: View) -> str:
    """One square, what it is called, and what stands on it."""
    on_it = words.describe(tokens, view) if tokens else words.text(EMPTY)
    return words.text(SQUARE if mark else PLAIN_SQUARE, {"square": square, "mark": mark, "tokens": on_it})
