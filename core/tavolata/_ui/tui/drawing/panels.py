"""The drawing of the players: a panel of a few lines for each seat, or rows of chips. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from tavolata._ui.scene.scene import Panel, Value
from tavolata._ui.tui.drawing.runs import (
    LABEL,
    Block,
    Line,
    beside,
    clipped,
    counted_out,
    fitted,
    label,
    padded,
    sides,
    stacked,
    width,
    wrapped,
)
from tavolata._ui.tui.drawing.stage import Rect
from tavolata._ui.tui.drawing.workshop import Workshop, change, chart
from tavolata.messages import N_

PLAYERS = N_("players")
KINDS = {"you": N_("you"), "here": N_("here"), "bot": N_("(bot)")}
PASSED_OVER = N_("skipped")
NARROW = 20
"""The fewest cells of a course with its name."""
GUTTER = 6
"""The cells after a number that are kept free for its change."""
BARE = 2
"""The brevity without titles, after that of shorter ones."""


def draw_players(rect: Rect, shop: Workshop, *, chips: bool) -> Block:
    panels = shop.scene.panels
    if not panels:
        return fitted(Block(()), rect.width, rect.height)
    if chips:
        return fitted(_chips(panels, rect.width, rect.height, shop), rect.width, rect.height)
    name, title = shop.say(PLAYERS), shop.scene.title
    if title and cell_len(name) + cell_len(title) + GUTTER >= rect.width:
        name = ""  # whose numbers they are is seen
    head = sides(((name, "title"),), ((title + " " * GUTTER, "dim"),), rect.width)
    rows = rect.height - 1
    each, more = divmod(rows, len(panels))
    if each < 1:
        body = _chips(panels, rect.width, rows, shop)
    else:
        heights = [min(6, each + (each > 1 and at < more)) for at in range(len(panels))]
        body = stacked(
            fitted(_panel(panel, rect.width, high, high - min(heights), shop), rect.width, high)
            for panel, high in zip(panels, heights, strict=True)
        )
    return fitted(stacked([Block((head,)), body]), rect.width, rect.height)


def who(panel: Panel, shop: Workshop) -> Line:
    return ((shop.glyphs.marks[panel.mark], f"hue{panel.hue}"),)


def _panel(panel: Panel, cells: int, rows: int, spare: int, shop: Workshop) -> Block:
    """Draw a seat; no chart uses the rows to `spare`, which not all panels have."""
    glyphs, hue = shop.glyphs, f"hue{panel.hue}"
    bar: Line = ((glyphs.bar + " ", hue),)
    asked = panel.state != "idle"
    name: Line = ((f"{glyphs.marks[panel.mark]} {panel.name}", f"{hue}-here" if asked else hue),)
    kind = shop.say(KINDS[panel.kind]) if panel.kind in KINDS else ""
    going = flow_of(panel, cells // 2, shop)
    note = panel.says or going or panel.note or kind
    tag: Line = ((f" {note}", "good" if panel.says else "hot" if going else "dim"),) if note else ()
    lines: list[Line] = []
    inner = cells - 2
    extra = _extra(panel)
    right = main_number(panel, shop)
    name = clipped(name, max(1, inner - width(right) - 1)) if right else name
    tag = tag if width(right) + width(name) + width(tag) < inner or rows == 1 else ()
    if rows == 1:
        for value in extra:
            one = _squeezed(value, inner - width(right) - width(name) - 3, shop)
            right = (*one, ("  ", ""), *right) if one else right
        tag = tag if width(right) + width(name) + width(tag) < inner else ()
        return Block(((*bar, *sides((*name, *tag), right, inner)),))
    lines.append((*bar, *sides((*name, *tag), right, inner)))
    ended = shop.scene.end is not None
    course = [] if shop.is_charted else chart(panel, inner, 1, shop) if ended else []
    room = rows - 1 - bool(course)
    lines += [(*bar, *one) for one in known_of(panel, inner, room, shop)]
    lines += [(*bar, *one) for one in course]
    left = 0 if shop.is_charted else rows - spare - len(lines) - (rows - spare > 4)
    if left > 0 and not course and (graph := _graph(panel, inner, shop)):
        lines += [(*bar, *graph)]
        left -= 1
    if left > 0:
        whole = bool(course) or panel.main is None or not panel.main.goal  # for the line, or below the bar
        drawn = chart(panel, inner, left + whole, shop)
        if drawn:
            lines = [*lines[: len(lines) - whole], *((*bar, *row) for row in drawn)]
    lines += [(*bar, *one) for one in deeds_of(panel, inner, rows - len(lines) - (rows > 3), shop)]
    while len(lines) < min(rows, 3):
        lines.append(bar)
    return Block(tuple(lines))


def _extra(panel: Panel) -> list[Value]:
    return [value for value in panel.more if value.draw != "cards" or value.cards or value.number]


def known_of(panel: Panel, cells: int, rows: int, shop: Workshop) -> list[Line]:
    """Draw what's known of a seat besides its number in at most these rows."""
    lines: list[Line] = []
    for brief in range(rows < 2, BARE + 1):
        lines = _told(_extra(panel), cells, rows, shop, brief)
        if len(lines) <= rows:
            break
    if len(lines) > rows > 0:  # as much as has room, and that it's not all
        lines[rows - 1] = (*lines[rows - 1], (f" {shop.glyphs.ellipsis}", "dim"))
    return [clipped(one, cells) for one in lines[:rows]]


