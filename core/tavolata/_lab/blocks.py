"""Blocks of a report: tables, bars and curves as plain data, and all of them as lines of plain text. Pure."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Tabulation:
    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Bar:
    label: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Bars:
    """Bars with their intervals.

    `unit` follows each number, such as "%". `mark` is drawn as a line for comparison, with the meaning
    `marked`. The scale reaches to `scale` at least, so charts with the same one can be compared.
    """

    title: str
    bars: Sequence[Bar]
    unit: str = ""
    mark: float | None = None
    marked: str = ""
    scale: float = 1e-9

    @property
    def top(self) -> float:
        return max(
            [self.scale, *(bar.high for bar in self.bars), *([] if self.mark is None else [self.mark])]
        )


@dataclass(frozen=True)
class Curves:
    """Lines over the course of a match, from its beginning to its end.

    `lines` has, by label, the values at points of equal distance; the values in `scale` are on the scale in
    any case.
    """

    title: str
    lines: Sequence[tuple[str, Sequence[float]]]
    scale: Sequence[float] = ()

    @property
    def reach(self) -> tuple[float, float]:
        """The lowest and the highest value; they differ."""
        values = [*self.scale, *(one for _, line in self.lines for one in line)]
        low, high = min([*values, 0.0]), max([*values, 0.0])
        return low, high if high > low else low + 1


Block = Paragraph | Tabulation | Bars | Curves


@dataclass(frozen=True)
class Chapter:
    title: str
    blocks: Sequence[Block]


def number(value: float) -> str:
    """Write a number with about three digits."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


PLOT = 24
"""The columns of a bar at the top of its scale, and the rows and columns of curves."""
ROWS, COLUMNS = 8, 44
HEARD = 12
"""The most points of a curve that are said."""
WIDTH = 79
"""The most columns of a sentence: a report is read on a terminal of 80."""


def lines(
    title: str, chapters: Iterable[Chapter], *, ascii_only: bool = False, heard: bool = False
) -> Iterator[str]:
    """Return the lines of a report. If they are `heard`, nothing is drawn, and curves are numbers."""
    yield title
    if not heard:
        yield "=" * len(title)
    for chapter in chapters:
        yield from ("", chapter.title)
        if not heard:
            yield "-" * len(chapter.title)
        for block in chapter.blocks:
            yield from _said(block) if heard else _block(block, ascii_only)


def _said(block: Block) -> Iterator[str]:
    """Return a block in whole lines of words and numbers."""
    if isinstance(block, Paragraph):
        yield " ".join(block.text.split())
        return
    if block.title:
        yield f"{block.title}:"
    if isinstance(block, Tabulation):
        for row in block.rows:
            cells = (f"{name} {cell}" for name, cell in zip(block.headings[1:], row[1:], strict=True) if cell)
            yield f"{row[0]}: {', '.join(cells)}"
    elif isinstance(block, Bars):
        for bar in block.bars:
            yield f"{bar.label}: {number(bar.value)}{block.unit} ({number(bar.low)}–{number(bar.high)})"
        if block.mark is not None:
            yield f"{block.marked}: {number(block.mark)}{block.unit}"
    else:
        for name, line in block.lines:
            last, points = len(line) - 1, min(HEARD, len(line))
            values = (line[round(at * last / max(1, points - 1))] for at in range(points))
            yield f"{name}: {', '.join(map(number, values))}"


def _block(block: Block, ascii_only: bool) -> Iterator[str]:
    if isinstance(block, Paragraph):
        yield from textwrap.wrap(block.text, WIDTH)
        return
    yield ""
    if block.title:
        yield f"{block.title}:"
    if isinstance(block, Tabulation):
        rows = [block.headings, *block.rows]
        wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = [cell.rjust(size) for cell, size in zip(row[1:], wide[1:], strict=True)]
            yield "  ".join(["  " + row[0].ljust(wide[0]), *cells]).rstrip()
    elif isinstance(block, Bars):
        yield from _bars(block, ascii_only)
    else:
        yield from _curves(block, ascii_only)


def _bars(block: Bars, ascii_only: bool) -> Iterator[str]:
    wide = max((len(bar.label) for bar in block.bars), default=0)
    full, reach, mark = ("#", "-", "|") if ascii_only else ("█", "─", "│")

    def at(value: float) -> int:
        return round(max(0.0, value) / block.top * PLOT)

    for bar in block.bars:
        row = [" "] * (PLOT + 1)
        row[: at(bar.value)] = full * at(bar.value)
        for column in range(at(bar.value), at(bar.high)):
            row[column] = reach
        if block.mark is not None:
            row[min(PLOT, at(block.mark))] = mark
        shown = f"{number(bar.value)}{block.unit} ({number(bar.low)}–{number(bar.high)})"
        yield f"  {bar.label.ljust(wide)}  {''.join(row)} {shown}"
    if block.mark is not None:
        yield f"  {' ' * wide}  {mark} {block.marked}: {number(block.mark)}{block.unit}"


def _curves(block: Curves, ascii_only: bool) -> Iterator[str]:
    low, high = block.reach
    signs: Sequence[str] = "*o+x" if ascii_only else "●○◆◇"
    rows = [[" "] * COLUMNS for _ in range(ROWS)]
    for sign, (_, line) in reversed([*zip(signs, block.lines, strict=False)]):
        for column in range(COLUMNS):
            place = column / (COLUMNS - 1) * (len(line) - 1)
            before = min(int(place), max(0, len(line) - 2))
            after = min(before + 1, len(line) - 1)
            value = line[before] + (line[after] - line[before]) * (place - before)
            rows[round((high - value) / (high - low) * (ROWS - 1))][column] = sign
    for at, row in enumerate(rows):
        scale = number(high) if at == 0 else number(low) if at == ROWS - 1 else ""
        yield f"  {scale:>8} {'|' if ascii_only else '│'}{''.join(row)}".rstrip()
    yield "           " + "   ".join(
        f"{sign} {name}" for sign, (name, _) in zip(signs, block.lines, strict=False)
    )
