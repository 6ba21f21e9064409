"""The drawing of an ending: the podium, the order of all seats, awards and statistics. Pure."""

from __future__ import annotations

from tavolata._ui.scene.scene import AwardLine, Panel, Scene, SeatStanding, StatisticLine
from tavolata._ui.tui.drawing.layout import Rect
from tavolata._ui.tui.drawing.runs import (
    Block,
    Line,
    beside,
    clipped,
    padded,
    stacked,
    width,
    wrapped,
)
from tavolata._ui.tui.drawing.workshop import Workshop
from tavolata.messages import N_

AWARDS = N_("awards")
WIDEST = 18
NAMES, LOW = 2, 2
"""The rows of names and numbers on the podium, and of its steps where there is room for both."""


def draw_ending(scene: Scene, rect: Rect, shop: Workshop) -> tuple[Block, list[Line]]:
    """Draw the podium of the first three above the others, the awards and the statistics.

    Where rows are scarce, the podium is low and the others are beside the headline. Lines that still have no
    room are returned, too.
    """
    end = scene.end
    assert end is not None
    cells, rows = rect.width, rect.height
    panels = {panel.seat: panel for panel in scene.panels}
    head: list[Line] = [((" ", ""), *row) for row in wrapped(end.headline, "hot", cells - 2)[:2]]
    why: list[Line] = [((" ", ""), *row) for row in wrapped(end.why, "dim", cells - 2)] if end.why else []
    others = [_place(one, panels, shop) for one in end.order[3:]]
    awards = [_award(award, panels, shop) for award in end.awards]
    numbers = [row for one in end.statistics for row in _statistic(one, panels, cells, shop)]
    told = [*others, *why, *([((" " + shop.say(AWARDS), "title"),)] if awards else []), *awards, *numbers]
    room = rows - len(head) - NAMES
    if len(told) + LOW > room:
        beside_head = _in_a_row([*head[-1:], *others], cells)
        head, told = [*head[:-1], *beside_head], [*why, *awards, *numbers]
        room = rows - len(head) - NAMES
    podium = _podium(end.order[:3], panels, cells, max(1, min(9, room - len(told))), shop)
    left = max(0, rows - len(head) - podium.height)
    if told[: len(why)] == why and len(why) > left:  # half a reason says nothing; the log has it
        told = [*told[len(why) :], *why]
    above, below = (Block(tuple(clipped(row, cells) for row in part)) for part in (head, told[:left]))
    return stacked([above, podium, below]), told[left:]


def _award(award: AwardLine, panels: dict[int, Panel], shop: Workshop) -> Line:
    panel = panels.get(award.seat)
    mark: Line = () if panel is None else ((f" {shop.glyphs.marks[panel.mark]} ", f"hue{panel.hue}"),)
    return (*mark, (award.title, "strong"), (f"  {award.why}", "dim"))


def _statistic(one: StatisticLine, panels: dict[int, Panel], cells: int, shop: Workshop) -> list[Line]:
    parts: list[Line] = [((f" {one.title}", "strong"),)]
    for seat, value in enumerate(one.values):
        panel = panels.get(seat)
        if panel is not None:
            parts.append(((f"{shop.glyphs.marks[panel.mark]} {value}", f"hue{panel.hue}"),))
    return _in_a_row(parts, cells)


def _in_a_row(parts: list[Line], cells: int) -> list[Line]:
    lines: list[Line] = []
    for part in parts:
        if lines and width(lines[-1]) + 2 + width(part) <= cells:
            lines[-1] = (*lines[-1], ("  ", ""), *part)
        else:
            lines.append(part)
    return lines


def _place(one: SeatStanding, panels: dict[int, Panel], shop: Workshop) -> Line:
    panel = panels.get(one.seat)
    if panel is None:
        return ()
    star = f" {shop.glyphs.star}" if one.won else ""
    return (
        (f" {one.place}. ", "dim"),
        (f"{shop.glyphs.marks[panel.mark]} {panel.name}{star}", f"hue{panel.hue}"),
        (f"  {one.text}", "number"),
    )  # fmt: skip


def _podium(
    order: tuple[SeatStanding, ...], panels: dict[int, Panel], cells: int, steps: int, shop: Workshop
) -> Block:
    """Draw the first three on steps: the second at the left, the first in the middle."""
    if not order:
        return Block(())
    wide = min(WIDEST, (cells - 2) // 3 - 1)
    blocks = []
    for one in [order[1], order[0], *order[2:]] if len(order) > 1 else order:
        panel = panels[one.seat]
        hue = f"hue{panel.hue}"
        high = max(1, steps * (4 - min(3, one.place)) // 3)
        name = f"{shop.glyphs.marks[panel.mark]} {panel.name}" + (f" {shop.glyphs.star}" if one.won else "")
        lines: list[Line] = [()] * (steps - high)
        lines += [_middle(((name, hue),), wide), _middle(((one.text, "number"),), wide)]
        lines.append(((f"{one.place:^{wide}}", f"{hue}-here"),))
        lines += [((" " * wide, f"{hue}-here"),)] * (high - 1)
        blocks.append(Block(tuple(lines)))
    block = beside(blocks, 1)
    gap = max(0, (cells - block.width) // 2)
    return Block(tuple(((" " * gap, ""), *row) for row in block.lines))


def _middle(row: Line, cells: int) -> Line:
    row = clipped(row, cells)
    left = (cells - width(row)) // 2
    return padded(((" " * left, ""), *row), cells)
