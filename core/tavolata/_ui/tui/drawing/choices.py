"""The drawing of the decision: the act button, the question, the choices and what is not possible. Pure."""

from __future__ import annotations

from rich.cells import cell_len

from tavolata._ui.scene.scene import Decision, Option, Timeline
from tavolata._ui.tui.drawing.runs import (
    Block,
    Hotspot,
    Line,
    Run,
    clipped,
    fitted,
    padded,
    sides,
    width,
    wrapped,
)
from tavolata._ui.tui.drawing.stage import Rect
from tavolata._ui.tui.drawing.workshop import Workshop
from tavolata.messages import N_

CANT = N_("{key} why not")
WHY = N_("{choice}: {reason}")
PAGE = N_("{first}-{last} of {n}, PgUp and PgDn")
MOSTLY = 4
"""Of so many choices one may be cut, so that the others have two columns; its button says all of it."""
BAR = 24


def rule(title: str, cells: int, shop: Workshop, button: str = "", role: str = "title") -> Line:
    """Return a line between two regions, with the act button before its title."""
    across: Run = (shop.glyphs.across, "edge")
    head: Line = (across, *clipped(((button, "act"), across), cells - 2)) if button else (across,)
    if title:
        head = (*head, (f" {title} ", role))
    return sides(clipped(head, cells - 1), (), cells, across)