def deeds_of(panel: Panel, cells: int, rows: int, shop: Workshop, *, whole: bool = False) -> list[Line]:
    """Draw what a seat did last, without its name, in at most these rows; cut, unless `whole`."""
    told = next((one.text for one in reversed(shop.scene.story) if one.seat == panel.seat), "")
    if rows < 1 or cells < LABEL or shop.scene.end is not None or not told:
        return []
    text = told.removeprefix(f"{panel.name}:").removeprefix(f"{panel.name} ").strip()
    lines = wrapped(text, "dim", cells)
    done = text.partition(": ")[2]  # behind how it was done
    if len(lines) > rows and done and len(wrapped(done, "dim", cells)) <= rows:
        lines = wrapped(done, "dim", cells)
    if len(lines) > rows:
        if whole:
            return []
        lines[rows - 1] = clipped((*lines[rows - 1], (f" {shop.glyphs.ellipsis}", "dim")), cells)
    return lines[:rows]


def _told(values: Sequence[Value], cells: int, rows: int, shop: Workshop, brief: int) -> list[Line]:
    """Draw what's known of a seat: short things share a line, long ones lose their titles."""
    lines: list[Line] = []
    for value in values:
        one: Line = ()
        for level in range(brief, BARE + 1):
            one = _value(value, shop, level)
            if width(one) <= cells:
                break
        if width(one) > cells and value.draw == "words":
            lines += wrapped(value.text, one[0][1], cells)
            continue
        if width(one) > cells and value.draw == "cards":
            cards = [Block(((card,),)) for card in one[::2]]  # in the rows that the other things leave
            lines += counted_out(cards, cells, max(1, rows - len(values) + 1), "+{}".format, 1).lines
            continue
        beside = next((at for at, line in enumerate(lines) if width(line) + 2 + width(one) <= cells), None)
        if beside is None:
            lines.append(one)
        else:
            lines[beside] = (*lines[beside], ("  ", ""), *one)
    return lines


def flow_of(panel: Panel, cells: int, shop: Workshop) -> str:
    """Describe the flow from this seat or to it now, with a whole name if that fits; "" without one."""
    whole = _flow(panel, shop, short=False)
    return whole if cell_len(whole) <= cells else _flow(panel, shop, short=True)


def _flow(panel: Panel, shop: Workshop, *, short: bool) -> str:
    names = {
        one.seat: f"{shop.glyphs.marks[one.mark]} {one.short if short else one.name}"
        for one in shop.scene.panels
    }
    said = []
    for one in shop.scene.flows:
        if one.seat == panel.seat and one.to in names:
            said.append(f"{one.n} {shop.glyphs.arrows[1]} {names[one.to]}")
        elif one.to == panel.seat and one.seat in names:
            said.append(f"{one.n} {shop.glyphs.arrows[0]} {names[one.seat]}")
        elif panel.seat in one.over:
            said.append(shop.say(PASSED_OVER))
    return ", ".join(said)


def main_number(panel: Panel, shop: Workshop) -> Line:
    if panel.main is None:
        return ()
    number = _pips(panel.main, shop) if panel.main.draw == "pips" else ((panel.main.text, "number"),)
    return (*number, *padded(change(panel.main.delta, shop.glyphs), GUTTER))


def _pips(value: Value, shop: Workshop) -> Line:
    goal, number = value.goal or 0, value.number or 0
    if not 0 < goal <= 10:
        return ((value.text, "number"),)
    role = "down" if value.better == "less" else "coin"
    return ((shop.glyphs.full * min(goal, number), role), (shop.glyphs.empty * (goal - number), "dim"))


