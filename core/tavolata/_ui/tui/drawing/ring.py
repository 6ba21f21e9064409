"""The drawing of a board with the players around it: who sits beside whom can be seen. Pure."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len

from tavolata._ui.scene.art import digits
from tavolata._ui.scene.scene import Panel
from tavolata._ui.tui.drawing.items import draw_board
from tavolata._ui.tui.drawing.panels import deeds_of, flow_of, known_of, main_number
from tavolata._ui.tui.drawing.runs import Block, Line, beside, clipped, fitted, padded, stacked, width
from tavolata._ui.tui.drawing.stage import TableStage
from tavolata._ui.tui.drawing.workshop import Workshop

LEAST: Final = 14
"""The fewest cells of a box."""
TWO: Final = 7
"""The cells of two large digits."""
ROOMY: Final = 18
"""The cells inside a box from which its number keeps its place when it changes."""


def draw_ring(plan: TableStage, shop: Workshop) -> Block:
    """Draw the board with a row of players above and below it, around from the viewer's seat below."""
    rect, high = plan.board, plan.middle.y
    clockwise = shop.scene.clockwise
    top, low = seats_around(shop.scene.panels, clockwise=clockwise)
    middle = draw_board(plan, shop)
    inner = Block(middle.lines[high : rect.height - high], tuple(one.moved(0, -high) for one in middle.spots))
    above, below = (_row(row, rect.width, high, shop, right=(row is top) is clockwise) for row in (top, low))
    whole = stacked([above, fitted(inner, rect.width, plan.middle.height), below])
    places = {}
    for row, y in ((top, high - 1), (low, rect.height - high)):
        for at, panel in enumerate(row):
            places[panel.seat] = (rect.width * (2 * at + 1) // (2 * len(row)), y)
    for flow in shop.scene.flows:
        if flow.seat in places and flow.to in places:
            lines = _dotted(whole.lines, places[flow.seat], places[flow.to], shop)
            whole = Block(lines, whole.spots)
    return whole


def _dotted(
    lines: tuple[Line, ...], start: tuple[int, int], end: tuple[int, int], shop: Workshop
) -> tuple[Line, ...]:
    """Put dots between two cells, where nothing else is."""
    (x0, y0), (x1, y1) = start, end
    if y0 == y1:  # neighbours: beside the boxes, towards the middle of the table
        y0 = y1 = y0 + (1 if y0 < len(lines) // 2 else -1)
    steps = max(abs(x1 - x0) // 4, abs(y1 - y0), 1)
    drawn = list(lines)
    for step in range(steps + 1):
        x, y = x0 + (x1 - x0) * step // steps, y0 + (y1 - y0) * step // steps
        drawn[y] = _dot(drawn[y], x, shop.glyphs.coin if step == steps else shop.glyphs.dot)
    return tuple(drawn)


def _dot(line: Line, x: int, sign: str) -> Line:
    """Put a sign in a cell if it's blank and touches no word."""
    if "".join(text for text, _ in line)[max(0, x - 1) : x + 2].strip():
        return line
    at = 0
    for number, (text, role) in enumerate(line):
        size = cell_len(text)
        if at <= x < at + size:
            if size != len(text) or text[x - at] != " ":
                return line
            parts = ((text[: x - at], role), (sign, "coin"), (text[x - at + 1 :], role))
            return (*line[:number], *(run for run in parts if run[0]), *line[number + 1 :])
        at += size
    return line


def seats_around(panels: tuple[Panel, ...], *, clockwise: bool) -> tuple[list[Panel], list[Panel]]:
    """Return the panels above and below the board, from left to right; the first sits in the middle below."""
    below = -(-len(panels) // 2)
    after = below // 2
    upper = list(panels[after + 1 : after + 1 + len(panels) - below])
    before = panels[after + 1 + len(upper) :]
    lower = [*reversed(panels[1 : after + 1]), panels[0], *reversed(before)]
    return (upper, lower) if clockwise else (upper[::-1], lower[::-1])


def box_width(boxes: int, cells: int) -> int:
    """Return the cells of each of these boxes in a row."""
    return max(LEAST, min(34, cells // max(1, boxes) - 4))


def _row(panels: list[Panel], cells: int, rows: int, shop: Workshop, *, right: bool) -> Block:
    """Draw a row of boxes, with arrows between them in the direction of play."""
    each, wide = cells // max(1, len(panels)), box_width(len(panels), cells)
    arrow = shop.glyphs.arrows[right]
    gap = Block(((), (((f" {arrow} " if each - wide >= 3 else " "), "edge"),)))
    parts: list[Block] = []
    for number, panel in enumerate(panels):
        parts += [gap] * bool(number) + [_box(panel, wide, rows, shop)]
    block = beside(parts, 0)
    return fitted(block.moved(max(0, (cells - block.width) // 2)), cells, rows)


def _box(panel: Panel, cells: int, rows: int, shop: Workshop) -> Block:
    glyphs, hue = shop.glyphs, f"hue{panel.hue}"
    asked = panel.state != "idle"
    out = panel.main is not None and panel.main.number == 0
    box = glyphs.heavy if asked else glyphs.dotted if out else glyphs.round
    inner = cells - 2
    count = None if panel.main is None else panel.main.number
    drawn = digits(str(count), TWO, rows - 2) if count and glyphs.suits and inner >= ROOMY else []
    space = inner - 2 - (TWO + 1 if drawn else 0)
    going = flow_of(panel, space, shop)
    number = main_number(panel, shop)
    kept = tuple(run for run in number if run[0].strip())
    edge: Line = ((" ", ""), *kept, (" ", "")) if kept else ()
    gap = width(number) - width(kept) if inner >= ROOMY else 0  # for its change
    room = inner - 1 - width(edge) - gap
    name = panel.name if cell_len(panel.name) + 4 <= room else panel.short
    head = clipped(((f" {glyphs.marks[panel.mark]} {name} ", f"{hue}-here" if asked else hue),), room)
    fill = box.across * (inner - 1 - width(head) - width(edge) - gap)
    top: Line = ((box.across, hue), *head, (fill, hue), *edge)  # and the cells of the gap
    signs: Line = ((glyphs.coin * count, "coin"),) if count is not None and 0 < count < space else ()
    known = known_of(panel, space, rows - 2, shop)
    told = panel.says or going or ("" if known and rows == 3 else panel.note)
    if told and 3 < rows < len(known) + 3:
        known = known_of(panel, space, rows - 3, shop)
    note: Line = ((told, "good" if panel.says else "hot" if going else "dim"),)
    lines = [*([note] if told else []), *known]
    lines = [signs, *lines] if len(lines) < rows - 2 else lines
    free = rows - 2 - len(lines)
    lines += deeds_of(panel, space, free, shop)
    if not free and (deed := deeds_of(panel, space - width(lines[-1]) - 2, 1, shop, whole=True)):
        lines[-1] = (*lines[-1], ("  ", ""), *deed[0])
    large = Block(tuple(padded(((f"{row:>{TWO}}", "number"),), TWO) for row in drawn))
    told_block = fitted(
        Block(tuple(((" ", ""), *padded(line, space)) for line in lines)), space + 1, rows - 2
    )
    body = fitted(beside([told_block, large], 1), inner, rows - 2)
    return Block(tuple(box.around(body.lines, inner, hue, top)))
