"""The drawing of an ending: the podium, the order of all seats, awards and statistics. Pure."""

from __future__ import annotations

from tavolata._ui.scene.scene import AwardLine, Decisive, SeatStanding, StatisticLine
from tavolata._ui.tui.drawing.cue import tally
from tavolata._ui.tui.drawing.panels import courses
from tavolata._ui.tui.drawing.runs import (
    Block,
    Line,
    beside,
    centred,
    clipped,
    stacked,
    width,
    wrapped,
)
from tavolata._ui.tui.drawing.stage import Rect
from tavolata._ui.tui.drawing.workshop import Workshop, chart, scale_of
from tavolata.messages import N_

AWARDS = N_("awards")
DECIDED = N_("deciding moment (turn {n})")
SCALE = N_("{title}, same scale for all ({range})")
TIED = N_("{place}, tied")
WIDEST, TIED_CELLS = 18, 10
NAMES, LOW = 2, 2
"""The rows of names and numbers on the podium, and of its steps where there is room for both."""


def draw_ending(rect: Rect, shop: Workshop) -> tuple[Block, list[Line]]:
    """Draw the podium, the charts, the others, what decided the match, the awards and the statistics.

    Where rows are scarce, the podium is low and the others are beside the headline. Lines that still have no
    room are returned, too.
    """
    end, panels = shop.scene.end, shop.scene.panels
    assert end is not None
    cells, rows = rect.width, rect.height
    head: list[Line] = [((" ", ""), *row) for row in wrapped(end.headline, "hot", cells - 2)[:2]]
    steps = _on_steps(end.order, cells, shop)
    others = [_place(one, shop) for one in end.order[steps:]]
    awards = [_award(award, shop) for award in end.awards]
    numbers = [row for one in end.statistics for row in _statistic(one, cells, shop)]
    decisive = _decisive(end.decisive, cells, shop) if end.decisive is not None else []
    told = [
        *others,
        *decisive,
        *([((" " + shop.say(AWARDS), "title"),)] if awards else []),
        *awards,
        *numbers,
    ]
    room = rows - len(head) - NAMES
    if len(told) + LOW > room:
        beside_head = _in_a_row([*head[-1:], *others], cells)
        head, told = [*head[:-1], *beside_head], told[len(others) :]
        room = rows - len(head) - NAMES
    charts: list[Line] = []
    has_course = end.course and any(chart(panel, cells, 1, shop) for panel in panels)
    if has_course and room - len(told) - LOW > len(panels):
        low, high = scale_of(panels)
        title = shop.say(SCALE, {"title": end.course, "range": f"{low}{shop.glyphs.ellipsis}{high}"})
        shop.is_charted = True
        charts = [((f" {title}", "title"),), *courses(panels, cells, len(panels), shop).lines]
    high = max(1, min(9, room - len(told) - len(charts)))
    podium = _podium(end.order[:steps], cells, high, shop)
    left = max(0, rows - len(head) - podium.height - len(charts))
    if told[: len(decisive)] == decisive and len(decisive) > left:  # half a sentence says nothing
        told = [*told[len(decisive) :], *decisive]
    left = headed(told, left)
    lines = [*charts, *told[:left]]
    above, below = (Block(tuple(clipped(row, cells) for row in part)) for part in (head, lines))
    return stacked([above, podium, below]), told[left:]


def headed(lines: list[Line], rows: int) -> int:
    """Return how many lines to show in `rows` rows, without a heading at the end."""
    while 0 < rows < len(lines) and lines[rows - 1][0][1] == "title":
        rows -= 1
    return max(0, rows)


def _decisive(one: Decisive, cells: int, shop: Workshop) -> list[Line]:
    """Draw the verdict that decided the match, with what was counted for it."""
    lines: list[Line] = [((" " + shop.say(DECIDED, {"n": one.turn}), "title"),)]
    lines += [((" ", ""), *row) for row in wrapped(one.text, "", cells - 2)]
    counted: list[Line] = [((" ", ""), *tally(each, shop)) for each in one.cue.tallies if each.cards]
    return [*lines, *_in_a_row(counted, cells)]


def _on_steps(order: tuple[SeatStanding, ...], cells: int, shop: Workshop) -> int:
    """Return how many seats are on the podium: three, and their equals as far as names have room."""
    longest = max((len(shop.panels[one.seat].name) + 4 for one in order), default=0)
    most = max(3, min(5, (cells - 2) // (max(longest, TIED_CELLS) + 1)))
    return min(most, sum(one.place <= 3 for one in order) if len(order) > 3 else len(order))


def _award(award: AwardLine, shop: Workshop) -> Line:
    panel = shop.panels.get(award.seat)
    mark: Line = () if panel is None else ((f" {shop.glyphs.marks[panel.mark]} ", f"hue{panel.hue}"),)
    return (*mark, (award.title, "strong"), (f"  {award.why}", "dim"))


def _statistic(one: StatisticLine, cells: int, shop: Workshop) -> list[Line]:
    parts: list[Line] = [((f" {one.title}", "strong"),)]
    for seat, value in enumerate(one.values):
        panel = shop.panels.get(seat)
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


def _place(one: SeatStanding, shop: Workshop) -> Line:
    panel = shop.panels[one.seat]
    star = f" {shop.glyphs.star}" if one.won else ""
    return (
        (f" {one.place}. ", "dim"),
        (f"{shop.glyphs.marks[panel.mark]} {panel.name}{star}", f"hue{panel.hue}"),
        (f"  {one.text}", "number"),
    )  # fmt: skip


def _podium(order: tuple[SeatStanding, ...], cells: int, steps: int, shop: Workshop) -> Block:
    """Draw seats on steps: the first in the middle, the others in turn at its left and right."""
    if not order:
        return Block(())
    wide = min(WIDEST, (cells - 2) // max(3, len(order)) - 1)
    places = [one.place for one in order]
    blocks = []
    for one in [*reversed(order[1::2]), order[0], *order[2::2]]:
        panel = shop.panels[one.seat]
        hue = f"hue{panel.hue}"
        high = max(1, steps * (4 - min(3, one.place)) // 3)
        name = f"{shop.glyphs.marks[panel.mark]} {panel.name}" + (f" {shop.glyphs.star}" if one.won else "")
        place = shop.say(TIED, {"place": one.place}) if places.count(one.place) > 1 else str(one.place)
        lines: list[Line] = [()] * (steps - high)
        counted: Line = ((one.text, "number"),)
        told: Line = ((f"{shop.scene.title} ", "dim"), *counted) if shop.scene.title and one.text else counted
        lines += [centred(((name, hue),), wide), centred(told if width(told) <= wide else counted, wide)]
        lines.append(((f"{place:^{wide}}", f"{hue}-here"),))
        lines += [((" " * wide, f"{hue}-here"),)] * (high - 1)
        blocks.append(Block(tuple(lines)))
    block = beside(blocks, 1)
    return block.moved(max(0, (cells - block.width) // 2))
