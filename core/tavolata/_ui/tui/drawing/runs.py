"""Drawn text before it has a colour: runs of text with a role, lines of runs, and blocks of lines.

Pure. The theme decides how a role looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from rich.cells import cell_len, chop_cells, set_cell_size

from tavolata._ui.wrapping import bound, freed

Run = tuple[str, str]
"""A piece of text and its role ("" for plain text)."""
Line = tuple[Run, ...]

ELLIPSIS: Final = "…"
LABEL: Final = 4
"""The least cells of a label: three letters and a full stop."""


@dataclass(frozen=True, slots=True)
class Hotspot:
    """A part of a block that can be clicked, in cells from the block's upper left corner.

    `thing` is what it shows: a card's number or a choice's place.
    """

    x: int
    y: int
    width: int
    height: int
    thing: Any

    def moved(self, x: int, y: int) -> Hotspot:
        return Hotspot(self.x + x, self.y + y, self.width, self.height, self.thing)

    def covers(self, x: int, y: int) -> bool:
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass(frozen=True, slots=True)
class Block:
    lines: tuple[Line, ...]
    spots: tuple[Hotspot, ...] = ()

    @property
    def width(self) -> int:
        return max(map(width, self.lines), default=0)

    @property
    def height(self) -> int:
        return len(self.lines)

    def moved(self, x: int, y: int = 0) -> Block:
        """Put blank cells at the left of the block and above it."""
        lines = [((" " * x, ""), *row) for row in self.lines]
        return Block((*[()] * y, *lines), tuple(spot.moved(x, y) for spot in self.spots))


def width(line: Iterable[Run]) -> int:
    return sum(cell_len(text) for text, _ in line)


def line(text: str, role: str = "") -> Line:
    return ((text, role),)


def padded(runs: Line, cells: int) -> Line:
    """Fill up or cut the line so that it's exactly `cells` wide."""
    missing = cells - width(runs)
    if missing > 0:
        return (*runs, (" " * missing, ""))
    return clipped(runs, cells)


