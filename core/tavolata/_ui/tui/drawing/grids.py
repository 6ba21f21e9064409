"""The drawing of a grid: close together, or with lines between its cells where there is room. Pure."""

from __future__ import annotations

from typing import Final, NamedTuple

from msgspec.structs import replace
from rich.cells import cell_len

from tavolata._ui.scene.cast import NAMED
from tavolata._ui.scene.scene import BoardCell, Option, SceneItem
from tavolata._ui.tui.drawing.glyphs import Glyphs
from tavolata._ui.tui.drawing.runs import (
    Block,
    Hotspot,
    Line,
    beside,
    clipped,
    counted_out,
    fitted,
    padded,
    stacked,
    width,
    wrapped,
)
from tavolata._ui.tui.drawing.workshop import Workshop
from tavolata.looks import SHORT

HIGHEST: Final = 5
"""The most rows of a cell between its lines."""
NARROWEST: Final = 3
"""The fewest columns of a cell between its lines: what lies in a cell may become so wide later."""
LINES: Final = 2
"""The lines of a word in a cell."""
LEGEND: Final = 16
"""The fewest cells of a legend beside a grid."""
PIECE: Final = 3
"""The rows of a cell from which what lies in it is a box, if it has the columns."""


class _Size(NamedTuple):
    """The columns and rows of a cell; whether lines are between the rows, and above and below all of them."""

    wide: int
    high: int
    lined: bool
    edged: bool


def draw_grid(item: SceneItem, cells: int, rows: int, shop: Workshop) -> Block:
    """Draw a grid as large as it fits.

    A cell shows its thing, otherwise a choice's number, its ground or a dot. Where the longest name that a
    rehearsal had has room in every cell, things have their names. Labels are drawn around it if they fit.
    Words have two lines in each cell; where those don't fit, signs have a legend.
    """
    if len(item.cells) > rows and not item.labels[0]:  # gaps make way for the others
        item = replace(item, cells=tuple(filter(None, item.cells)))
    if item.words:
        return _worded(item, cells, rows, shop) or _with_legend(item, cells, rows, shop)
    if is_named := item.slots > SHORT and _largest(item, item.slots, cells, rows) is not None:
        named = (tuple(replace(cell, short=cell.name) for cell in row) for row in item.cells)
        item = replace(item, cells=tuple(named))
    parts = _parts(item, shop)
    parts_of = (width(part) for row in parts for part in row)
    size = item.slots if is_named else max((1, *item.widths, *parts_of))
    size = max(size, max(map(cell_len, item.labels[1]), default=1))
    ruled = _largest(item, size, cells, rows)
    return (
        _ruled(item, parts, ruled, cells, rows, shop)
        if ruled
        else _close(item, parts, size, cells, rows, shop)
    )


