"""The lines around the board: status, log, keys. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from tavolata._ui.tui.desk import Note
from tavolata._ui.tui.glyphs import Glyphs
from tavolata._ui.tui.runs import Block, Line, Run, Spot, clipped, padded, width, wrapped


def status_line(
    left: Sequence[str], clock: str, link: str, views: Sequence[tuple[str, str]], now: str, room: int,
    glyphs: Glyphs,
) -> Block:  # fmt: skip
    """The first line.

    Args:
        left: what stands there first: the game, the turn.
        clock: the time that is left, "" without.
        link: how good the connection is, "" without.
        views: what can be looked at: its name, and what it is called.
        now: the name of what is looked at.
        room: the cells of the line.
        glyphs: the signs.
    """
    runs: list[Run] = []
    for text, role in [(left[0], "title"), *((one, "") for one in left[1:]), (clock, "hedge"), (link, "dim")]:
        if text:
            runs += [*([(f" {glyphs.dot} ", "dim")] if runs else []), (text, role)]
    tabs: list[Run] = []
    spots: list[Spot] = []
    size = sum(width(((label, ""),)) + 2 for _, label in views)
    start = room - size
    for name, label in views:
        spots.append(Spot(start + width(tuple(tabs)), 0, width(((label, ""),)), 1, name))
        tabs += [(label, "tab-on" if name == now else "tab"), ("  ", "")]
    if start < width(tuple(runs)) + 2:
        return Block((clipped(tuple(runs), room),))
    return Block(((*padded(tuple(runs), start), *tabs),), tuple(spots))


def log_block(notes: Sequence[Note], room: int) -> Block:
    """Lines of the log, wrapped."""
    return Block(tuple(row for note in notes for row in wrapped(note.text, note.role, room, "  ")))


def key_line(keys: Sequence[tuple[str, str, str]], room: int) -> Block:
    """The keys that matter now.

    Args:
        keys: what each is called in the table of keys, how it is written, and what it does.
        room: the cells of the line; what does not fit is left out, the last but one first.
    """
    shown = list(keys)
    while len(shown) > 1 and sum(width(((f"{key} {what}", ""),)) + 2 for _, key, what in shown) > room:
        shown.pop(-2 if len(shown) > 2 else -1)
    runs: Line = ()
    spots: list[Spot] = []
    for name, key, what in shown:
        at = width(runs)
        runs = (*runs, (key, "key"), (f" {what}", ""), ("  ", ""))
        spots.append(Spot(at, 0, width(runs) - at - 2, 1, name))
    return Block((clipped(runs, room),), tuple(spots))