def _graph(panel: Panel, cells: int, shop: Workshop) -> Line:
    main, hue = panel.main, f"hue{panel.hue}"
    if main is not None and main.goal and main.number is not None and main.draw != "pips":
        full = max(0, min(cells - 2, round((cells - 2) * main.number / main.goal)))
        return ((shop.glyphs.full * full, hue), (shop.glyphs.empty * (cells - 2 - full), "edge"))
    return next(iter(chart(panel, cells, 1, shop)), ())


def courses(panels: Sequence[Panel], cells: int, rows: int, shop: Workshop) -> Block:
    """Draw the course of each seat's number, below one another, or side by side where rows are scarce."""
    across = max(1, -(-len(panels) // rows))
    each = cells // across
    if each < NARROW:
        return Block(())
    parts = []
    for panel in panels:
        name = panel.name if each > 24 else panel.short
        widest = max(cell_len(one.name if each > 24 else one.short) for one in panels)
        head = padded(((f" {shop.glyphs.marks[panel.mark]} {name}", f"hue{panel.hue}"),), widest + 5)
        course = next(iter(chart(panel, each - width(head) - 1, 1, shop)), ())
        parts.append(fitted(Block(((*head, *course),)), each, 1))
    return stacked(beside(parts[at : at + across], 0) for at in range(0, len(parts), across))


def _value(value: Value, shop: Workshop, brief: int = BARE) -> Line:
    """Draw a value with its title, with the beginning of it, or `BARE`; a number is never bare."""
    role, is_number = "hot" if value.new else "", value.draw in ("number", "bar")
    said = label(value.title) if brief else value.title
    title: Line = ((said + " ", "dim"),) if brief < BARE or is_number else ()
    if value.draw == "cards":
        hidden, shown = _hidden(value, shop), shown_cards(value)
        return (*title, *hidden, *(((" ", ""),) if hidden and shown else ()), *shown[:-1])
    if is_number or value.draw == "pips":
        number = _pips(value, shop) if value.draw == "pips" else ((value.text, role or "number"),)
        return (*title, *number, *change(value.delta, shop.glyphs))
    return (*title, (value.text, role))


def shown_cards(value: Value) -> Line:
    shown: Line = ()
    for card in value.cards:
        face = f"{card.corner}{card.sign}" or card.text
        role = "cursor" if card.counted else "hot" if card.new else card.colour or "face"
        shown = (*shown, (face, role), (" ", ""))
    return shown


def _squeezed(value: Value, cells: int, shop: Workshop) -> Line:
    """Draw a value in few cells, or nothing if it needs more; of cards at least how many are hidden."""
    one = _value(value, shop)
    if width(one) <= cells:
        return one
    if value.draw == "cards" and value.number and value.cards and width(_hidden(value, shop)) < cells:
        return clipped(one, cells)
    return ()


def _hidden(value: Value, shop: Workshop) -> Line:
    return ((f"{shop.glyphs.back}{value.number}", "back"),) if value.number else ()


def _chips(panels: tuple[Panel, ...], cells: int, rows: int, shop: Workshop) -> Block:
    across = -(-len(panels) // rows)
    two = rows >= 2 * -(-len(panels) // max(1, cells // 15))
    if two:
        across = -(-len(panels) // (rows // 2))
    each = cells // across
    blocks = []
    for panel in panels:
        asked = panel.state != "idle"
        name = panel.name if each >= 14 else panel.short
        hue = f"hue{panel.hue}"
        head: Line = (
            (shop.glyphs.bar, hue),
            (f"{shop.glyphs.marks[panel.mark]}{name}", f"{hue}-here" if asked else hue),
            (" ", ""), *main_number(panel, shop),
        )  # fmt: skip
        while not head[-1][0].strip():  # where a number has not changed, its room is blank
            head = head[:-1]
        lines: list[Line] = [clipped(head, each)]
        if two:
            told: Line = (("  ", ""), (panel.note, "hot")) if panel.note else ()
            for value in panel.more:
                one = _value(value, shop)
                if width(told) + width(one) + 4 <= each:
                    told = (*told, ("  ", ""), *one)
            lines.append(told)
        blocks.append(fitted(Block(tuple(lines)), each, len(lines)))
    return stacked(beside(blocks[at : at + across], 0) for at in range(0, len(blocks), across))
