"""The drawing of zones: one function for each shape of zone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tavolata._ui.tui.drawing.cards import backs, draw_cards, draw_pile
from tavolata._ui.tui.drawing.marks import colour_of, letter_of
from tavolata._ui.tui.drawing.pen import Pen
from tavolata._ui.tui.drawing.runs import (
    Block,
    Line,
    Run,
    beside,
    clipped,
    flowing,
    padded,
    stacked,
    width,
    wrapped,
)
from tavolata._ui.tui.drawing.tracks import draw_track
from tavolata._ui.zone_lines import EMPTY, OWNED
from tavolata.ring import Seat
from tavolata.zones import (
    CardRow,
    CardStack,
    CardView,
    Cells,
    Count,
    Lanes,
    Rows,
    Sentence,
    Zone,
    ZoneShape,
)  # fmt: skip

COINS = 10
"""The largest amount that is drawn as single units."""


def title_of(zone: Zone, pen: Pen) -> str:
    """The title above a zone."""
    title = pen.say(zone.title, zone.params)
    return title if zone.seat is None else pen.say(OWNED, {"title": title, "seat": zone.seat})


def draw_zone(zone: Zone, pen: Pen, *, title: str | None = None) -> Block:
    """Draw a zone with its title."""
    words = title_of(zone, pen) if title is None else title
    shape = zone.shape()
    content = _drawn(shape, zone, pen)
    if isinstance(shape, Count | Sentence) or (pen.flat and content.height == 1):
        head: Line = ((f"{words}: ", "title"),) if words else ()
        if content.height == 1:
            row = beside([Block((head,)), content], 0) if words else content
            if row.width <= pen.room:
                return row
        text = "".join(run for row in content.lines for run, _ in row)
        first, *rest = wrapped(f"{words}: {text}" if words else text, "", pen.room, "  ")
        begin = f"{words}:"
        if words and first[0][0].startswith(begin):
            first = ((begin, "title"), (first[0][0].removeprefix(begin), ""))
        return Block((first, *rest))
    return stacked([Block((clipped(((words, "title"),), pen.room),)), content]) if words else content


def _drawn(shape: ZoneShape, zone: Zone, pen: Pen) -> Block:
    match shape:
        case CardStack(cards):
            return draw_pile(cards, pen)
        case CardRow(cards):
            return _row(cards, zone.seat, pen)
        case Count(number):
            return _count(number, pen)
        case Rows(rows):
            return _rows(rows, pen)
        case Lanes(squares):
            return draw_track(squares, pen)
        case Cells(rows):
            return _cells(rows, pen)
        case Sentence(message, params):
            return Block((pen.line(pen.say(message, params)),))


def _row(cards: Sequence[CardView], seat: Seat | None, pen: Pen) -> Block:
    seen = [card for card in cards if pen.card_face(card)[0]]
    if (pen.view is not None and seat == pen.view.seat) or len(cards) - len(seen) < 2:
        return draw_cards(cards, pen)
    rest = backs(len(cards) - len(seen), pen)  # of others: the visible cards, and the number of hidden ones
    if not seen:
        return rest
    return beside([draw_cards(seen, pen), rest if pen.flat else stacked([Block(((),)), rest])])


def _count(number: Any, pen: Pen) -> Block:
    coins = pen.glyphs.coin * number if type(number) is int and 0 < number <= COINS else ""
    return Block((((pen.name(number), "number"), (f" {coins}" if coins else "", "coin")),))


def _rows(content: Sequence[tuple[Any, Any]], pen: Pen) -> Block:
    rows = [(named(label, pen), pen.name(value)) for label, value in content]
    if not rows:
        return Block((pen.line(pen.say(EMPTY), "dim"),))
    left = min(24, max(width((name,)) for name, _ in rows))
    blocks = [
        Block(((*clipped((name,), left), (" " * max(1, left + 1 - width((name,))), ""), (number, "number")),))
        for name, number in rows
    ]
    return flowing(blocks, pen.room, gap=3) if len(blocks) > 8 else stacked(blocks)


def alike(zone: Zone, other: Zone) -> bool:
    """Whether two zones count the same things, so that they fit into one table."""
    one, two = zone.shape(), other.shape()
    if not (isinstance(one, Rows) and isinstance(two, Rows) and zone.seat is other.seat is None):
        return False
    labels = {label for label, _ in one.rows}
    return len(labels) > 2 and labels == {label for label, _ in two.rows}


def draw_alike(zones: Sequence[Zone], pen: Pen) -> Block:
    """Draw several zones that count the same things as one table, in the order of the first."""
    labels = [label for label, _ in zones[0].content]
    lines: list[Line] = [()] + [(named(label, pen),) for label in labels]
    for zone in zones:
        room = max(map(width, lines)) + 2
        cells = {label: pen.name(value) for label, value in zone.content}
        title = pen.say(zone.title, zone.params)
        size = max(width(((text, ""),)) for text in [title, *cells.values()])
        column = [(f"{' ' * (size - width(((title, ''),)))}{title}", "title")]
        column += [(f"{cells[label]:>{size}}", "number") for label in labels]
        lines = [(*padded(line, room), cell) for line, cell in zip(lines, column, strict=True)]
    return Block(tuple(lines))


def named(value: Any, pen: Pen) -> Run:
    """A value in words and its colour."""
    return pen.name(value), colour_of(value)


def _cells(content: Sequence[Sequence[Any]], pen: Pen) -> Block:
    rows = [[_cell(cell, pen) for cell in row] for row in content]
    size = max((width((cell,)) for row in rows for cell in row), default=1)
    if (size + 1) * max(map(len, rows), default=0) > pen.room:
        rows = [[(letter_of(text) if text.strip(".") else text, role) for text, role in row] for row in rows]
        size = 1
    return Block(
        tuple(
            tuple(run for text, role in row for run in ((f"{text:<{size}}", role), (" ", ""))) for row in rows
        )
    )


def _cell(cell: Any, pen: Pen) -> Run:
    if cell is None:
        return ".", "dim"
    if isinstance(cell, CardView):
        text, colour = pen.card_face(cell)
        return text or pen.glyphs.back * 2, colour
    return named(cell, pen)
