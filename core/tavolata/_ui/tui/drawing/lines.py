"""The lines around the board: status, log, keys. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from tavolata._ui.tui.drawing.glyphs import Glyphs
from tavolata._ui.tui.drawing.runs import Block, Hotspot, Line, Run, clipped, padded, width, wrapped
from tavolata._ui.tui.drawing.workshop import Pen
from tavolata._ui.tui.model.table_model import Note


def status_line(
    left: Sequence[str], clock: str, link: str, views: Sequence[tuple[str, str]], now: str, room: int,
    glyphs: Glyphs,
) -> Block:  # fmt: skip
    runs: list[Run] = []
    for text, role in [(left[0], "title"), *((one, "") for one in left[1:]), (clock, "hedge"), (link, "dim")]:
        if text:
            runs += [*([(f" {glyphs.dot} ", "dim")] if runs else []), (text, role)]
    tabs: list[Run] = []
    spots: list[Hotspot] = []
    size = sum(cell_len(label) + 2 for _, label in views)
    start = room - size
    for name, label in views:
        spots.append(Hotspot(start + width(tuple(tabs)), 0, cell_len(label), 1, name))
        tabs += [(label, "tab-on" if name == now else "tab"), ("  ", "")]
    if start < width(tuple(runs)) + 2:
        return Block((clipped(tuple(runs), room),))
    return Block(((*padded(tuple(runs), start), *tabs),), tuple(spots))


def log_block(notes: Sequence[Note], pen: Pen) -> Block:
    told = ((pen.plainly(note.text), note.role) for note in notes)
    return Block(tuple(row for text, role in told for row in wrapped(text, role, pen.room, "  ")))


def news_block(notes: Sequence[Note], pen: Pen, rows: int, most: int, more: str) -> Block:
    """Draw the end of the log in `rows` lines; a new hint gets up to `most`, so that it can be read.

    `more` says how to read the rest of a longer hint.
    """
    first = next(
        (at for at in range(max(0, len(notes) - rows), len(notes)) if notes[at].role == "hint"), None
    )
    while first and notes[first - 1].role == "hint":
        first -= 1
    recent = log_block(notes[-rows:], pen).lines[-rows:]
    for at in range(len(notes) if first is None else first, len(notes)):
        block = log_block(notes[at:], pen)
        if block.height <= most:
            return Block(block.lines if block.height > rows else recent)
        if not any(note.role == "hint" for note in notes[at + 1 :]):
            return Block((*block.lines[: most - 1], *wrapped(pen.plainly(more), "dim", pen.room)[:1]))
    return Block(recent)


def key_line(keys: Sequence[tuple[str, str, str]], room: int) -> Block:
    """Draw the keys that matter now: name, label and action.

    Keys that don't fit are dropped, the last but one first.
    """
    shown = list(keys)
    while len(shown) > 1 and sum(cell_len(f"{key} {what}") + 2 for _, key, what in shown) > room:
        shown.pop(-2 if len(shown) > 2 else -1)
    runs: Line = ()
    spots: list[Hotspot] = []
    for name, key, what in shown:
        at = width(runs)
        runs = (*runs, (key, "key"), (f" {what}", ""), ("  ", ""))
        spots.append(Hotspot(at, 0, width(runs) - at - 2, 1, name))
    return Block((clipped(runs, room),), tuple(spots))
