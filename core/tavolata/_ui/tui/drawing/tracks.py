"""The drawing of a track: a lane for each token above the numbers and marks, or text if it doesn't fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tavolata._ui.tui.drawing.marks import colour_of, letters_of
from tavolata._ui.tui.drawing.pen import Pen
from tavolata._ui.tui.drawing.runs import Block, Line, Run, padded, width, wrapped
from tavolata._ui.zone_lines import EMPTY, PLAIN_SQUARE, SQUARE

LANES = 12
"""The most tokens that are drawn in lanes; more are listed as text."""


Squares = Sequence[tuple[Any, str, tuple[Any, ...]]]
"""(square, mark, tokens) of each square; see `Lanes`."""


def draw_track(squares: Squares, pen: Pen) -> Block:
    """Draw squares in a line, with a lane for each token."""
    where = {token: at for at, (_, _, tokens) in enumerate(squares) for token in tokens}
    names = {token: pen.name(token) for token in sorted(where, key=str)}
    left = max([width(((name, ""),)) for name in names.values()], default=0) + 1
    each = min(5, (pen.room - left - 2) // max(1, len(squares)))
    if each < 2:  # the letters on the lanes must be enough
        left, each = 1, (pen.room - 3) // max(1, len(squares))
    if each < 2 or len(names) > LANES:
        return _told(squares, pen)
    letters = dict(zip(names, letters_of(list(names.values())), strict=True))
    lanes: list[Line] = []
    for token, name in names.items():
        colour = colour_of(token)
        label: Line = padded(((name, colour),), left) if left > 1 else ((" ", ""),)
        lanes.append((*label, *_lane(squares, token, where[token], letters, each, pen)))
    return Block((*lanes, *_scale(squares, left, each, pen)))


def _told(squares: Squares, pen: Pen) -> Block:
    """Draw a track without enough room as text, square by square."""
    rows: list[Line] = []
    for at, mark, tokens in squares:
        if tokens or mark:
            on_it = pen.name(tokens) if tokens else pen.say(EMPTY)
            said = pen.say(SQUARE if mark else PLAIN_SQUARE, {"square": at, "mark": mark, "tokens": on_it})
            rows += wrapped(said, "", pen.room, "  ")
    return Block(tuple(rows))


def _lane(squares: Squares, token: str, at: int, letters: dict[str, str], each: int, pen: Pen) -> Line:
    behind, ahead = pen.glyphs.lane
    colour = colour_of(token) or "token"
    runs: list[Run] = []
    for square, (_, mark, tokens) in enumerate(squares):
        sign = letters[token] if square == at else behind if square < at else ahead
        # In some races the order of arrival matters, so tokens on a shared square are numbered.
        place = str(tokens.index(token) + 1) if square == at and len(tokens) > 1 and each > 2 else ""
        fill = " " if square >= at else behind
        role = f"{colour}-here" if square == at else colour if square < at else "hedge" if mark else "dim"
        runs += [(sign, role), ((place + fill * each)[: each - 1], colour if square <= at else "dim")]
    return tuple(runs)


def _scale(squares: Squares, left: int, each: int, pen: Pen) -> list[Line]:
    """The numbers below the lanes, then the marks below their squares, on as many lines as needed."""
    last = len(squares) - 1
    step = next(n for n in (1, 2, 5, 10, 20, 50, 100) if n * each >= len(str(last)) + 1)
    marked = [at for at, (_, mark, _) in enumerate(squares) if mark]
    shown = [at for at in range(len(squares)) if at % step == 0 or at == last]
    if marked:
        shown = sorted({0, *marked, last})
    rows = [_placed([(left + at * each, pen.name(squares[at][0]), "dim") for at in shown], pen.room)]
    marks = [(left + at * each, pen.say(squares[at][1]), "hedge") for at in marked]
    while marks:
        rows.append(_placed(marks, pen.room))
        marks = [one for one in marks if one not in _fitting(marks, pen.room)]
    return rows


def _fitting(words: list[tuple[int, str, str]], room: int) -> list[tuple[int, str, str]]:
    fitting: list[tuple[int, str, str]] = []
    end = -1
    for at, text, role in words:
        if at > end or (not fitting and at + len(text) > room):
            fitting.append((at, text, role))
            end = at + width(((text, ""),))
    return fitting


def _placed(words: list[tuple[int, str, str]], room: int) -> Line:
    runs: list[Run] = []
    for at, text, role in _fitting(words, room):
        begin = max(width(runs) + bool(runs), min(at, room - width(((text, ""),))))
        runs += [(" " * (begin - width(runs)), ""), (text, role)]
    return tuple(runs)