def centred(runs: Line, cells: int) -> Line:
    """Centre the line in `cells` cells, or cut it."""
    return padded(((" " * ((cells - width(runs)) // 2), ""), *runs), cells)


def clipped(runs: Line, cells: int) -> Line:
    """Cut the line with a mark if it's longer than `cells`."""
    if width(runs) <= cells:
        return runs
    left, kept = cells - 1, []
    for text, role in runs:
        size = cell_len(text)
        kept.append((text if size <= left else set_cell_size(text, max(0, left)), role))
        left -= size
        if left <= 0:
            break
    return (*kept, (ELLIPSIS, kept[-1][1])) if cells > 0 else ()


def shortened(text: str, room: int = LABEL) -> str:
    """Return a word that is cut with a full stop if it's longer than `room` cells."""
    return text if cell_len(text) <= room else f"{text[: max(0, room - 1)].rstrip()}."


def label(title: str) -> str:
    """Return a short title: five letters at most, or three and a full stop."""
    return title if cell_len(title) <= LABEL + 1 else shortened(title)


def over(block: Block, top: Block, x: int, y: int) -> Block:
    """Put a block on another one, which stays as large as it is; clicks still go to the lower one."""
    lines = list(block.lines)
    for at, row in enumerate(top.lines, y):
        if at in range(len(lines)):
            end = x + width(row)
            lines[at] = (*part_of(lines[at], 0, x), *row, *part_of(lines[at], end, block.width))
    return Block(tuple(lines), block.spots)


def part_of(runs: Line, start: int, end: int) -> Line:
    """Return these cells of a line, without a mark that it's cut; half a wide character is a blank."""
    kept: list[Run] = []
    at = 0
    for text, role in runs:
        cut = ""
        for sign in text:
            size = cell_len(sign)
            inside = range(max(at, start), min(at + size, end))
            cut += sign if len(inside) == size else " " * len(inside)
            at += size
        if cut:
            kept.append((cut, role))
    return padded(tuple(kept), max(0, end - start))


def wrapped(text: str, role: str, cells: int, hang: str = "") -> list[Line]:
    """Break a text between words into lines of `cells` cells; all but the first begin with `hang`."""
    lines: list[Line] = []
    indent = " " * (len(text) - len(text.lstrip(" ")))
    now = ""
    whole = bound(text)
    for word in whole.lstrip(" ").split(" "):
        begin = hang if lines else indent
        trial = f"{now} {word}" if now else begin + word
        if cell_len(trial) <= cells or not now:
            now = trial
        else:
            lines.append(line(now, role))
            now = hang + word
        while cell_len(now) > max(1, cells):
            head, *rest = chop_cells(now, max(1, cells))
            lines.append(line(head, role))
            now = hang + "".join(rest) if len(hang) < cells - 1 else "".join(rest)
    lines.append(line(now, role))
    return lines if whole == text else [tuple((freed(part), its) for part, its in row) for row in lines]


def flowed(runs: Iterable[Run], cells: int, hang: str = "") -> list[Line]:
    """Break runs between words into lines of `cells` cells; all but the first begin with `hang`."""
    words: list[list[Run]] = [[]]
    for text, role in runs:
        first, *others = bound(text).split(" ")
        words[-1].append((first, role))
        words += [[(part, role)] for part in others]
    lines: list[list[Run]] = [[]]
    hang = hang if len(hang) < cells - 1 else ""
    for word in (one for one in words if width(one)):
        room = cells - len(hang) if lines[1:] else cells
        if lines[-1] and width(lines[-1]) + 1 + width(word) > room:
            lines.append([])
            room = cells - len(hang)
        if lines[-1]:
            lines[-1].append((" ", word[0][1] if word[0][1] == lines[-1][-1][1] else ""))
        if width(word) > room:  # longer than a line
            pieces = chop_cells("".join(text for text, _ in word), max(1, cells - len(hang)))
            lines[-1].append((pieces[0], word[0][1]))
            lines += [[(piece, word[0][1])] for piece in pieces[1:]]
        else:
            lines[-1] += word
    freely = [[(freed(part), role) for part, role in row] for row in lines]
    return [merged([(hang, ""), *row] if at and hang else row) for at, row in enumerate(freely)]


def merged(runs: Iterable[Run]) -> Line:
    """Join runs of the same role that follow each other, and drop empty ones."""
    joined: list[Run] = []
    for text, role in runs:
        if joined and joined[-1][1] == role:
            joined[-1] = (joined[-1][0] + text, role)
        elif text:
            joined.append((text, role))
    return tuple(joined)


def beside(blocks: Sequence[Block], gap: int = 1) -> Block:
    """Put blocks side by side, aligned at the top."""
    height = max((block.height for block in blocks), default=0)
    rows: list[Line] = [() for _ in range(height)]
    spots: list[Hotspot] = []
    x = 0
    for block in blocks:
        size = block.width
        for y in range(height):
            own = block.lines[y] if y < block.height else ()
            rows[y] = (*padded(rows[y], x), *padded(own, size))
        spots += [spot.moved(x, 0) for spot in block.spots]
        x += size + gap
    return Block(tuple(rows), tuple(spots))


def stacked(blocks: Iterable[Block], gap: int = 0) -> Block:
    lines: list[Line] = []
    spots: list[Hotspot] = []
    for block in blocks:
        if lines and gap:
            lines += [()] * gap
        spots += [spot.moved(0, len(lines)) for spot in block.spots]
        lines += block.lines
    return Block(tuple(lines), tuple(spots))


def flowing(blocks: Iterable[Block], cells: int, gap: int) -> Block:
    """Put blocks side by side in rows of at most `cells` cells."""
    rows: list[Block] = []
    row: list[Block] = []
    for block in blocks:
        if row and sum(one.width + gap for one in row) + block.width > cells:
            rows.append(beside(row, gap))
            row = []
        row.append(block)
    if row:
        rows.append(beside(row, gap))
    return stacked(rows)


def counted_out(
    blocks: Sequence[Block], cells: int, rows: int, more: Callable[[int], str], gap: int = 3
) -> Block:
    """Put blocks side by side in at most `rows` rows; the last one says how many have no room."""
    whole = flowing(blocks, cells, gap)
    kept = len(blocks)
    while whole.height > rows and kept:
        kept = max(0, kept - 1 - (whole.height - rows) // 2)
        last = Block((((more(len(blocks) - kept), "dim"),),))
        whole = flowing([*blocks[:kept], last], cells, gap)
    return whole


def fitted(block: Block, cells: int, rows: int) -> Block:
    """Return a block of exactly this size: fill up or cut lines, and drop rows below the last."""
    lines = [padded(row, cells) for row in block.lines[:rows]]
    lines += [((" " * cells, ""),)] * (rows - len(lines))
    spots = tuple(
        replace(spot, width=min(spot.width, cells - spot.x), height=min(spot.height, rows - spot.y))
        for spot in block.spots
        if spot.x < cells and spot.y < rows
    )
    return Block(tuple(lines), spots)


def sides(left: Line, right: Line, cells: int, fill: Run = (" ", "")) -> Line:
    """Return a line with one part at the left, which is cut if necessary, and one at the right."""
    room = cells - width(right)
    if room < 0:
        return padded(right, cells)
    left = clipped(left, room)
    return (*left, (fill[0] * (room - width(left)), fill[1]), *right)