def draw_decision(
    rect: Rect,
    shop: Workshop,
    *,
    key: str,
    why_key: str,
    trouble: str = "",
    why: bool = False,
    numbered: bool = True,
) -> tuple[Block, int, tuple[int, int], int]:
    """Draw the decision of the scene; return it with the columns, the cursor, and the choices of a page.

    `trouble` is shown as the title if it fits there, otherwise above the question; `why` shows the reasons of
    impossible choices in place of the choices.
    """
    decision, cells = shop.scene.decision, rect.width
    button = f" {key or shop.glyphs.enter} {decision.act} " if decision.act else ""
    lines: list[Line] = [rule(decision.title, cells, shop, button)]
    if trouble and cell_len(trouble) + cell_len(button) + 5 <= cells:
        lines = [rule(trouble, cells, shop, button, "wrong")]  # there no choice makes way for it
        trouble = ""
    spots = [Hotspot(1, 0, min(cell_len(button), cells - 3), 1, ("key", "answer"))] if button else []
    inner = cells - 2
    replays = decision.timeline is not None  # it has no choices below
    if trouble:
        lines += [((" ", ""), *row) for row in wrapped(trouble, "wrong", inner)[: 3 if replays else 2]]
    most = 1 if rect.height < 6 else 2 if rect.height < 8 else 3
    told = [] if replays and trouble else decision.text.split("\n")
    for text in (*told, *decision.note.split("\n")) if decision.kind in ("wait", "window") else told:
        if text:
            lines += [
                ((" ", ""), *row) for row in wrapped(text, "prompt" if decision.options else "", inner)[:most]
            ]
    if decision.entries:
        lines.append(_entries(decision, inner, shop))
    lines += [((" ", ""), (clip, "dim")) for clip in decision.preview[:1]]
    columns, cursor, page = 1, (1, min(len(lines) - 1, rect.height - 1)), 1
    if decision.timeline is not None:
        drawn_line, x = _timeline(decision.timeline, inner, shop)
        cursor = (x + 1, len(lines))
        lines += [((" ", ""), *row) for row in drawn_line]
        told_below = wrapped(decision.note, "dim", inner - 2)
        left = max(0, rect.height - len(lines))
        if len(told_below) > left > 0:  # the help page tells all of it
            told_below[left - 1] = (*told_below[left - 1], (f" {shop.glyphs.ellipsis}", "dim"))
        lines += [((" ", ""), *row) for row in told_below]
    if decision.amount is not None:
        cursor = (3, len(lines))
        lines += _amount(decision, inner, shop)
    if decision.writing is not None:
        typed = clipped(
            ((f" {decision.writing.typed} ", "cursor"), ("  ", ""), (decision.note, "dim")), inner
        )
        cursor = (2 + cell_len(decision.writing.typed), len(lines))
        lines.append(((" ", ""), *typed))
    if why and decision.cannot:
        for choice, reason in decision.cannot:
            said = shop.say(WHY, {"choice": choice, "reason": reason})
            lines += [((" ", ""), *row) for row in wrapped(said, "dim", inner, "  ")]
    elif decision.options:
        choices = [_cell(option, shop, numbered=numbered) for option in decision.options]
        left = max(1, rect.height - len(lines) - bool(decision.note))
        columns, _ = _columns(choices, inner, max(1, left - 1))
        needed = -(-len(choices) // columns) + bool(decision.cannot)
        if len(lines) < rect.height - 4 and needed < left:
            lines.append(())
            left -= 1
        top = len(lines)
        drawn, columns, at, page = _options(choices, inner, left, shop, why_key)
        cursor = (at[0] + 1, top + at[1])
        lines += [((" ", ""), *row) for row in drawn.lines]
        spots += [spot.moved(1, top) for spot in drawn.spots]
        if decision.note and len(lines) < rect.height:
            lines.append(((" ", ""), *clipped(((decision.note, "dim"),), inner)))
    return fitted(Block(tuple(lines), tuple(spots)), cells, rect.height), columns, cursor, page


def _entries(decision: Decision, cells: int, shop: Workshop) -> Line:
    runs: Line = ((" ", ""),)
    for entry in decision.entries:
        value = entry.value or (shop.glyphs.dot * 3 if not entry.now else shop.glyphs.cursor)
        role = "title" if entry.now else "dim"
        runs = (*runs, (f"{entry.label} ", role), (value, "strong" if entry.value else "turn"), ("   ", ""))
    return clipped(runs, cells)


def _timeline(line: Timeline, cells: int, shop: Workshop) -> tuple[list[Line], int]:
    """Return the moments of a match as a line with the one shown now, above the marks of the great ones."""
    glyphs, span = shop.glyphs, cells - 3

    def x_of(moment: int) -> int:
        return 1 + moment * (span - 1) // max(1, line.last)

    at = x_of(line.at)
    bar: Line = (
        ("  ", ""), (glyphs.heavy.across * at, "turn"), (glyphs.coin, "cursor"),
        (glyphs.across * (span - at), "edge"),
    )  # fmt: skip
    signs: dict[int, Run] = {}
    for moment, seat in line.peaks:
        panel = shop.panels.get(seat)
        sign = (glyphs.marks[panel.mark], f"hue{panel.hue}") if panel is not None else (glyphs.up, "hot")
        signs[x_of(moment)] = sign
    signs[x_of(line.last)] = (glyphs.star, "coin")
    below: Line = (("  ", ""), *(signs.get(x, (" ", "")) for x in range(span + 1)))
    return [clipped(bar, cells), clipped(below, cells)], at + 2


def _amount(decision: Decision, cells: int, shop: Workshop) -> list[Line]:
    amount = decision.amount
    assert amount is not None
    size = len(str(amount.high))
    value = int(amount.typed) if amount.typed.isdecimal() else amount.low
    span = max(1, amount.high - amount.low)
    at = max(0, min(BAR - 1, (value - amount.low) * (BAR - 1) // span))
    across, knob = shop.glyphs.lane[0], shop.glyphs.coin
    runs: Line = (
        ("  ", ""), (f" {amount.typed:>{size}} ", "cursor"), ("  ", ""),
        (across * at, "turn"), (knob, "turn"), (shop.glyphs.across * (BAR - 1 - at), "edge"), ("  ", ""),
        (decision.note, "dim"),
    )  # fmt: skip
    if width(runs) > cells:
        return [clipped(runs[:6], cells), ((" ", ""), *clipped(((decision.note, "dim"),), cells))]
    return [runs]


def _cell(option: Option, shop: Workshop, *, numbered: bool) -> Line:
    at = option is shop.pointed
    role = "cursor" if at else "dim" if not option.can else option.colour
    key = option.key or (str(option.number) if numbered else "")
    number: Run = (
        f" {key:>2} " if key else " ",
        "key" if option.can and not at else "cursor" if at else "dim",
    )
    mark: Line = ()
    if shop.scene.decision.kind == "several":
        sign = str(option.order) if option.order else shop.glyphs.off
        mark = ((f"{shop.glyphs.on if option.order else ' '}{sign} ", "taken" if option.order else "dim"),)
    shown = shop.glyphs.cursor if at else " "
    return ((shown, "turn"), number, *mark, (f" {option.text} ", role))


def _columns(cells_of: list[Line], cells: int, least_rows: int) -> tuple[int, int]:
    longest = max(map(width, cells_of))
    most = max(1, (cells + 1) // longest)  # the last cell of each is empty
    if most == 1 < len(cells_of) and len(cells_of) > least_rows:  # a few long ones part the others
        half = (cells + 1) // 2 - 1
        most = 1 + (sum(width(cell) > half + 1 for cell in cells_of) * MOSTLY <= len(cells_of))
    needed = -(-len(cells_of) // max(1, least_rows))
    return max(
        1, min(most, max(needed, 1 if len(cells_of) <= 2 else most if longest < 12 else needed))
    ), longest


def _tight(cell: Line, cells: int) -> Line:
    """Drop the empty cell at the end of a choice if that's the one too many."""
    if width(cell) <= cells or not cell[-1][0].endswith(" "):
        return cell
    return (*cell[:-1], (cell[-1][0][:-1], cell[-1][1]))


def _options(
    drawn: list[Line], cells: int, rows: int, shop: Workshop, why_key: str
) -> tuple[Block, int, tuple[int, int], int]:
    """Draw the choices in columns; if not all fit, draw the page of the one pointed at."""
    decision = shop.scene.decision
    cant = bool(decision.cannot) and rows > 1
    columns, longest = _columns(drawn, cells, rows - cant)
    if cant and (rows - 1) * columns < len(drawn):
        without, _ = _columns(drawn, cells, rows)
        if rows * without >= len(drawn):  # all choices on view say more than that line: the keys have it, too
            cant, columns = False, without
    longest = min(longest, (cells + 1) // columns - 1)
    per = max(1, rows - cant) * columns
    paged = len(drawn) > per
    if paged and rows > 1:
        per = (rows - 1) * columns  # one row below says the page and what can't be
    last = -(-(len(drawn) - per) // columns) * columns  # the last page is as full as the others
    first = min(decision.pointed // per * per, last) if paged else 0
    shown = range(first, min(len(drawn), first + per))
    lines: list[Line] = []
    spots: list[Hotspot] = []
    cursor = (0, 0)
    for start in range(first, shown.stop, columns):
        row: Line = ()
        for place in range(start, min(start + columns, shown.stop)):
            x = width(row)
            spots.append(Hotspot(x, len(lines), longest, 1, ("choice", place)))
            if place == decision.pointed:
                cursor = (x, len(lines))
            row = (*row, *padded(clipped(_tight(drawn[place], longest), longest), longest), (" ", ""))
        lines.append(row)
    foot: Line = ()
    if paged and rows > 1:
        said = shop.say(PAGE, {"first": first + 1, "last": shown.stop, "n": len(drawn)})
        foot = ((f"  {said}  ", "dim"),)
    if cant:
        said = "  " + shop.say(CANT, {"key": why_key})
        if not foot or width(foot) + cell_len(said) <= cells:
            foot = (*foot, (said, "dim"))
    if foot:
        lines.append(clipped(foot, cells))
    return Block(tuple(lines), tuple(spots)), columns, cursor, per