def _worded(item: SceneItem, cells: int, rows: int, shop: Workshop) -> Block | None:
    """Draw a grid with words in its cells, in one line if all fit, otherwise in two; None without room."""
    names = [cell.name for row in item.cells for cell in row]
    longest = max(item.slots, *map(cell_len, names), 1)
    least = max((cell_len(part) for name in names for part in name.split()), default=1)
    fits = (wide for wide in range(least, NAMED) if all(len(wrapped(name, "", wide)) < 3 for name in names))
    two = next(fits, NAMED)
    for least, high in ((longest, 1), (max(two, -(-item.slots // 2)), 2)):
        size = _largest(item, least, cells, rows, high) if least <= NAMED else None
        if size is not None:
            named = replace(
                item, cells=tuple(tuple(replace(one, short=one.name) for one in row) for row in item.cells)
            )
            return _ruled(named, _parts(named, shop), size, cells, rows, shop)
    return None


def _with_legend(item: SceneItem, cells: int, rows: int, shop: Workshop) -> Block:
    """Draw a grid with signs, and what they mean beside it or below it, where more of that has room."""
    entries = [Block((((row.label, row.colour or "strong"), (f" {row.value}", "")),)) for row in item.rows]
    signs, columns = replace(item, words=False, slots=0), max(map(len, item.cells), default=1)
    high, wide = len(item.cells) + bool(item.labels[1]), _side(item) + (SHORT + 1) * columns + item.hexagonal
    room = cells - wide - 2
    if room >= LEGEND and (high >= rows or room * rows > cells * (rows - high)):
        legend = counted_out(entries, room, rows, shop.more, 2)
        return beside([fitted(draw_grid(signs, wide, rows, shop), wide, rows), legend], 2)
    if high < rows:
        legend = counted_out(entries, cells, rows - high, shop.more, 2)
        return stacked([fitted(draw_grid(signs, cells, rows - legend.height, shop), cells,
                               rows - legend.height), legend])  # fmt: skip
    return draw_grid(signs, cells, rows, shop)


def _parts(item: SceneItem, shop: Workshop) -> list[list[Line]]:
    options = shop.on_cells(item.id)
    return [
        [_cell(cell, options.get((y, x)), shop) for x, cell in enumerate(row)]
        for y, row in enumerate(item.cells)
    ]


def _side(item: SceneItem) -> int:
    return max(map(cell_len, item.labels[0]), default=-1) + 1


def _close(
    item: SceneItem, parts: list[list[Line]], size: int, cells: int, rows: int, shop: Workshop
) -> Block:
    options = shop.on_cells(item.id)
    down, across = item.labels
    columns = max(map(len, parts), default=1)
    side = _side(item)
    shift = (size + 1) // 2 if item.hexagonal else 0
    if side + (size + 1) * columns + shift > cells:
        side, shift = 0, min(shift, 1)
        size = max(1, min(size, (cells - shift) // columns - 1))
    lines, spots = [], []
    if side and len(parts) < rows:
        runs: Line = ((" " * side, ""),)
        for x, label in enumerate(across):
            role, whole = _heading(item.id, x, side + x * (size + 1), size, len(parts) + 1, shop)
            runs = (*runs, *padded(((label, role),), size), (" ", ""))
            spots += whole
        lines.append(runs)
    for y, row in enumerate(parts):
        left = side + shift * (y % 2)
        runs = (*padded((((down[y] if side else ""), "dim"),), side), (" " * (left - side), ""))
        for x, part in enumerate(row):
            if (option := options.get((y, x))) is not None:
                spots.append(
                    Hotspot(left + x * (size + 1), len(lines), size, 1, ("choice", option.number - 1))
                )
            runs = (*runs, *padded(clipped(part, size), size), (" ", ""))
        lines.append(runs)
    return _window(Block(tuple(lines), tuple(spots)), _focus(item, shop), cells, rows)


def _focus(item: SceneItem, shop: Workshop) -> int:
    """Return the row of a grid that must be seen: of the choice pointed at, otherwise of what's new,
    otherwise the first.
    """
    at = None if shop.pointed is None else shop.pointed.at
    if at is not None and at.zone == item.id and at.cells:
        return at.cells[0][0]
    return next((y for y, row in enumerate(item.cells) for cell in row if cell.new), 0)


def _window(block: Block, focus: int, cells: int, rows: int) -> Block:
    """Cut a block to the rows there's room for around `focus`, and say how many are above and below."""
    first = max(0, min(focus - rows // 2, block.height - rows))
    lines = list(block.lines[first : first + rows])
    for at, hidden in ((0, first), (-1, block.height - first - rows)):
        if hidden > 0:
            more = f" +{hidden}"
            lines[at] = (*padded(clipped(lines[at], cells - len(more)), cells - len(more)), (more, "dim"))
    spots = (spot.moved(0, -first) for spot in block.spots if first <= spot.y < first + rows)
    return Block(tuple(lines), tuple(spots))


def _heading(zone: str, at: int, x: int, wide: int, high: int, shop: Workshop) -> tuple[str, list[Hotspot]]:
    """Return the role of the label of column `at`, and the spots of the choices of all of that column."""
    whole = [option for places, option in shop.on_columns(zone) if (0, at) in places]
    spots = [Hotspot(x, 0, wide, high, ("choice", option.number - 1)) for option in whole]
    return shop.role_on(whole[0]) if whole else "dim", spots


def _cell(cell: BoardCell, option: Option | None, shop: Workshop) -> Line:
    """Draw a cell of a grid. A choice on an empty one is its number; on a thing it's a colour."""
    chosen = shop.role_on(option) if option is not None else ""
    if option is not None and (cell.ground or not cell.short):
        return ((str(option.number), chosen),)
    if not cell.short:
        return ((shop.glyphs.shade if cell.ground else shop.glyphs.dot, "dim"),)
    more: Line = ((f"+{cell.more}", "dim"),) if cell.more else ()
    pointed = chosen == "cursor"
    colour = chosen if pointed or not cell.colour else cell.colour
    return ((cell.short, colour or ("dim" if cell.ground else "hot" if cell.new else "")), *more)


# -- with lines between the cells --------------------------------------------------------------------


def _largest(item: SceneItem, least: int, cells: int, rows: int, lowest: int = 1) -> _Size | None:
    """Return the largest cells for which there's room with lines between them; None if none fit."""
    columns, count = max(map(len, item.cells), default=0), len(item.cells)
    if not columns:
        return None
    labels = bool(item.labels[1])
    room = 2 * (cells - _side(item) - 1) // (2 * columns + item.hexagonal)
    for high, lined in (*((high, True) for high in range(HIGHEST, lowest - 1, -1)), (lowest, False)):
        each = min(room, max(3 * (high + 1), least + 1))
        each -= each % 2 if item.hexagonal else 0  # the half of it is a number of columns, too
        if each - 1 < max(least, NARROWEST, high):
            continue
        tall = count * (high + lined) - lined
        if tall + bool(labels and count < rows) <= rows:
            edged = tall + labels + 2 <= rows
            return _Size(each - 1, high, lined, edged)
    return None


def _ruled(
    item: SceneItem, parts: list[list[Line]], size: _Size, cells: int, rows: int, shop: Workshop
) -> Block:
    options, glyphs = shop.on_cells(item.id), shop.glyphs
    wide, high, lined, edged = size
    each, side = wide + 1, _side(item)
    shift = each // 2 if item.hexagonal else 0
    columns = max(map(len, parts))
    left = max(0, (cells - side - shift - each * columns - 1) // 2)
    begins = [side + left + shift * (y % 2) for y in range(len(parts))]
    sides = [
        [begin + each * x for x in range(len(row) + 1)] for begin, row in zip(begins, parts, strict=True)
    ]
    lines: list[Line] = []
    spots: list[Hotspot] = []
    tall = len(parts) * (high + lined) - lined + 2 * edged
    if item.labels[1] and tall < rows:
        runs: Line = ((" " * (side + left + 1), ""),)
        for x, label in enumerate(item.labels[1]):
            blank = max(0, wide - cell_len(label)) // 2
            begin = side + left + 1 + x * each
            role, whole = _heading(item.id, x, begin, wide, tall + 1, shop)
            runs = (*padded(runs, begin + blank), (label, role))
            spots += whole
        lines.append(runs)
    if edged:
        lines.append(_between([], sides[0], glyphs))
    for y, row in enumerate(parts):
        if y and lined:
            lines.append(_between(sides[y - 1], sides[y], glyphs))
        drawn: list[Line] = [()] * high
        for x, part in enumerate(row):
            option = options.get((y, x))
            if option is not None:
                spots.append(Hotspot(sides[y][x] + 1, len(lines), wide, high, ("choice", option.number - 1)))
            inside = _inside(item.cells[y][x], part, option, size, shop, boxed=not item.words)
            drawn = [(*line, (glyphs.down, "edge"), *one) for line, one in zip(drawn, inside, strict=True)]
        for at, line in enumerate(drawn):
            label = item.labels[0][y] if at == high // 2 and item.labels[0] else ""
            head: Line = ((" " * left, ""), (label, "dim"))
            lines.append((*padded(head, begins[y]), *line, (glyphs.down, "edge")))
    if edged:
        lines.append(_between(sides[-1], [], glyphs))
    return Block(tuple(lines), tuple(spots))


def _between(above: list[int], below: list[int], glyphs: Glyphs) -> Line:
    """Draw the line between two rows of cells with sides at these columns."""
    begin, end = min(above[:1] + below[:1]), max(above[-1:] + below[-1:])
    signs = [glyphs.across] * (end + 1 - begin)
    for x in (*above, *below):
        ways = (x in above, x in below, x > begin, x < end)
        signs[x - begin] = glyphs.joints.get(ways, glyphs.down)  # between two gaps
    return ((" " * begin, ""), ("".join(signs), "edge"))


def _inside(
    cell: BoardCell, part: Line, option: Option | None, size: _Size, shop: Workshop, *, boxed: bool
) -> list[Line]:
    wide, high = size.wide, size.high
    sign, role = " ", ""
    edge: Line = ()
    last: Line = ()
    if option is not None and option is shop.pointed:
        role, part = "cursor", tuple((text, "cursor") for text, _ in part)
    elif cell.ground:
        sign, role = shop.glyphs.shade, "dim"
    rows: list[Line] = [((sign * wide, role),)] * high
    if boxed and cell.short and not cell.ground and width(part) <= wide - 4 and high >= PIECE:
        box = shop.glyphs.double if cell.new else shop.glyphs.round
        ink = part[0][1] or "edge"
        blank, inner = (" ", role), wide - 4
        middle: Line = (blank, (box.side, ink), (" " * inner, role), (box.side, ink), blank)
        low = box.left_low + box.across * inner + box.right_low
        rows = [(blank, (box.top(inner), ink), blank), *[middle] * (high - 2), (blank, (low, ink), blank)]
        edge, last = (blank, (box.side, ink)), ((box.side, ink), blank)
    room = wide - 2 * len(edge)
    words = wrapped("".join(text for text, _ in part), part[0][1], room)
    told = [part] if len(words) == 1 or high == 1 else [*words[: LINES - 1], _last(words[LINES - 1 :])]
    for at, line in enumerate(told, (high - len(told) + 1) // 2):
        said = clipped(line, room)
        left = (room - width(said)) // 2
        right = room - width(said) - left
        rows[at] = (
            *edge, (sign * left, role), *said, (sign * right, role), *last,
        )  # fmt: skip
    return rows


def _last(lines: list[Line]) -> Line:
    """Return what is left of a word in one line, which is cut if it's longer."""
    text = " ".join(text for line in lines for text, _ in line)
    return ((text, lines[0][0][1]),)
