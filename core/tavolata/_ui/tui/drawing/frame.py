"""The frame: a scene drawn on a screen of some size, every cell of it. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace
from rich.cells import cell_len

from tavolata._ui.scene.say import in_ascii
from tavolata._ui.scene.scene import RESULT, Scene, StoryLine
from tavolata._ui.tui.drawing.choices import draw_decision, rule
from tavolata._ui.tui.drawing.cue import draw_cue
from tavolata._ui.tui.drawing.ending import draw_ending, headed
from tavolata._ui.tui.drawing.glyphs import Glyphs
from tavolata._ui.tui.drawing.items import draw_board, draw_yours, own_title
from tavolata._ui.tui.drawing.lines import key_line
from tavolata._ui.tui.drawing.opening import draw_card
from tavolata._ui.tui.drawing.panels import courses, draw_players, shown_cards, who
from tavolata._ui.tui.drawing.ring import box_width, draw_ring
from tavolata._ui.tui.drawing.runs import (
    Block,
    Hotspot,
    Line,
    beside,
    clipped,
    fitted,
    line,
    padded,
    sides,
    stacked,
    width,
    wrapped,
)
from tavolata._ui.tui.drawing.stage import TableStage
from tavolata._ui.tui.drawing.workshop import Workshop
from tavolata.messages import N_

STORY = N_("story")
EARLIER = N_("earlier")
GUIDE = N_("guide")
NO_HINT = N_("Nothing to explain right now. The next hint will stay here until you've read it.")
RULED = 6
"""The cells around a sentence in the line between two regions."""
MOMENT = 150
"""The cells of a sentence of the story, about two rows of 80; what is longer is whole in the log."""


@dataclass(frozen=True, slots=True)
class Foot:
    """Everything in a frame besides its scene.

    `keys` holds the name, the label and the action of each key that matters now, `views` the name and the
    title of each view. `answer` and `why_key` are keys as they're written.
    """

    keys: Sequence[tuple[str, str, str]] = ()
    views: Sequence[tuple[str, str]] = ()
    answer: str = ""
    why_key: str = "x"
    trouble: str = ""
    why: bool = False
    numbered: bool = True


@dataclass(frozen=True, slots=True)
class DrawnFrame:
    """A drawn scene: its block, the columns of choices, the cell of the cursor, and the choices of a page."""

    block: Block
    columns: int
    cursor: tuple[int, int]
    page: int


def draw_frame(
    scene: Scene, layout: TableStage, glyphs: Glyphs, say: Callable[..., str], foot: Foot
) -> DrawnFrame:
    """Draw a scene on a screen of exactly the layout's size."""
    if scene.end is not None and layout.board.height > 2:
        # The podium has room for the result; the story doesn't repeat it.
        scene = replace(scene, story=tuple(told for told in scene.story if told.role != RESULT))
    shop = Workshop(scene, glyphs, say)
    status = draw_status(layout.width, shop, foot.views)
    newest, older = _story(scene.story, layout.story.width, layout.story.height - 1, shop)
    before, _ = _story(scene.story[:older], layout.earlier.width, layout.earlier.height - 1, shop)
    if before:
        shop.before = [((f"  {shop.say(EARLIER)}", "title"),)]
        shop.before += [tuple((text, role or "dim") for text, role in row) for row in before]
    more: list[Line] = []
    if scene.end is not None:
        board, more = draw_ending(layout.board, shop)
    elif layout.middle.height < layout.board.height:
        board = draw_ring(layout, shop)
    else:
        board = draw_board(layout, shop)
    players = draw_players(layout.players, shop, chips=layout.chips)
    if scene.end is None:
        board = draw_cue(board, layout.middle, layout.hero, shop)
    strip = Block(board.lines[layout.board.height :])
    board = fitted(board, layout.board.width, layout.board.height)
    titled = layout.yours.height > 3
    yours = draw_yours(scene.yours, layout.yours, shop, titled=titled and not layout.beside)
    low = layout.chips or layout.players.height <= 2 * len(scene.panels)  # no room for charts in panels
    if scene.end is not None and not layout.beside and (low or more):
        own = layout.yours
        high = min(own.height, max(own.height - len(more), -(-len(scene.panels) // 2))) if low else 0
        charts = courses(scene.panels, own.width, high, shop) if high else Block(())
        told_more = Block(tuple(more[: headed(more, own.height - charts.height)]))
        yours = fitted(stacked([told_more, charts]), own.width, own.height)
    elif layout.beside and layout.yours.height:
        own, title = layout.yours, own_title(scene.yours, shop)
        inside = draw_yours(scene.yours, own._replace(height=own.height - 1), shop, titled=False)
        yours = stacked([Block((rule(title, own.width, shop),)), inside])
    decision, columns, cursor, page = draw_decision(
        layout.decision, shop, key=foot.answer, why_key=foot.why_key, why=foot.why, numbered=foot.numbered,
        trouble=foot.trouble if glyphs.suits else in_ascii(foot.trouble),
    )  # fmt: skip
    guide = [_guide(layout, shop)] if layout.guide.height else []
    keys = key_line(foot.keys, layout.width - 1)
    spots = tuple(Hotspot(one.x + 1, one.y, one.width, 1, ("key", one.thing)) for one in keys.spots)
    keys = fitted(Block(tuple(((" ", ""), *row) for row in keys.lines), spots), layout.width, 1)
    if layout.beside:
        left = stacked([board, *guide, yours, decision])
        story = Block((rule(shop.say(STORY), layout.story.width, shop), *newest))
        right = stacked([players, fitted(story, layout.story.width, layout.story.height)])
        middle = _beside(left, right, shop)
    else:
        top = [players, board] if layout.chips else [board]
        if layout.players.height and not layout.chips:  # board and players side by side
            top = [_beside(board, players, shop), fitted(strip, layout.width, layout.strip.height)]
        below = _told_below(layout, decision, shop)
        log = next((key for name, key, _ in foot.keys if name == "log"), "") if below is None else ""
        rows = layout.story.height
        told = _ticker(layout.story.width, rows, shop, ruled=not layout.chips, more=log)
        middle = stacked([*top, told, *guide, yours, _hands_below(layout, below or decision, shop)])
    block = fitted(stacked([status, middle, keys]), layout.width, layout.height)
    if scene.card is not None:
        block = draw_card(scene.card, block, layout.board, shop)
    at = (cursor[0], layout.decision.y + min(cursor[1], layout.decision.height - 1))
    return DrawnFrame(block, columns, at, page)


def _beside(left: Block, right: Block, shop: Workshop) -> Block:
    rows = max(left.height, right.height)
    bar = Block((((shop.glyphs.down, "edge"),),) * rows)
    return beside([fitted(left, left.width, rows), bar, right], 0)


def draw_status(cells: int, shop: Workshop, views: Sequence[tuple[str, str]]) -> Block:
    status = shop.scene.status
    runs: Line = ((f" {status.title} ", "title"),)
    if status.who:
        panel = shop.panels.get(status.seat)
        mark = f"{shop.glyphs.marks[panel.mark]} " if panel is not None else ""
        role = "turn" if panel is None else f"hue{panel.hue}-here"
        runs = (*runs, (" ", ""), (f" {mark}{status.who} ", role))
    clock: Line = (("  ", ""), (status.clock, "hedge")) if status.clock else ()
    told_already: list[str] = []
    for title, text in status.facts:
        whole = f"{title} {text}".strip().casefold()
        if any(re.match(rf"{re.escape(whole)}(?!\d)", one) for one in told_already):
            continue  # "turn 3" beside a game's own "Turn 3 of 6"
        fact: Line = (("  ", ""), (f"{title} " if title else "", "dim"), (text, "" if title else "dim"))
        if width(runs) + width(fact) + width(clock) <= cells:  # half a fact would be none
            runs = (*runs, *fact)
            told_already.append(whole)
    runs = (*runs, *clock)
    right: Line = ()
    told = [text for text in (status.link, status.pace) if text]
    for number, text in enumerate(told, 1):
        last = number == len(told) and not views
        right = (*right, (text if last else f"{text} {shop.glyphs.dot} ", "dim"))
    spots: list[Hotspot] = []
    for number, (name, label) in enumerate(views):
        right = (*right, *((((f" {shop.glyphs.dot} ", "dim"),)) if number else ()))
        spots.append(Hotspot(width(right), 0, cell_len(label), 1, ("view", name)))
        right = (*right, (label, "tab"))
    right = (*right, (" ", ""))
    begin = cells - width(right)
    if width(runs) + 1 + width(right) > cells and width(runs) > cells // 2:
        right, spots = (), []
    tabs = tuple(spot.moved(begin, 0) for spot in spots)
    return Block((sides(clipped(runs, cells), right, cells),), tabs)


def _mark(told: StoryLine, shop: Workshop) -> Line:
    """Return the mark of the seat that acts in a sentence, unless the sentence has it."""
    panel = shop.panels.get(told.seat)
    mark = "" if panel is None else f"{shop.glyphs.marks[panel.mark]} "
    return () if panel is None or mark in told.text else ((mark, f"hue{panel.hue}"),)


def _moment(told: StoryLine, cells: int, shop: Workshop, role: str = "") -> list[Line]:
    """Break a sentence of the story into lines, at least two of them if it has more words."""
    rows = wrapped(told.text, told.role or role, cells)
    most = max(2, -(-MOMENT // max(1, cells)))
    if len(rows) > most:
        rows[most - 1] = clipped((*rows[most - 1], (f" {shop.glyphs.ellipsis}", "dim")), cells)
    return rows[:most]


def _ticker(cells: int, rows: int, shop: Workshop, *, ruled: bool, more: str) -> Block:
    """Draw the newest sentences in a few rows; the last of them is part of a line between two regions.

    If that one is cut, it ends in `more`, the key that shows it whole.
    """
    across, room = shop.glyphs.across, cells - (RULED if ruled else 1)
    said: list[Line] = []
    for told in reversed(shop.scene.story[-rows:]):
        texts = wrapped(told.text, told.role, room - 2)
        kept = texts if len(texts) <= rows - len(said) else [line(told.text, told.role)]
        first = (*_mark(told, shop), *kept[0])
        said = [first, *kept[1:], *said]
    lines: list[Line] = [()] * (rows - len(said)) + said[-rows:]
    spots: list[Hotspot] = []
    if width(lines[-1]) > room and more:
        spots = [Hotspot(room - len(more), rows - 1, len(more) + 4, 1, ("view", "log"))]
        lines[-1] = (*clipped(lines[-1], room - len(more) - 1), (" ", ""), (more, "key"))
    lines = [padded(((" ", ""), *clipped(one, cells - 1)), cells) for one in lines[:-1]] + lines[-1:]
    if ruled:
        last: Line = ((across * 2 + " ", "edge"), *clipped(lines[-1], room), (" ", ""))
        lines[-1] = sides(last, (), cells, (across, "edge")) if said else ((across * cells, "edge"),)
    else:
        lines[-1] = padded(((" ", ""), *lines[-1]), cells)
    return Block(tuple(lines), tuple(spots))


def _told_below(layout: TableStage, decision: Block, shop: Workshop) -> Block | None:
    """Put sentences into the blank last rows of the decision.

    That's the newest one if its own line can't hold it, and otherwise, while nothing is asked, those before
    it, the last of them first. Return None if there's nothing to add, or no room.
    """
    newest = shop.scene.story[-1] if shop.scene.story else None
    cells, height = layout.decision.width, len(decision.lines)
    if newest is None:
        return None
    blank = [not "".join(text for text, _ in row).strip() for row in decision.lines]
    left = next((at for at, row in enumerate(reversed(blank)) if not row), height)
    told = newest.text.split("\n")[0] in shop.scene.decision.text
    ticker = layout.story.width - (1 if layout.chips else RULED) - 2
    if len(wrapped(newest.text, "", ticker)) > layout.story.height and not told:
        rows = [((" ", ""), *row) for row in _moment(newest, cells - 2, shop, "dim")]
        if len(rows) > left or len(rows) > height - 2:
            return None
        return Block((*decision.lines[: height - len(rows)], *rows), decision.spots)
    if shop.scene.decision.kind not in ("wait", "window") or left < 1 or layout.guide.height:
        return None
    earlier = _earlier(layout.story.height, cells, left, shop)
    rows = [*earlier, *[()] * (left - len(earlier))]
    return Block((*decision.lines[: height - left], *rows), decision.spots) if earlier else None


def _earlier(newest: int, cells: int, rows: int, shop: Workshop) -> list[Line]:
    """Return the sentences before the newest ones, the last of them first; the first may be cut short."""
    earlier: list[Line] = []
    for one in shop.scene.story[:-newest][: -rows - 1 : -1]:
        mark = _mark(one, shop)
        told = _moment(one, cells - 3 - width(mark), shop, "dim")
        blank = " " * (1 + width(mark))
        lines = [((" ", ""), *mark, *told[0]), *(((blank, ""), *row) for row in told[1:])]
        if earlier and len(earlier) + len(lines) > rows:
            break
        earlier += lines
    if len(earlier) > rows:  # the sentence continues in the log
        earlier = [*earlier[: rows - 1], (*earlier[rows - 1], (f" {shop.glyphs.ellipsis}", "dim"))]
    return earlier


def _hands_below(layout: TableStage, decision: Block, shop: Workshop) -> Block:
    """Put open hands that panels can't hold into the blank last rows of the decision, two in a row."""
    panels, half = shop.scene.panels, layout.decision.width // 2
    if (layout.players.height - 1) // max(1, len(panels)) > 1:
        return decision
    around = layout.middle.height < layout.board.height
    seen = box_width(-(-len(panels) // 2), layout.board.width) - 4 if around else 0
    hands: list[Line] = []
    for one in panels:
        for value in one.more:
            cards = shown_cards(value)
            few = value.draw != "cards" or len(value.cards) < 2 or value.number or width(cards) <= seen
            if not few and one.seat != shop.scene.seat:
                name = one.name if cell_len(one.name) + width(cards) + 4 <= half else one.short
                hands.append(padded(((" ", ""), *who(one, shop), (f" {name} ", "dim"), *cards), half))
    kept = len(decision.lines) - -(-len(hands) // 2)
    blank = all(not text.strip() for row in decision.lines[kept:] for text, _ in row)
    if not hands or kept < 2 or not blank:
        return decision
    rows = [(*hands[at], *(hands[at + 1] if at + 1 < len(hands) else ())) for at in range(0, len(hands), 2)]
    return Block((*decision.lines[:kept], *rows), decision.spots)


def _story(story: Sequence[StoryLine], cells: int, rows: int, shop: Workshop) -> tuple[list[Line], int]:
    """Draw the newest sentences in these rows, as many as are whole; return lines, and how many are older.

    The newest one is at the bottom. If it alone has too many lines, these are its last ones.
    """
    lines: list[Line] = []
    older = len(story)
    while older and rows > 0:
        mark = _mark(story[older - 1], shop) or (("  ", ""),)
        first, *others = _moment(story[older - 1], cells - 3, shop)
        told = [(*mark, *first), *((("  ", ""), *row) for row in others)]
        if lines and len(told) + len(lines) > rows:
            return [*[()] * (rows - len(lines)), *lines], older
        older, lines = older - 1, [*told, *lines]
    return lines[max(0, len(lines) - rows) :], older


def _guide(layout: TableStage, shop: Workshop) -> Block:
    """Draw the hint above the decision; where it's folded or missing, draw what has room there.

    That is the folded hint in one line beside a whole story, otherwise the sentences before the newest one,
    the last of them first.
    """
    cells, rows = layout.guide.width, layout.guide.height
    guide = shop.scene.guide
    title = shop.say(GUIDE)
    if guide is not None and guide.place:
        title += f" {shop.glyphs.dot} {guide.place}"
    if guide is not None and not guide.folded:
        hint = [((" ", ""), *row) for row in wrapped(guide.text, "hint", cells - 2)]
        return fitted(Block((rule(title, cells, shop), *hint)), cells, rows)
    if layout.beside:  # the story has a place of its own
        waits = guide.text.split("\n")[0] if guide is not None else shop.say(NO_HINT)
        return fitted(Block((rule(title, cells, shop), clipped(((f" {waits}", "dim"),), cells))), cells, rows)
    earlier = _earlier(layout.story.height, cells, rows - 1, shop)
    return fitted(Block((rule(shop.say(STORY), cells, shop), *earlier)), cells, rows)
